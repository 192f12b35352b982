"""Conversations as message files, and whole stores as archives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .. import model as wire
from ..protocol import calls
from ..protocol.options import Options
from ..short_forms import to_conversation
from ..streams import PieceReader, Source, Target
from .pieces import AsyncPieces, without_key
from .transport import in_thread


class AsyncMessageFiles(AsyncPieces):
    """Exports, imports, archives and restores. They are sessions of the daemon and are not gone on with once lost."""

    async def export_conversation(
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
        """A conversation as a message file, plain, or sealed for a passphrase or a recipient (BLOBS.md)."""
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
        begun = await self.call(calls.BEGIN_BLOB_EXPORT, request, options)

        def read(offset: int) -> object:
            return wire.ReadBlobExportRequest(session=begun.session, offset=offset)

        end = (calls.END_BLOB_SESSION, wire.EndBlobSessionRequest(session=begun.session))
        await self._receive(lambda: self._session_pieces(calls.READ_BLOB_EXPORT, read, end, options), target)
        return begun

    async def import_conversation(
        self,
        conversation: wire.ConversationReference | str,
        source: Source,
        *,
        secret: wire.Secret | None = None,
        import_id: str = "",
        dry_run: bool = False,
        options: Options | None = None,
    ) -> wire.BlobImportReport:
        """Takes the messages of a message file.

        Without an `import_id` the file is checked first, which gives one that is its content's: the same file imported
        again makes no second messages. A source that can be read only once needs one.
        """
        reader = await in_thread(PieceReader, source)
        try:
            request = wire.BeginBlobImportRequest(
                conversation=to_conversation(conversation),
                import_id=import_id,
                dry_run=dry_run,
                secret=secret,
                total_bytes=await in_thread(lambda: reader.byte_count),
            )
            if not import_id and not dry_run:
                if not reader.can_rewind:
                    raise ValueError("an import needs an import_id where its source can be read only once")
                checked = await self._import_once(reader, replace(request, dry_run=True), options)
                await in_thread(reader.rewind)
                request = replace(request, import_id=checked.content_id)
            return await self._import_once(reader, request, options)
        finally:
            await in_thread(reader.close)

    async def create_archive(
        self,
        target: Target,
        *,
        passphrase: wire.Secret | None = None,
        recipient_public_keys: Sequence[bytes] = (),
        since_revision: int = 0,
        low_cost: bool = False,
        options: Options | None = None,
    ) -> wire.BeginArchiveResponse:
        """Everything that the store holds, or what changed since a revision, as one file (ARCHIVE.md)."""
        request = wire.BeginArchiveRequest(
            passphrase=passphrase,
            recipient_public_keys=tuple(recipient_public_keys),
            since_revision=since_revision,
            low_cost=low_cost,
        )
        begun = await self.call(calls.BEGIN_ARCHIVE, request, options)

        def read(offset: int) -> object:
            return wire.ReadArchiveRequest(session=begun.session, offset=offset)

        end = (calls.END_ARCHIVE_SESSION, wire.EndArchiveSessionRequest(session=begun.session))
        await self._receive(lambda: self._session_pieces(calls.READ_ARCHIVE, read, end, options), target)
        return begun

    async def restore_archive(
        self,
        source: Source,
        aim: wire.ArchiveAim,
        *,
        secret: wire.Secret | None = None,
        dry_run: bool = False,
        without_digest: bool = False,
        options: Options | None = None,
    ) -> wire.ArchiveRestoreReport:
        """Checks an archive, or takes what it holds. A source that can be read twice is checked to its end first."""
        reader = await in_thread(PieceReader, source)
        try:
            request = wire.BeginArchiveRestoreRequest(
                aim=aim, dry_run=dry_run, secret=secret, without_digest=without_digest
            )
            if reader.can_rewind and not dry_run and aim != wire.ArchiveAim.VERIFY:
                await self._restore_once(reader, replace(request, dry_run=True), options)
                await in_thread(reader.rewind)
            return await self._restore_once(reader, request, options)
        finally:
            await in_thread(reader.close)

    async def _import_once(
        self, reader: PieceReader, request: wire.BeginBlobImportRequest, options: Options | None
    ) -> wire.BlobImportReport:
        session = (await self.call(calls.BEGIN_BLOB_IMPORT, request, without_key(options))).session
        try:
            await self._send_pieces(
                calls.WRITE_BLOB_IMPORT,
                lambda offset, data: wire.WriteBlobImportRequest(session=session, offset=offset, data=data),
                reader,
                options,
            )
            finishing = wire.FinishBlobImportRequest(session=session)
            return await self.call(calls.FINISH_BLOB_IMPORT, finishing, without_key(options))
        except BaseException:
            await self.send_only(calls.END_BLOB_SESSION, wire.EndBlobSessionRequest(session=session))
            raise

    async def _restore_once(
        self, reader: PieceReader, request: wire.BeginArchiveRestoreRequest, options: Options | None
    ) -> wire.ArchiveRestoreReport:
        session = (await self.call(calls.BEGIN_ARCHIVE_RESTORE, request, without_key(options))).session
        try:
            await self._send_pieces(
                calls.WRITE_ARCHIVE_RESTORE,
                lambda offset, data: wire.WriteArchiveRestoreRequest(session=session, offset=offset, data=data),
                reader,
                options,
            )
            finishing = wire.FinishArchiveRestoreRequest(session=session)
            return await self.call(calls.FINISH_ARCHIVE_RESTORE, finishing, without_key(options))
        except BaseException:
            await self.send_only(calls.END_ARCHIVE_SESSION, wire.EndArchiveSessionRequest(session=session))
            raise
