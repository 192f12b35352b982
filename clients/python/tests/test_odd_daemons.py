"""Daemons that do what the real one does rarely, or what no daemon should do."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from conftest import Connect
from fake import HELLO, FakeDaemon, frame, in_turn, refusal

from ghoststore import (
    ConnectFailed,
    NewMessage,
    Options,
    ProtocolError,
    Reason,
    ResourceExhausted,
    Store,
    Unavailable,
    by_session,
    model,
)
from ghoststore.protocol import calls

TOO_MANY_CONNECTIONS = frame(0, 9, refusal(Reason.TOO_MANY_CONNECTIONS))
COMMIT = model.Commit(revision=1)


def test_missing_bytes_of_an_answer_are_requested_again(tmp_path: Path, connect: Connect) -> None:
    content = bytes(range(256)) * 10_000

    def read(call: Any, request: Any) -> Any:
        if call is calls.HELLO:
            return HELLO
        data = content[request.offset : request.offset + min(request.byte_count, 70_001)]
        if call is calls.READ_ATTACHMENT:
            return model.ReadAttachmentResponse(data=data, attachment=model.Attachment(byte_count=len(content)))
        return model.ReadFileResponse(data=data, file=model.File(byte_count=len(content), revision=3))

    with FakeDaemon(tmp_path, read) as fake:
        store = connect(fake)  # type: ignore[arg-type]
        assert store.read_file_bytes("cache/f") == content
        assert b"".join(store.file_pieces("cache/f", offset=1_000_000)) == content[1_000_000:]
        assert store.read_attachment_bytes("m", 0) == content


def test_a_file_that_ends_too_soon_is_an_error(tmp_path: Path, connect: Connect) -> None:
    answer = model.ReadFileResponse(data=b"", file=model.File(byte_count=2_000_000))
    target = tmp_path / "target"
    with FakeDaemon(tmp_path, in_turn([answer] * 9)) as fake, pytest.raises(ProtocolError, match="fewer bytes"):
        connect(fake).download_file("cache/f", target)  # type: ignore[arg-type]
    assert not target.exists()


@pytest.mark.parametrize("reason", [Reason.QUEUE_FULL, Reason.STORE_BUSY, Reason.DISK_FULL])
def test_a_call_is_repeated_while_a_resource_is_full(tmp_path: Path, connect: Connect, reason: Reason) -> None:
    with FakeDaemon(tmp_path, in_turn([refusal(reason), refusal(reason), COMMIT])) as fake:
        store = connect(fake)  # type: ignore[arg-type]
        assert store.save_message(NewMessage(conversation=by_session("a"))) == COMMIT
        assert fake.requests.count("save_message") == 3


def test_a_resource_that_stays_full_is_an_error(tmp_path: Path, connect: Connect) -> None:
    with FakeDaemon(tmp_path, in_turn([refusal(Reason.QUEUE_FULL)] * 99)) as fake:
        with pytest.raises(ResourceExhausted):
            connect(fake).lock(options=Options(timeout_seconds=0.5))  # type: ignore[arg-type]
        assert 2 < fake.requests.count("lock") < 12


def test_a_call_is_repeated_after_the_daemon_has_restarted(tmp_path: Path, connect: Connect) -> None:
    with FakeDaemon(tmp_path, in_turn([[refusal(Reason.SHUTTING_DOWN), None], COMMIT])) as fake:
        assert connect(fake).delete_contact("a") == COMMIT  # type: ignore[arg-type]
        assert fake.requests == ["hello", "delete_contact", "hello", "delete_contact"] or len(fake.requests) == 5


def test_a_refused_connection_is_an_error_with_the_reason(tmp_path: Path, connect: Connect) -> None:
    with FakeDaemon(tmp_path, lambda *_: [TOO_MANY_CONNECTIONS, None]) as fake:
        with pytest.raises(ConnectFailed) as failed:
            connect(fake).lock()  # type: ignore[arg-type]
        assert failed.value.reason is Reason.TOO_MANY_CONNECTIONS and failed.value.is_retryable
        assert not failed.value.may_have_had_effect


@pytest.mark.parametrize(
    "odd",
    [b"\0\0\0\0", b"\xff" * 8, b"HTTP/1.1 400 Bad Request\r\n\r\n", frame(99, 11, model.PingResponse())],
    ids=["length 0", "length of 4 GiB", "another protocol", "an answer to nothing"],
)
def test_wrong_bytes_end_the_connection_and_the_next_call_makes_another(
    tmp_path: Path, connect: Connect, odd: bytes
) -> None:
    with FakeDaemon(tmp_path, in_turn([odd, model.PingResponse()])) as fake:
        store = connect(fake)  # type: ignore[arg-type]
        with pytest.raises(ProtocolError):
            store.ping()
        store.ping()
        assert fake.requests == ["hello", "ping", "hello", "ping"]


def test_another_version_of_the_protocol_is_refused(tmp_path: Path, connect: Connect) -> None:
    other = model.HelloResponse(protocol_version=2, frame_bytes_max=1 << 24)
    with FakeDaemon(tmp_path, lambda *_: other) as fake, pytest.raises(ProtocolError, match="version 2"):
        connect(fake).ping()  # type: ignore[arg-type]


def test_progress_is_reported_and_a_watch_that_was_too_slow_begins_again(tmp_path: Path, connect: Connect) -> None:
    def event(revision: int) -> model.WatchEvent:
        return model.WatchEvent(changes=(model.Change(revision=revision),), revision=revision, history_id=b"h" * 16)

    report = model.CheckReport(is_clean=True)
    answers = [
        [model.Progress(done=1, total=2), model.Progress(done=2, total=2), report],
        [event(1), refusal(Reason.WATCH_BACKLOG_EXCEEDED)],
        [event(2), refusal(Reason.CHANGES_COMPACTED)],
    ]
    with FakeDaemon(tmp_path, in_turn(answers)) as fake:
        store = connect(fake)  # type: ignore[arg-type]
        told: list[int] = []
        assert store.check_store(on_progress=lambda progress: told.append(progress.done)) == report
        assert told == [1, 2]
        watch = store.watch(0)
        changes = iter(watch)
        assert [next(changes).revision, next(changes).revision] == [1, 2]
        with pytest.raises(Exception) as ended:
            next(changes)
        assert getattr(ended.value, "reason") is Reason.CHANGES_COMPACTED
        assert fake.requests.count("watch") == 2


def test_an_error_within_a_pipeline_ends_it(tmp_path: Path, connect: Connect) -> None:
    answers = [model.Message(id="1"), refusal(Reason.MESSAGE_NOT_FOUND), model.Message(id="3"), model.PingResponse()]
    with FakeDaemon(tmp_path, in_turn(answers)) as fake:
        store = connect(fake)  # type: ignore[arg-type]
        requests = [(calls.GET_MESSAGE, model.GetMessageRequest(id=name)) for name in "123"]
        answered = store.pipeline(requests)
        assert next(answered).id == "1"
        with pytest.raises(Exception) as refused:
            next(answered)
        assert getattr(refused.value, "reason") is Reason.MESSAGE_NOT_FOUND
        store.ping()


def test_a_target_that_cannot_take_a_piece_ends_the_download(tmp_path: Path, connect: Connect) -> None:
    class Full(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def write(self, data: Any) -> int:
            raise OSError(28, "no space")

    answer = model.ReadFileResponse(data=b"abc", file=model.File(byte_count=3))
    with FakeDaemon(tmp_path, in_turn([answer])) as fake, pytest.raises(OSError, match="no space"):
        connect(fake).download_file("cache/f", Full())  # type: ignore[arg-type]


def test_a_refusal_has_the_exception_of_its_code(tmp_path: Path, connect: Connect) -> None:
    options = Options(repeats=False)
    with FakeDaemon(tmp_path, in_turn([refusal(Reason.STORE_BUSY)])) as fake, pytest.raises(Unavailable) as busy:
        connect(fake).rotate_master_key(options=options)  # type: ignore[arg-type]
    assert str(busy.value) == "STORE_BUSY: no" and not busy.value.may_have_had_effect


def test_an_absent_daemon_is_one_error_without_a_chain(tmp_path: Path) -> None:
    """A chain of tracebacks would show the hint only at its end."""
    with pytest.raises(ConnectFailed) as failed:
        Store(tmp_path / "absent").get_status()
    assert failed.value.__cause__ is None and failed.value.__suppress_context__
