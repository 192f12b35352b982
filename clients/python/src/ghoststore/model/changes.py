# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/changes.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, describe
from ._enums import OpenEnum


class EntityKind(OpenEnum):
    """The values of `EntityKind`."""

    UNSPECIFIED = 0
    CONVERSATION = 1
    MESSAGE = 2
    CONTACT = 3
    # The whole store: the operation is CHANGE_OPERATION_CLEARED.
    STORE = 4
    # A value of a scene. Its id is the key. CHANGE_OPERATION_CLEARED with an empty id: the whole scene was removed.
    SCENE_VALUE = 5
    # An append log was created, opened to be replicated, or deleted. Its id is its name. Appends are not changes.
    LOG = 6
    # A draft. Its id is the id of its conversation.
    DRAFT = 7
    # A reaction was created or deleted. Its id is the id of its message.
    REACTION = 8
    # A file or directory of the vault. The id is its path with the area before it. A change of a removed or moved
    # directory includes everything in it.
    FILE = 9


class ChangeOperation(OpenEnum):
    """The values of `ChangeOperation`."""

    UNSPECIFIED = 0
    CREATED = 1
    UPDATED = 2
    DELETED = 3
    CLEARED = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One committed change. Revisions start at 1 and have no gaps. A change of a message implies that the last
    message and the counts of its conversation may have changed. Deleting a conversation implies deleting its
    messages and its draft.
    """

    revision: int = 0
    kind: EntityKind = EntityKind.UNSPECIFIED
    operation: ChangeOperation = ChangeOperation.UNSPECIFIED
    id: str = ""
    # The parent of the entity. Messages and reactions: the conversation's id. Scene values: the scene, empty for the
    # global tier. Otherwise empty.
    parent_id: str = ""
    committed_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ListChangesRequest:
    """Lists changes in the order of their revisions, the lowest first. Answer: changes, or OUT_OF_RANGE:
    CHANGES_COMPACTED if the changes are no longer kept, REVISION_AHEAD if the store has not reached
    after_revision.
    """

    # Changes with a greater revision.
    after_revision: int = 0
    # 1 to 10,000; 0 means 1,000. A page ends earlier when 10,000 changes were examined.
    limit: int = 0
    # These filters are the same as in WatchRequest.
    kinds: tuple[EntityKind, ...] = ()
    conversation_id: str = ""
    scene: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListChangesResponse:
    """`ListChangesResponse` of the protocol."""

    changes: tuple[Change, ...] = ()
    # The store's revision at the time of the answer.
    revision: int = 0
    # True if there are more changes to examine after through_revision.
    has_more: bool = False
    # This page has every change after after_revision, up to and including this revision, that passes the filter. The
    # next page begins after this revision.
    through_revision: int = 0
    # The history that the revisions belong to.
    history_id: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchRequest:
    """Replays changes from a revision, then follows new ones. Answers: watch_event with more = true until
    cancelled. The first event can be empty; its revision is the position of the watch. Empty events also come
    from time to time while no change passes the filter. A client that reads too slowly gets RESOURCE_EXHAUSTED
    WATCH_BACKLOG_EXCEEDED as its last answer, and resumes with after_revision.
    """

    # Changes with a greater revision; absent: only changes that are committed from now on.
    after_revision: int | None = None
    # At most 32. Empty: all kinds.
    kinds: tuple[EntityKind, ...] = ()
    # Empty: all conversations. Otherwise only this conversation and its messages. This is an id and not a session id,
    # because changes contain ids. The conversation need not exist.
    conversation_id: str = ""
    # Empty: all scenes. Otherwise only values of this scene, and global values, which a key without a value of its
    # own reads. Cannot be combined with conversation_id.
    scene: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchEvent:
    """`WatchEvent` of the protocol."""

    changes: tuple[Change, ...] = ()
    # Every change up to and including this revision that passes the filter has been delivered.
    revision: int = 0
    # The history that the revisions belong to. Send it (Request.history_id) with the revision to resume after.
    history_id: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactChangesRequest:
    """Removes changes up to and including a revision from the change log. A revision greater than the store's
    revision means the store's revision. In a replica group, changes that are not in a message for the group yet
    are kept. Answer: compact_changes.
    """

    through_revision: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactChangesResponse:
    """`CompactChangesResponse` of the protocol."""

    # Changes with a greater revision are still kept.
    compacted_through_revision: int = 0
    # True if this is the stored answer to an earlier request with the same idempotency key.
    is_replayed: bool = False


describe(
    Change,
    Field(1, "revision", Kind.UINT64),
    Field(2, "kind", Kind.ENUM, EntityKind),
    Field(3, "operation", Kind.ENUM, ChangeOperation),
    Field(4, "id", Kind.STRING),
    Field(5, "parent_id", Kind.STRING),
    Field(6, "committed_at_microseconds", Kind.INT64),
)
describe(
    ListChangesRequest,
    Field(1, "after_revision", Kind.UINT64),
    Field(2, "limit", Kind.UINT32),
    Field(3, "kinds", Kind.ENUM, EntityKind, is_repeated=True),
    Field(4, "conversation_id", Kind.STRING),
    Field(5, "scene", Kind.STRING),
)
describe(
    ListChangesResponse,
    Field(1, "changes", Kind.MESSAGE, Change, is_repeated=True),
    Field(2, "revision", Kind.UINT64),
    Field(3, "has_more", Kind.BOOL),
    Field(4, "through_revision", Kind.UINT64),
    Field(5, "history_id", Kind.BYTES),
)
describe(
    WatchRequest,
    Field(1, "after_revision", Kind.UINT64, has_presence=True),
    Field(2, "kinds", Kind.ENUM, EntityKind, is_repeated=True),
    Field(3, "conversation_id", Kind.STRING),
    Field(4, "scene", Kind.STRING),
)
describe(
    WatchEvent,
    Field(1, "changes", Kind.MESSAGE, Change, is_repeated=True),
    Field(2, "revision", Kind.UINT64),
    Field(3, "history_id", Kind.BYTES),
)
describe(
    CompactChangesRequest,
    Field(1, "through_revision", Kind.UINT64),
)
describe(
    CompactChangesResponse,
    Field(1, "compacted_through_revision", Kind.UINT64),
    Field(2, "is_replayed", Kind.BOOL),
)
