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
        """Begins the export of a conversation, or of a part of it, as it is at this moment. Continue with
        read_blob_export. Needs the right to read blobs and messages.

        `export_conversation` is simpler: it makes all calls of the transfer.

        Args:
            conversation: The conversation to export.
            from_microseconds: Only messages at or after this time.
            until_microseconds: Only messages before this time.
            sender_session_id: Only messages of this sender.
            is_outgoing: True: only messages that this side sent; false: only messages that it received.
            passphrase: Seals the file with a passphrase (kind KEY_SLOT_KIND_PASSPHRASE). A request can have a
                passphrase or a recipient_public_key, not both.
            recipient_public_key: Seals the file for the owner of this X25519 key (32 bytes). The secret key of
                this owner opens the file.
            low_cost: Cheap key derivation of the passphrase, for tests. The daemon's configuration must allow
                it.

        Returns:
            BeginBlobExportResponse, with the number of the session and the size of the file.

        Raises:
            NotFound: CONVERSATION_NOT_FOUND. The conversation does not exist.
            FailedPrecondition: LOW_COST_REFUSED. The daemon's configuration does not allow the low-cost key
                derivation that the request asked for.
            ResourceExhausted: TOO_MANY_BLOB_SESSIONS. The maximum number of exports, imports, archives and
                restores is running.
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
        """Reads the next piece of the file.

        Args:
            session: The session that begin_blob_export returned.
            offset: The end of the previous piece; 0 for the first piece.

        Returns:
            ReadBlobExportResponse, with the bytes.

        Raises:
            NotFound: BLOB_SESSION_NOT_FOUND. No export or import with this id is in progress.
            InvalidArgument: INVALID_ARGUMENT if the offset is not the end of the previous piece.
        """
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
        """Begins an import. Continue with write_blob_import and finish_blob_import. Send the file twice: first as
        a dry run, which reads and checks the whole file and changes nothing, then without `dry_run`. Needs the
        right to write blobs and messages.

        `import_conversation` is simpler: it makes all calls of the transfer.

        Args:
            conversation: The conversation that gets the messages. Only a dry run may leave out this field; such
                a dry run needs no open store. If no conversation has the given session id, the daemon creates
                one with the first message. If a client deletes the conversation in the meantime, the daemon
                creates it again with the next message.
            import_id: The id of the import: 1 to 64 bytes of UTF-8; can be empty in a dry run. The daemon
                computes the ids of the messages from this id and the conversation, so an import that is
                repeated with the same import_id writes no message twice. The content_id that a dry run returns
                is a good value.
            dry_run: Reads and checks the whole file, and changes nothing.
            secret: The secret that opens a sealed file, of kind KEY_SLOT_KIND_PASSPHRASE, or of kind
                KEY_SLOT_KIND_KEY_FILE with the 32 bytes of the recipient's secret key. Absent for a file that
                is not sealed.
            total_bytes: The number of bytes that the client will send: the size of the whole file, sealed or
                not; 0 means an empty file. With this number, the daemon answers BLOB_DAMAGED as soon as a
                count, a length or a piece goes beyond the end, and also if the file ends earlier. Absent if the
                client does not know the size.

        Returns:
            BeginBlobImportResponse, with the number of the session.

        Raises:
            NotFound: CONVERSATION_NOT_FOUND if no conversation has the given id.
            ResourceExhausted: TOO_MANY_BLOB_SESSIONS. The maximum number of exports, imports, archives and
                restores is running.
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
        """Sends the next piece of the file.

        Args:
            session: The session that begin_blob_import returned.
            offset: The end of the previous piece; 0 for the first piece.
            data: At most 1,048,576 bytes. If the file has 16 bytes or more, its first piece must have at least
                16.

        Returns:
            WriteBlobImportResponse, with the number of bytes received so far.

        Raises:
            NotFound: BLOB_SESSION_NOT_FOUND. No export or import with this id is in progress.
            InvalidArgument: BLOB_DAMAGED, with the offset of the damage in the message of the error, if the
                file is damaged or the piece goes beyond the announced end of the file.
            OutOfRange: BLOB_TIMESTAMP_OUT_OF_RANGE. A message in the file has a time outside the range of
                microseconds.
            PermissionDenied: BLOB_SECRET_WRONG. The sealed message file needs a secret, another secret, or a
                secret of another kind.
            ResourceExhausted: UNLOCK_THROTTLED after three wrong passphrases.
            InvalidArgument: INVALID_ARGUMENT if the offset is not the end of the previous piece.
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
        answer.

        Args:
            session: The session that begin_blob_import returned.

        Returns:
            BlobImportReport, with what the file contains and what the daemon saved.

        Raises:
            NotFound: BLOB_SESSION_NOT_FOUND. No export or import with this id is in progress.
            InvalidArgument: BLOB_DAMAGED if the file ends early: inside a message, or before the announced
                number of bytes.
            OutOfRange: BLOB_TIMESTAMP_OUT_OF_RANGE. A message in the file has a time outside the range of
                microseconds.
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
        """Ends an export or import early. Messages that were already saved stay. Has no effect if the session does
        not exist any more.

        Args:
            session: The session of an export or import.
        """
        request = wire.EndBlobSessionRequest(
            session=session,
        )
        await self.call(calls.END_BLOB_SESSION, request, options)
