"""The records that a format yields. The writer makes entities of them, with ids and within the store's limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import IO, Any, Union

from ..model import MessageStatus

# Data that the store has no field for. The writer saves it as JSON, with the keys in alphabetical order.
Metadata = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A person with a name. May come before or after the messages, and again with more data; the last name counts.

    Attributes:
        id: The id of the person in the source, or the name if the source has no ids.
        name: The name as the source shows it. Becomes the name of a contact, unless the contact already has one.
        metadata: Everything else that the source says about the person.
    """

    id: str
    name: str = ""
    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A member of a conversation. A name or role that the store has stays, unless the source gives another role.

    Attributes:
        id: The id of the person in the source.
        name: The name in this conversation.
        role: A word of the source.
    """

    id: str
    name: str = ""
    role: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A conversation. May come again: members are added, and later texts and values of metadata replace earlier ones.

    A conversation without a record is created by its first message, without a title.

    Attributes:
        key: The id of the conversation in the source. Two files with the same conversation must give the same key.
            The key of a conversation of two people is the other person's id, if the source says it.
        title: The name to show. It is saved only if the conversation has no name yet. Empty: the name of the person
            whose id is the key.
        kind: A short word: "direct", "group", "channel", "mail", or the source's own word.
        members: The members, if the source lists them. A conversation of the kind "group" without members gets the
            senders of its messages as members.
        metadata: Everything else that the source says about the conversation.
    """

    key: str
    title: str = ""
    kind: str = ""
    members: tuple[Member, ...] = ()
    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The bytes of an attachment, which are read only if the store needs them.

    `Source.content` makes it for a file of the export. For bytes inside of the document, `open` returns a stream over
    them: `Content(place, lambda: io.BytesIO(data), len(data))`. It can be opened several times.
    """

    place: str
    open: Callable[[], IO[bytes]]
    byte_count: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file that belongs to a message.

    Attributes:
        content: The bytes, or None if the export does not have the file. A file that is not there is reported, and
            its name is kept in the metadata of the message.
        name: The name to show. A path is cut to its last part.
        mime_type: The type of the content; if empty, it follows from the name.
        source: A text with which an application can fetch the content again, such as a URL.
        metadata: Everything else, such as a width or a duration.
    """

    content: Content | None
    name: str = ""
    mime_type: str = ""
    source: str = ""
    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """A person's reaction. An emoji that is not one character, such as a custom emoji's name, goes to the metadata."""

    author: str
    emoji: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message, in its final form if the source has only the final form.

    Messages of a conversation come in the order of the source: messages with the same time keep this order.

    Attributes:
        conversation: The key of its conversation.
        source_id: Its id in the source, unique in its conversation and the same in every export. None: the source has
            no ids. The writer then makes the id from time, sender, text and the number of equal messages before it.
        sender: The id of the person; empty for messages of the service itself ("Ann joined").
        sender_name: The sender's name when the message was sent, if the message says it.
        text: The text, without markup that the store cannot show; put the source's markup into the metadata.
        time_microseconds: When it was sent; see `times`. A source without seconds gives the start of the minute.
        is_outgoing: True if the user of the store sent it. None: the writer compares the sender with `--self`.
        is_read: False only if the source says that the user has not read it.
        status: None: sent if outgoing, otherwise delivered.
        recipient: The id of the person that it was sent to, if the source says it.
        reply_to: The source id of the message that it answers.
        reply_conversation: The key of the conversation of that message; empty: the same conversation.
        edited_microseconds: When it was last edited, if the source gives the final text and this time.
        kind: A short word: empty for ordinary messages, "service", "call", "sticker", "poll", "deleted", ….
        metadata: Everything that has no field here.
        reactions: The reactions in their order.
        removed_reactions: Reactions that were removed, as the source says. The writer adds them from events.
        attachments: The attachments in their order, at most 32; the writer reports and leaves out others.
        place: Where the message is, for errors: `reader.place` or f"{name}: line {number}".
    """

    conversation: str
    time_microseconds: int
    source_id: str | None = None
    sender: str = ""
    sender_name: str = ""
    text: str = ""
    is_outgoing: bool | None = None
    is_read: bool = True
    status: MessageStatus | None = None
    recipient: str = ""
    reply_to: str | None = None
    reply_conversation: str = ""
    edited_microseconds: int | None = None
    kind: str = ""
    metadata: Metadata = field(default_factory=dict)
    reactions: tuple[Reaction, ...] = ()
    removed_reactions: tuple[Reaction, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event about a message. It has its own record in the source, which may come before or after the message.

    Attributes:
        conversation: The key of the message's conversation. Empty: `source_id` is unique in the whole source.
        source_id: The id of the message that the event is about.
        time_microseconds: When it happened. Of several edits, the latest counts.
        place: Where it is, for errors.
    """

    conversation: str
    source_id: str
    time_microseconds: int
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit(Event):
    """The message got another text. Earlier texts go to the metadata of the message, as "versions".

    Attributes:
        author: Who edited it. If it is given, only the sender's own edits count; others are reported.
        metadata: Metadata of the new text, which replaces members of the message's metadata.
    """

    text: str
    author: str = ""
    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deletion(Event):
    """The message was deleted. It stays as a message of the kind "deleted", without text and attachments.

    Attributes:
        metadata: What the source says about the deletion, such as who deleted it.
    """

    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionEvent(Event):
    """A person added a reaction, or removed it.

    Attributes:
        replaces: True if a person has only one reaction to a message, so that this one replaces the earlier ones.
    """

    author: str
    emoji: str
    is_removed: bool = False
    replaces: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt(Event):
    """The message was delivered or read. A receipt never makes a status worse."""

    is_delivered: bool = False
    is_read: bool = False


Record = Union[Person, Conversation, Message, Edit, Deletion, ReactionEvent, Receipt]
