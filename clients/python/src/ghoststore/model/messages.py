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

    # Refused where there is a lifetime.
    UNSPECIFIED = 0
    # An outgoing message has the status sent or delivered; one that came in is saved. One that is saved later than
    # its timestamp says has run since then; one that gets its timer later, by being saved again, has it run from then
    # on.
    SENDING = 1
    # The message is marked read.
    READING = 2


class MessageOrder(OpenEnum):
    """The values of `MessageOrder`."""

    # Newest first.
    UNSPECIFIED = 0
    NEWEST_FIRST = 1
    OLDEST_FIRST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageTimer:
    """Makes a message go some time after something has happened to it. How exactly that is: PROTOCOL.md, "Messages
    that go".
    """

    # How long it is kept once the timer runs: 1 to 3,162,240,000,000 (100 years).
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
    # As edit_message last set it. Saving the message again, also with another text, leaves it as it is.
    edited_at_microseconds: int | None = None
    # How many have reacted with each emoji, in the order of each emoji's first reaction. Saving the message again
    # leaves them.
    reactions: tuple[ReactionCount, ...] = ()
    # Absent: it is kept.
    timer: MessageTimer | None = None
    # When it goes; absent while the timer does not run.
    expires_at_microseconds: int | None = None
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMessage:
    """A message to save. Saving an id that exists replaces all of its fields, those that are left out by what they
    then mean, but for created_at, edited_at, reactions, timer and its place among messages of its timestamp.
    Under another conversation it moves: one change DELETED in the old one and one CREATED in the new one,
    counted as one update.
    """

    # Empty lets the daemon make a UUIDv7.
    id: str = ""
    # A session id that is not known yet creates its conversation.
    conversation: ConversationReference | None = None
    text: str = ""
    sender_session_id: str = ""
    recipient_session_id: str = ""
    # 0 means now, and for an id that exists the timestamp it has.
    timestamp_microseconds: int = 0
    # Unspecified means pending.
    status: MessageStatus = MessageStatus.UNSPECIFIED
    is_outgoing: bool = False
    is_read: bool = False
    # An empty text stands for none, here and in the next two.
    attachment_url: str | None = None
    attachment_type: str | None = None
    # Not looked up: it need not be there, need not be of this conversation, and stays when it is deleted.
    reply_to_message_id: str | None = None
    # Absent: for a new message its conversation's, for an id that exists the one it has. A lifetime of 0 means none.
    # The one that an id has already runs on, another starts anew.
    timer: MessageTimer | None = None
    # At most 32, and in one request 256.
    attachments: tuple[NewAttachment, ...] = ()
    # For an id that exists: without attachments here, those that it has stay.
    keeps_attachments: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveMessageRequest:
    """Answer: commit, or CONVERSATION_NOT_FOUND for an id of none, ATTACHMENT_CONTENT_NOT_FOUND."""

    message: NewMessage | None = None
    # Deletes the draft of the conversation that the message is saved to, in the same commit and whether or not the
    # message was there already; a change of its own.
    clear_draft: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveMessagesRequest:
    """In the order of the list, all or none. Answer: commit, or CONVERSATION_NOT_FOUND for an id of none,
    ATTACHMENT_CONTENT_NOT_FOUND.
    """

    messages: tuple[NewMessage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GetMessageRequest:
    """Answer: message, or NOT_FOUND MESSAGE_NOT_FOUND."""

    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListMessagesRequest:
    """Messages of one conversation ordered by timestamp, those with equal timestamps by id, byte by byte. Every
    store has this order, whatever order the messages were saved in; ids that the daemon makes rise, so that
    messages saved without ids stay in the order of saving. The newest message is the one with the greatest id
    of those with the greatest timestamp. Answer: messages, or CONVERSATION_NOT_FOUND.
    """

    conversation: ConversationReference | None = None
    # 1 to 1,000; 0 means 100. A page ends sooner when its messages take 4 MiB, and a filtered one after some time,
    # maybe without a message: only has_more tells whether it is the last.
    limit: int = 0
    order: MessageOrder = MessageOrder.UNSPECIFIED
    # Only messages strictly older than this cursor.
    before_cursor: str = ""
    # Only messages strictly newer than this cursor.
    after_cursor: str = ""
    # Only at or after this time.
    from_microseconds: int | None = None
    # Only before this time.
    until_microseconds: int | None = None
    sender_session_id: str | None = None
    is_outgoing: bool | None = None
    status: MessageStatus | None = None
    # Has an attachment, or an attachment_url, whatever its attachment_type.
    has_attachment: bool | None = None
    is_read: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListMessagesResponse:
    """`ListMessagesResponse` of the protocol."""

    messages: tuple[Message, ...] = ()
    # Positions for before_cursor and after_cursor: of the first message of this page, and where it ended, which is
    # its last message or behind it. Empty when there is none; an empty page with has_more has the last one.
    first_cursor: str = ""
    last_cursor: str = ""
    # True when further messages lie beyond this page in the asked order.
    has_more: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateMessageStatusRequest:
    """All or none; an id that does not exist is MESSAGE_NOT_FOUND. Answer: commit."""

    ids: tuple[str, ...] = ()
    # Unspecified is refused.
    status: MessageStatus = MessageStatus.UNSPECIFIED


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkMessagesReadRequest:
    """All or none; an id that does not exist is MESSAGE_NOT_FOUND. Answer: commit."""

    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EditMessageRequest:
    """Replaces the text and sets edited_at. Answer: commit, or MESSAGE_NOT_FOUND."""

    id: str = ""
    text: str = ""
    # 0 means now; where the text is there already, that nothing changes.
    edited_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteMessagesRequest:
    """All or none; an id that does not exist is MESSAGE_NOT_FOUND. Answer: commit."""

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
