# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/conversations.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, describe
from .messages import MessageStatus, MessageTimer
from .references import ConversationReference


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """`Conversation` of the protocol."""

    id: str = ""
    # The other party's session id: unique, what the application knows it by.
    session_id: str = ""
    display_name: str | None = None
    # Present only where the request asked for avatars.
    avatar: bytes | None = None
    has_avatar: bool = False
    is_pinned: bool = False
    is_muted: bool = False
    message_count: int = 0
    # Incoming messages not marked read.
    unread_count: int = 0
    # The newest message: the first of list_messages. Absent when there is none, and without the right to read
    # messages.
    last_message: LastMessage | None = None
    created_at_microseconds: int = 0
    # When update_conversation last changed something, or a message came into it, went out of it or got another
    # timestamp. Edits, statuses, marking read and other fields of a message that is saved again do not move it.
    updated_at_microseconds: int = 0
    # The last message's timestamp, or created_at where there is none. The list is sorted by it.
    last_activity_at_microseconds: int = 0
    # Absent: it keeps its messages.
    retention: ConversationRetention | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationRetention:
    """How long a conversation keeps its messages (PROTOCOL.md, "Messages that go")."""

    # What messages that are saved from now on get, unless they come with one.
    message_timer: MessageTimer | None = None
    # Messages whose timestamp is as long ago are deleted: 1 to 3,162,240,000,000; 0 keeps them.
    keep_for_milliseconds: int = 0
    # The newest so many are kept, the others deleted; 0 keeps all.
    keep_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LastMessage:
    """`LastMessage` of the protocol."""

    id: str = ""
    text: str = ""
    timestamp_microseconds: int = 0
    is_outgoing: bool = False
    status: MessageStatus = MessageStatus.UNSPECIFIED


@dataclass(frozen=True, slots=True, kw_only=True)
class GetOrCreateConversationRequest:
    """Finds the conversation of a session id, or makes it. An id or display name given for one that is there is
    ignored; an id that another conversation has is ALREADY_EXISTS. Answer: get_or_create_conversation.
    """

    session_id: str = ""
    # The id to give a new one; empty lets the daemon make a UUIDv7.
    id: str = ""
    # Only used for a new one.
    display_name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GetOrCreateConversationResponse:
    """`GetOrCreateConversationResponse` of the protocol."""

    # As it was found or made, without its avatar. Without the right to read conversations: its id and session id
    # alone.
    conversation: Conversation | None = None
    # True when this request made it.
    is_new: bool = False
    # True when an idempotency key made this the repetition of an earlier answer.
    is_replayed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GetConversationRequest:
    """Answer: conversation, or NOT_FOUND CONVERSATION_NOT_FOUND."""

    conversation: ConversationReference | None = None
    include_avatar: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ListConversationsRequest:
    """Pinned ones first, each part newest activity first, and of equal times the greatest id. Answer:
    conversations.
    """

    # 1 to 1,000; 0 means 100. A page ends sooner when its texts and avatars take 4 MiB, and a filtered one after some
    # time, maybe without an entry: only an empty next_cursor tells that it is the last.
    limit: int = 0
    # From the page before; empty starts at the top.
    cursor: str = ""
    is_pinned: bool | None = None
    is_muted: bool | None = None
    # True: only with unread messages; false: only without.
    has_unread: bool | None = None
    include_avatars: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ListConversationsResponse:
    """`ListConversationsResponse` of the protocol."""

    conversations: tuple[Conversation, ...] = ()
    # Empty on the last page.
    next_cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateConversationRequest:
    """Changes what is present. An empty avatar or display name removes it. Answer: commit, or
    CONVERSATION_NOT_FOUND.
    """

    conversation: ConversationReference | None = None
    display_name: str | None = None
    avatar: bytes | None = None
    is_pinned: bool | None = None
    is_muted: bool | None = None
    # The fields of ConversationRetention; a lifetime of 0 and numbers that are 0 remove them. keep_for and keep_count
    # are for existing messages too: those are deleted after the answer. Ask with dry_run first how many they are.
    message_timer: MessageTimer | None = None
    keep_for_milliseconds: int | None = None
    keep_count: int | None = None
    # Changes nothing. In the answer, `deleted_count` is how many existing messages the update would delete, and
    # `updated_count` is 1 if the update would change something.
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkConversationReadRequest:
    """Marks every message of it read, outgoing ones too; of a large one in several commits (PROTOCOL.md, "In one
    commit or in steps"). A change for each message that was not read, newest first, none for the conversation.
    Answer: commit, whose `ids` is empty and whose `updated_count` tells how many they were; or
    CONVERSATION_NOT_FOUND.
    """

    conversation: ConversationReference | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteConversationRequest:
    """Deletes it, its messages and its draft, with one change for all of it. Answer: commit, or
    CONVERSATION_NOT_FOUND.
    """

    conversation: ConversationReference | None = None


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
)
describe(
    MarkConversationReadRequest,
    Field(1, "conversation", Kind.MESSAGE, ConversationReference, has_presence=True),
)
describe(
    DeleteConversationRequest,
    Field(1, "conversation", Kind.MESSAGE, ConversationReference, has_presence=True),
)
