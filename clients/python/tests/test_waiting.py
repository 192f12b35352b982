"""Calls that end early: by their time limit, by their caller, or because the store is closed."""

from __future__ import annotations

import asyncio
import io
import gc
import os
import random
import signal
import socket
import threading
import time
import warnings
from pathlib import Path
from typing import Any

import pytest
from conftest import Connect
from daemon import Daemon

from ghoststore import (
    AsyncStore,
    ClosedError,
    ConnectFailed,
    NewMessage,
    Options,
    Reason,
    Store,
    TimedOut,
    by_session,
    model,
)


def said(text: str) -> NewMessage:
    return NewMessage(conversation=by_session("alice"), text=text)


def test_closing_a_store_ends_its_calls(shared_daemon: Daemon) -> None:
    with Store(shared_daemon.socket) as store:
        store.open_log("quiet", 100)
        errors: list[BaseException] = []

        def wait() -> None:
            try:
                store.read_log("quiet", wait_milliseconds=30_000)
            except ClosedError as error:
                errors.append(error)

        waiting = threading.Thread(target=wait)
        waiting.start()
        time.sleep(0.1)
        store.close()
        waiting.join(5)
        assert len(errors) == 1
        with pytest.raises(ClosedError):
            store.ping()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_has_a_connection_of_its_own(shared_daemon: Daemon) -> None:
    with Store(shared_daemon.socket) as store:
        store.clear_all_data("clear all data")
        child = os.fork()
        if child == 0:
            try:
                for _ in range(50):
                    store.save_message(said("child"))
            except BaseException:
                os._exit(1)
            os._exit(0)
        for _ in range(50):
            store.save_message(said("parent"))
        _, status = os.waitpid(child, 0)
        assert status == 0 and store.get_statistics().message_count == 100


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("busy_with", ["connecting", "reading", "uploading", "appending"])
def test_a_process_that_is_forked_beside_threads_can_call(daemon: Daemon, busy_with: str) -> None:
    """The threads may hold any locks at the moment of the fork, but the child does not inherit them."""
    with Store(daemon.socket) as first, Store(daemon.socket) as store:
        first.save_message(said("hello"))
        content = bytes(100_000)
        if busy_with == "connecting":
            store.close()
            store = Store(daemon.socket)
            os.kill(daemon.process_id, signal.SIGSTOP)
        is_over = threading.Event()

        def work() -> None:
            while not is_over.is_set():
                if busy_with == "uploading":
                    store.upload_file(f"document/{threading.get_ident()}", content)
                elif busy_with == "appending":
                    store.upload_file("document/f", content, place=model.FileWritePlace.END)
                else:
                    store.get_statistics(options=Options(timeout_seconds=30))

        threads = [threading.Thread(target=work) for _ in range(12)]
        for thread in threads:
            thread.start()
        time.sleep(0.3)
        children = []
        for _ in range(1 if busy_with == "connecting" else 10):
            child = os.fork()
            if child == 0:
                signal.alarm(20)
                try:
                    if busy_with == "connecting":
                        os.kill(daemon.process_id, signal.SIGCONT)
                    store.upload_file(f"document/of-{os.getpid()}", content)
                    store.upload_file(f"document/end-{os.getpid()}", content, place=model.FileWritePlace.END)
                except BaseException:
                    os._exit(1)
                os._exit(0)
            children.append(child)
        ends = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
        is_over.set()
        os.kill(daemon.process_id, signal.SIGCONT)
        for thread in threads:
            thread.join()
        store.close()
        assert set(ends) == {0}


def test_a_store_can_be_used_on_a_later_event_loop(shared_daemon: Daemon) -> None:
    store = AsyncStore(shared_daemon.socket)
    with warnings.catch_warnings():
        # The store is not closed before its event loop ends, so asyncio warns when the connection is released.
        warnings.simplefilter("ignore", ResourceWarning)
        for _ in range(2):
            asyncio.run(store.ping())
            gc.collect()

        async def main() -> None:
            await store.ping()
            gc.collect()
            await store.close()

        asyncio.run(main())


def test_a_call_waits_while_the_sockets_queue_is_full(tmp_path: Path, connect: Connect) -> None:
    class Door:
        socket = tmp_path / "door"

    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(Door.socket))
    listener.listen(0)
    first = socket.socket(socket.AF_UNIX)
    first.connect(str(Door.socket))
    store = connect(Door())  # type: ignore[arg-type]
    began = time.monotonic()
    with pytest.raises((ConnectFailed, TimedOut)), listener, first:
        store.ping(options=Options(timeout_seconds=0.3))
    assert time.monotonic() - began >= 0.25


def test_a_call_that_times_out_leaves_the_connection_usable(store: Any) -> None:
    store.open_log("quiet", 100)
    began = time.monotonic()
    with pytest.raises(TimedOut) as late:
        store.read_log("quiet", wait_milliseconds=30_000, options=Options(timeout_seconds=0.2))
    assert time.monotonic() - began < 5 and isinstance(late.value, TimeoutError)
    store.ping()


def test_a_cancelled_task_leaves_nothing_behind(shared_daemon: Daemon) -> None:
    async def main() -> None:
        async with AsyncStore(shared_daemon.socket) as store:
            await store.open_log("quiet", 100)
            # Together these calls exceed the number of waiting calls that a connection may have, so cancelled ones must
            # not count.
            for _ in range(3):
                waiting = [asyncio.create_task(store.read_log("quiet", wait_milliseconds=30_000)) for _ in range(40)]
                await asyncio.sleep(0.05)
                for task in waiting:
                    task.cancel()
                ended = await asyncio.gather(*waiting, return_exceptions=True)
                assert all(isinstance(one, asyncio.CancelledError) for one in ended)
                await store.ping()
            loop = asyncio.get_running_loop()

            class Cancelling(io.BytesIO):
                def read(self, size: int | None = -1) -> bytes:
                    if self.tell() > 10_000_000:
                        loop.call_soon_threadsafe(upload.cancel)
                    return super().read(size)

            upload = asyncio.create_task(store.upload_file("cache/large", Cancelling(bytes(30_000_000))))
            with pytest.raises(asyncio.CancelledError):
                await upload
            with pytest.raises(Exception) as missing:
                await store.get_file("cache/large")
            assert getattr(missing.value, "reason") is Reason.FILE_NOT_FOUND

    asyncio.run(main())


def test_a_cancellation_that_arrives_with_the_answer_is_not_lost(shared_daemon: Daemon) -> None:
    async def main() -> None:
        async with AsyncStore(shared_daemon.socket) as store:
            cancelled = 0
            for number in range(400):
                task = asyncio.create_task(store.ping())
                for _ in range(number % 8):
                    await asyncio.sleep(0.00002)
                was_running = task.cancel()
                [result] = await asyncio.gather(task, return_exceptions=True)
                assert isinstance(result, asyncio.CancelledError) == was_running
                cancelled += was_running
            assert cancelled
            await store.ping()

    asyncio.run(main())


@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
def test_a_call_that_is_interrupted_anywhere_leaves_the_store_usable(shared_daemon: Daemon) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    dice = random.Random(1)
    interrupts = 0
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with Store(shared_daemon.socket) as store:
            store.open_log("quiet", 100)
            for number in range(1000):
                try:
                    signal.setitimer(signal.ITIMER_REAL, dice.uniform(0.00002, 0.0006))
                    if number % 2:
                        store.read_log("quiet", wait_milliseconds=30_000)
                    while True:
                        store.ping()
                except KeyboardInterrupt:
                    interrupts += 1
            # The interrupted calls no longer wait. A connection may have 64 waiting calls.
            assert store.read_log("quiet", wait_milliseconds=1).entries == () and interrupts == 1000
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        # A socket whose creation was interrupted is closed by the garbage collector.
        gc.collect()
