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
    # recipient_public_key can be given.
    passphrase: Secret | None = None
    # Seals the file for the owner of this X25519 key (32 bytes). The secret key opens it.
    recipient_public_key: bytes = b""
    # Cheap key derivation of the passphrase, for tests. The daemon's configuration must allow it.
    low_cost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginBlobExportResponse:
    """`BeginBlobExportResponse` of the protocol."""

    # Names the export in read_blob_export.
    session: int = 0
    message_count: int = 0
    # The size of the whole file.
    total_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBlobExportRequest:
    """Reads the next piece of the file. Answer: blob_export_piece."""

    session: int = 0
    # The end of the previous piece; 0 for the first piece.
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBlobExportResponse:
    """`ReadBlobExportResponse` of the protocol."""

    # At most 1,048,576 bytes.
    data: bytes = b""
    # True for the last piece. The session ends with it.
    is_last: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginBlobImportRequest:
    """Begins an import. Send the file twice: first as a dry run, which reads and checks all of it and changes
    nothing, then again. Needs the right to write blobs and messages. Answer: blob_import.
    """

    # Only a dry run may leave it out; such a dry run needs no open store. An unknown session id creates its
    # conversation with the first message. If the conversation is deleted in the meantime, the next message creates it
    # again.
    conversation: ConversationReference | None = None
    # 1 to 64 bytes of UTF-8; can be empty in a dry run. The ids of the messages are computed from it and the
    # conversation, so an import that is repeated with the same import_id writes no message twice. The content_id that
    # a dry run returns is a good value.
    import_id: str = ""
    dry_run: bool = False
    # Opens a sealed file: kind KEY_SLOT_KIND_PASSPHRASE, or KEY_SLOT_KIND_KEY_FILE with the 32 bytes of the
    # recipient's secret key. Absent for a file that is not sealed.
    secret: Secret | None = None
    # The size of the whole file, sealed or not, as it will be sent; 0 means an empty file. If the size is known, the
    # daemon finds some errors at once: a count, a length or a piece that goes beyond the end. A file that ends
    # earlier is BLOB_DAMAGED too. Absent if the size is not known.
    total_bytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginBlobImportResponse:
    """`BeginBlobImportResponse` of the protocol."""

    # Names the import in write_blob_import and finish_blob_import.
    session: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteBlobImportRequest:
    """Sends the next piece of the file. Answer: blob_import_progress, or INVALID_ARGUMENT BLOB_DAMAGED naming the
    byte. A piece beyond the announced end of the file is BLOB_DAMAGED too.
    """

    session: int = 0
    # The end of the previous piece; 0 for the first piece.
    offset: int = 0
    # At most 1,048,576 bytes. The first piece of a file of 16 bytes or more has at least 16.
    data: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteBlobImportResponse:
    """`WriteBlobImportResponse` of the protocol."""

    bytes_received: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishBlobImportRequest:
    """Declares the end of the file. Messages are saved in batches as they arrive, at the latest before this
    answer. Answer: blob_import_report, or INVALID_ARGUMENT BLOB_DAMAGED if the file ends early: inside a
    message, or before the announced number of bytes.
    """

    session: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BlobImportReport:
    """`BlobImportReport` of the protocol."""

    message_count: int = 0
    # The bytes of the message file, without the seal.
    content_bytes: int = 0
    # created_count: messages that did not exist. updated_count: messages that existed and changed. Both are 0 in a
    # dry run.
    created_count: int = 0
    updated_count: int = 0
    # 64 hexadecimal digits: BLAKE2b-256 of the message file.
    content_id: str = ""
    is_dry_run: bool = False
    is_sealed: bool = False
    # The times of the oldest and the newest message; absent if there is no message.
    oldest_microseconds: int | None = None
    newest_microseconds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EndBlobSessionRequest:
    """Ends an export or import early. Saved messages stay. Answer: blob_session_ended, even if the session does
    not exist any more.
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
