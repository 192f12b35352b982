# Written by tools/generate.py from proto-docs; do not edit.
"""Calls of ghoststore/v1/blobs.proto."""

from __future__ import annotations

from ... import model as wire
from ...protocol import calls
from ...protocol.options import Options
from ...short_forms import to_conversation
from ..caller import AsyncCaller


class AsyncBlobsCalls(AsyncCaller):
    """The calls of ghoststore/v1/blobs.proto."""

    async def begin_blob_export(
        self,
        conversation: wire.ConversationReference | str,
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
        """Begins the export of a conversation, or of a part of it, as it is at this moment. Needs the right to
        read blobs and messages. Answer: blob_export, or NOT_FOUND CONVERSATION_NOT_FOUND.
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
        return await self.call(calls.BEGIN_BLOB_EXPORT, request, options)

    async def read_blob_export(
        self,
        session: int,
        offset: int,
        *,
        options: Options | None = None,
    ) -> wire.ReadBlobExportResponse:
        """Reads the next piece of the file. Answer: blob_export_piece."""
        request = wire.ReadBlobExportRequest(
            session=session,
            offset=offset,
        )
        return await self.call(calls.READ_BLOB_EXPORT, request, options)

    async def begin_blob_import(
        self,
        *,
        conversation: wire.ConversationReference | str | None = None,
        import_id: str = "",
        dry_run: bool = False,
        secret: wire.Secret | None = None,
        total_bytes: int | None = None,
        options: Options | None = None,
    ) -> wire.BeginBlobImportResponse:
        """Begins an import. Send the file twice: first as a dry run, which reads and checks all of it and changes
        nothing, then again. Needs the right to write blobs and messages. Answer: blob_import.
        """
        request = wire.BeginBlobImportRequest(
            conversation=None if conversation is None else to_conversation(conversation),
            import_id=import_id,
            dry_run=dry_run,
            secret=secret,
            total_bytes=total_bytes,
        )
        return await self.call(calls.BEGIN_BLOB_IMPORT, request, options)

    async def write_blob_import(
        self,
        session: int,
        offset: int,
        data: bytes,
        *,
        options: Options | None = None,
    ) -> wire.WriteBlobImportResponse:
        """Sends the next piece of the file. Answer: blob_import_progress, or INVALID_ARGUMENT BLOB_DAMAGED naming
        the byte. A piece beyond the announced end of the file is BLOB_DAMAGED too.
        """
        request = wire.WriteBlobImportRequest(
            session=session,
            offset=offset,
            data=data,
        )
        return await self.call(calls.WRITE_BLOB_IMPORT, request, options)

    async def finish_blob_import(
        self,
        session: int,
        *,
        options: Options | None = None,
    ) -> wire.BlobImportReport:
        """Declares the end of the file. Messages are saved in batches as they arrive, at the latest before this
        answer. Answer: blob_import_report, or INVALID_ARGUMENT BLOB_DAMAGED if the file ends early: inside a
        message, or before the announced number of bytes.
        """
        request = wire.FinishBlobImportRequest(
            session=session,
        )
        return await self.call(calls.FINISH_BLOB_IMPORT, request, options)

    async def end_blob_session(
        self,
        session: int,
        *,
        options: Options | None = None,
    ) -> None:
        """Ends an export or import early. Saved messages stay. Answer: blob_session_ended, even if the session
        does not exist any more.
        """
        request = wire.EndBlobSessionRequest(
            session=session,
        )
        await self.call(calls.END_BLOB_SESSION, request, options)
