# Written by tools/generate.py from the module of the same name in aio; do not edit.
"""Conversations as message files, and whole stores as archives."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any

from .. import model as wire
from ..protocol import calls
from ..protocol.call import Call
from ..protocol.options import Options
from ..short_forms import to_conversation
from ..streams import PieceReader, Source, Target
from .pieces import Pieces, ended_without_effect, without_key
from .transport import in_thread


class MessageFiles(Pieces):
    """Exports, imports, archives and restores.

    Each is a session of the daemon, which cannot continue after it was lost. The client then starts it again: an
    export or an archive if the target is a path of the host, and an import, merge or check if the source can be read
    twice. The report is the report of the last attempt.
    """

    def export_conversation(
        self,
        conversation: wire.ConversationReference | str,
        target: Target,
        *,
        from_microseconds: int | None = None,
        until_microseconds: int | None = None,
        sender_session_id: str | None = None,
        is_outgoing: bool | None = None,
        passphrase: wire.Secret | None = None,
        recipient_public_key: bytes = b"",
        low_cost: bool = False,
        options: Options | None = None,
    ) -> wire.BeginBlobExportResponse:
        """Writes a conversation to a message file, plain, or sealed with a passphrase or for a recipient (BLOBS.md).

        The arguments are those of `begin_blob_export`.

        Returns:
            BeginBlobExportResponse, with the number of messages and the size of the file.

        Raises:
            NotFound: CONVERSATION_NOT_FOUND. The conversation does not exist.
            OSError: The target cannot be written.
        """
        request = wire.BeginBlobExportRequest(
            conversation=to_conversation(conversation),
            from_microseconds=from_microseconds,
            until_microseconds=until_microseconds,
            sender_session_id=sender_session_id,
            is_outgoing=is_outgoing,
            passphrase=passphrase,
            recipient_public_key=recipient_public_key,
            low_cost=low_cost,
        )
        begun = wire.BeginBlobExportResponse()

        def begin() -> int:
            nonlocal begun
            begun = self.call(calls.BEGIN_BLOB_EXPORT, request, options)
            return begun.session

        def read(session: int, offset: int) -> object:
            return wire.ReadBlobExportRequest(session=session, offset=offset)

        def end(session: int) -> tuple[Call[Any], object]:
            return calls.END_BLOB_SESSION, wire.EndBlobSessionRequest(session=session)

        def pieces() -> Generator[bytes, None, None]:
            return self._session_pieces(begin, calls.READ_BLOB_EXPORT, read, end, options)

        with self._turn([self.gates.sessions], options):
            self._receive(pieces, target, ended_without_effect(options))
        return begun

    def import_conversation(
        self,
        conversation: wire.ConversationReference | str,
        source: Source,
        *,
        secret: wire.Secret | None = None,
        import_id: str = "",
        dry_run: bool = False,
        options: Options | None = None,
    ) -> wire.BlobImportReport:
        """Saves the messages of a message file in a conversation.

        Without an `import_id`, the client first checks the file. The check returns an id of the file's content, so
        that a second import of the same file creates no second messages. The arguments are those of
        `begin_blob_import`.

        Returns:
            BlobImportReport, with what the file has and what was saved.

        Raises:
            NotFound: CONVERSATION_NOT_FOUND if no conversation has the given id.
            InvalidArgument: BLOB_DAMAGED. The file is damaged, or is no message file.
            PermissionDenied: BLOB_SECRET_WRONG. The file is sealed and needs a secret, or another secret.
            ValueError: The source can be read only once, and there is no `import_id`.
            OSError: The source cannot be read.
        """
        reader = in_thread(PieceReader, source)
        try:
            request = wire.BeginBlobImportRequest(
                conversation=to_conversation(conversation),
                import_id=import_id,
                dry_run=dry_run,
                secret=secret,
                total_bytes=in_thread(reader.announce),
            )
            if not import_id and not dry_run:
                if not reader.can_rewind:
                    raise ValueError("an import needs an import_id where its source can be read only once")
                checking = replace(request, dry_run=True)
                checked = self._beginning_anew(
                    lambda: self._import_once(reader, checking, options), reader, options
                )
                in_thread(reader.rewind)
                request = replace(request, import_id=checked.content_id)
            # With this id, an import that starts again finds the messages that it has already saved.
            return self._beginning_anew(lambda: self._import_once(reader, request, options), reader, options)
        finally:
            in_thread(reader.close)

    def create_archive(
        self,
        target: Target,
        *,
        passphrase: wire.Secret | None = None,
        recipient_public_keys: Sequence[bytes] = (),
        since_revision: int = 0,
        low_cost: bool = False,
        options: Options | None = None,
    ) -> wire.BeginArchiveResponse:
        """Writes the whole store, or the changes since a revision, to one file (ARCHIVE.md).

        The arguments are those of `begin_archive`.

        Returns:
            BeginArchiveResponse, with the revision that the archive shows: `since_revision` of the next archive.

        Raises:
            OutOfRange: CHANGES_COMPACTED if the store no longer knows everything since `since_revision`.
            OutOfRange: REVISION_AHEAD if the store has not reached `since_revision`.
            OSError: The target cannot be written.
        """
        request = wire.BeginArchiveRequest(
            passphrase=passphrase,
            recipient_public_keys=tuple(recipient_public_keys),
            since_revision=since_revision,
            low_cost=low_cost,
        )
        begun = wire.BeginArchiveResponse()

        def begin() -> int:
            nonlocal begun
            begun = self.call(calls.BEGIN_ARCHIVE, request, options)
            return begun.session

        def read(session: int, offset: int) -> object:
            return wire.ReadArchiveRequest(session=session, offset=offset)

        def end(session: int) -> tuple[Call[Any], object]:
            return calls.END_ARCHIVE_SESSION, wire.EndArchiveSessionRequest(session=session)

        def pieces() -> Generator[bytes, None, None]:
            return self._session_pieces(begin, calls.READ_ARCHIVE, read, end, options)

        with self._turn([self.gates.sessions], options):
            self._receive(pieces, target, ended_without_effect(options))
        return begun

    def restore_archive(
        self,
        source: Source,
        aim: wire.ArchiveAim,
        *,
        secret: wire.Secret | None = None,
        dry_run: bool = False,
        without_digest: bool = False,
        options: Options | None = None,
    ) -> wire.ArchiveRestoreReport:
        """Checks an archive or restores it. A source that can be read twice is checked completely first.

        The arguments are those of `begin_archive_restore`.

        Returns:
            ArchiveRestoreReport, with what the archive has and what was restored.

        Raises:
            FailedPrecondition: STORE_NOT_EMPTY with FILL_EMPTY.
            InvalidArgument: ARCHIVE_DAMAGED. The file is damaged, incomplete, or no archive.
            PermissionDenied: ARCHIVE_SECRET_WRONG. The file is sealed and needs a secret, or another secret.
            OSError: The source cannot be read.
        """
        reader = in_thread(PieceReader, source)
        try:
            request = wire.BeginArchiveRestoreRequest(
                aim=aim, dry_run=dry_run, secret=secret, without_digest=without_digest
            )
            if reader.can_rewind and not dry_run and aim != wire.ArchiveAim.VERIFY:
                checking = replace(request, dry_run=True)
                self._beginning_anew(lambda: self._restore_once(reader, checking, options), reader, options)
                in_thread(reader.rewind)
            if aim == wire.ArchiveAim.FILL_EMPTY and not dry_run:
                # This is not repeated after a lost session: the store may no longer be empty then.
                return self._restore_once(reader, request, options)
            return self._beginning_anew(lambda: self._restore_once(reader, request, options), reader, options)
        finally:
            in_thread(reader.close)

    def _import_once(
        self, reader: PieceReader, request: wire.BeginBlobImportRequest, options: Options | None
    ) -> wire.BlobImportReport:
        with self._turn([self.gates.sessions], options):
            session = (self.call(calls.BEGIN_BLOB_IMPORT, request, without_key(options))).session
            try:
                self._send_pieces(
                    calls.WRITE_BLOB_IMPORT,
                    lambda offset, data: wire.WriteBlobImportRequest(session=session, offset=offset, data=data),
                    reader,
                    options,
                )
                finishing = wire.FinishBlobImportRequest(session=session)
                return self.call(calls.FINISH_BLOB_IMPORT, finishing, without_key(options))
            except BaseException as error:
                self._end(error, calls.END_BLOB_SESSION, wire.EndBlobSessionRequest(session=session))
                raise

    def _restore_once(
        self, reader: PieceReader, request: wire.BeginArchiveRestoreRequest, options: Options | None
    ) -> wire.ArchiveRestoreReport:
        with self._turn([self.gates.sessions], options):
            session = (self.call(calls.BEGIN_ARCHIVE_RESTORE, request, without_key(options))).session
            try:
                self._send_pieces(
                    calls.WRITE_ARCHIVE_RESTORE,
                    lambda offset, data: wire.WriteArchiveRestoreRequest(session=session, offset=offset, data=data),
                    reader,
                    options,
                )
                finishing = wire.FinishArchiveRestoreRequest(session=session)
                return self.call(calls.FINISH_ARCHIVE_RESTORE, finishing, without_key(options))
            except BaseException as error:
                self._end(error, calls.END_ARCHIVE_SESSION, wire.EndArchiveSessionRequest(session=session))
                raise
