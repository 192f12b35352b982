# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/blobs.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, describe
from .keys import Secret
from .references import ConversationReference


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginBlobExportRequest:
    """Begins the export of a conversation, or of a part of it, as it is at this moment. Needs the right to read
    blobs and messages. Answer: blob_export, or NOT_FOUND CONVERSATION_NOT_FOUND.
    """

    conversation: ConversationReference | None = None
    # Only messages at or after this time.
    from_microseconds: int | None = None
    # Only messages before this time.
    until_microseconds: int | None = None
    sender_session_id: str | None = None
    is_outgoing: bool | None = None
    # Seals the file with a passphrase (kind KEY_SLOT_KIND_PASSPHRASE). At most one of passphrase and
    # recipient_public_key.
    passphrase: Secret | None = None
    # Seals the file for whoever has the secret half of this X25519 key: 32 bytes.
    recipient_public_key: bytes = b""
    # Cheap key derivation of the passphrase, for tests; needs the daemon's leave.
    low_cost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginBlobExportResponse:
    """`BeginBlobExportResponse` of the protocol."""

    # Names the export in read_blob_export.
    session: int = 0
    message_count: int = 0
    # Bytes of the whole file.
    total_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBlobExportRequest:
    """The next piece of the file. Answer: blob_export_piece."""

    session: int = 0
    # Where the piece before it ended; 0 for the first.
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBlobExportResponse:
    """`ReadBlobExportResponse` of the protocol."""

    # At most 1,048,576 bytes.
    data: bytes = b""
    # True for the last piece, with which the session ends.
    is_last: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginBlobImportRequest:
    """Begins an import. Send the file once as a dry run, which reads and checks all of it and changes nothing,
    then again. Needs the right to write blobs and messages. Answer: blob_import.
    """

    # Only a dry run may leave it out: one that does needs no open store. A session id that is not known yet creates
    # its conversation with the first message, and again with the next one where it was deleted meanwhile.
    conversation: ConversationReference | None = None
    # 1 to 64 bytes of UTF-8; may be empty in a dry run. Together with the conversation it makes the ids of the
    # messages, so that an import repeated under the same id writes no message twice. The content_id that a dry run
    # answers is a good one.
    import_id: str = ""
    dry_run: bool = False
    # Opens a sealed file: kind KEY_SLOT_KIND_PASSPHRASE, or KEY_SLOT_KIND_KEY_FILE with the 32 bytes of the
    # recipient's secret key. Left out for a file that is not sealed.
    secret: Secret | None = None
    # Bytes of the whole file, sealed or not, as they will be sent; 0 is a file of no bytes. What cannot be right is
    # then found at once: a count or length beyond it, and a piece. Less than that at the end is BLOB_DAMAGED too.
    # Left out where it is not known.
    total_bytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginBlobImportResponse:
    """`BeginBlobImportResponse` of the protocol."""

    # Names the import in write_blob_import and finish_blob_import.
    session: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteBlobImportRequest:
    """The next piece of the file. Answer: blob_import_progress, or INVALID_ARGUMENT BLOB_DAMAGED naming the byte;
    also for a piece that goes beyond the announced end of the file.
    """

    session: int = 0
    # Where the piece before it ended; 0 for the first.
    offset: int = 0
    # At most 1,048,576 bytes. The first piece of a file of 16 bytes or more has at least 16.
    data: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteBlobImportResponse:
    """`WriteBlobImportResponse` of the protocol."""

    bytes_received: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishBlobImportRequest:
    """Says that the file has ended. Messages are saved in batches as they arrive, at the latest with this answer.
    Answer: blob_import_report, or INVALID_ARGUMENT BLOB_DAMAGED for a file that ends early: inside a message,
    or before the bytes that were announced.
    """

    session: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BlobImportReport:
    """`BlobImportReport` of the protocol."""

    message_count: int = 0
    # Bytes of the message file, without what seals it.
    content_bytes: int = 0
    # Messages that were not there, and that were there and have changed. 0 in a dry run.
    created_count: int = 0
    updated_count: int = 0
    # 64 hexadecimal digits: BLAKE2b-256 of the message file.
    content_id: str = ""
    is_dry_run: bool = False
    is_sealed: bool = False
    # Times of the oldest and the newest message; absent when there are none.
    oldest_microseconds: int | None = None
    newest_microseconds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EndBlobSessionRequest:
    """Ends an export or import before its time. Messages that were saved stay. Answer: blob_session_ended, also
    when there is no such session any more.
    """

    session: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EndBlobSessionResponse:
    """`EndBlobSessionResponse` of the protocol."""


describe(
    BeginBlobExportRequest,
    Field(1, "conversation", Kind.MESSAGE, ConversationReference, has_presence=True),
    Field(2, "from_microseconds", Kind.INT64, has_presence=True),
    Field(3, "until_microseconds", Kind.INT64, has_presence=True),
    Field(4, "sender_session_id", Kind.STRING, has_presence=True),
    Field(5, "is_outgoing", Kind.BOOL, has_presence=True),
    Field(6, "passphrase", Kind.MESSAGE, Secret, has_presence=True),
    Field(7, "recipient_public_key", Kind.BYTES),
    Field(8, "low_cost", Kind.BOOL),
)
describe(
    BeginBlobExportResponse,
    Field(1, "session", Kind.UINT64),
    Field(2, "message_count", Kind.UINT64),
    Field(3, "total_bytes", Kind.UINT64),
)
describe(
    ReadBlobExportRequest,
    Field(1, "session", Kind.UINT64),
    Field(2, "offset", Kind.UINT64),
)
describe(
    ReadBlobExportResponse,
    Field(1, "data", Kind.BYTES),
    Field(2, "is_last", Kind.BOOL),
)
describe(
    BeginBlobImportRequest,
    Field(1, "conversation", Kind.MESSAGE, ConversationReference, has_presence=True),
    Field(2, "import_id", Kind.STRING),
    Field(3, "dry_run", Kind.BOOL),
    Field(4, "secret", Kind.MESSAGE, Secret, has_presence=True),
    Field(5, "total_bytes", Kind.UINT64, has_presence=True),
)
describe(
    BeginBlobImportResponse,
    Field(1, "session", Kind.UINT64),
)
describe(
    WriteBlobImportRequest,
    Field(1, "session", Kind.UINT64),
    Field(2, "offset", Kind.UINT64),
    Field(3, "data", Kind.BYTES),
)
describe(
    WriteBlobImportResponse,
    Field(1, "bytes_received", Kind.UINT64),
)
describe(
    FinishBlobImportRequest,
    Field(1, "session", Kind.UINT64),
)
describe(
    BlobImportReport,
    Field(1, "message_count", Kind.UINT64),
    Field(2, "content_bytes", Kind.UINT64),
    Field(3, "created_count", Kind.UINT64),
    Field(4, "updated_count", Kind.UINT64),
    Field(5, "content_id", Kind.STRING),
    Field(6, "is_dry_run", Kind.BOOL),
    Field(7, "is_sealed", Kind.BOOL),
    Field(8, "oldest_microseconds", Kind.INT64, has_presence=True),
    Field(9, "newest_microseconds", Kind.INT64, has_presence=True),
)
describe(
    EndBlobSessionRequest,
    Field(1, "session", Kind.UINT64),
)
describe(EndBlobSessionResponse)
