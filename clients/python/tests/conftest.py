"""Fixtures: daemons, and stores that are connected to them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from blocking import blocking_store
from daemon import Daemon
from proxy import Proxy

from ghoststore import Store

Connect = Callable[[Daemon], Any]


@pytest.fixture(scope="session")
def shared_daemon() -> Iterator[Daemon]:
    """One daemon for all tests that can share a store."""
    daemon = Daemon()
    yield daemon
    daemon.remove()


@pytest.fixture
def daemon() -> Iterator[Daemon]:
    """A daemon for one test, with an empty store."""
    daemon = Daemon()
    yield daemon
    daemon.remove()


@pytest.fixture
def locked_daemon() -> Iterator[Daemon]:
    """A daemon without a key file and without a store."""
    daemon = Daemon(has_key_file=False)
    yield daemon
    daemon.remove()


@pytest.fixture(params=["sync", "async"])
def connect(request: pytest.FixtureRequest) -> Iterator[Connect]:
    """Returns a function that makes a Store, or an AsyncStore that is used like one."""
    stores: list[Any] = []
    loop = asyncio.new_event_loop()

    def make(daemon: Daemon) -> Any:
        stores.append(Store(daemon.socket) if request.param == "sync" else blocking_store(daemon.socket, loop))
        return stores[-1]

    yield make
    for store in stores:
        store.close()
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.run_until_complete(loop.shutdown_default_executor())
    loop.close()


@pytest.fixture
def store(shared_daemon: Daemon, connect: Connect) -> Any:
    """A store of either half on the shared daemon, emptied before the test."""
    store = connect(shared_daemon)
    store.clear_all_data("clear all data")
    return store


@pytest.fixture
def proxy(shared_daemon: Daemon, tmp_path: Path) -> Iterator[Proxy]:
    """A proxy in front of the shared daemon, whose store is emptied before the test."""
    proxy = Proxy(tmp_path, shared_daemon.socket)
    with Store(shared_daemon.socket) as store:
        store.clear_all_data("clear all data")
    yield proxy
    proxy.close()
