# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/attachments.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, describe
from .references import ConversationReference


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """What a message or draft has attached to it."""

    # Empty: none.
    name: str = ""
    # In lower case.
    mime_type: str = ""
    # Of its content.
    byte_count: int = 0
    # BLAKE2b-256 of its content: 32 bytes.
    digest: bytes = b""
    # Where the application can fetch the content again; empty: nowhere.
    source: str = ""
    # Whether list_attachments can give a thumbnail.
    has_thumbnail: bool = False
    # Whether the content can be read.
    is_stored: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAttachment:
    """`NewAttachment` of the protocol."""

    # The content itself, at most 65,536 bytes.
    data: bytes | None = None
    # BLAKE2b-256 of a content that some attachment has, or that was written by begin_attachment_write: 32 bytes.
    # ATTACHMENT_CONTENT_NOT_FOUND where there is none; nothing is saved then.
    digest: bytes | None = None
    # At most 255 bytes.
    name: str = ""
    # A type and a subtype of RFC 6838 without parameters, such as image/png.
    mime_type: str = ""
    # At most 16,384 bytes; empty: none.
    thumbnail: bytes = b""
    # At most 2,048 bytes, which mean nothing to the daemon; empty: none.
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListAttachmentsRequest:
    """The attachments of one message in order, or those of all messages of a conversation: those of the newest
    message first, and of one message the last first. Answer: attachments, or MESSAGE_NOT_FOUND,
    CONVERSATION_NOT_FOUND.
    """

    message_id: str | None = None
    conversation: ConversationReference | None = None
    # Only those whose type begins so, such as image/. Empty: all.
    mime_type_prefix: str = ""
    with_thumbnails: bool = False
    # 1 to 1,000; 0 means 100. A page ends sooner when it takes 4 MiB, and after some time, maybe empty: only
    # next_cursor tells whether it is the last.
    limit: int = 0
    # From the page before; empty starts at the first.
    cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedAttachment:
    """`ListedAttachment` of the protocol."""

    message_id: str = ""
    # Its place among the message's attachments, from 0.
    position: int = 0
    # Of its message.
    timestamp_microseconds: int = 0
    attachment: Attachment | None = None
    # Where it was asked for and is there.
    thumbnail: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListAttachmentsResponse:
    """`ListAttachmentsResponse` of the protocol."""

    attachments: tuple[ListedAttachment, ...] = ()
    # Empty on the last page.
    next_cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAttachmentRequest:
    """A part of an attachment's content. Answer: attachment_data; or MESSAGE_NOT_FOUND, ATTACHMENT_NOT_FOUND,
    ATTACHMENT_EVICTED, FILE_CHANGED where the message has another content there by now, FILE_DAMAGED.
    """

    message_id: str = ""
    position: int = 0
    # At the end and behind it there are no bytes, which is no error.
    offset: int = 0
    # 0: as many as an answer has, 1,048,576 bytes.
    byte_count: int = 0
    # Of the answer before; empty: whatever is there.
    expected_digest: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAttachmentResponse:
    """`ReadAttachmentResponse` of the protocol."""

    # Fewer bytes than asked for: ask for the rest.
    data: bytes = b""
    attachment: Attachment | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginAttachmentWriteRequest:
    """Begins to write a content of any size, for attachments that are saved later: write_file, finish_file_write
    and end_file_write go on with it. The answer to finish_file_write has the content's digest in hexadecimal as
    its only id. A content that nothing is saved with within an hour goes. Answer: file_write, or
    TOO_MANY_FILE_WRITES.
    """

    # Of what will be written, where that is known: neither more nor fewer may come.
    byte_count: int | None = None
    # What its digest has to be, else finish_file_write is INVALID_ARGUMENT; empty: any.
    digest: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class GetAttachmentUsageRequest:
    """How much the contents of attachments are. Answer: attachment_usage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentUsage:
    """`AttachmentUsage` of the protocol."""

    # Contents that attachments have, or that were written for some, and the bytes of all of them.
    content_count: int = 0
    byte_count: int = 0
    # Of those whose bytes are in the store.
    stored_count: int = 0
    stored_bytes: int = 0
    # Of those of these whose attachments all have a source: they go, those used longest ago first, where they are
    # more than the next. Contents that wait to be saved with something are not among them, as they stay for their
    # hour.
    evictable_bytes: int = 0
    # Of the daemon's configuration; 0: no bound.
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
