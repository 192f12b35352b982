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
    # The session id of the other party: the unique name by which the application identifies the conversation.
    session_id: str = ""
    display_name: str | None = None
    # Present only if the request asked for avatars.
    avatar: bytes | None = None
    has_avatar: bool = False
    is_pinned: bool = False
    is_muted: bool = False
    message_count: int = 0
    # Incoming messages that are not marked read.
    unread_count: int = 0
    # The newest message, which is the first one of list_messages. Absent if there is no message, and without the
    # right to read messages.
    last_message: LastMessage | None = None
    created_at_microseconds: int = 0
    # The last time when update_conversation changed something, or a message was added, removed or got another
    # timestamp. Edits, statuses, marking read and other fields of a message that is saved again do not change it.
    updated_at_microseconds: int = 0
    # The timestamp of the last message, or created_at if there is no message. The list is sorted by it.
    last_activity_at_microseconds: int = 0
    # Absent if the conversation keeps its messages without a limit.
    retention: ConversationRetention | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationRetention:
    """The rules by which a conversation keeps its messages (PROTOCOL.md, "Automatic deletion")."""

    # The timer of messages that are saved from now on without a timer of their own.
    message_timer: MessageTimer | None = None
    # Messages whose timestamp is older than this are deleted: 1 to 3,162,240,000,000; 0 keeps them.
    keep_for_milliseconds: int = 0
    # Only this many of the newest messages are kept, and the others deleted; 0 keeps all.
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
    """Finds the conversation of a session id, or creates it. For an existing conversation, the given id and
    display name are ignored. An id that another conversation has is ALREADY_EXISTS. Answer:
    get_or_create_conversation.
    """

    session_id: str = ""
    # The id of a new conversation. If empty, the daemon creates a UUIDv7.
    id: str = ""
    # Only used for a new conversation.
    display_name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GetOrCreateConversationResponse:
    """`GetOrCreateConversationResponse` of the protocol."""

    # As it was found or created, without its avatar. Without the right to read conversations: only its id and session
    # id.
    conversation: Conversation | None = None
    # True if this request created it.
    is_new: bool = False
    # True if this is the stored answer to an earlier request with the same idempotency key.
    is_replayed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GetConversationRequest:
    """Returns a conversation. Answer: conversation, or NOT_FOUND CONVERSATION_NOT_FOUND."""

    conversation: ConversationReference | None = None
    include_avatar: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ListConversationsRequest:
    """Lists conversations: pinned ones first, then the others, in each part the newest activity first. If times
    are equal, the greatest id comes first. Answer: conversations.
    """

    # 1 to 1,000; 0 means 100. A page ends earlier if its texts and avatars need 4 MiB. A filtered page also ends
    # after some time, possibly without an entry. Only an empty next_cursor means that the page is the last one.
    limit: int = 0
    # next_cursor of the previous page; empty starts at the top.
    cursor: str = ""
    is_pinned: bool | None = None
    is_muted: bool | None = None
    # True: only with unread messages; false: only without unread messages.
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
    """Changes the fields that are present. An empty avatar or display name removes it. Answer: commit, or
    CONVERSATION_NOT_FOUND.
    """

    conversation: ConversationReference | None = None
    display_name: str | None = None
    avatar: bytes | None = None
    is_pinned: bool | None = None
    is_muted: bool | None = None
    # The fields of ConversationRetention. A lifetime of 0 and numbers that are 0 remove them. keep_for and keep_count
    # also apply to existing messages: these are deleted after the answer. Use dry_run first to find out how many they
    # are.
    message_timer: MessageTimer | None = None
    keep_for_milliseconds: int | None = None
    keep_count: int | None = None
    # Changes nothing. In the answer, `deleted_count` is how many existing messages the update would delete, and
    # `updated_count` is 1 if the update would change something.
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkConversationReadRequest:
    """Marks every message of a conversation read, including outgoing ones. A large conversation needs several
    commits (PROTOCOL.md, "In one commit or in steps"). There is a change for each message that was not read,
    the newest first, and no change for the conversation. Answer: commit, with empty `ids` and the number of
    messages in `updated_count`; or CONVERSATION_NOT_FOUND.
    """

    conversation: ConversationReference | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteConversationRequest:
    """Deletes a conversation, its messages and its draft, with one change for all of it. Answer: commit, or
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
