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
        """Lists the attachments of one message in order, the attachments of all messages of a conversation, or the
        attachments of all messages. For a conversation, the attachments of the newest message come first, and
        the attachments of each message are in reverse order. For all messages, the largest attachments come
        first. Equally large attachments are in the order of their contents, the newest content in the store
        first. Attachments with the same content are in the order of saving, the last saved first.

        `attachments` is simpler: it requests one page after another.

        Args:
            message_id: The attachments of a message.
            conversation: The attachments of all messages of a conversation.
            mime_type_prefix: Only attachments whose type begins with this text, such as image/. Empty: all.
            with_thumbnails: Also returns the thumbnails.
            limit: 1 to 1,000; 0 means 100. A page ends earlier if it would be larger than 4 MiB, or when the
                daemon has searched for about 10 milliseconds, possibly without an attachment. Only an empty
                next_cursor means that a page is the last one.
            cursor: next_cursor of the previous page; empty starts at the first attachment.

        Returns:
            ListAttachmentsResponse, with one page of the list.

        Raises:
            NotFound: MESSAGE_NOT_FOUND. The message does not exist.
            NotFound: CONVERSATION_NOT_FOUND. The conversation does not exist.
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
        """Reads a part of an attachment's content.

        `download_attachment` is simpler: it makes all calls of the transfer.

        Args:
            message_id: The id of the message.
            position: The position among the message's attachments, from 0.
            offset: The offset in the content at which to begin. At or after the end of the content, the answer
                has no bytes; this is not an error.
            byte_count: The maximum number of bytes to read; 0 means as many as an answer can have: 1,048,576
                bytes.
            expected_digest: The digest in the previous answer; empty accepts any content.

        Returns:
            ReadAttachmentResponse, with the bytes, and the attachment.

        Raises:
            NotFound: MESSAGE_NOT_FOUND. The message does not exist.
            NotFound: ATTACHMENT_NOT_FOUND. The message has no attachment at this position.
            FailedPrecondition: ATTACHMENT_EVICTED. The content of this attachment is not in the store.
            Aborted: FILE_CHANGED if the message has another content at this position now.
            DataLoss: FILE_DAMAGED. The content of the file is damaged on disk.
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
        """Returns the number and the size of the contents of attachments.

        Returns:
            AttachmentUsage, with all counts from one moment.
        """
        request = wire.GetAttachmentUsageRequest()
        return await self.call(calls.GET_ATTACHMENT_USAGE, request, options)

    async def begin_attachment_write(
        self,
        *,
        byte_count: int | None = None,
        digest: bytes = b"",
        options: Options | None = None,
    ) -> wire.BeginFileWriteResponse:
        """Begins to write a content of any size, for attachments that are saved later. Continue with write_file
        and finish_file_write, or give up with end_file_write. If no message or draft with the content is saved
        within an hour, the daemon deletes the content.

        `upload_attachment` is simpler: it makes all calls of the transfer.

        Args:
            byte_count: The number of bytes that the client will write, if it knows this number. The daemon then
                accepts neither more nor fewer bytes.
            digest: The digest that the content must have. If it has another digest, finish_file_write gets
                INVALID_ARGUMENT. Empty accepts any content.

        Returns:
            BeginFileWriteResponse, with the number of the write.

        Raises:
            ResourceExhausted: TOO_MANY_FILE_WRITES. The maximum number of writes in pieces is running.
        """
        request = wire.BeginAttachmentWriteRequest(
            byte_count=byte_count,
            digest=digest,
        )
        return await self.call(calls.BEGIN_ATTACHMENT_WRITE, request, options)
