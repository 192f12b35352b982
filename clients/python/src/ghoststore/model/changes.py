# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/changes.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, Model, describe
from ._enums import OpenEnum


class EntityKind(OpenEnum):
    """The kind of an entity that has changed.

    Attributes:
        CONVERSATION: A conversation. The id is the conversation's id.
        MESSAGE: A message. The id is the message's id.
        CONTACT: A contact. The id is the contact's id.
        STORE: The whole store: the operation is CHANGE_OPERATION_CLEARED.
        SCENE_VALUE: A value of a scene. The id is the key. CHANGE_OPERATION_CLEARED with an empty id means that
            the whole scene was removed.
        LOG: An append log. It was created, deleted, or opened for replication for the first time. The id is the
            log's name. Appends are not changes.
        DRAFT: A draft. The id is the id of the draft's conversation.
        REACTION: A reaction, which was created or deleted. The id is the id of the reaction's message.
        FILE: A file or directory of the vault. The id is its path, which begins with the area. If a directory
            is removed or moved, its change includes everything in it.
        MEMBER: A member of a conversation. The id is the member's session id.
    """

    UNSPECIFIED = 0
    CONVERSATION = 1
    MESSAGE = 2
    CONTACT = 3
    STORE = 4
    SCENE_VALUE = 5
    LOG = 6
    DRAFT = 7
    REACTION = 8
    FILE = 9
    MEMBER = 10


class ChangeOperation(OpenEnum):
    """What happened to an entity.

    Attributes:
        CREATED: The entity did not exist before.
        UPDATED: The entity existed and is different now.
        DELETED: The entity does not exist any more.
        CLEARED: Everything in the entity was removed.
    """

    UNSPECIFIED = 0
    CREATED = 1
    UPDATED = 2
    DELETED = 3
    CLEARED = 4


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Change(Model):
    """One committed change. Revisions start at 1 and have no gaps. A change of a message implies that the last
    message and the counts of its conversation may have changed. Deleting a conversation implies deleting its
    messages, its members and its draft.

    Attributes:
        revision (int): The number of the change.
        kind (EntityKind): The kind of the entity.
        operation (ChangeOperation): What happened to the entity.
        id (str): The id of the entity.
        parent_id (str): The parent of the entity. Messages, reactions and members: the conversation's id. Scene
            values: the scene, empty for the global tier. Otherwise empty.
        committed_at_microseconds (int): When the change was committed, by the daemon's clock.
        kind_name (str): Messages and conversations: the kind that the application has given to the entity, as
            it is after the change; for a deletion, as it was before. Otherwise empty.
    """

    revision: int = 0
    kind: EntityKind = EntityKind.UNSPECIFIED
    operation: ChangeOperation = ChangeOperation.UNSPECIFIED
    id: str = ""
    parent_id: str = ""
    committed_at_microseconds: int = 0
    kind_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListChangesRequest(Model):
    """The request of `list_changes`.

    Attributes:
        after_revision (int): The page has changes with a greater revision.
        limit (int): 1 to 10,000; 0 means 1,000. A page ends earlier when the daemon has examined 10,000
            changes.
        kinds (tuple[EntityKind, ...]): These filters are the same as in WatchRequest.
        conversation_id (str)
        scene (str)
        kind_name (str)
    """

    after_revision: int = 0
    limit: int = 0
    kinds: tuple[EntityKind, ...] = ()
    conversation_id: str = ""
    scene: str = ""
    kind_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListChangesResponse(Model):
    """A page of changes in the order of their revisions.

    Attributes:
        changes (tuple[Change, ...]): At most as many as requested.
        revision (int): The store's revision at the time of the answer.
        has_more (bool): True if the daemon has not examined all changes after through_revision yet.
        through_revision (int): This page has every change after after_revision, up to and including
            through_revision, that passes the filter. Use this revision as after_revision of the next page.
        history_id (bytes): The history that the revisions belong to.
    """

    changes: tuple[Change, ...] = ()
    revision: int = 0
    has_more: bool = False
    through_revision: int = 0
    history_id: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WatchRequest(Model):
    """The request of `watch`.

    Attributes:
        after_revision (int | None): The watch returns changes with a greater revision. Absent: it returns only
            changes that are committed from now on.
        kinds (tuple[EntityKind, ...]): The kinds of changes to return, at most 32. Empty: all kinds.
        conversation_id (str): The id of a conversation: the watch returns only changes of this conversation,
            its messages, its members, its draft and its reactions. It is not a session id, because changes
            contain ids. The conversation need not exist. Empty: all conversations.
        scene (str): The name of a scene: the watch returns only changes of this scene's values and of global
            values, which apply to keys without a value of the scene's own. Empty: all scenes. Cannot be
            combined with conversation_id.
        kind_name (str): The watch returns only changes of messages and conversations to which the application
            has given this kind (Change.kind_name). Empty: all changes.
    """

    after_revision: int | None = None
    kinds: tuple[EntityKind, ...] = ()
    conversation_id: str = ""
    scene: str = ""
    kind_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WatchEvent(Model):
    """`WatchEvent` of the protocol.

    Attributes:
        changes (tuple[Change, ...]): At most 1,000 changes in the order of their revisions; can be empty.
        revision (int): The position of the watch: the client has received every change up to and including this
            revision that passes the filter.
        history_id (bytes): The history to which the revisions belong. To resume the watch, send this id as
            Request.history_id, with the revision.
    """

    changes: tuple[Change, ...] = ()
    revision: int = 0
    history_id: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CompactChangesRequest(Model):
    """The request of `compact_changes`.

    Attributes:
        through_revision (int): The revision of the last change to remove.
    """

    through_revision: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CompactChangesResponse(Model):
    """`CompactChangesResponse` of the protocol.

    Attributes:
        compacted_through_revision (int): The store still keeps all changes with a greater revision.
        is_replayed (bool): True if this is the stored answer to an earlier request with the same idempotency
            key.
    """

    compacted_through_revision: int = 0
    is_replayed: bool = False


describe(
    Change,
    Field(1, "revision", Kind.UINT64),
    Field(2, "kind", Kind.ENUM, EntityKind),
    Field(3, "operation", Kind.ENUM, ChangeOperation),
    Field(4, "id", Kind.STRING),
    Field(5, "parent_id", Kind.STRING),
    Field(6, "committed_at_microseconds", Kind.INT64),
    Field(7, "kind_name", Kind.STRING),
)
describe(
    ListChangesRequest,
    Field(1, "after_revision", Kind.UINT64),
    Field(2, "limit", Kind.UINT32),
    Field(3, "kinds", Kind.ENUM, EntityKind, is_repeated=True),
    Field(4, "conversation_id", Kind.STRING),
    Field(5, "scene", Kind.STRING),
    Field(6, "kind_name", Kind.STRING),
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
    Field(5, "kind_name", Kind.STRING),
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
