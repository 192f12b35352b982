# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/archives.proto."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..wire import Field, Kind, Model, describe
from ._enums import OpenEnum
from .changes import EntityKind
from .conversations import ConversationRetention
from .files import FilePath
from .keys import Secret
from .members import ConversationMember
from .messages import MessageStatus, MessageTimer
from .metadata import Metadata


class ArchiveAim(OpenEnum):
    """The values of `ArchiveAim`.

    Attributes:
        VERIFY: Reads and checks the whole archive, and does not use the store.
        FILL_EMPTY: Restores into an empty store; if the store is not empty, the answer is STORE_NOT_EMPTY.
        MERGE: Restores into any store. If an entry of the archive and an entry of the store have the same id,
            the newer entry stays.
    """

    UNSPECIFIED = 0
    VERIFY = 1
    FILL_EMPTY = 2
    MERGE = 3


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BeginArchiveRequest(Model):
    """The request of `begin_archive`.

    Attributes:
        passphrase (Secret | None): Seals the archive with a passphrase (kind KEY_SLOT_KIND_PASSPHRASE).
        recipient_public_keys (tuple[bytes, ...]): Seals the archive for the owners of these X25519 keys: up to
            16 keys of 32 bytes each. The secret key of any of them opens the archive.
        low_cost (bool): Cheap key derivation of the passphrase, for tests. The daemon's configuration must
            allow it.
        since_revision (int): 0 makes an archive of everything. Any other value makes an archive of changes:
            everything that was created, changed or removed after this revision of the store's history
            (Request.history_id). If the store no longer keeps all of these changes, the answer is
            CHANGES_COMPACTED: make a full archive. If the store has not reached the revision, the answer is
            REVISION_AHEAD.
    """

    passphrase: Secret | None = None
    recipient_public_keys: tuple[bytes, ...] = ()
    low_cost: bool = False
    since_revision: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BeginArchiveResponse(Model):
    """An archive that has begun.

    Attributes:
        session (int): The session, for read_archive and end_archive_session.
        revision (int): The revision that the archive shows.
        created_at_microseconds (int): When the archive was begun, by the daemon's clock.
    """

    session: int = 0
    revision: int = 0
    created_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReadArchiveRequest(Model):
    """The request of `read_archive`.

    Attributes:
        session (int): The session that begin_archive returned.
        offset (int): The end of the previous piece; 0 for the first piece.
    """

    session: int = 0
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReadArchiveResponse(Model):
    """A piece of an archive.

    Attributes:
        data (bytes): At most 1,048,576 bytes. Can be empty if the daemon needs more time to produce the next
            bytes.
        is_last (bool): True for the last piece. The session ends with it.
    """

    data: bytes = b""
    is_last: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BeginArchiveRestoreRequest(Model):
    """The request of `begin_archive_restore`.

    Attributes:
        aim (ArchiveAim): The aim of the restore: only to check the archive, to fill an empty store, or to
            merge.
        dry_run (bool): Reports what the restore would do, and changes nothing.
        secret (Secret | None): The secret that opens a sealed archive, of kind KEY_SLOT_KIND_PASSPHRASE, or of
            kind KEY_SLOT_KIND_KEY_FILE with the 32 bytes of a recipient's secret key. Absent for an archive
            that is not sealed.
        without_digest (bool): Accepts a footer without a digest, as in an archive made by hand; the report's
            content_id is then the digest of the bytes sent. If this is false, a footer without a digest is
            damage.
    """

    aim: ArchiveAim = ArchiveAim.UNSPECIFIED
    dry_run: bool = False
    secret: Secret | None = None
    without_digest: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BeginArchiveRestoreResponse(Model):
    """`BeginArchiveRestoreResponse` of the protocol.

    Attributes:
        session (int): The session, for write_archive_restore, finish_archive_restore and end_archive_session.
    """

    session: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WriteArchiveRestoreRequest(Model):
    """The request of `write_archive_restore`.

    Attributes:
        session (int): The session that begin_archive_restore returned.
        offset (int): The end of the previous piece; 0 for the first piece.
        data (bytes): At most 1,048,576 bytes. The first piece must have at least 16 bytes.
    """

    session: int = 0
    offset: int = 0
    data: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WriteArchiveRestoreResponse(Model):
    """`WriteArchiveRestoreResponse` of the protocol.

    Attributes:
        bytes_received (int): The number of bytes that the daemon has received since the first piece.
    """

    bytes_received: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FinishArchiveRestoreRequest(Model):
    """The request of `finish_archive_restore`.

    Attributes:
        session (int): The session that begin_archive_restore returned.
    """

    session: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ArchiveRestoreReport(Model):
    """The result of a restore.

    Attributes:
        header (ArchiveHeader): The header of the archive.
        counts (ArchiveCounts): The number of entries in the archive.
        added (ArchiveCounts | None): Entries of the archive that did not exist in the store. This field and the
            next three are empty for ARCHIVE_AIM_VERIFY.
        updated (ArchiveCounts | None): Entries of the archive that were newer than the existing entries, and
            removals that removed something.
        kept (ArchiveCounts | None): Entries of the archive that were not restored because an existing entry is
            newer or prevents the restore.
        equal (ArchiveCounts | None): Entries of the archive that the store already had in the same form, and
            removals of things that did not exist.
        content_bytes (int): The bytes of the archive, without the seal.
        content_id (str): 64 hexadecimal digits that identify this archive.
        is_dry_run (bool): True if the restore was a dry run, which changes nothing.
        is_sealed (bool): True if the archive was sealed.
    """

    header: ArchiveHeader = field(default_factory=lambda: ArchiveHeader())
    counts: ArchiveCounts = field(default_factory=lambda: ArchiveCounts())
    added: ArchiveCounts | None = None
    updated: ArchiveCounts | None = None
    kept: ArchiveCounts | None = None
    equal: ArchiveCounts | None = None
    content_bytes: int = 0
    content_id: str = ""
    is_dry_run: bool = False
    is_sealed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EndArchiveSessionRequest(Model):
    """The request of `end_archive_session`.

    Attributes:
        session (int): The session of an archive or a restore.
    """

    session: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EndArchiveSessionResponse(Model):
    """`EndArchiveSessionResponse` of the protocol."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ArchiveCounts(Model):
    """The number of entries of each kind.

    Attributes:
        contacts (int): Contacts.
        conversations (int): Conversations.
        messages (int): The messages of all conversations.
        reactions (int): The reactions to all messages.
        drafts (int): Drafts.
        scene_values (int): The values of all scenes and of the global tier.
        logs (int): Append logs.
        log_entries (int): The messages of all logs.
        directories (int): The directories of the vault, including the roots.
        files (int): The files of the vault.
        contents (int): Contents of attachments.
        removals (int): Removed entries, in an archive of changes.
    """

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
    contents: int = 0
    removals: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ArchiveRecord(Model):
    """One record of an archive. For example, the records of messages follow the record of their conversation.

    Attributes:
        header (ArchiveHeader | None): The first record of an archive.
        contact (ArchivedContact | None): A contact.
        conversation (ArchivedConversation | None): A conversation. Its messages follow.
        message (ArchivedMessage | None): A message of the conversation whose record came last.
        reaction (ArchivedReaction | None): A reaction to the message whose record came last.
        draft (ArchivedDraft | None): A draft.
        scene_value (ArchivedSceneValue | None): A value under a key of a scene.
        log (ArchivedLog | None): A log. Its entries follow.
        log_entry (ArchivedLogEntry | None): An entry of the log whose record came last.
        directory (ArchivedDirectory | None): A directory of the vault.
        file (ArchivedFile | None): A file of the vault. Its bytes follow in pieces.
        file_piece (bytes | None): The next 1 to 262,144 bytes of the file or content whose record came last.
        footer (ArchiveFooter | None): The last record of an archive.
        content (ArchivedContent | None): A content of attachments. It comes before every message and draft that
            has it.
        removal (ArchivedRemoval | None): A removed entry. Occurs only in an archive of changes.
        changed_at_microseconds (int | None): Only in an archive of changes, for an entry that changed after
            since_revision: when its last change was committed.
        content_file (str): Only in an archive as JSON Lines, for a file or a content: the path of the file with
            its bytes, such as contents/1, inside the folder of the archive. Then no file_piece records follow.
            A plain archive with this field is damaged.
    """

    header: ArchiveHeader | None = None
    contact: ArchivedContact | None = None
    conversation: ArchivedConversation | None = None
    message: ArchivedMessage | None = None
    reaction: ArchivedReaction | None = None
    draft: ArchivedDraft | None = None
    scene_value: ArchivedSceneValue | None = None
    log: ArchivedLog | None = None
    log_entry: ArchivedLogEntry | None = None
    directory: ArchivedDirectory | None = None
    file: ArchivedFile | None = None
    file_piece: bytes | None = None
    footer: ArchiveFooter | None = None
    content: ArchivedContent | None = None
    removal: ArchivedRemoval | None = None
    changed_at_microseconds: int | None = None
    content_file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ArchiveHeader(Model):
    """`ArchiveHeader` of the protocol.

    Attributes:
        format_version (int): Always 1.
        history_id (bytes): The id of the store's history, as in Status.
        revision (int): The revision of the store that the archive shows.
        created_at_microseconds (int): When the archive was begun, by the daemon's clock.
        since_revision (int): 0 if the archive contains everything. Otherwise it is an archive of changes, with
            everything that was created, changed or removed after this revision.
    """

    format_version: int = 0
    history_id: bytes = b""
    revision: int = 0
    created_at_microseconds: int = 0
    since_revision: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ArchivedContact(Model):
    """`ArchivedContact` of the protocol.

    Attributes:
        id (str)
        session_id (str)
        display_name (str | None)
        avatar (bytes | None)
        notes (str | None)
        is_blocked (bool)
        is_trusted (bool)
        created_at_microseconds (int)
        updated_at_microseconds (int)
        metadata (Metadata | None)
    """

    id: str = ""
    session_id: str = ""
    display_name: str | None = None
    avatar: bytes | None = None
    notes: str | None = None
    is_blocked: bool = False
    is_trusted: bool = False
    created_at_microseconds: int = 0
    updated_at_microseconds: int = 0
    metadata: Metadata | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ArchivedConversation(Model):
    """`ArchivedConversation` of the protocol.

    Attributes:
        id (str)
        session_id (str)
        display_name (str | None)
        avatar (bytes | None)
        is_pinned (bool)
        is_muted (bool)
        retention (ConversationRetention | None)
        created_at_microseconds (int)
        updated_at_microseconds (int)
        kind (str | None)
        metadata (Metadata | None)
        members (tuple[ConversationMember, ...]): The members, ordered by session id.
    """

    id: str = ""
    session_id: str = ""
    display_name: str | None = None
    avatar: bytes | None = None
    is_pinned: bool = False
    is_muted: bool = False
    retention: ConversationRetention | None = None
    created_at_microseconds: int = 0
    updated_at_microseconds: int = 0
    kind: str | None = None
    metadata: Metadata | None = None
    members: tuple[ConversationMember, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ArchivedMessage(Model):
    """`ArchivedMessage` of the protocol.

    Attributes:
        id (str)
        text (str)
        sender_session_id (str)
        recipient_session_id (str)
        timestamp_microseconds (int)
        status (MessageStatus)
        is_outgoing (bool)
        is_read (bool)
        attachment_url (str | None)
        attachment_type (str | None)
        reply_to_message_id (str | None)
        created_at_microseconds (int)
        edited_at_microseconds (int | None)
        timer (MessageTimer | None)
        expires_at_microseconds (int | None): Absent while the timer does not run.
        attachments (tuple[ArchivedAttachment, ...]): The attachments in their order, at most 32.
        kind (str)
        sender_name (str)
        metadata (Metadata | None)
    """

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
    expires_at_microseconds: int | None = None
    attachments: tuple[ArchivedAttachment, ...] = ()
    kind: str = ""
    sender_name: str = ""
    metadata: Metadata | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ArchivedReaction(Model):
    """`ArchivedReaction` of the protocol.

    Attributes:
        author_session_id (str)
        emoji (str)
        created_at_microseconds (int)
    """

    author_session_id: str = ""
    emoji: str = ""
    created_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ArchivedDraft(Model):
    """`ArchivedDraft` of the protocol.

    Attributes:
        session_id (str): The session id of the conversation.
        text (str)
        attachment_url (str | None)
        attachment_type (str | None)
        reply_to_message_id (str | None)
        updated_at_microseconds (int)
        attachments (tuple[ArchivedAttachment, ...]): As in ArchivedMessage.
    """

    session_id: str = ""
    text: str = ""
    attachment_url: str | None = None
    attachment_type: str | None = None
    reply_to_message_id: str | None = None
    updated_at_microseconds: int = 0
    attachments: tuple[ArchivedAttachment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ArchivedAttachment(Model):
    """`ArchivedAttachment` of the protocol.

    Attributes:
        name (str): The name of the attachment; empty if it has none.
        mime_type (str)
        byte_count (int): The size of the content. If the archive does not contain the content, lists show the
            restored attachment, but clients cannot read it until a client writes the content again.
        digest (bytes): BLAKE2b-256 of the content: 32 bytes.
        source (str): The source of the attachment; empty if it has none.
        thumbnail (bytes): The thumbnail of the attachment; empty if it has none.
        metadata (Metadata | None): Data of the application's own; absent if there is none.
    """

    name: str = ""
    mime_type: str = ""
    byte_count: int = 0
    digest: bytes = b""
    source: str = ""
    thumbnail: bytes = b""
    metadata: Metadata | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ArchivedSceneValue(Model):
    """`ArchivedSceneValue` of the protocol.

    Attributes:
        scene (str | None): The name of the scene; absent for the global tier.
        key (str)
        value (bytes): A SceneValue of scenes.proto, serialized in its shortest form, with the entries of
            dictionaries ordered by the bytes of their keys.
        updated_at_microseconds (int)
    """

    scene: str | None = None
    key: str = ""
    value: bytes = b""
    updated_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ArchivedLog(Model):
    """`ArchivedLog` of the protocol.

    Attributes:
        name (str)
        maximum_bytes (int)
        overwrites_oldest (bool)
        created_at_microseconds (int)
        oldest_sequence (int | None): Only in an archive of changes: the number of the oldest entry that the log
            has, even if the archive does not contain this entry. Absent if the log has no entries.
        is_replicated (bool): True if the log is replicated. The archive does not contain the entries that other
            devices of a group appended.
    """

    name: str = ""
    maximum_bytes: int = 0
    overwrites_oldest: bool = False
    created_at_microseconds: int = 0
    oldest_sequence: int | None = None
    is_replicated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ArchivedLogEntry(Model):
    """`ArchivedLogEntry` of the protocol.

    Attributes:
        sequence (int)
        offset (int): The offset of the entry in the equivalent log file (LOGS.md).
        position (int): The number of bytes that all entries that were ever appended to the log before this
            entry have used of its size (LOGS.md).
        data (bytes)
        metadata (Metadata | None): Data of the application's own; absent if there is none.
    """

    sequence: int = 0
    offset: int = 0
    position: int = 0
    data: bytes = b""
    metadata: Metadata | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ArchivedDirectory(Model):
    """`ArchivedDirectory` of the protocol.

    Attributes:
        path (FilePath | None)
        created_at_microseconds (int)
        modified_at_microseconds (int)
    """

    path: FilePath | None = None
    created_at_microseconds: int = 0
    modified_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ArchivedFile(Model):
    """`ArchivedFile` of the protocol.

    Attributes:
        path (FilePath | None)
        byte_count (int): The size of the content, which follows in pieces.
        created_at_microseconds (int)
        modified_at_microseconds (int)
    """

    path: FilePath | None = None
    byte_count: int = 0
    created_at_microseconds: int = 0
    modified_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ArchivedContent(Model):
    """The content of attachments. Its bytes follow in pieces.

    Attributes:
        byte_count (int)
        digest (bytes): BLAKE2b-256 of the bytes: 32 bytes.
    """

    byte_count: int = 0
    digest: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ArchivedRemoval(Model):
    """A removed entry. If the archive contains an entry of the same name, that entry was created after the
    removal.

    Attributes:
        kind (EntityKind): The kind of the entry; never ENTITY_KIND_STORE. A conversation is removed with its
            messages and its draft, and a directory with everything in it. A removal of ENTITY_KIND_REACTION
            comes after the reactions that its message still has, and means that all other reactions of the
            message were removed.
        id (str): The id of the entry, as in Change. For a file: its path, which begins with the area. For a
            draft: the id of its conversation. For a value of a scene: its key. For a whole scene: empty.
        parent_id (str): For a value of a scene, and for a whole scene: the scene, empty for the global tier.
            Otherwise empty.
        removed_at_microseconds (int): When the entry was removed.
    """

    kind: EntityKind = EntityKind.UNSPECIFIED
    id: str = ""
    parent_id: str = ""
    removed_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ArchiveFooter(Model):
    """`ArchiveFooter` of the protocol.

    Attributes:
        counts (ArchiveCounts | None)
        digest (bytes): BLAKE2b-256 of every byte of the archive before the length of this record.
    """

    counts: ArchiveCounts | None = None
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
    Field(10, "metadata", Kind.MESSAGE, Metadata, has_presence=True),
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
    Field(10, "kind", Kind.STRING, has_presence=True),
    Field(11, "metadata", Kind.MESSAGE, Metadata, has_presence=True),
    Field(12, "members", Kind.MESSAGE, ConversationMember, is_repeated=True),
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
    Field(17, "kind", Kind.STRING),
    Field(18, "sender_name", Kind.STRING),
    Field(19, "metadata", Kind.MESSAGE, Metadata, has_presence=True),
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
    Field(7, "metadata", Kind.MESSAGE, Metadata, has_presence=True),
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
    Field(5, "metadata", Kind.MESSAGE, Metadata, has_presence=True),
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
