# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/archives.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, describe
from ._enums import OpenEnum
from .changes import EntityKind
from .conversations import ConversationRetention
from .files import FilePath
from .keys import Secret
from .messages import MessageStatus, MessageTimer


class ArchiveAim(OpenEnum):
    """The values of `ArchiveAim`."""

    UNSPECIFIED = 0
    # Reads and checks the whole archive, and uses no store.
    VERIFY = 1
    # Restores into an empty store; a store that is not empty is STORE_NOT_EMPTY.
    FILL_EMPTY = 2
    # Restores into any store: of two entries with the same id, the newer one stays.
    MERGE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginArchiveRequest:
    """Begins an archive of the store as it is at this moment. Needs administration and the right to read every
    area. Accepts at most one of passphrase and recipient_public_keys; without both, the archive is plain text.
    Answer: archive.
    """

    # Seals the archive with a passphrase (kind KEY_SLOT_KIND_PASSPHRASE).
    passphrase: Secret | None = None
    # Seals the archive for the owners of these X25519 keys: up to 16, of 32 bytes each. Each secret key opens it.
    recipient_public_keys: tuple[bytes, ...] = ()
    # Cheap key derivation of the passphrase, for tests. The daemon's configuration must allow it.
    low_cost: bool = False
    # 0: everything. Otherwise an archive of changes: everything that was created, changed or removed after this
    # revision of the store's history (Request.history_id). If the store no longer keeps all of these changes, the
    # answer is OUT_OF_RANGE CHANGES_COMPACTED: make a full archive. If the store has not reached the revision, the
    # answer is REVISION_AHEAD.
    since_revision: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginArchiveResponse:
    """`BeginArchiveResponse` of the protocol."""

    # Names the archive in read_archive.
    session: int = 0
    # The revision that the archive shows.
    revision: int = 0
    created_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadArchiveRequest:
    """Reads the next piece of the file. Answer: archive_piece."""

    session: int = 0
    # The end of the previous piece; 0 for the first piece.
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadArchiveResponse:
    """`ReadArchiveResponse` of the protocol."""

    # At most 1,048,576 bytes; none if the next bytes take long to produce.
    data: bytes = b""
    # True for the last piece. The session ends with it.
    is_last: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginArchiveRestoreRequest:
    """Begins a restore. Send the file twice: first as a dry run, which reads and checks all of it and changes
    nothing, then again. Needs administration and the right to write every area, even for a dry run, because a
    dry run reveals what exists. Answer: archive_restore.
    """

    aim: ArchiveAim = ArchiveAim.UNSPECIFIED
    # Reports what the restore would do, and changes nothing.
    dry_run: bool = False
    # Opens a sealed archive: kind KEY_SLOT_KIND_PASSPHRASE, or KEY_SLOT_KIND_KEY_FILE with the 32 bytes of a
    # recipient's secret key. Absent for an archive that is not sealed.
    secret: Secret | None = None
    # Accepts a footer without a digest, as in an archive made by hand; the report's content_id is then the digest of
    # the bytes sent. If this is false, a footer without a digest is damage.
    without_digest: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginArchiveRestoreResponse:
    """`BeginArchiveRestoreResponse` of the protocol."""

    # Names the restore in write_archive_restore and finish_archive_restore.
    session: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteArchiveRestoreRequest:
    """Sends the next piece of the file. The records that it completes are restored in steps of at most 256 records
    or about 1 MiB. Answer: archive_restore_progress, or INVALID_ARGUMENT ARCHIVE_DAMAGED naming the byte.
    """

    session: int = 0
    # The end of the previous piece; 0 for the first piece.
    offset: int = 0
    # At most 1,048,576 bytes. The first piece has at least 16.
    data: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteArchiveRestoreResponse:
    """`WriteArchiveRestoreResponse` of the protocol."""

    bytes_received: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishArchiveRestoreRequest:
    """Declares the end of the file. Answer: archive_restore_report, or INVALID_ARGUMENT ARCHIVE_DAMAGED if the
    file is not complete. The records that were restored stay; to continue where it ended, restore the archive
    again as a merge.
    """

    session: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveRestoreReport:
    """`ArchiveRestoreReport` of the protocol."""

    # The header of the archive.
    header: ArchiveHeader | None = None
    # The number of entries in the archive.
    counts: ArchiveCounts | None = None
    # added: entries that did not exist. updated: entries that are newer than the existing ones. kept: existing
    # entries that stay because they are newer or must not be replaced. equal: entries that existed already. A removal
    # counts as updated if it removed something, and as equal if there was nothing to remove. All four are empty for
    # ARCHIVE_AIM_VERIFY.
    added: ArchiveCounts | None = None
    updated: ArchiveCounts | None = None
    kept: ArchiveCounts | None = None
    equal: ArchiveCounts | None = None
    # The bytes of the archive, without the seal.
    content_bytes: int = 0
    # 64 hexadecimal digits that identify this archive.
    content_id: str = ""
    is_dry_run: bool = False
    is_sealed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EndArchiveSessionRequest:
    """Ends an archive or a restore early. Restored records stay. Answer: archive_session_ended, even if the
    session does not exist any more.
    """

    session: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EndArchiveSessionResponse:
    """`EndArchiveSessionResponse` of the protocol."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveCounts:
    """The number of entries of each kind."""

    contacts: int = 0
    conversations: int = 0
    messages: int = 0
    reactions: int = 0
    drafts: int = 0
    scene_values: int = 0
    logs: int = 0
    log_entries: int = 0
    directories: int = 0
    files: int = 0
    # Contents of attachments.
    contents: int = 0
    removals: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveRecord:
    """One record of an archive. Records of the parts of an entry follow the record of the entry."""

    header: ArchiveHeader | None = None
    contact: ArchivedContact | None = None
    conversation: ArchivedConversation | None = None
    # Belongs to the conversation whose record came last.
    message: ArchivedMessage | None = None
    # Belongs to the message whose record came last.
    reaction: ArchivedReaction | None = None
    draft: ArchivedDraft | None = None
    scene_value: ArchivedSceneValue | None = None
    log: ArchivedLog | None = None
    # Belongs to the log whose record came last.
    log_entry: ArchivedLogEntry | None = None
    directory: ArchivedDirectory | None = None
    file: ArchivedFile | None = None
    # The next bytes of the file or content before it: 1 to 262,144.
    file_piece: bytes | None = None
    footer: ArchiveFooter | None = None
    # A content of attachments. It comes before every message and draft that has it.
    content: ArchivedContent | None = None
    # Only in an archive of changes.
    removal: ArchivedRemoval | None = None
    # Only in an archive of changes, for an entry that was changed since: when its last change was committed.
    changed_at_microseconds: int | None = None
    # Only as JSON Lines, for a file or a content: the path of its bytes in the folder, instead of file_pieces. A
    # plain archive with this field is damaged.
    content_file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveHeader:
    """`ArchiveHeader` of the protocol."""

    # 1.
    format_version: int = 0
    # The history of the store, as in Status, and its revision at that time.
    history_id: bytes = b""
    revision: int = 0
    created_at_microseconds: int = 0
    # 0: the archive has everything. Otherwise it is an archive of changes: everything that was created, changed or
    # removed after this revision.
    since_revision: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedContact:
    """`ArchivedContact` of the protocol."""

    id: str = ""
    session_id: str = ""
    display_name: str | None = None
    avatar: bytes | None = None
    notes: str | None = None
    is_blocked: bool = False
    is_trusted: bool = False
    created_at_microseconds: int = 0
    updated_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedConversation:
    """`ArchivedConversation` of the protocol."""

    id: str = ""
    session_id: str = ""
    display_name: str | None = None
    avatar: bytes | None = None
    is_pinned: bool = False
    is_muted: bool = False
    retention: ConversationRetention | None = None
    created_at_microseconds: int = 0
    updated_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedMessage:
    """`ArchivedMessage` of the protocol."""

    id: str = ""
    text: str = ""
    sender_session_id: str = ""
    recipient_session_id: str = ""
    timestamp_microseconds: int = 0
    status: MessageStatus = MessageStatus.UNSPECIFIED
    is_outgoing: bool = False
    is_read: bool = False
    attachment_url: str | None = None
    attachment_type: str | None = None
    reply_to_message_id: str | None = None
    created_at_microseconds: int = 0
    edited_at_microseconds: int | None = None
    timer: MessageTimer | None = None
    # Absent while the timer does not run.
    expires_at_microseconds: int | None = None
    # In their order, at most 32.
    attachments: tuple[ArchivedAttachment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedReaction:
    """`ArchivedReaction` of the protocol."""

    author_session_id: str = ""
    emoji: str = ""
    created_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedDraft:
    """`ArchivedDraft` of the protocol."""

    # The session id of the conversation.
    session_id: str = ""
    text: str = ""
    attachment_url: str | None = None
    attachment_type: str | None = None
    reply_to_message_id: str | None = None
    updated_at_microseconds: int = 0
    # As in ArchivedMessage.
    attachments: tuple[ArchivedAttachment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedAttachment:
    """`ArchivedAttachment` of the protocol."""

    # Empty: none.
    name: str = ""
    mime_type: str = ""
    # The size of the content. If the archive does not have the content, the attachment is listed and cannot be read
    # until the content is written again.
    byte_count: int = 0
    # BLAKE2b-256 of the content: 32 bytes.
    digest: bytes = b""
    # Empty: none.
    source: str = ""
    # Empty: none.
    thumbnail: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedSceneValue:
    """`ArchivedSceneValue` of the protocol."""

    # Absent: the global tier.
    scene: str | None = None
    key: str = ""
    # A SceneValue of scenes.proto, serialized: in its shortest form, with dictionaries ordered by the bytes of their
    # keys.
    value: bytes = b""
    updated_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedLog:
    """`ArchivedLog` of the protocol."""

    name: str = ""
    maximum_bytes: int = 0
    overwrites_oldest: bool = False
    created_at_microseconds: int = 0
    # Only in an archive of changes: the number of the oldest entry that the log has, whether the archive has this
    # entry or not. Absent if the log has none.
    oldest_sequence: int | None = None
    # An archive does not have the entries that other devices of a group appended.
    is_replicated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedLogEntry:
    """`ArchivedLogEntry` of the protocol."""

    sequence: int = 0
    # The offset of the entry in the equivalent log file (LOGS.md).
    offset: int = 0
    # The bytes of all messages ever appended before it, including their lengths.
    position: int = 0
    data: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedDirectory:
    """`ArchivedDirectory` of the protocol."""

    path: FilePath | None = None
    created_at_microseconds: int = 0
    modified_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedFile:
    """`ArchivedFile` of the protocol."""

    path: FilePath | None = None
    # The size of the content, which follows in pieces.
    byte_count: int = 0
    created_at_microseconds: int = 0
    modified_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedContent:
    """The content of attachments. Its bytes follow in pieces."""

    byte_count: int = 0
    # BLAKE2b-256 of the bytes: 32 bytes.
    digest: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedRemoval:
    """A removed entry. If the archive has an entry of the same name, that entry was created after the removal."""

    # The kind of the entry; never ENTITY_KIND_STORE. A conversation is removed with its messages and its draft, and a
    # directory with everything in it. ENTITY_KIND_REACTION follows the reactions of its message, and means that all
    # other reactions of the message were removed.
    kind: EntityKind = EntityKind.UNSPECIFIED
    # As in changes. For a file, its path with the area before it; for a draft, the id of its conversation; for a
    # value of a scene, its key; empty for a whole scene.
    id: str = ""
    # For a value of a scene, and for a whole scene: the scene, empty for the global tier. Otherwise empty.
    parent_id: str = ""
    # When the entry was removed.
    removed_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveFooter:
    """`ArchiveFooter` of the protocol."""

    counts: ArchiveCounts | None = None
    # BLAKE2b-256 of every byte of the archive before the length of this record.
    digest: bytes = b""


describe(
    BeginArchiveRequest,
    Field(1, "passphrase", Kind.MESSAGE, Secret, has_presence=True),
    Field(2, "recipient_public_keys", Kind.BYTES, is_repeated=True),
    Field(3, "low_cost", Kind.BOOL),
    Field(4, "since_revision", Kind.UINT64),
)
describe(
    BeginArchiveResponse,
    Field(1, "session", Kind.UINT64),
    Field(2, "revision", Kind.UINT64),
    Field(3, "created_at_microseconds", Kind.INT64),
)
describe(
    ReadArchiveRequest,
    Field(1, "session", Kind.UINT64),
    Field(2, "offset", Kind.UINT64),
)
describe(
    ReadArchiveResponse,
    Field(1, "data", Kind.BYTES),
    Field(2, "is_last", Kind.BOOL),
)
describe(
    BeginArchiveRestoreRequest,
    Field(1, "aim", Kind.ENUM, ArchiveAim),
    Field(2, "dry_run", Kind.BOOL),
    Field(3, "secret", Kind.MESSAGE, Secret, has_presence=True),
    Field(4, "without_digest", Kind.BOOL),
)
describe(
    BeginArchiveRestoreResponse,
    Field(1, "session", Kind.UINT64),
)
describe(
    WriteArchiveRestoreRequest,
    Field(1, "session", Kind.UINT64),
    Field(2, "offset", Kind.UINT64),
    Field(3, "data", Kind.BYTES),
)
describe(
    WriteArchiveRestoreResponse,
    Field(1, "bytes_received", Kind.UINT64),
)
describe(
    FinishArchiveRestoreRequest,
    Field(1, "session", Kind.UINT64),
)
describe(
    ArchiveRestoreReport,
    Field(1, "header", Kind.MESSAGE, ArchiveHeader, has_presence=True),
    Field(2, "counts", Kind.MESSAGE, ArchiveCounts, has_presence=True),
    Field(3, "added", Kind.MESSAGE, ArchiveCounts, has_presence=True),
    Field(4, "updated", Kind.MESSAGE, ArchiveCounts, has_presence=True),
    Field(5, "kept", Kind.MESSAGE, ArchiveCounts, has_presence=True),
    Field(6, "equal", Kind.MESSAGE, ArchiveCounts, has_presence=True),
    Field(7, "content_bytes", Kind.UINT64),
    Field(8, "content_id", Kind.STRING),
    Field(9, "is_dry_run", Kind.BOOL),
    Field(10, "is_sealed", Kind.BOOL),
)
describe(
    EndArchiveSessionRequest,
    Field(1, "session", Kind.UINT64),
)
describe(EndArchiveSessionResponse)
describe(
    ArchiveCounts,
    Field(1, "contacts", Kind.UINT64),
    Field(2, "conversations", Kind.UINT64),
    Field(3, "messages", Kind.UINT64),
    Field(4, "reactions", Kind.UINT64),
    Field(5, "drafts", Kind.UINT64),
    Field(6, "scene_values", Kind.UINT64),
    Field(7, "logs", Kind.UINT64),
    Field(8, "log_entries", Kind.UINT64),
    Field(9, "directories", Kind.UINT64),
    Field(10, "files", Kind.UINT64),
    Field(11, "contents", Kind.UINT64),
    Field(12, "removals", Kind.UINT64),
)
describe(
    ArchiveRecord,
    Field(1, "header", Kind.MESSAGE, ArchiveHeader, has_presence=True, oneof="record"),
    Field(2, "contact", Kind.MESSAGE, ArchivedContact, has_presence=True, oneof="record"),
    Field(3, "conversation", Kind.MESSAGE, ArchivedConversation, has_presence=True, oneof="record"),
    Field(4, "message", Kind.MESSAGE, ArchivedMessage, has_presence=True, oneof="record"),
    Field(5, "reaction", Kind.MESSAGE, ArchivedReaction, has_presence=True, oneof="record"),
    Field(6, "draft", Kind.MESSAGE, ArchivedDraft, has_presence=True, oneof="record"),
    Field(7, "scene_value", Kind.MESSAGE, ArchivedSceneValue, has_presence=True, oneof="record"),
    Field(8, "log", Kind.MESSAGE, ArchivedLog, has_presence=True, oneof="record"),
    Field(9, "log_entry", Kind.MESSAGE, ArchivedLogEntry, has_presence=True, oneof="record"),
    Field(10, "directory", Kind.MESSAGE, ArchivedDirectory, has_presence=True, oneof="record"),
    Field(11, "file", Kind.MESSAGE, ArchivedFile, has_presence=True, oneof="record"),
    Field(12, "file_piece", Kind.BYTES, has_presence=True, oneof="record"),
    Field(13, "footer", Kind.MESSAGE, ArchiveFooter, has_presence=True, oneof="record"),
    Field(20, "content", Kind.MESSAGE, ArchivedContent, has_presence=True, oneof="record"),
    Field(30, "removal", Kind.MESSAGE, ArchivedRemoval, has_presence=True, oneof="record"),
    Field(31, "changed_at_microseconds", Kind.INT64, has_presence=True),
    Field(40, "content_file", Kind.STRING),
)
describe(
    ArchiveHeader,
    Field(1, "format_version", Kind.UINT32),
    Field(2, "history_id", Kind.BYTES),
    Field(3, "revision", Kind.UINT64),
    Field(4, "created_at_microseconds", Kind.INT64),
    Field(5, "since_revision", Kind.UINT64),
)
describe(
    ArchivedContact,
    Field(1, "id", Kind.STRING),
    Field(2, "session_id", Kind.STRING),
    Field(3, "display_name", Kind.STRING, has_presence=True),
    Field(4, "avatar", Kind.BYTES, has_presence=True),
    Field(5, "notes", Kind.STRING, has_presence=True),
    Field(6, "is_blocked", Kind.BOOL),
    Field(7, "is_trusted", Kind.BOOL),
    Field(8, "created_at_microseconds", Kind.INT64),
    Field(9, "updated_at_microseconds", Kind.INT64),
)
describe(
    ArchivedConversation,
    Field(1, "id", Kind.STRING),
    Field(2, "session_id", Kind.STRING),
    Field(3, "display_name", Kind.STRING, has_presence=True),
    Field(4, "avatar", Kind.BYTES, has_presence=True),
    Field(5, "is_pinned", Kind.BOOL),
    Field(6, "is_muted", Kind.BOOL),
    Field(7, "retention", Kind.MESSAGE, ConversationRetention, has_presence=True),
    Field(8, "created_at_microseconds", Kind.INT64),
    Field(9, "updated_at_microseconds", Kind.INT64),
)
describe(
    ArchivedMessage,
    Field(1, "id", Kind.STRING),
    Field(2, "text", Kind.STRING),
    Field(3, "sender_session_id", Kind.STRING),
    Field(4, "recipient_session_id", Kind.STRING),
    Field(5, "timestamp_microseconds", Kind.INT64),
    Field(6, "status", Kind.ENUM, MessageStatus),
    Field(7, "is_outgoing", Kind.BOOL),
    Field(8, "is_read", Kind.BOOL),
    Field(9, "attachment_url", Kind.STRING, has_presence=True),
    Field(10, "attachment_type", Kind.STRING, has_presence=True),
    Field(11, "reply_to_message_id", Kind.STRING, has_presence=True),
    Field(12, "created_at_microseconds", Kind.INT64),
    Field(13, "edited_at_microseconds", Kind.INT64, has_presence=True),
    Field(14, "timer", Kind.MESSAGE, MessageTimer, has_presence=True),
    Field(15, "expires_at_microseconds", Kind.INT64, has_presence=True),
    Field(16, "attachments", Kind.MESSAGE, ArchivedAttachment, is_repeated=True),
)
describe(
    ArchivedReaction,
    Field(1, "author_session_id", Kind.STRING),
    Field(2, "emoji", Kind.STRING),
    Field(3, "created_at_microseconds", Kind.INT64),
)
describe(
    ArchivedDraft,
    Field(1, "session_id", Kind.STRING),
    Field(2, "text", Kind.STRING),
    Field(3, "attachment_url", Kind.STRING, has_presence=True),
    Field(4, "attachment_type", Kind.STRING, has_presence=True),
    Field(5, "reply_to_message_id", Kind.STRING, has_presence=True),
    Field(6, "updated_at_microseconds", Kind.INT64),
    Field(7, "attachments", Kind.MESSAGE, ArchivedAttachment, is_repeated=True),
)
describe(
    ArchivedAttachment,
    Field(1, "name", Kind.STRING),
    Field(2, "mime_type", Kind.STRING),
    Field(3, "byte_count", Kind.UINT64),
    Field(4, "digest", Kind.BYTES),
    Field(5, "source", Kind.STRING),
    Field(6, "thumbnail", Kind.BYTES),
)
describe(
    ArchivedSceneValue,
    Field(1, "scene", Kind.STRING, has_presence=True),
    Field(2, "key", Kind.STRING),
    Field(3, "value", Kind.BYTES),
    Field(4, "updated_at_microseconds", Kind.INT64),
)
describe(
    ArchivedLog,
    Field(1, "name", Kind.STRING),
    Field(2, "maximum_bytes", Kind.UINT64),
    Field(3, "overwrites_oldest", Kind.BOOL),
    Field(4, "created_at_microseconds", Kind.INT64),
    Field(5, "oldest_sequence", Kind.UINT64, has_presence=True),
    Field(6, "is_replicated", Kind.BOOL),
)
describe(
    ArchivedLogEntry,
    Field(1, "sequence", Kind.UINT64),
    Field(2, "offset", Kind.UINT64),
    Field(3, "position", Kind.UINT64),
    Field(4, "data", Kind.BYTES),
)
describe(
    ArchivedDirectory,
    Field(1, "path", Kind.MESSAGE, FilePath, has_presence=True),
    Field(2, "created_at_microseconds", Kind.INT64),
    Field(3, "modified_at_microseconds", Kind.INT64),
)
describe(
    ArchivedFile,
    Field(1, "path", Kind.MESSAGE, FilePath, has_presence=True),
    Field(2, "byte_count", Kind.UINT64),
    Field(3, "created_at_microseconds", Kind.INT64),
    Field(4, "modified_at_microseconds", Kind.INT64),
)
describe(
    ArchivedContent,
    Field(1, "byte_count", Kind.UINT64),
    Field(2, "digest", Kind.BYTES),
)
describe(
    ArchivedRemoval,
    Field(1, "kind", Kind.ENUM, EntityKind),
    Field(2, "id", Kind.STRING),
    Field(3, "parent_id", Kind.STRING),
    Field(4, "removed_at_microseconds", Kind.INT64),
)
describe(
    ArchiveFooter,
    Field(1, "counts", Kind.MESSAGE, ArchiveCounts, has_presence=True),
    Field(2, "digest", Kind.BYTES),
)
