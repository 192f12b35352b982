"""Uploads that lose a piece together with its connection, against a daemon that keeps a chosen part of the piece.

The real daemon keeps a part of a piece only if it is killed at the right moment.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from conftest import Connect
from fake import HELLO, FakeDaemon, refusal

from ghoststore import ArchiveAim, ConnectionLost, InvalidArgument, Options, Reason, model
from ghoststore.protocol import calls

PIECE_BYTES = 1 << 20
# Three pieces more than may be unanswered at once. All differ in their bytes, and the last one is short.
CONTENT = b"".join(bytes([number]) * PIECE_BYTES for number in range(1, 7)) + b"end"
PIECE_COUNT = 7
# The numbers of the pieces that get lost: the first piece, a piece with others directly after it, the last whole piece,
# and the short piece.
PIECES = [0, 2, 5, 6]
UPLOADS = ["upload_file", "upload_attachment", "upload_backup"]
# The number of bytes that the daemon keeps of a piece whose answer is lost. A daemon that continues to run keeps none
# or all of them; a daemon that is killed may keep some.
WHOLE_OR_NOT = [0, PIECE_BYTES]
PARTS = [1, 2, 4096, PIECE_BYTES - 1]


class Losing:
    """The part of a daemon that accepts one upload. It ends the connection once or several times when a piece arrives.
    """

    def __init__(self, offset: int, kept: list[int]) -> None:
        self.content = bytearray()
        self.pieces = 0
        self._offset = offset
        self._kept = list(kept)

    def write(self, request: Any) -> bool:
        """Returns False if the piece is out of order. Raises OSError if the connection ends without an answer."""
        self.pieces += 1
        if request.offset != len(self.content):
            return False
        if request.offset >= self._offset and self._kept:
            self.content += request.data[: self._kept.pop(0)]
            raise ConnectionResetError
        self.content += request.data
        return True

    def answer(self, call: Any, request: Any) -> Any:
        """Answers the calls of uploads of files, attachments and backups."""
        if call is calls.HELLO:
            return HELLO
        if call in (calls.BEGIN_FILE_WRITE, calls.BEGIN_ATTACHMENT_WRITE):
            return model.BeginFileWriteResponse(write=9)
        if call is calls.BEGIN_BACKUP_UPLOAD:
            return model.BeginBackupUploadResponse(name="upload")
        if call is calls.FINISH_FILE_WRITE:
            return model.Commit(revision=1, ids=("00" * 32,))
        if call is calls.LIST_BACKUPS:
            other = model.Backup(name="other", bytes=17)
            return model.ListBackupsResponse(backups=(other, model.Backup(name="upload", bytes=len(self.content))))
        if not self.write(request):
            return refusal(Reason.INVALID_ARGUMENT)
        if call is calls.WRITE_BACKUP:
            return model.WriteBackupResponse(bytes_received=len(self.content))
        return model.WriteFileResponse(bytes_received=len(self.content))


def upload(store: Any, name: str, options: Options | None = None) -> None:
    start = ["document/f"] if name == "upload_file" else []
    getattr(store, name)(*start, io.BytesIO(CONTENT), options=options)


@pytest.mark.parametrize("kept", WHOLE_OR_NOT)
@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("name", UPLOADS)
def test_a_lost_piece_is_sent_again_unless_the_daemon_has_it(
    tmp_path: Path, connect: Connect, name: str, piece: int, kept: int
) -> None:
    losing = Losing(piece * PIECE_BYTES, [kept])
    with FakeDaemon(tmp_path, losing.answer) as fake:
        upload(connect(fake), name)  # type: ignore[arg-type]
    assert losing.content == CONTENT
    # The upload does not start again: only unanswered pieces are sent a second time.
    assert sum(request.startswith("begin_") for request in fake.requests) == 1


@pytest.mark.parametrize("kept", [[part] for part in PARTS] + [[1, 0, 1, PIECE_BYTES], [1] * 4])
@pytest.mark.parametrize("piece", PIECES)
def test_a_backup_continues_within_a_piece_that_the_daemon_has_in_part(
    tmp_path: Path, connect: Connect, piece: int, kept: list[int]
) -> None:
    losing = Losing(piece * PIECE_BYTES, kept)
    with FakeDaemon(tmp_path, losing.answer) as fake:
        upload(connect(fake), "upload_backup")  # type: ignore[arg-type]
    assert losing.content == CONTENT
    assert fake.requests.count("begin_backup_upload") == 1


def test_a_daemon_that_has_each_piece_is_not_asked_how_much_it_has(tmp_path: Path, connect: Connect) -> None:
    losing = Losing(0, [0])
    with FakeDaemon(tmp_path, losing.answer) as fake:
        upload(connect(fake), "upload_backup")  # type: ignore[arg-type]
    assert losing.content == CONTENT and "list_backups" not in fake.requests


@pytest.mark.parametrize("is_deleted", [False, True])
def test_a_piece_that_is_refused_for_another_reason_is_not_taken_for_one_that_arrived(
    tmp_path: Path, connect: Connect, is_deleted: bool
) -> None:
    # The last piece is lost, so no later piece reveals the gap.
    losing = Losing(6 * PIECE_BYTES, [0])

    def answer(call: Any, request: Any) -> Any:
        if call is calls.LIST_BACKUPS and is_deleted:
            return model.ListBackupsResponse()
        # After the lost connection every piece is refused, even the next one in order.
        if call is calls.WRITE_BACKUP and losing.pieces == PIECE_COUNT:
            return refusal(Reason.INVALID_ARGUMENT)
        return losing.answer(call, request)

    with FakeDaemon(tmp_path, answer) as fake, pytest.raises(InvalidArgument):
        upload(connect(fake), "upload_backup")  # type: ignore[arg-type]
    assert len(losing.content) == 6 * PIECE_BYTES


def test_a_backup_that_may_not_repeat_does_not_continue(tmp_path: Path, connect: Connect) -> None:
    losing = Losing(PIECE_BYTES, [4096])
    with FakeDaemon(tmp_path, losing.answer) as fake:
        store = connect(fake)  # type: ignore[arg-type]
        with pytest.raises(ConnectionLost):
            upload(store, "upload_backup", Options(repeats=False))
    assert "list_backups" not in fake.requests and len(losing.content) == PIECE_BYTES + 4096


@pytest.mark.parametrize("kept", [0, 2, PIECE_BYTES])
@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("is_archive", [False, True])
def test_an_import_or_restore_never_sends_a_lost_piece_to_the_same_session(
    tmp_path: Path, connect: Connect, is_archive: bool, piece: int, kept: int
) -> None:
    sessions: list[Losing] = []

    def answer(call: Any, request: Any) -> Any:
        if call is calls.HELLO:
            return HELLO
        if call in (calls.BEGIN_BLOB_IMPORT, calls.BEGIN_ARCHIVE_RESTORE):
            sessions.append(Losing(piece * PIECE_BYTES, [] if sessions else [kept]))
            return call.answer(session=len(sessions))
        if call in (calls.END_BLOB_SESSION, calls.END_ARCHIVE_SESSION):
            return call.answer()
        if call is calls.FINISH_BLOB_IMPORT:
            return model.BlobImportReport(message_count=1)
        if call is calls.FINISH_ARCHIVE_RESTORE:
            return model.ArchiveRestoreReport(content_id="1")
        if not sessions[request.session - 1].write(request):
            return refusal(Reason.BLOB_SESSION_NOT_FOUND)
        return call.answer(bytes_received=len(sessions[request.session - 1].content))

    source = io.BytesIO(CONTENT)
    with FakeDaemon(tmp_path, answer) as fake:
        store = connect(fake)  # type: ignore[arg-type]
        if is_archive:
            assert store.restore_archive(source, ArchiveAim.VERIFY).content_id == "1"
        else:
            assert store.import_conversation("bob", source, import_id="1").message_count == 1
    lost, whole = sessions
    assert whole.content == CONTENT and whole.pieces == PIECE_COUNT
    assert lost.pieces == piece + 1
