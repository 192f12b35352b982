"""Transfers that lose their connection, whose daemon restarts, or whose daemon has no room for a piece."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Connect
from daemon import Daemon
from fake import HELLO, FakeDaemon, frame, refusal
from proxy import Proxy

from ghoststore import (
    ArchiveAim,
    ConnectionLost,
    FileWritePlace,
    NewMessage,
    NotFound,
    Options,
    Reason,
    SourceChanged,
    Store,
    TimedOut,
    by_session,
    model,
)
from ghoststore.protocol import calls

PIECE_BYTES = 1 << 20
CONTENT = bytes(range(256)) * 20_000


class Pipe(io.RawIOBase):
    """A source that can be read only once."""

    def __init__(self, content: bytes) -> None:
        self._rest = content

    def readable(self) -> bool:
        return True

    def read(self, count: int = -1) -> bytes:
        data, self._rest = self._rest[:count], self._rest[count:]
        return data


class Interrupted(io.BytesIO):
    """A source that calls a function once when it has been read halfway."""

    def __init__(self, content: bytes, happens: Callable[[], None], *, seeks: bool = True) -> None:
        super().__init__(content)
        self._middle = len(content) // 2
        self._happens: list[Callable[[], None]] = [happens]
        self._seeks = seeks

    def seekable(self) -> bool:
        return self._seeks

    def read(self, size: int | None = -1) -> bytes:
        if self.tell() >= self._middle and self._happens:
            self._happens.pop()()
        return super().read(size)


def test_several_pieces_of_a_file_are_sent_before_an_answer(tmp_path: Path, connect: Connect) -> None:
    ids: list[int] = []

    def answer(call: Any, request: Any) -> Any:
        if call is calls.HELLO:
            return HELLO
        if call is calls.BEGIN_FILE_WRITE:
            return model.BeginFileWriteResponse(write=9)
        if call is calls.FINISH_FILE_WRITE:
            return model.Commit(revision=1)
        # The remaining requests are the pieces. The fake daemon answers none before all four have arrived.
        ids.append(len(ids) + 3)
        ends = [model.WriteFileResponse(bytes_received=PIECE_BYTES * (count + 1)) for count in range(len(ids))]
        return b"".join(map(lambda id, end: frame(id, call.result_number, end), ids, ends)) if len(ids) == 4 else b""

    with FakeDaemon(tmp_path, answer) as fake:
        options = Options(timeout_seconds=5)
        connect(fake).upload_file("document/f", bytes(4 * PIECE_BYTES), options=options)  # type: ignore[arg-type]
    assert fake.requests.count("write_file") == 4


def test_pieces_refused_for_lack_of_space_are_sent_again_in_order(tmp_path: Path, connect: Connect) -> None:
    received: list[int] = []
    refused: list[int] = []

    def answer(call: Any, request: Any) -> Any:
        if call is calls.HELLO:
            return HELLO
        if call is calls.BEGIN_FILE_WRITE:
            return model.BeginFileWriteResponse(write=9)
        if call is calls.FINISH_FILE_WRITE:
            return model.Commit(revision=1)
        if request.offset == PIECE_BYTES and not refused:
            refused.append(request.offset)
            return refusal(Reason.QUEUE_FULL)
        if request.offset != sum(received):
            return refusal(Reason.INVALID_ARGUMENT)
        received.append(len(request.data))
        return model.WriteFileResponse(bytes_received=sum(received))

    with FakeDaemon(tmp_path, answer) as fake:
        connect(fake).upload_file("document/f", Pipe(bytes(5 * PIECE_BYTES + 1)))  # type: ignore[arg-type]
    assert refused and received == [PIECE_BYTES] * 5 + [1]


def test_an_upload_that_may_have_finished_does_not_start_again(tmp_path: Path, connect: Connect) -> None:
    def answer(call: Any, request: Any) -> Any:
        if call is calls.HELLO:
            return HELLO
        if call is calls.BEGIN_FILE_WRITE:
            return model.BeginFileWriteResponse(write=9)
        if call is calls.END_FILE_WRITE:
            return model.EndFileWriteResponse()
        return None if call is calls.FINISH_FILE_WRITE else model.WriteFileResponse(bytes_received=1)

    with FakeDaemon(tmp_path, answer) as fake:
        with pytest.raises(ConnectionLost) as lost:
            source = io.BytesIO(b"1")
            options = Options(timeout_seconds=2)
            connect(fake).upload_file(  # type: ignore[arg-type]
                "document/f", source, place=FileWritePlace.END, options=options
            )
    assert lost.value.may_have_had_effect and lost.value.idempotency_key
    assert fake.requests.count("begin_file_write") == 1 and fake.requests.count("finish_file_write") > 1


def test_an_upload_continues_after_a_lost_connection(proxy: Proxy, connect: Connect) -> None:
    store = connect(proxy)  # type: ignore[arg-type]
    # The cuts are within a request and within an answer. The source can be read only once, so the upload cannot start
    # again.
    proxy.request_budgets = [1_500_000, -1, 1_300_000]
    proxy.answer_budgets = [-1, 75]
    store.upload_file("document/large", Pipe(CONTENT))
    assert store.read_file_bytes("document/large") == CONTENT
    assert proxy.connections == 4
    assert len(list(store.files("document"))) == 1


def test_an_upload_starts_again_after_a_restart_of_the_daemon(daemon: Daemon, connect: Connect) -> None:
    def start_anew() -> None:
        daemon.kill()
        daemon.start()

    store = connect(daemon)
    store.upload_file("document/large", Interrupted(CONTENT, start_anew))
    assert store.read_file_bytes("document/large") == CONTENT
    with pytest.raises(NotFound) as ended:
        store.upload_file("document/other", Interrupted(CONTENT, start_anew, seeks=False))
    assert ended.value.reason is Reason.FILE_WRITE_NOT_FOUND
    assert len(list(store.files("document"))) == 1


@pytest.mark.parametrize("is_lost", [False, True])
@pytest.mark.parametrize("more", [1, PIECE_BYTES, None])
@pytest.mark.parametrize("upload", ["upload_file", "upload_attachment", "upload_backup"])
def test_a_source_that_changes_its_size_meanwhile_is_not_saved(
    proxy: Proxy, connect: Connect, upload: str, more: int | None, is_lost: bool
) -> None:
    # The source changes after three of its four pieces were read. If `is_lost`, the connection is lost after about
    # three pieces.
    source = io.BytesIO(bytes(4 * PIECE_BYTES))

    def change() -> None:
        position = source.tell()
        if more is None:
            source.truncate(position)
        else:
            source.seek(0, io.SEEK_END)
            source.write(bytes(more))
            source.seek(position)

    happening = [change]

    class Changing(io.RawIOBase):
        def seekable(self) -> bool:
            return True

        def tell(self) -> int:
            return source.tell()

        def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
            return source.seek(offset, whence)

        def read(self, size: int = -1) -> bytes:
            if source.tell() == 3 * PIECE_BYTES and happening:
                happening.pop()()
            return source.read(size)

    proxy.request_budgets = [3 * PIECE_BYTES + 1_000] if is_lost else []
    store = connect(proxy)  # type: ignore[arg-type]
    start = ["document/f"] if upload == "upload_file" else []
    with pytest.raises(SourceChanged) as changed:
        getattr(store, upload)(*start, Changing())
    assert changed.value.message == f"the source became {'shorter' if more is None else 'longer'} while it was sent"
    assert not changed.value.is_retryable and changed.value.hint == "send it again"
    assert list(store.files("document")) == []
    for backup in store.list_backups().backups:
        assert not backup.is_complete
        store.delete_backup(backup.name)


def test_an_upload_whose_piece_was_cut_off_is_ended(tmp_path: Path, connect: Connect) -> None:
    reads_on, is_ended = threading.Event(), threading.Event()

    def answer(call: Any, request: Any) -> Any:
        if call is calls.BEGIN_FILE_WRITE:
            return model.BeginFileWriteResponse(write=9)
        if call is calls.END_FILE_WRITE:
            assert request.write == 9
            is_ended.set()
            return model.EndFileWriteResponse()
        if call is calls.WRITE_FILE:
            reads_on.wait()
            return model.WriteFileResponse(bytes_received=1)
        return None

    with FakeDaemon(tmp_path, answer) as fake:
        store = connect(fake)  # type: ignore[arg-type]
        with pytest.raises(TimedOut):
            store.upload_file("document/f", io.BytesIO(bytes(8 * PIECE_BYTES)), options=Options(timeout_seconds=0.5))
        reads_on.set()
        # The bytes that wait to be sent are sent during the next call.
        with pytest.raises(ConnectionLost):
            store.ping(options=Options(repeats=False))
        assert is_ended.wait(10)


def test_an_upload_that_may_not_repeat_is_lost_with_its_connection(proxy: Proxy, connect: Connect) -> None:
    store = connect(proxy)  # type: ignore[arg-type]
    proxy.request_budgets = [1_500_000]
    with pytest.raises(ConnectionLost):
        store.upload_file("document/f", io.BytesIO(CONTENT), options=Options(repeats=False))
    assert list(store.files("document")) == []


def test_an_upload_of_a_backup_continues_after_a_restart_of_the_daemon(daemon: Daemon, connect: Connect) -> None:
    def start_anew() -> None:
        daemon.kill()
        daemon.start()

    store = connect(daemon)
    store.upload_file("document/large", CONTENT)
    copy = io.BytesIO()
    store.download_backup(store.create_backup().name, copy)
    assert store.verify_backup(store.upload_backup(Interrupted(copy.getvalue(), start_anew))).is_clean


def fill(socket: Path) -> None:
    with Store(socket) as direct:
        for number in range(15):
            direct.save_message(NewMessage(conversation=by_session("alice"), text=f"{number % 10}" * 150_000))


def test_an_export_starts_again(proxy: Proxy, connect: Connect, tmp_path: Path) -> None:
    fill(proxy.daemon)
    store = connect(proxy)  # type: ignore[arg-type]
    whole, target = io.BytesIO(), tmp_path / "out"
    begun = store.export_conversation("alice", whole)
    assert begun.total_bytes == len(whole.getvalue()) > 2 * PIECE_BYTES
    store.close()
    proxy.answer_budgets = [500_000, 1_500_000]
    again = connect(proxy)  # type: ignore[arg-type]
    assert again.export_conversation("alice", target).session != begun.session
    assert target.read_bytes() == whole.getvalue()
    assert proxy.connections == 4
    # A transfer into a file object that already has some bytes cannot start again.
    again.close()
    proxy.answer_budgets = [1_500_000]
    with pytest.raises(ConnectionLost):
        connect(proxy).export_conversation("alice", io.BytesIO())  # type: ignore[arg-type]


def test_an_import_that_starts_again_saves_no_message_twice(proxy: Proxy, connect: Connect) -> None:
    fill(proxy.daemon)
    store = connect(proxy)  # type: ignore[arg-type]
    file = io.BytesIO()
    store.export_conversation("alice", file)
    store.close()
    file.seek(0)
    # The next connection is cut while the file is checked. The connection after it is cut when most of the messages are
    # saved.
    proxy.request_budgets = [1_500_000, 4_000_000]
    again = connect(proxy)  # type: ignore[arg-type]
    assert again.import_conversation("bob", file).message_count == 15
    assert len(list(again.messages("bob"))) == 15 and proxy.connections == 4
    again.close()
    proxy.request_budgets = [1_500_000]
    with pytest.raises(ConnectionLost):
        pipe = Pipe(file.getvalue())
        connect(proxy).import_conversation("carol", pipe, import_id="1")  # type: ignore[arg-type]


def test_an_import_starts_again_after_a_restart_of_the_daemon(daemon: Daemon, connect: Connect) -> None:
    def start_anew() -> None:
        daemon.kill()
        daemon.start()

    fill(daemon.socket)
    store = connect(daemon)
    file = io.BytesIO()
    store.export_conversation("alice", file)
    report = store.import_conversation("bob", Interrupted(file.getvalue(), start_anew), import_id="1")
    assert report.message_count == len(list(store.messages("bob"))) == 15


def test_archives_and_merges_start_again(proxy: Proxy, connect: Connect, tmp_path: Path) -> None:
    fill(proxy.daemon)
    target = tmp_path / "archive"
    proxy.answer_budgets = [1_500_000]
    store = connect(proxy)  # type: ignore[arg-type]
    store.create_archive(target)
    store.close()
    with Store(proxy.daemon) as direct:
        assert direct.restore_archive(target, ArchiveAim.VERIFY).counts is not None
        direct.clear_all_data("clear all data")
    # The next connection is cut while the archive is checked. The connection after it is cut after the check.
    proxy.request_budgets = [1_500_000, 3_500_000]
    again = connect(proxy)  # type: ignore[arg-type]
    again.restore_archive(target, ArchiveAim.MERGE)
    assert len(list(again.messages("alice"))) == 15
    assert proxy.connections == 5
    again.clear_all_data("clear all data")
    again.close()
    # The partial result would prevent a second restore into an empty store, so the caller must decide what to do.
    total = 2 * target.stat().st_size
    proxy.request_budgets = [total - PIECE_BYTES // 2]
    with pytest.raises(ConnectionLost):
        connect(proxy).restore_archive(target, ArchiveAim.FILL_EMPTY)  # type: ignore[arg-type]
