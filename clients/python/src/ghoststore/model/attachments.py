# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/attachments.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, describe
from .references import ConversationReference


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A content that is attached to a message or draft."""

    # Empty: none.
    name: str = ""
    # In lower case.
    mime_type: str = ""
    # The size of the content.
    byte_count: int = 0
    # BLAKE2b-256 of the content: 32 bytes.
    digest: bytes = b""
    # A text with which the application can fetch the content again; empty: none.
    source: str = ""
    # True if list_attachments can return a thumbnail.
    has_thumbnail: bool = False
    # True if the content can be read.
    is_stored: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAttachment:
    """`NewAttachment` of the protocol."""

    # The content itself, at most 65,536 bytes.
    data: bytes | None = None
    # BLAKE2b-256, 32 bytes, of a content that another attachment has or that was written with begin_attachment_write.
    # If the store has no such content, the request gets ATTACHMENT_CONTENT_NOT_FOUND and nothing is saved.
    digest: bytes | None = None
    # At most 255 bytes.
    name: str = ""
    # A type and a subtype of RFC 6838 without parameters, such as image/png.
    mime_type: str = ""
    # At most 16,384 bytes; empty: none.
    thumbnail: bytes = b""
    # At most 2,048 bytes, which the daemon does not interpret; empty: none.
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListAttachmentsRequest:
    """Lists the attachments of one message in order, or of all messages of a conversation. For a conversation, the
    attachments of the newest message come first, and the last attachment of a message comes before its first.
    Answer: attachments, or MESSAGE_NOT_FOUND, CONVERSATION_NOT_FOUND.
    """

    message_id: str | None = None
    conversation: ConversationReference | None = None
    # Only attachments whose type begins with this text, such as image/. Empty: all.
    mime_type_prefix: str = ""
    with_thumbnails: bool = False
    # 1 to 1,000; 0 means 100. A page ends earlier if it needs 4 MiB, and after some time, possibly empty. Only an
    # empty next_cursor means that it is the last one.
    limit: int = 0
    # next_cursor of the previous page; empty starts at the first attachment.
    cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedAttachment:
    """`ListedAttachment` of the protocol."""

    message_id: str = ""
    # The position among the message's attachments, from 0.
    position: int = 0
    # The timestamp of the message.
    timestamp_microseconds: int = 0
    attachment: Attachment | None = None
    # Present if it was requested and exists.
    thumbnail: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListAttachmentsResponse:
    """`ListAttachmentsResponse` of the protocol."""

    attachments: tuple[ListedAttachment, ...] = ()
    # Empty on the last page.
    next_cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAttachmentRequest:
    """Reads a part of an attachment's content. Answer: attachment_data; or MESSAGE_NOT_FOUND,
    ATTACHMENT_NOT_FOUND, ATTACHMENT_EVICTED, FILE_CHANGED if the message has another content at this position
    now, FILE_DAMAGED.
    """

    message_id: str = ""
    position: int = 0
    # At or after the end of the content, the answer has no bytes; this is not an error.
    offset: int = 0
    # 0 means as many as an answer can have: 1,048,576 bytes.
    byte_count: int = 0
    # The digest in the previous answer; empty accepts any content.
    expected_digest: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAttachmentResponse:
    """`ReadAttachmentResponse` of the protocol."""

    # If these are fewer bytes than requested, ask for the rest.
    data: bytes = b""
    attachment: Attachment | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginAttachmentWriteRequest:
    """Begins to write a content of any size, for attachments that are saved later. Continue with write_file,
    finish_file_write and end_file_write. The answer to finish_file_write has the content's digest in
    hexadecimal as its only id. If no message or draft with the content is saved within an hour, the content is
    deleted. Answer: file_write, or TOO_MANY_FILE_WRITES.
    """

    # The number of bytes that will be written, if it is known; neither more nor fewer are accepted.
    byte_count: int | None = None
    # The expected digest; with another one, finish_file_write is INVALID_ARGUMENT. Empty accepts any digest.
    digest: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class GetAttachmentUsageRequest:
    """Returns how many contents attachments have, and their size. Answer: attachment_usage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentUsage:
    """`AttachmentUsage` of the protocol."""

    # The contents that attachments have or that were written for attachments, and all their bytes.
    content_count: int = 0
    byte_count: int = 0
    # The contents, and their bytes, that are in the store.
    stored_count: int = 0
    stored_bytes: int = 0
    # The stored bytes of contents whose attachments all have a source. If these are more than the next field,
    # contents are evicted, those used longest ago first. Contents that are not saved with a message or draft yet are
    # not included, because they are kept for an hour.
    evictable_bytes: int = 0
    # The limit in the daemon's configuration; 0: no limit.
    evictable_bytes_max: int = 0


describe(
    Attachment,
    Field(1, "name", Kind.STRING),
    Field(2, "mime_type", Kind.STRING),
    Field(3, "byte_count", Kind.UINT64),
    Field(4, "digest", Kind.BYTES),
    Field(5, "source", Kind.STRING),
    Field(6, "has_thumbnail", Kind.BOOL),
    Field(7, "is_stored", Kind.BOOL),
)
describe(
    NewAttachment,
    Field(1, "data", Kind.BYTES, has_presence=True, oneof="content"),
    Field(2, "digest", Kind.BYTES, has_presence=True, oneof="content"),
    Field(3, "name", Kind.STRING),
    Field(4, "mime_type", Kind.STRING),
    Field(5, "thumbnail", Kind.BYTES),
    Field(6, "source", Kind.STRING),
)
describe(
    ListAttachmentsRequest,
    Field(1, "message_id", Kind.STRING, has_presence=True, oneof="of"),
    Field(2, "conversation", Kind.MESSAGE, ConversationReference, has_presence=True, oneof="of"),
    Field(3, "mime_type_prefix", Kind.STRING),
    Field(4, "with_thumbnails", Kind.BOOL),
    Field(5, "limit", Kind.UINT32),
    Field(6, "cursor", Kind.STRING),
)
describe(
    ListedAttachment,
    Field(1, "message_id", Kind.STRING),
    Field(2, "position", Kind.UINT32),
    Field(3, "timestamp_microseconds", Kind.INT64),
    Field(4, "attachment", Kind.MESSAGE, Attachment, has_presence=True),
    Field(5, "thumbnail", Kind.BYTES),
)
describe(
    ListAttachmentsResponse,
    Field(1, "attachments", Kind.MESSAGE, ListedAttachment, is_repeated=True),
    Field(2, "next_cursor", Kind.STRING),
)
describe(
    ReadAttachmentRequest,
    Field(1, "message_id", Kind.STRING),
    Field(2, "position", Kind.UINT32),
    Field(3, "offset", Kind.UINT64),
    Field(4, "byte_count", Kind.UINT64),
    Field(5, "expected_digest", Kind.BYTES),
)
describe(
    ReadAttachmentResponse,
    Field(1, "data", Kind.BYTES),
    Field(2, "attachment", Kind.MESSAGE, Attachment, has_presence=True),
)
describe(
    BeginAttachmentWriteRequest,
    Field(1, "byte_count", Kind.UINT64, has_presence=True),
    Field(2, "digest", Kind.BYTES),
)
describe(GetAttachmentUsageRequest)
describe(
    AttachmentUsage,
    Field(1, "content_count", Kind.UINT64),
    Field(2, "byte_count", Kind.UINT64),
    Field(3, "stored_count", Kind.UINT64),
    Field(4, "stored_bytes", Kind.UINT64),
    Field(5, "evictable_bytes", Kind.UINT64),
    Field(6, "evictable_bytes_max", Kind.UINT64),
)
