"""Connections that fail, and daemons that are killed."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from conftest import Connect
from daemon import Daemon
from proxy import HELLO_ANSWER_BYTES, Proxy

from ghoststore import ConnectFailed, ConnectionLost, NewMessage, Options, by_session


def said(text: str) -> NewMessage:
    return NewMessage(conversation=by_session("alice"), text=text)


def test_a_call_without_a_daemon_fails_at_once(tmp_path: Path, connect: Connect) -> None:
    class Nobody:
        socket = tmp_path / "socket"

    began = time.monotonic()
    with pytest.raises(ConnectFailed, match="no daemon listens") as failed:
        connect(Nobody()).get_status()  # type: ignore[arg-type]
    assert time.monotonic() - began < 1
    assert failed.value.hint.startswith("start ghoststored")


def test_a_write_whose_answer_was_lost_is_done_once(proxy: Proxy, connect: Connect) -> None:
    store = connect(proxy)  # type: ignore[arg-type]
    # The answer to hello arrives. The answer to the write is cut off after different numbers of bytes.
    proxy.answer_budgets = [HELLO_ANSWER_BYTES + cut for cut in (0, 1, 5, 20)]
    commit = store.save_message(said("once"))
    assert proxy.connections > 1 and commit.created_count == 1
    assert [message.text for message in store.messages("alice")] == ["once"]


def test_a_request_that_was_cut_off_is_sent_again(proxy: Proxy, connect: Connect) -> None:
    store = connect(proxy)  # type: ignore[arg-type]
    proxy.request_budgets = [30, 40, 60]
    assert store.save_message(said("x" * 100_000)).created_count == 1
    assert [len(message.text) for message in store.messages("alice")] == [100_000]


def test_a_call_that_may_not_be_repeated_fails_with_its_connection(proxy: Proxy, connect: Connect) -> None:
    store = connect(proxy)  # type: ignore[arg-type]
    proxy.answer_budgets = [HELLO_ANSWER_BYTES]
    with pytest.raises(ConnectionLost) as lost:
        store.check_store()
    assert lost.value.may_have_had_effect and lost.value.is_retryable
    assert store.check_store().is_clean


def test_a_store_outlives_its_daemon(daemon: Daemon, connect: Connect) -> None:
    store = connect(daemon)
    store.save_message(said("before"))
    daemon.kill()
    starting = threading.Timer(0.2, daemon.start)
    starting.start()
    assert store.save_message(said("after"), options=Options(timeout_seconds=20)).created_count == 1
    starting.join()
    assert [message.text for message in store.messages("alice")] == ["after", "before"]


def test_a_daemon_that_restarts_between_two_calls_causes_no_error(daemon: Daemon, connect: Connect) -> None:
    store = connect(daemon)
    store.ping()
    for end in (daemon.stop, daemon.kill):
        end()
        daemon.start()
        # A call that must not be repeated must not be sent on the old connection.
        assert store.check_store().is_clean


def test_a_daemon_that_does_not_come_back_is_an_error(daemon: Daemon, connect: Connect) -> None:
    store = connect(daemon)
    store.ping()
    daemon.kill()
    with pytest.raises((ConnectFailed, ConnectionLost)):
        store.ping(options=Options(timeout_seconds=0.3))
