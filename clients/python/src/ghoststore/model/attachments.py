# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/attachments.proto."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..wire import Field, Kind, Model, describe
from .metadata import Metadata
from .references import ConversationReference


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Attachment(Model):
    """A content that is attached to a message or draft.

    Attributes:
        name (str): The name of the attachment; empty if it has none.
        mime_type (str): The MIME type, in lower case.
        byte_count (int): The size of the content.
        digest (bytes): BLAKE2b-256 of the content: 32 bytes.
        source (str): A text with which the application can fetch the content again; can be empty.
        has_thumbnail (bool): True if list_attachments can return a thumbnail.
        is_stored (bool): True if the store has the content, so that clients can read it.
        metadata (Metadata | None): Data of the application's own; absent if there is none.
    """

    name: str = ""
    mime_type: str = ""
    byte_count: int = 0
    digest: bytes = b""
    source: str = ""
    has_thumbnail: bool = False
    is_stored: bool = False
    metadata: Metadata | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class NewAttachment(Model):
    """An attachment to save with a message or draft.

    Attributes:
        data (bytes | None): The content itself, at most 65,536 bytes.
        digest (bytes | None): BLAKE2b-256, 32 bytes, of a content that another attachment has or that was
            written with begin_attachment_write. If the store has no such content, the request gets
            ATTACHMENT_CONTENT_NOT_FOUND and nothing is saved.
        name (str): The name of the attachment: at most 255 bytes.
        mime_type (str): The MIME type: a type and a subtype of RFC 6838 without parameters, such as image/png.
        thumbnail (bytes): A small picture for lists: at most 16,384 bytes; can be empty.
        source (str): A text with which the application can fetch the content again: at most 2,048 bytes, which
            the daemon does not interpret. Can be empty.
        metadata (Metadata | None): Data of the application's own. Absent: none. The thumbnails and metadata of
            all attachments of a message must fit into its request, which can have about 1.1 MiB for them.
    """

    data: bytes | None = None
    digest: bytes | None = None
    name: str = ""
    mime_type: str = ""
    thumbnail: bytes = b""
    source: str = ""
    metadata: Metadata | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListAttachmentsRequest(Model):
    """The request of `list_attachments`.

    Attributes:
        message_id (str | None): The attachments of a message.
        conversation (ConversationReference | str | None): The attachments of all messages of a conversation.
        mime_type_prefix (str): Only attachments whose type begins with this text, such as image/. Empty: all.
        with_thumbnails (bool): Also returns the thumbnails.
        limit (int): 1 to 1,000; 0 means 100. A page ends earlier if it would be larger than 4 MiB, or when the
            daemon has searched for about 10 milliseconds, possibly without an attachment. Only an empty
            next_cursor means that a page is the last one.
        cursor (str): next_cursor of the previous page; empty starts at the first attachment.
    """

    message_id: str | None = None
    conversation: ConversationReference | str | None = None
    mime_type_prefix: str = ""
    with_thumbnails: bool = False
    limit: int = 0
    cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListedAttachment(Model):
    """An attachment with the message that it belongs to.

    Attributes:
        message_id (str): The id of the message.
        position (int): The position among the message's attachments, from 0.
        timestamp_microseconds (int): The timestamp of the message.
        attachment (Attachment): The attachment itself.
        thumbnail (bytes): The thumbnail; empty if the attachment has none, or without `with_thumbnails`.
        conversation_id (str): The id of the message's conversation.
    """

    message_id: str = ""
    position: int = 0
    timestamp_microseconds: int = 0
    attachment: Attachment = field(default_factory=lambda: Attachment())
    thumbnail: bytes = b""
    conversation_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListAttachmentsResponse(Model):
    """A page of attachments.

    Attributes:
        attachments (tuple[ListedAttachment, ...]): At most as many as requested, and possibly none on a page
            that is not the last one.
        next_cursor (str): Empty on the last page.
    """

    attachments: tuple[ListedAttachment, ...] = ()
    next_cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReadAttachmentRequest(Model):
    """The request of `read_attachment`.

    Attributes:
        message_id (str): The id of the message.
        position (int): The position among the message's attachments, from 0.
        offset (int): The offset in the content at which to begin. At or after the end of the content, the
            answer has no bytes; this is not an error.
        byte_count (int): The maximum number of bytes to read; 0 means as many as an answer can have: 1,048,576
            bytes.
        expected_digest (bytes): The digest in the previous answer; empty accepts any content.
    """

    message_id: str = ""
    position: int = 0
    offset: int = 0
    byte_count: int = 0
    expected_digest: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReadAttachmentResponse(Model):
    """A part of an attachment's content.

    Attributes:
        data (bytes): The bytes. If they are fewer than requested and the content is longer, ask for the other
            bytes.
        attachment (Attachment): The attachment at the moment of the read. It has its metadata only if the read
            began at offset 0.
    """

    data: bytes = b""
    attachment: Attachment = field(default_factory=lambda: Attachment())


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BeginAttachmentWriteRequest(Model):
    """The request of `begin_attachment_write`.

    Attributes:
        byte_count (int | None): The number of bytes that the client will write, if it knows this number. The
            daemon then accepts neither more nor fewer bytes.
        digest (bytes): The digest that the content must have. If it has another digest, finish_file_write gets
            INVALID_ARGUMENT. Empty accepts any content.
    """

    byte_count: int | None = None
    digest: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetAttachmentUsageRequest(Model):
    """The request of `get_attachment_usage`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AttachmentUsage(Model):
    """The number and size of the contents of attachments.

    Attributes:
        content_count (int): The number of contents that attachments have or that were written for attachments.
        byte_count (int): The bytes of these contents.
        stored_count (int): The number of these contents that the store has.
        stored_bytes (int): The bytes of the contents that the store has.
        evictable_bytes (int): The stored bytes of contents whose attachments all have a source. If these are
            more than evictable_bytes_max, the daemon evicts contents, first the contents used longest ago. This
            number does not include contents that no message or draft has yet, because the daemon keeps these
            for an hour.
        evictable_bytes_max (int): The limit in the daemon's configuration; 0 means no limit.
    """

    content_count: int = 0
    byte_count: int = 0
    stored_count: int = 0
    stored_bytes: int = 0
    evictable_bytes: int = 0
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
    Field(8, "metadata", Kind.MESSAGE, Metadata, has_presence=True),
)
describe(
    NewAttachment,
    Field(1, "data", Kind.BYTES, has_presence=True, oneof="content"),
    Field(2, "digest", Kind.BYTES, has_presence=True, oneof="content"),
    Field(3, "name", Kind.STRING),
    Field(4, "mime_type", Kind.STRING),
    Field(5, "thumbnail", Kind.BYTES),
    Field(6, "source", Kind.STRING),
    Field(7, "metadata", Kind.MESSAGE, Metadata, has_presence=True),
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
    Field(6, "conversation_id", Kind.STRING),
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
