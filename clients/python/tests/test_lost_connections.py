"""Connections that fail, and daemons that are killed."""

from __future__ import annotations

import asyncio
import io
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Connect
from daemon import Daemon
from proxy import Proxy

from ghoststore import (
    AsyncStore,
    ClosedError,
    ConnectFailed,
    ConnectionLost,
    FileArea,
    FilePath,
    FileWritePlace,
    NewMessage,
    Options,
    Reason,
    Store,
    TimedOut,
    by_session,
    model,
)
from ghoststore.protocol import calls

HELLO_ANSWER_BYTES = 50


@pytest.fixture
def proxy(shared_daemon: Daemon, tmp_path: Path) -> Iterator[Proxy]:
    proxy = Proxy(tmp_path, shared_daemon.socket)
    with Store(shared_daemon.socket) as store:
        store.clear_all_data("clear all data")
    yield proxy
    proxy.close()


def said(text: str) -> NewMessage:
    return NewMessage(conversation=by_session("alice"), text=text)


def test_without_a_daemon_it_fails_at_once(tmp_path: Path, connect: Connect) -> None:
    class Nobody:
        socket = tmp_path / "socket"

    began = time.monotonic()
    with pytest.raises(ConnectFailed, match="no daemon listens") as failed:
        connect(Nobody()).get_status()  # type: ignore[arg-type]
    assert time.monotonic() - began < 1
    assert failed.value.hint.startswith("start ghoststored")


def test_a_write_whose_answer_was_lost_is_done_once(proxy: Proxy, connect: Connect) -> None:
    store = connect(proxy)  # type: ignore[arg-type]
    # The answer to hello comes; that to the write is cut off, at any byte.
    proxy.answer_budgets = [HELLO_ANSWER_BYTES + cut for cut in (0, 1, 5, 20)]
    commit = store.save_message(said("once"))
    assert proxy.connections > 1 and commit.created_count == 1
    assert [message.text for message in store.messages("alice")] == ["once"]


def test_a_request_that_was_cut_off_is_sent_again(proxy: Proxy, connect: Connect) -> None:
    store = connect(proxy)  # type: ignore[arg-type]
    proxy.request_budgets = [30, 40, 60]
    assert store.save_message(said("x" * 100_000)).created_count == 1
    assert [len(message.text) for message in store.messages("alice")] == [100_000]


def test_what_may_not_be_repeated_is_lost_with_its_connection(proxy: Proxy, connect: Connect) -> None:
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


def test_a_daemon_that_does_not_come_back_is_told(daemon: Daemon, connect: Connect) -> None:
    store = connect(daemon)
    store.ping()
    daemon.kill()
    with pytest.raises((ConnectFailed, ConnectionLost)):
        store.ping(options=Options(timeout_seconds=0.3))


def test_a_watch_has_no_gap_and_nothing_twice_over_kills(daemon: Daemon, connect: Connect) -> None:
    store = connect(daemon)
    watch = store.watch(0)
    expected: list[int] = []
    seen: list[int] = []
    for number in range(3):
        for _ in range(5):
            store.save_message(said("t"), options=Options(timeout_seconds=20))
        expected += [change.revision for change in store.changes(expected[-1] if expected else 0)]
        while len(seen) < len(expected) - number:
            seen.append(watch.next_within(10).revision)
        daemon.kill()
        daemon.start()
    while len(seen) < len(expected):
        seen.append(watch.next_within(10).revision)
    assert seen == expected == list(range(1, len(expected) + 1))
    assert watch.next_within(0.2) is None
    assert watch.revision == expected[-1] and len(watch.history_id) == 16
    watch.close()


def test_a_watch_through_a_proxy_that_cuts_everywhere(proxy: Proxy, connect: Connect) -> None:
    store = connect(proxy)  # type: ignore[arg-type]
    revision = store.get_statistics().revision
    for _ in range(20):
        store.save_message(said("t"))
    proxy.answer_budgets = [HELLO_ANSWER_BYTES + 97 * cut for cut in range(5)]
    watch = store.watch(revision, kinds=[model.EntityKind.MESSAGE])
    changes = [watch.next_within(10) for _ in range(20)]
    assert len({change.id for change in changes}) == 20
    assert [change.revision for change in changes] == sorted(change.revision for change in changes)
    watch.close()


def test_a_watch_that_began_now_tells_where_it_stands(store: Any) -> None:
    watch = store.watch(kinds=[model.EntityKind.LOG])
    assert watch.revision is None and watch.next_within(0.1) is None
    assert watch.revision == store.get_statistics().revision
    store.open_log("new", 100)
    assert watch.next_within(5).id == "new"
    watch.close()
    assert list(watch) == []


def test_a_watch_of_what_is_forgotten_ends(store: Any) -> None:
    store.save_message(said("t"))
    store.compact_changes(store.get_statistics().revision)
    with pytest.raises(Exception) as ended:
        next(iter(store.watch(1)))
    assert getattr(ended.value, "reason") is Reason.CHANGES_COMPACTED
    with pytest.raises(Exception) as ended:
        next(iter(store.watch(1, history_id=bytes(16))))
    assert getattr(ended.value, "reason") is Reason.HISTORY_CHANGED


def test_a_watch_that_nobody_takes_from_holds_up_nothing(store: Any) -> None:
    revision = store.get_statistics().revision
    watch = store.watch(revision)
    assert watch.next_within(0.05) is None
    for _ in range(5):
        store.save_messages([said("t") for _ in range(256)])
    kinds = [watch.next_within(10).kind for _ in range(5 * 256 + 1)]
    assert kinds.count(model.EntityKind.MESSAGE) == 5 * 256
    watch.close()


def test_a_log_is_followed_over_a_kill(daemon: Daemon, connect: Connect) -> None:
    store = connect(daemon)
    store.open_log("events", 1 << 16)
    store.append_log("events", [b"1"])
    following = store.follow_log("events")
    assert next(following).data == b"1"
    daemon.kill()
    daemon.start()
    store.append_log("events", [b"2"])
    assert next(following).data == b"2"
    store.delete_log("events")
    with pytest.raises(Exception) as ended:
        next(following)
    assert getattr(ended.value, "reason") is Reason.LOG_NOT_FOUND


def test_an_upload_is_begun_anew_where_it_was_lost(proxy: Proxy, connect: Connect) -> None:
    store = connect(proxy)  # type: ignore[arg-type]
    content = bytes(range(256)) * 12_000
    proxy.request_budgets = [1_500_000, 2_500_000]
    store.upload_file("document/large", io.BytesIO(content))
    assert store.read_file_bytes("document/large") == content
    assert proxy.connections == 3


def test_an_upload_that_cannot_be_read_twice_is_lost(proxy: Proxy, connect: Connect) -> None:
    class Pipe(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def read(self, count: int = -1) -> bytes:
            return bytes(min(count, 70_000))

    store = connect(proxy)  # type: ignore[arg-type]
    proxy.request_budgets = [1_500_000]
    with pytest.raises(ConnectionLost):
        store.upload_file("document/endless", Pipe())
    assert list(store.files("document")) == []


def test_a_download_goes_on_where_its_connection_was_lost(proxy: Proxy, connect: Connect, tmp_path: Path) -> None:
    store = connect(proxy)  # type: ignore[arg-type]
    content = bytes(range(256)) * 20_000
    store.upload_file("document/large", content)
    store.close()
    proxy.answer_budgets = [1_200_000, 1_300_000]
    again = connect(proxy)  # type: ignore[arg-type]
    target = tmp_path / "large"
    assert again.download_file("document/large", target) == len(content)
    assert target.read_bytes() == content and target.stat().st_mode & 0o777 == 0o600
    assert sorted(one.name for one in tmp_path.iterdir()) == ["large", "proxy"]


def test_whoever_closes_a_store_ends_its_calls(shared_daemon: Daemon) -> None:
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


def test_a_call_that_takes_too_long_is_over_and_the_connection_lives_on(store: Any) -> None:
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
            # As many as wait on a connection at most: cancelled ones must not count.
            for _ in range(3):
                waiting = [asyncio.create_task(store.read_log("quiet", wait_milliseconds=30_000)) for _ in range(40)]
                await asyncio.sleep(0.05)
                for task in waiting:
                    task.cancel()
                ended = await asyncio.gather(*waiting, return_exceptions=True)
                assert all(isinstance(one, asyncio.CancelledError) for one in ended)
                await store.ping()
            upload = asyncio.create_task(store.upload_file("cache/large", bytes(30_000_000)))
            await asyncio.sleep(0.02)
            upload.cancel()
            with pytest.raises(asyncio.CancelledError):
                await upload
            with pytest.raises(Exception) as missing:
                await store.get_file("cache/large")
            assert getattr(missing.value, "reason") is Reason.FILE_NOT_FOUND

    asyncio.run(main())


def test_pieces_of_a_file_go_to_its_end_and_over_its_middle(store: Any) -> None:
    path = FilePath(area=FileArea.LIBRARY, path="log")
    store.upload_file(path, b"0123456789")
    store.upload_file(path, io.BytesIO(b"ab"), place=FileWritePlace.END)
    store.upload_file(path, io.BytesIO(b"XY"), place=FileWritePlace.OFFSET, offset=3)
    assert store.read_file_bytes(path) == b"012XY56789ab"


def test_a_file_that_changes_while_it_is_read_is_told_or_read_anew(store: Any, tmp_path: Path) -> None:
    store.upload_file("cache/f", bytes(3_000_000))
    pieces = store.file_pieces("cache/f")
    next(pieces)
    store.upload_file("cache/f", b"\x01" * 3_000_000)
    with pytest.raises(Exception) as changed:
        list(pieces)
    assert getattr(changed.value, "reason") is Reason.FILE_CHANGED
    target = io.BytesIO()
    assert store.download_file("cache/f", target) == 3_000_000 and set(target.getvalue()) == {1}


def test_large_files_and_attachments_come_back_as_they_went(store: Any, tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(bytes(range(251)) * 100_000)
    store.upload_file("document/large", source)
    assert store.download_file("document/large", str(target)) == 25_100_000
    assert target.read_bytes() == source.read_bytes()
    digest = store.upload_attachment(source)
    attached = model.NewAttachment(digest=digest, name="large", mime_type="application/octet-stream")
    message = NewMessage(conversation=by_session("alice"), attachments=(attached,))
    [message_id] = store.save_message(message).ids
    assert store.download_attachment(message_id, 0, target) == 25_100_000
    assert target.read_bytes() == source.read_bytes()


def test_answers_are_taken_while_requests_go_out(store: Any) -> None:
    # More than the daemon has answers waiting: it stops reading until they are taken.
    store.save_message(NewMessage(conversation=by_session("alice"), id="m", text="t" * 200_000))
    requests = [(calls.GET_MESSAGE, model.GetMessageRequest(id="m"))] * 300
    assert sum(len(message.text) for message in store.pipeline(requests, ahead=300)) == 300 * 200_000
