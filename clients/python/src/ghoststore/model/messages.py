# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/messages.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, describe
from ._enums import OpenEnum
from .attachments import Attachment, NewAttachment
from .reactions import ReactionCount
from .references import ConversationReference


class MessageStatus(OpenEnum):
    """The values of `MessageStatus`."""

    UNSPECIFIED = 0
    PENDING = 1
    SENT = 2
    DELIVERED = 3
    FAILED = 4


class MessageTimerStart(OpenEnum):
    """The values of `MessageTimerStart`."""

    # Refused if the timer has a lifetime.
    UNSPECIFIED = 0
    # The timer of an outgoing message starts when its status becomes sent or delivered, and the timer of an incoming
    # message when it is saved. If a new message is saved later than its timestamp, the timer has run since the
    # timestamp. If an existing message is saved again with another timer, the timer starts at that moment.
    SENDING = 1
    # The timer starts when the message is marked read.
    READING = 2


class MessageOrder(OpenEnum):
    """The values of `MessageOrder`."""

    # Newest first.
    UNSPECIFIED = 0
    NEWEST_FIRST = 1
    OLDEST_FIRST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageTimer:
    """Deletes a message some time after an event. PROTOCOL.md, "Automatic deletion", has the exact rules."""

    # The time for which the message is kept after the timer has started: 1 to 3,162,240,000,000 (100 years).
    lifetime_milliseconds: int = 0
    start: MessageTimerStart = MessageTimerStart.UNSPECIFIED


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """`Message` of the protocol."""

    id: str = ""
    conversation_id: str = ""
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
    # When this id was first saved.
    created_at_microseconds: int = 0
    # When edit_message last edited the message. Saving the message again does not change it, even with another text.
    edited_at_microseconds: int | None = None
    # The number of reactions with each emoji, in the order of each emoji's first reaction. Saving the message again
    # keeps them.
    reactions: tuple[ReactionCount, ...] = ()
    # Absent: the message is kept.
    timer: MessageTimer | None = None
    # When the message expires; absent while the timer does not run.
    expires_at_microseconds: int | None = None
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMessage:
    """A message to save. If the id exists, all fields of that message are replaced; a field that is left out gets
    the value that its comment names. Only created_at, edited_at and reactions stay. If the conversation is
    another one, the message moves: one change DELETED in the old conversation and one change CREATED in the new
    one, counted as one update.
    """

    # If empty, the daemon creates a UUIDv7.
    id: str = ""
    # An unknown session id creates its conversation.
    conversation: ConversationReference | None = None
    text: str = ""
    sender_session_id: str = ""
    recipient_session_id: str = ""
    # 0 means now; for an id that exists, 0 keeps the timestamp.
    timestamp_microseconds: int = 0
    # Unspecified means pending.
    status: MessageStatus = MessageStatus.UNSPECIFIED
    is_outgoing: bool = False
    is_read: bool = False
    # An empty text means none, here and in the next two fields.
    attachment_url: str | None = None
    attachment_type: str | None = None
    # Not checked: the message need not exist or belong to this conversation. The field stays if that message is
    # deleted.
    reply_to_message_id: str | None = None
    # Absent: a new message gets the timer of its conversation, and an existing message keeps its timer. A lifetime of
    # 0 means no timer. A timer that the message already has continues; another timer starts from the beginning.
    timer: MessageTimer | None = None
    # At most 32, and at most 256 in one request.
    attachments: tuple[NewAttachment, ...] = ()
    # For an id that exists: if `attachments` is empty, the message keeps the attachments that it has.
    keeps_attachments: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveMessageRequest:
    """Saves a message. Answer: commit, or CONVERSATION_NOT_FOUND if no conversation has the given id,
    ATTACHMENT_CONTENT_NOT_FOUND.
    """

    message: NewMessage | None = None
    # Also deletes the draft of the conversation that the message is saved to. This happens in the same commit, with a
    # change of its own, and even if the message existed already.
    clear_draft: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveMessagesRequest:
    """Saves several messages in the order of the list, all or none. Answer: commit, or CONVERSATION_NOT_FOUND if
    no conversation has the given id, ATTACHMENT_CONTENT_NOT_FOUND.
    """

    messages: tuple[NewMessage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GetMessageRequest:
    """Returns a message. Answer: message, or NOT_FOUND MESSAGE_NOT_FOUND."""

    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListMessagesRequest:
    """Lists the messages of one conversation by timestamp, and messages with equal timestamps by id, byte by byte.
    Every store has this order, whatever order the messages were saved in. Ids that the daemon creates increase,
    so messages saved without ids stay in the order of saving. The newest message is the one with the greatest
    timestamp and, among these, the greatest id. Answer: messages, or CONVERSATION_NOT_FOUND.
    """

    conversation: ConversationReference | None = None
    # 1 to 1,000; 0 means 100. A page ends earlier if its messages need 4 MiB. A filtered page also ends after some
    # time, possibly without a message. Only has_more says whether the page is the last one.
    limit: int = 0
    order: MessageOrder = MessageOrder.UNSPECIFIED
    # Only messages strictly older than this cursor.
    before_cursor: str = ""
    # Only messages strictly newer than this cursor.
    after_cursor: str = ""
    # Only messages at or after this time.
    from_microseconds: int | None = None
    # Only messages before this time.
    until_microseconds: int | None = None
    sender_session_id: str | None = None
    is_outgoing: bool | None = None
    status: MessageStatus | None = None
    # True: only messages with an attachment or an attachment_url; false: only messages without both. attachment_type
    # does not matter.
    has_attachment: bool | None = None
    is_read: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListMessagesResponse:
    """`ListMessagesResponse` of the protocol."""

    messages: tuple[Message, ...] = ()
    # Positions for before_cursor and after_cursor. first_cursor is the first message of this page. last_cursor is
    # where the page ended: at its last message or after it. Both are empty if there is no position. An empty page
    # with has_more still has a last_cursor.
    first_cursor: str = ""
    last_cursor: str = ""
    # True if more messages follow this page in the requested order.
    has_more: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateMessageStatusRequest:
    """Sets the status of messages, all or none. Answer: commit, or MESSAGE_NOT_FOUND if an id does not exist."""

    ids: tuple[str, ...] = ()
    # Unspecified is refused.
    status: MessageStatus = MessageStatus.UNSPECIFIED


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkMessagesReadRequest:
    """Marks messages read, all or none. Answer: commit, or MESSAGE_NOT_FOUND if an id does not exist."""

    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EditMessageRequest:
    """Replaces the text and sets edited_at. Answer: commit, or MESSAGE_NOT_FOUND."""

    id: str = ""
    text: str = ""
    # 0 means now. If the message already has this text, 0 means that nothing changes.
    edited_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteMessagesRequest:
    """Deletes messages, all or none. Answer: commit, or MESSAGE_NOT_FOUND if an id does not exist."""

    ids: tuple[str, ...] = ()


describe(
    MessageTimer,
    Field(1, "lifetime_milliseconds", Kind.UINT64),
    Field(2, "start", Kind.ENUM, MessageTimerStart),
)
describe(
    Message,
    Field(1, "id", Kind.STRING),
    Field(2, "conversation_id", Kind.STRING),
    Field(3, "text", Kind.STRING),
    Field(4, "sender_session_id", Kind.STRING),
    Field(5, "recipient_session_id", Kind.STRING),
    Field(6, "timestamp_microseconds", Kind.INT64),
    Field(7, "status", Kind.ENUM, MessageStatus),
    Field(8, "is_outgoing", Kind.BOOL),
    Field(9, "is_read", Kind.BOOL),
    Field(10, "attachment_url", Kind.STRING, has_presence=True),
    Field(11, "attachment_type", Kind.STRING, has_presence=True),
    Field(12, "reply_to_message_id", Kind.STRING, has_presence=True),
    Field(13, "created_at_microseconds", Kind.INT64),
    Field(14, "edited_at_microseconds", Kind.INT64, has_presence=True),
    Field(15, "reactions", Kind.MESSAGE, ReactionCount, is_repeated=True),
    Field(16, "timer", Kind.MESSAGE, MessageTimer, has_presence=True),
    Field(17, "expires_at_microseconds", Kind.INT64, has_presence=True),
    Field(18, "attachments", Kind.MESSAGE, Attachment, is_repeated=True),
)
describe(
    NewMessage,
    Field(1, "id", Kind.STRING),
    Field(2, "conversation", Kind.MESSAGE, ConversationReference, has_presence=True),
    Field(3, "text", Kind.STRING),
    Field(4, "sender_session_id", Kind.STRING),
    Field(5, "recipient_session_id", Kind.STRING),
    Field(6, "timestamp_microseconds", Kind.INT64),
    Field(7, "status", Kind.ENUM, MessageStatus),
    Field(8, "is_outgoing", Kind.BOOL),
    Field(9, "is_read", Kind.BOOL),
    Field(10, "attachment_url", Kind.STRING, has_presence=True),
    Field(11, "attachment_type", Kind.STRING, has_presence=True),
    Field(12, "reply_to_message_id", Kind.STRING, has_presence=True),
    Field(13, "timer", Kind.MESSAGE, MessageTimer, has_presence=True),
    Field(14, "attachments", Kind.MESSAGE, NewAttachment, is_repeated=True),
    Field(15, "keeps_attachments", Kind.BOOL),
)
describe(
    SaveMessageRequest,
    Field(1, "message", Kind.MESSAGE, NewMessage, has_presence=True),
    Field(2, "clear_draft", Kind.BOOL),
)
describe(
    SaveMessagesRequest,
    Field(1, "messages", Kind.MESSAGE, NewMessage, is_repeated=True),
)
describe(
    GetMessageRequest,
    Field(1, "id", Kind.STRING),
)
describe(
    ListMessagesRequest,
    Field(1, "conversation", Kind.MESSAGE, ConversationReference, has_presence=True),
    Field(2, "limit", Kind.UINT32),
    Field(3, "order", Kind.ENUM, MessageOrder),
    Field(4, "before_cursor", Kind.STRING),
    Field(5, "after_cursor", Kind.STRING),
    Field(6, "from_microseconds", Kind.INT64, has_presence=True),
    Field(7, "until_microseconds", Kind.INT64, has_presence=True),
    Field(8, "sender_session_id", Kind.STRING, has_presence=True),
    Field(9, "is_outgoing", Kind.BOOL, has_presence=True),
    Field(10, "status", Kind.ENUM, MessageStatus, has_presence=True),
    Field(11, "has_attachment", Kind.BOOL, has_presence=True),
    Field(12, "is_read", Kind.BOOL, has_presence=True),
)
describe(
    ListMessagesResponse,
    Field(1, "messages", Kind.MESSAGE, Message, is_repeated=True),
    Field(2, "first_cursor", Kind.STRING),
    Field(3, "last_cursor", Kind.STRING),
    Field(4, "has_more", Kind.BOOL),
)
describe(
    UpdateMessageStatusRequest,
    Field(1, "ids", Kind.STRING, is_repeated=True),
    Field(2, "status", Kind.ENUM, MessageStatus),
)
describe(
    MarkMessagesReadRequest,
    Field(1, "ids", Kind.STRING, is_repeated=True),
)
describe(
    EditMessageRequest,
    Field(1, "id", Kind.STRING),
    Field(2, "text", Kind.STRING),
    Field(3, "edited_at_microseconds", Kind.INT64),
)
describe(
    DeleteMessagesRequest,
    Field(1, "ids", Kind.STRING, is_repeated=True),
)
