# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/messages.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, Model, describe
from ._enums import OpenEnum
from .attachments import Attachment, NewAttachment
from .metadata import Metadata
from .reactions import ReactionCount
from .references import ConversationReference


class MessageStatus(OpenEnum):
    """The delivery of a message.

    Attributes:
        PENDING: The message was not sent yet.
        SENT: The message was sent.
        DELIVERED: The message has reached its recipient.
        FAILED: The message could not be sent.
    """

    UNSPECIFIED = 0
    PENDING = 1
    SENT = 2
    DELIVERED = 3
    FAILED = 4


class MessageTimerStart(OpenEnum):
    """The event that starts a timer.

    Attributes:
        UNSPECIFIED: The daemon refuses a timer with this value, unless its lifetime is 0.
        SENDING: The timer of an outgoing message starts when the message's status becomes sent or delivered.
            The timer of an incoming message starts when the message is saved. If the timestamp of a new message
            is earlier than the moment when it is saved, the timer counts from the timestamp. If an existing
            message is saved again with another timer, the new timer starts at that moment.
        READING: The timer starts when the message is marked read.
    """

    UNSPECIFIED = 0
    SENDING = 1
    READING = 2


class MessageOrder(OpenEnum):
    """The order of a list of messages.

    Attributes:
        UNSPECIFIED: As MESSAGE_ORDER_NEWEST_FIRST.
        NEWEST_FIRST: The latest timestamp comes first.
        OLDEST_FIRST: The earliest timestamp comes first.
    """

    UNSPECIFIED = 0
    NEWEST_FIRST = 1
    OLDEST_FIRST = 2


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MessageTimer(Model):
    """Deletes a message some time after an event. PROTOCOL.md, "Automatic deletion", has the exact rules.

    Attributes:
        lifetime_milliseconds (int): The time for which the message is kept after the timer has started: 1 to
            3,162,240,000,000 (100 years).
        start (MessageTimerStart): The event that starts the timer.
    """

    lifetime_milliseconds: int = 0
    start: MessageTimerStart = MessageTimerStart.UNSPECIFIED


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Message(Model):
    """A message in the store.

    Attributes:
        id (str): 1 to 128 bytes, unique in the store.
        conversation_id (str): The id of its conversation.
        text (str): At most 1 MiB.
        sender_session_id (str): The session id of the sender; empty if it was not given.
        recipient_session_id (str): The session id of the recipient; empty if it was not given.
        timestamp_microseconds (int): When the message was written, as the client that saved it said. Lists are
            sorted by this time.
        status (MessageStatus): The delivery of the message.
        is_outgoing (bool): True if this side, the user of the store, sent the message.
        is_read (bool): True if the message is marked read.
        attachment_url (str | None): The address of an attachment. The store never reads from this address.
        attachment_type (str | None): The type of an attachment, such as image/png.
        reply_to_message_id (str | None): The id of the message that this one answers. That message need not
            exist.
        created_at_microseconds (int): When the message was first saved.
        edited_at_microseconds (int | None): When edit_message last edited the message. Saving the message again
            does not change it, even with another text.
        reactions (tuple[ReactionCount, ...]): The number of reactions with each emoji, in the order of each
            emoji's first reaction. Saving the message again keeps the reactions.
        timer (MessageTimer | None): The timer that deletes the message. Absent: no timer deletes it.
        expires_at_microseconds (int | None): When the message expires; absent while the timer does not run.
        attachments (tuple[Attachment, ...]): The attachments of the message, in their order. read_attachment
            reads their contents by their positions.
        kind (str): The kind of the message, as the application named it; empty if it was not given.
        sender_name (str): The name of the sender when the message was sent; empty if it was not given.
        metadata (Metadata | None): Data of the application's own; absent if there is none.
    """

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
    created_at_microseconds: int = 0
    edited_at_microseconds: int | None = None
    reactions: tuple[ReactionCount, ...] = ()
    timer: MessageTimer | None = None
    expires_at_microseconds: int | None = None
    attachments: tuple[Attachment, ...] = ()
    kind: str = ""
    sender_name: str = ""
    metadata: Metadata | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class NewMessage(Model):
    """A message to save. If a message with the id exists, all its fields are replaced; a field that the request
    leaves out gets the value that the comment of the field names. Only created_at, edited_at and reactions
    stay. If the request names another conversation, the message moves there: watchers see a change DELETED in
    the old conversation and a change CREATED in the new one, and the commit counts one update.

    Attributes:
        id (str): If empty, the daemon creates a UUIDv7.
        conversation (ConversationReference | str | None): If no conversation has the given session id, the
            daemon creates one.
        text (str): At most 1 MiB.
        sender_session_id (str): The session id of the sender.
        recipient_session_id (str): The session id of the recipient.
        timestamp_microseconds (int): 0 means the current time for a new message, and the existing timestamp for
            an existing message.
        status (MessageStatus): Unspecified means pending.
        is_outgoing (bool): True if this side sends the message.
        is_read (bool): True for a message that is read already.
        attachment_url (str | None): The address of an attachment: at most 4,096 bytes. The store never reads
            from this address. In this field and the next two, an empty text counts as absent.
        attachment_type (str | None): The type of an attachment, such as image/png: at most 256 bytes.
        reply_to_message_id (str | None): The id of the message that this message answers. The daemon does not
            check the id: that message need not exist, and may belong to another conversation. The field stays
            if that message is deleted.
        timer (MessageTimer | None): Absent: a new message gets the timer of its conversation, and an existing
            message keeps its timer. A lifetime of 0 means no timer. If an existing message already has the
            given timer, this timer continues; any other timer starts from the beginning.
        attachments (tuple[NewAttachment, ...]): At most 32, and at most 256 in one request.
        keeps_attachments (bool): For an existing message: if `attachments` is empty, the message keeps the
            attachments that it has.
        kind (str): A short text of the application's choice, such as notice: at most 64 bytes.
        sender_name (str): The name of the sender when the message was sent: at most 256 bytes.
        metadata (Metadata | None): Data of the application's own. Absent: none.
    """

    id: str = ""
    conversation: ConversationReference | str | None = None
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
    timer: MessageTimer | None = None
    attachments: tuple[NewAttachment, ...] = ()
    keeps_attachments: bool = False
    kind: str = ""
    sender_name: str = ""
    metadata: Metadata | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SaveMessageRequest(Model):
    """The request of `save_message`.

    Attributes:
        message (NewMessage | None): The message to save.
        clear_draft (bool): Also deletes the draft of the message's conversation, even if the message existed
            already. The deletion is in the same commit and has a change of its own.
    """

    message: NewMessage | None = None
    clear_draft: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SaveMessagesRequest(Model):
    """The request of `save_messages`.

    Attributes:
        messages (tuple[NewMessage, ...]): 1 to 256 messages. If two messages have the same id, the later one
            replaces the earlier one.
    """

    messages: tuple[NewMessage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetMessageRequest(Model):
    """The request of `get_message`.

    Attributes:
        id (str): The id of the message.
    """

    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListMessagesRequest(Model):
    """The request of `list_messages`.

    Attributes:
        conversation (ConversationReference | str | None): The conversation of the messages. Absent: all
            conversations.
        limit (int): 1 to 1,000; 0 means 100. A page ends earlier if its messages need 4 MiB. A page with a
            filter also ends when the daemon has searched for about 10 milliseconds (after the lookups),
            possibly without a message. Only has_more says whether the page is the last one.
        order (MessageOrder): The order of the list: newest or oldest messages first.
        before_cursor (str): Only messages older than the position of this cursor, by timestamp and then by id,
            whatever `order` is.
        after_cursor (str): Only messages newer than the position of this cursor, by timestamp and then by id,
            whatever `order` is.
        from_microseconds (int | None): Only messages at or after this time.
        until_microseconds (int | None): Only messages before this time.
        sender_session_id (str | None): Only messages of this sender.
        is_outgoing (bool | None): True: only messages that this side sent; false: only messages that it
            received.
        status (MessageStatus | None): Only messages with this status.
        has_attachment (bool | None): True: only messages with an attachment or an attachment_url. False: only
            messages without attachments and without an attachment_url. attachment_type does not matter.
        is_read (bool | None): True: only messages that are marked read; false: only messages that are not
            marked read.
        kind (str | None): Only messages of this kind; an empty text means messages without a kind.
    """

    conversation: ConversationReference | str | None = None
    limit: int = 0
    order: MessageOrder = MessageOrder.UNSPECIFIED
    before_cursor: str = ""
    after_cursor: str = ""
    from_microseconds: int | None = None
    until_microseconds: int | None = None
    sender_session_id: str | None = None
    is_outgoing: bool | None = None
    status: MessageStatus | None = None
    has_attachment: bool | None = None
    is_read: bool | None = None
    kind: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListMessagesResponse(Model):
    """A page of messages in the requested order.

    Attributes:
        messages (tuple[Message, ...]): At most as many as requested, and possibly none on a page that is not
            the last one.
        first_cursor (str): The position of the first message of this page, for before_cursor and after_cursor.
            Empty if the page has no message.
        last_cursor (str): The position where this page ends: at its last message or after it. Empty if the page
            is empty and is the last one.
        has_more (bool): True if more messages follow this page in the requested order.
    """

    messages: tuple[Message, ...] = ()
    first_cursor: str = ""
    last_cursor: str = ""
    has_more: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class UpdateMessageStatusRequest(Model):
    """The request of `update_message_status`.

    Attributes:
        ids (tuple[str, ...]): The ids of 1 to 256 messages.
        status (MessageStatus): The daemon refuses MESSAGE_STATUS_UNSPECIFIED.
    """

    ids: tuple[str, ...] = ()
    status: MessageStatus = MessageStatus.UNSPECIFIED


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MarkMessagesReadRequest(Model):
    """The request of `mark_messages_read`.

    Attributes:
        ids (tuple[str, ...]): The ids of 1 to 256 messages.
    """

    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EditMessageRequest(Model):
    """The request of `edit_message`.

    Attributes:
        id (str): The id of the message.
        text (str): The new text: at most 1 MiB.
        edited_at_microseconds (int): The time of the edit; 0 means the current time. If the message already has
            this text and the time is 0, nothing changes.
    """

    id: str = ""
    text: str = ""
    edited_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DeleteMessagesRequest(Model):
    """The request of `delete_messages`.

    Attributes:
        ids (tuple[str, ...]): The ids of 1 to 256 messages.
    """

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
    Field(19, "kind", Kind.STRING),
    Field(20, "sender_name", Kind.STRING),
    Field(21, "metadata", Kind.MESSAGE, Metadata, has_presence=True),
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
    Field(16, "kind", Kind.STRING),
    Field(17, "sender_name", Kind.STRING),
    Field(18, "metadata", Kind.MESSAGE, Metadata, has_presence=True),
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
    Field(13, "kind", Kind.STRING, has_presence=True),
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
