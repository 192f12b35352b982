"""Contents of attachments."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from .. import model as wire
from ..errors import ProtocolError
from ..protocol import calls
from ..protocol.options import Options
from ..streams import Source, Target
from .pieces import AsyncPieces, has_changed, without_key


class AsyncAttachments(AsyncPieces):
    """Contents that are saved with messages and drafts."""

    async def upload_attachment(self, source: Source, *, digest: bytes = b"", options: Options | None = None) -> bytes:
        """Writes a content of any size and returns its digest.

        Pass the digest to `NewAttachment`, and save a message or draft with it within an hour. After that the daemon
        deletes a content that belongs to no message or draft.

        Args:
            source: Bytes, a path of the host, or a file object, which is read from its current position.
            digest: The digest that the content must have, if it is known.

        Raises:
            InvalidArgument: INVALID_ARGUMENT if the content has another digest.
            SourceChanged: The source became longer or shorter; nothing was written.
            OSError: The source cannot be read.
        """

        async def begin(byte_count: int | None) -> int:
            request = wire.BeginAttachmentWriteRequest(byte_count=byte_count, digest=digest)
            return (await self.call(calls.BEGIN_ATTACHMENT_WRITE, request, without_key(options))).write

        commit = await self._write_in_pieces(source, begin, options)
        try:
            return bytes.fromhex(commit.ids[0])
        except (IndexError, ValueError):
            raise ProtocolError("the daemon answered a written content without its digest") from None

    async def download_attachment(
        self, message_id: str, position: int, target: Target, *, options: Options | None = None
    ) -> int:
        """Reads an attachment of a message to a path of the host or into a file object. Returns its number of bytes.

        A file of the host gets its name only when it is complete.

        Args:
            message_id: The id of the message.
            position: The position among the attachments of the message, from 0.
            target: A path of the host, or a file object.

        Raises:
            NotFound: MESSAGE_NOT_FOUND. The message does not exist.
            NotFound: ATTACHMENT_NOT_FOUND. The message has no attachment at this position.
            FailedPrecondition: ATTACHMENT_EVICTED. The content is not in the store; fetch it from its source.
            Aborted: FILE_CHANGED if the message got another attachment and a file object already has some content.
            DataLoss: FILE_DAMAGED. The content is damaged on disk.
            OSError: The target cannot be written.
        """
        return await self._receive(
            lambda: self.attachment_pieces(message_id, position, options=options), target, has_changed
        )

    async def read_attachment_bytes(self, message_id: str, position: int, *, options: Options | None = None) -> bytes:
        """Returns a whole attachment. If the message gets another attachment in the meantime, it is read again.

        Raises:
            NotFound: MESSAGE_NOT_FOUND. The message does not exist.
            NotFound: ATTACHMENT_NOT_FOUND. The message has no attachment at this position.
            FailedPrecondition: ATTACHMENT_EVICTED. The content is not in the store; fetch it from its source.
            Aborted: FILE_CHANGED if the message got another attachment again and again.
            DataLoss: FILE_DAMAGED. The content is damaged on disk.
        """
        return await self._bytes(lambda: self.attachment_pieces(message_id, position, options=options))

    async def attachment_pieces(
        self, message_id: str, position: int, *, options: Options | None = None
    ) -> AsyncGenerator[bytes, None]:
        """Yields the content of an attachment.

        Raises:
            NotFound: MESSAGE_NOT_FOUND. The message does not exist.
            NotFound: ATTACHMENT_NOT_FOUND. The message has no attachment at this position.
            FailedPrecondition: ATTACHMENT_EVICTED. The content is not in the store; fetch it from its source.
            Aborted: FILE_CHANGED if the message gets another attachment in the meantime.
            DataLoss: FILE_DAMAGED. The content is damaged on disk.
        """

        def read(start: int, byte_count: int, first: wire.ReadAttachmentResponse | None) -> object:
            return wire.ReadAttachmentRequest(
                message_id=message_id,
                position=position,
                offset=start,
                byte_count=byte_count,
                expected_digest=b"" if first is None else first.attachment.digest,
            )

        def size(answer: wire.ReadAttachmentResponse) -> int:
            return answer.attachment.byte_count

        async for piece in self._content(calls.READ_ATTACHMENT, read, size, 0, options):
            yield piece
