# Written by tools/generate.py from proto-docs; do not edit.
"""Calls of ghoststore/v1/attachments.proto."""

from __future__ import annotations

from ... import model as wire
from ...protocol import calls
from ...protocol.options import Options
from ...short_forms import to_conversation
from ..caller import AsyncCaller


class AsyncAttachmentsCalls(AsyncCaller):
    """The calls of ghoststore/v1/attachments.proto."""

    async def list_attachments(
        self,
        *,
        message_id: str | None = None,
        conversation: wire.ConversationReference | str | None = None,
        mime_type_prefix: str = "",
        with_thumbnails: bool = False,
        limit: int = 0,
        cursor: str = "",
        options: Options | None = None,
    ) -> wire.ListAttachmentsResponse:
        """Lists the attachments of one message in order, or of all messages of a conversation. For a conversation,
        the attachments of the newest message come first, and the last attachment of a message comes before its
        first. Answer: attachments, or MESSAGE_NOT_FOUND, CONVERSATION_NOT_FOUND.
        """
        request = wire.ListAttachmentsRequest(
            message_id=message_id,
            conversation=None if conversation is None else to_conversation(conversation),
            mime_type_prefix=mime_type_prefix,
            with_thumbnails=with_thumbnails,
            limit=limit,
            cursor=cursor,
        )
        return await self.call(calls.LIST_ATTACHMENTS, request, options)

    async def read_attachment(
        self,
        message_id: str,
        position: int,
        *,
        offset: int = 0,
        byte_count: int = 0,
        expected_digest: bytes = b"",
        options: Options | None = None,
    ) -> wire.ReadAttachmentResponse:
        """Reads a part of an attachment's content. Answer: attachment_data; or MESSAGE_NOT_FOUND,
        ATTACHMENT_NOT_FOUND, ATTACHMENT_EVICTED, FILE_CHANGED if the message has another content at this
        position now, FILE_DAMAGED.
        """
        request = wire.ReadAttachmentRequest(
            message_id=message_id,
            position=position,
            offset=offset,
            byte_count=byte_count,
            expected_digest=expected_digest,
        )
        return await self.call(calls.READ_ATTACHMENT, request, options)

    async def get_attachment_usage(
        self,
        *,
        options: Options | None = None,
    ) -> wire.AttachmentUsage:
        """Returns how many contents attachments have, and their size. Answer: attachment_usage."""
        request = wire.GetAttachmentUsageRequest()
        return await self.call(calls.GET_ATTACHMENT_USAGE, request, options)

    async def begin_attachment_write(
        self,
        *,
        byte_count: int | None = None,
        digest: bytes = b"",
        options: Options | None = None,
    ) -> wire.BeginFileWriteResponse:
        """Begins to write a content of any size, for attachments that are saved later. Continue with write_file,
        finish_file_write and end_file_write. The answer to finish_file_write has the content's digest in
        hexadecimal as its only id. If no message or draft with the content is saved within an hour, the content
        is deleted. Answer: file_write, or TOO_MANY_FILE_WRITES.
        """
        request = wire.BeginAttachmentWriteRequest(
            byte_count=byte_count,
            digest=digest,
        )
        return await self.call(calls.BEGIN_ATTACHMENT_WRITE, request, options)
