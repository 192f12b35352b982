# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/blobs.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, Model, describe
from .keys import Secret
from .references import ConversationReference


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BeginBlobExportRequest(Model):
    """The request of `begin_blob_export`.

    Attributes:
        conversation (ConversationReference | str | None): The conversation to export.
        from_microseconds (int | None): Only messages at or after this time.
        until_microseconds (int | None): Only messages before this time.
        sender_session_id (str | None): Only messages of this sender.
        is_outgoing (bool | None): True: only messages that this side sent; false: only messages that it
            received.
        passphrase (Secret | None): Seals the file with a passphrase (kind KEY_SLOT_KIND_PASSPHRASE). A request
            can have a passphrase or a recipient_public_key, not both.
        recipient_public_key (bytes): Seals the file for the owner of this X25519 key (32 bytes). The secret key
            of this owner opens the file.
        low_cost (bool): Cheap key derivation of the passphrase, for tests. The daemon's configuration must
            allow it.
    """

    conversation: ConversationReference | str | None = None
    from_microseconds: int | None = None
    until_microseconds: int | None = None
    sender_session_id: str | None = None
    is_outgoing: bool | None = None
    passphrase: Secret | None = None
    recipient_public_key: bytes = b""
    low_cost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BeginBlobExportResponse(Model):
    """An export that has begun.

    Attributes:
        session (int): The session, for read_blob_export and end_blob_session.
        message_count (int): The number of messages in the file.
        total_bytes (int): The size of the whole file.
    """

    session: int = 0
    message_count: int = 0
    total_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReadBlobExportRequest(Model):
    """The request of `read_blob_export`.

    Attributes:
        session (int): The session that begin_blob_export returned.
        offset (int): The end of the previous piece; 0 for the first piece.
    """

    session: int = 0
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReadBlobExportResponse(Model):
    """A piece of an exported file.

    Attributes:
        data (bytes): At most 1,048,576 bytes.
        is_last (bool): True for the last piece. The session ends with it.
    """

    data: bytes = b""
    is_last: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BeginBlobImportRequest(Model):
    """The request of `begin_blob_import`.

    Attributes:
        conversation (ConversationReference | str | None): The conversation that gets the messages. Only a dry
            run may leave out this field; such a dry run needs no open store. If no conversation has the given
            session id, the daemon creates one with the first message. If a client deletes the conversation in
            the meantime, the daemon creates it again with the next message.
        import_id (str): The id of the import: 1 to 64 bytes of UTF-8; can be empty in a dry run. The daemon
            computes the ids of the messages from this id and the conversation, so an import that is repeated
            with the same import_id writes no message twice. The content_id that a dry run returns is a good
            value.
        dry_run (bool): Reads and checks the whole file, and changes nothing.
        secret (Secret | None): The secret that opens a sealed file, of kind KEY_SLOT_KIND_PASSPHRASE, or of
            kind KEY_SLOT_KIND_KEY_FILE with the 32 bytes of the recipient's secret key. Absent for a file that
            is not sealed.
        total_bytes (int | None): The number of bytes that the client will send: the size of the whole file,
            sealed or not; 0 means an empty file. With this number, the daemon answers BLOB_DAMAGED as soon as a
            count, a length or a piece goes beyond the end, and also if the file ends earlier. Absent if the
            client does not know the size.
    """

    conversation: ConversationReference | str | None = None
    import_id: str = ""
    dry_run: bool = False
    secret: Secret | None = None
    total_bytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BeginBlobImportResponse(Model):
    """`BeginBlobImportResponse` of the protocol.

    Attributes:
        session (int): The session, for write_blob_import, finish_blob_import and end_blob_session.
    """

    session: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WriteBlobImportRequest(Model):
    """The request of `write_blob_import`.

    Attributes:
        session (int): The session that begin_blob_import returned.
        offset (int): The end of the previous piece; 0 for the first piece.
        data (bytes): At most 1,048,576 bytes. If the file has 16 bytes or more, its first piece must have at
            least 16.
    """

    session: int = 0
    offset: int = 0
    data: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WriteBlobImportResponse(Model):
    """`WriteBlobImportResponse` of the protocol.

    Attributes:
        bytes_received (int): The number of bytes that the daemon has received since the first piece.
    """

    bytes_received: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FinishBlobImportRequest(Model):
    """The request of `finish_blob_import`.

    Attributes:
        session (int): The session that begin_blob_import returned.
    """

    session: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BlobImportReport(Model):
    """The result of an import.

    Attributes:
        message_count (int): The number of messages in the file.
        content_bytes (int): The bytes of the message file, without the seal.
        created_count (int): The number of messages that did not exist in the store; 0 in a dry run.
        updated_count (int): The number of messages that existed in the store and changed; 0 in a dry run.
        content_id (str): 64 hexadecimal digits: BLAKE2b-256 of the message file.
        is_dry_run (bool): True if the import was a dry run, which changes nothing.
        is_sealed (bool): True if the file was sealed.
        oldest_microseconds (int | None): The time of the oldest message; absent if there is no message.
        newest_microseconds (int | None): The time of the newest message; absent if there is no message.
    """

    message_count: int = 0
    content_bytes: int = 0
    created_count: int = 0
    updated_count: int = 0
    content_id: str = ""
    is_dry_run: bool = False
    is_sealed: bool = False
    oldest_microseconds: int | None = None
    newest_microseconds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EndBlobSessionRequest(Model):
    """The request of `end_blob_session`.

    Attributes:
        session (int): The session of an export or import.
    """

    session: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EndBlobSessionResponse(Model):
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
