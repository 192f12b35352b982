# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/conversations.proto."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..wire import Field, Kind, Model, describe
from .messages import MessageStatus, MessageTimer
from .metadata import Metadata
from .references import ConversationReference


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Conversation(Model):
    """A conversation with another party.

    Attributes:
        id (str): 1 to 128 bytes.
        session_id (str): The session id of the other party: the unique name by which the application identifies
            the conversation.
        display_name (str | None): The name to show; absent for a conversation without a name.
        avatar (bytes | None): Present only if the request asked for avatars.
        has_avatar (bool): True if the store has an avatar of the conversation.
        is_pinned (bool): True if the conversation is pinned: lists have it before conversations that are not
            pinned.
        is_muted (bool): True if the user does not want to be notified of messages. The store only keeps this
            field for the application.
        message_count (int): The number of messages.
        unread_count (int): The number of incoming messages that are not marked read.
        last_message (LastMessage | None): The newest message, which comes first in list_messages. Absent if
            there is no message, or if the caller may not read messages.
        created_at_microseconds (int): When the conversation was created, by the daemon's clock.
        updated_at_microseconds (int): The last time when update_conversation or a call on members changed
            something, or when a message was added, removed or got another timestamp. Edits, statuses, marking
            messages read, and changes of other fields of a message do not change this time.
        last_activity_at_microseconds (int): The timestamp of the last message, or created_at if there is no
            message. list_conversations sorts by this time.
        retention (ConversationRetention | None): Absent if the conversation keeps its messages without a limit.
        kind (str): The kind of the conversation, as the application named it; empty if it was not given.
        metadata (Metadata | None): Data of the application's own; absent if there is none.
    """

    id: str = ""
    session_id: str = ""
    display_name: str | None = None
    avatar: bytes | None = None
    has_avatar: bool = False
    is_pinned: bool = False
    is_muted: bool = False
    message_count: int = 0
    unread_count: int = 0
    last_message: LastMessage | None = None
    created_at_microseconds: int = 0
    updated_at_microseconds: int = 0
    last_activity_at_microseconds: int = 0
    retention: ConversationRetention | None = None
    kind: str = ""
    metadata: Metadata | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ConversationRetention(Model):
    """The rules by which a conversation keeps its messages (PROTOCOL.md, "Automatic deletion").

    Attributes:
        message_timer (MessageTimer | None): The timer of messages that are saved from now on without a timer of
            their own.
        keep_for_milliseconds (int): The daemon deletes messages whose timestamp is at least this many
            milliseconds ago: 1 to 3,162,240,000,000 (100 years). 0 keeps messages of any age.
        keep_count (int): The daemon keeps only this many of the newest messages, and deletes the others. 0
            keeps any number of messages.
    """

    message_timer: MessageTimer | None = None
    keep_for_milliseconds: int = 0
    keep_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LastMessage(Model):
    """The fields of the newest message that a list of conversations shows.

    Attributes:
        id (str): The id of the message.
        text (str): The text of the message.
        timestamp_microseconds (int): The timestamp of the message.
        is_outgoing (bool): True if this side sent the message.
        status (MessageStatus): The delivery of the message.
    """

    id: str = ""
    text: str = ""
    timestamp_microseconds: int = 0
    is_outgoing: bool = False
    status: MessageStatus = MessageStatus.UNSPECIFIED


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetOrCreateConversationRequest(Model):
    """The request of `get_or_create_conversation`.

    Attributes:
        session_id (str): The session id of the other party: 1 to 256 bytes.
        id (str): The id of a new conversation. If empty, the daemon creates a UUIDv7.
        display_name (str | None): The display name of a new conversation.
    """

    session_id: str = ""
    id: str = ""
    display_name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetOrCreateConversationResponse(Model):
    """`GetOrCreateConversationResponse` of the protocol.

    Attributes:
        conversation (Conversation): The conversation as it was found or created, without its avatar. A caller
            without the right to read conversations gets only its id and session id.
        is_new (bool): True if this request created the conversation.
        is_replayed (bool): True if this is the stored answer to an earlier request with the same idempotency
            key.
    """

    conversation: Conversation = field(default_factory=lambda: Conversation())
    is_new: bool = False
    is_replayed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetConversationRequest(Model):
    """The request of `get_conversation`.

    Attributes:
        conversation (ConversationReference | str | None): The conversation.
        include_avatar (bool): Also returns the avatar.
    """

    conversation: ConversationReference | str | None = None
    include_avatar: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListConversationsRequest(Model):
    """The request of `list_conversations`.

    Attributes:
        limit (int): 1 to 1,000; 0 means 100. A page ends earlier if its texts and avatars need 4 MiB. A page
            with a filter also ends when the daemon has searched for about 10 milliseconds, possibly without an
            entry. Only an empty next_cursor means that a page is the last one.
        cursor (str): next_cursor of the previous page; empty starts at the top.
        is_pinned (bool | None): True: only pinned conversations; false: only conversations that are not pinned.
        is_muted (bool | None): True: only muted conversations; false: only conversations that are not muted.
        has_unread (bool | None): True: only conversations with unread messages; false: only conversations
            without unread messages.
        include_avatars (bool): Also returns the avatars.
        kind (str | None): Only conversations of this kind; an empty text means conversations without a kind.
    """

    limit: int = 0
    cursor: str = ""
    is_pinned: bool | None = None
    is_muted: bool | None = None
    has_unread: bool | None = None
    include_avatars: bool = False
    kind: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListConversationsResponse(Model):
    """A page of conversations: first the pinned conversations, then the others, in both parts the latest activity
    first.

    Attributes:
        conversations (tuple[Conversation, ...]): At most as many as requested, and possibly none on a page that
            is not the last one.
        next_cursor (str): Empty on the last page.
    """

    conversations: tuple[Conversation, ...] = ()
    next_cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class UpdateConversationRequest(Model):
    """The request of `update_conversation`.

    Attributes:
        conversation (ConversationReference | str | None): The conversation.
        display_name (str | None): The name to show.
        avatar (bytes | None): The bytes of a picture: at most 4 MiB.
        is_pinned (bool | None): True for a pinned conversation.
        is_muted (bool | None): True for a muted conversation.
        message_timer (MessageTimer | None): The timer of messages that are saved from now on without a timer of
            their own; a lifetime of 0 removes this timer. This field and the next two are the rules that
            ConversationRetention describes, and 0 removes a rule. The next two rules also apply to existing
            messages, which the daemon deletes after the answer. Use dry_run first to find out how many messages
            these are.
        keep_for_milliseconds (int | None): The time in milliseconds for which messages are kept after their
            timestamps: 1 to 3,162,240,000,000 (100 years).
        keep_count (int | None): The number of the newest messages that are kept.
        dry_run (bool): True to change nothing and only find out what the update would do. In the answer,
            `deleted_count` is the number of existing messages that the update would delete, and `updated_count`
            is 1 if the update would change something.
        kind (str | None): A short text of the application's choice, such as group: at most 64 bytes.
        metadata (Metadata | None): Data of the application's own.
    """

    conversation: ConversationReference | str | None = None
    display_name: str | None = None
    avatar: bytes | None = None
    is_pinned: bool | None = None
    is_muted: bool | None = None
    message_timer: MessageTimer | None = None
    keep_for_milliseconds: int | None = None
    keep_count: int | None = None
    dry_run: bool = False
    kind: str | None = None
    metadata: Metadata | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MarkConversationReadRequest(Model):
    """The request of `mark_conversation_read`.

    Attributes:
        conversation (ConversationReference | str | None): The conversation.
    """

    conversation: ConversationReference | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DeleteConversationRequest(Model):
    """The request of `delete_conversation`.

    Attributes:
        conversation (ConversationReference | str | None): The conversation.
    """

    conversation: ConversationReference | str | None = None


describe(
    Conversation,
    Field(1, "id", Kind.STRING),
    Field(2, "session_id", Kind.STRING),
    Field(3, "display_name", Kind.STRING, has_presence=True),
    Field(4, "avatar", Kind.BYTES, has_presence=True),
    Field(5, "has_avatar", Kind.BOOL),
    Field(6, "is_pinned", Kind.BOOL),
    Field(7, "is_muted", Kind.BOOL),
    Field(8, "message_count", Kind.UINT64),
    Field(9, "unread_count", Kind.UINT64),
    Field(10, "last_message", Kind.MESSAGE, LastMessage, has_presence=True),
    Field(11, "created_at_microseconds", Kind.INT64),
    Field(12, "updated_at_microseconds", Kind.INT64),
    Field(13, "last_activity_at_microseconds", Kind.INT64),
    Field(14, "retention", Kind.MESSAGE, ConversationRetention, has_presence=True),
    Field(15, "kind", Kind.STRING),
    Field(16, "metadata", Kind.MESSAGE, Metadata, has_presence=True),
)
describe(
    ConversationRetention,
    Field(1, "message_timer", Kind.MESSAGE, MessageTimer, has_presence=True),
    Field(2, "keep_for_milliseconds", Kind.UINT64),
    Field(3, "keep_count", Kind.UINT32),
)
describe(
    LastMessage,
    Field(1, "id", Kind.STRING),
    Field(2, "text", Kind.STRING),
    Field(3, "timestamp_microseconds", Kind.INT64),
    Field(4, "is_outgoing", Kind.BOOL),
    Field(5, "status", Kind.ENUM, MessageStatus),
)
describe(
    GetOrCreateConversationRequest,
    Field(1, "session_id", Kind.STRING),
    Field(2, "id", Kind.STRING),
    Field(3, "display_name", Kind.STRING, has_presence=True),
)
describe(
    GetOrCreateConversationResponse,
    Field(1, "conversation", Kind.MESSAGE, Conversation, has_presence=True),
    Field(2, "is_new", Kind.BOOL),
    Field(3, "is_replayed", Kind.BOOL),
)
describe(
    GetConversationRequest,
    Field(1, "conversation", Kind.MESSAGE, ConversationReference, has_presence=True),
    Field(2, "include_avatar", Kind.BOOL),
)
describe(
    ListConversationsRequest,
    Field(1, "limit", Kind.UINT32),
    Field(2, "cursor", Kind.STRING),
    Field(3, "is_pinned", Kind.BOOL, has_presence=True),
    Field(4, "is_muted", Kind.BOOL, has_presence=True),
    Field(5, "has_unread", Kind.BOOL, has_presence=True),
    Field(6, "include_avatars", Kind.BOOL),
    Field(7, "kind", Kind.STRING, has_presence=True),
)
describe(
    ListConversationsResponse,
    Field(1, "conversations", Kind.MESSAGE, Conversation, is_repeated=True),
    Field(2, "next_cursor", Kind.STRING),
)
describe(
    UpdateConversationRequest,
    Field(1, "conversation", Kind.MESSAGE, ConversationReference, has_presence=True),
    Field(2, "display_name", Kind.STRING, has_presence=True),
    Field(3, "avatar", Kind.BYTES, has_presence=True),
    Field(4, "is_pinned", Kind.BOOL, has_presence=True),
    Field(5, "is_muted", Kind.BOOL, has_presence=True),
    Field(6, "message_timer", Kind.MESSAGE, MessageTimer, has_presence=True),
    Field(7, "keep_for_milliseconds", Kind.UINT64, has_presence=True),
    Field(8, "keep_count", Kind.UINT32, has_presence=True),
    Field(9, "dry_run", Kind.BOOL),
    Field(10, "kind", Kind.STRING, has_presence=True),
    Field(11, "metadata", Kind.MESSAGE, Metadata, has_presence=True),
)
describe(
    MarkConversationReadRequest,
    Field(1, "conversation", Kind.MESSAGE, ConversationReference, has_presence=True),
)
describe(
    DeleteConversationRequest,
    Field(1, "conversation", Kind.MESSAGE, ConversationReference, has_presence=True),
)
