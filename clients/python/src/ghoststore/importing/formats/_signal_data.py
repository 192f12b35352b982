"""The records of a message of signal-cli: dataMessage, sentMessage and editMessage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..elements import Element
from ..errors import SourceError
from ..reading import Reading
from ..records import (
    Attachment,
    Conversation,
    Deletion,
    Edit,
    Member,
    Message,
    Person,
    ReactionEvent,
    Record,
)
from ..times import from_milliseconds
from ._signal_media import Media, plain_text
from ._signal_people import Account, Address, Changes, MessageIds, message_id

_KINDS = {
    "sticker": "sticker",
    "contacts": "contact",
    "pollCreate": "poll",
    "pollVote": "poll-vote",
    "pollTerminate": "poll-end",
    "payment": "payment",
    "pinMessage": "service",
    "unpinMessage": "service",
    "groupCallUpdate": "call",
}
# Members that refer to another message, each with the names of the members for that message's author and time.
_TARGETS = {
    "pollVote": ("author", "targetSentTimestamp"),
    "pollTerminate": ("", "targetSentTimestamp"),
    "pinMessage": ("targetAuthor", "targetSentTimestamp"),
    "unpinMessage": ("targetAuthor", "targetSentTimestamp"),
    "storyContext": ("author", "sentTimestamp"),
    "quote": ("author", "id"),
}
_DATA_MEMBERS = (
    "expiresInSeconds", "isExpirationUpdate", "viewOnce", "mentions", "previews", "textStyles", "storyContext", "quote",
    *_KINDS,
)


@dataclass(slots=True, kw_only=True)
class Envelope:
    """The facts about a message that its line has outside of the message."""

    reading: Reading
    media: Media
    ids: MessageIds
    changes: Changes
    account: Account
    sender: Address
    sender_name: str
    milliseconds: int
    place: str
    metadata: dict[str, Any] = field(default_factory=dict)

    def time(self, milliseconds: int) -> int:
        """Converts a time to microseconds. A time that is not positive is an error."""
        if milliseconds <= 0:
            raise SourceError(self.place, "the timestamp is missing")
        return from_milliseconds(milliseconds, self.place)

    def people(self) -> Iterator[Record]:
        """Yields the sender, if something about the sender is new."""
        sender = self.sender
        number = sender.number if sender.uuid else ""
        if (self.sender_name or number) and self.changes.is_new(f"p{sender.id}", (self.sender_name, number)):
            yield Person(id=sender.id, name=self.sender_name, metadata={"number": number} if number else {})


def data_records(envelope: Envelope, data: Element, destination: Address) -> Iterator[Record]:
    """Yields the records of a message. The destination is the other person, if the message is not in a group."""
    group = data.element("groupInfo")
    key = destination.id if group is None else group.text("groupId")
    if not key:
        envelope.reading.skipped("message without a conversation", envelope.place)
        return
    yield from envelope.people()
    extra = dict(envelope.metadata)
    if group is not None:
        yield from _group(envelope, group, key)
        change = group.text("type")
        if change not in ("", "DELIVER"):
            extra["groupInfo"] = group.members
    elif envelope.changes.is_new(f"c{key}", ()):
        yield Conversation(key=key, kind="direct")
    edit = data.element("editMessage")
    if edit is not None:
        yield from edit_records(envelope, edit, destination)
        return
    events = list(_events(envelope, data, key))
    yield from events
    message = _message(envelope, data, key, destination, extra)
    if message is not None:
        yield message
    elif not events:
        envelope.reading.skipped("message without content, such as a new profile key", envelope.place)


def edit_records(envelope: Envelope, edit: Element, destination: Address) -> Iterator[Record]:
    """Yields the records of an edit."""
    data = edit.element("dataMessage") or Element({}, edit.place)
    group = data.element("groupInfo")
    key = destination.id if group is None else group.text("groupId")
    if not key:
        envelope.reading.skipped("edit without a conversation", envelope.place)
        return
    yield from envelope.people()
    if group is not None:
        yield from _group(envelope, group, key)
    milliseconds = data.number("timestamp", envelope.milliseconds)
    target = envelope.ids.first(
        message_id(envelope.account, envelope.sender, edit.number("targetSentTimestamp"))
    )
    envelope.ids.add_edit(message_id(envelope.account, envelope.sender, milliseconds), target)
    original = data.text("message")
    text = plain_text(original, data.elements("mentions"))
    # The files and the quote of the message are repeated in each edit.
    data.ignore("attachments", "quote", "reaction", "remoteDelete", "adminDelete", "expiresInSeconds")
    # Mentions and styles of the earlier text do not fit the new text.
    metadata: dict[str, Any] = {"mentions": data.members.get("mentions") or [], "textStyles": [], "message": None}
    metadata |= data.rest(envelope.reading, "edit", *_DATA_MEMBERS)
    if text != original:
        metadata["message"] = original
    edit.rest(envelope.reading, "edit")
    yield Edit(
        conversation=key,
        source_id=target,
        time_microseconds=envelope.time(milliseconds),
        text=text,
        metadata=metadata,
        place=envelope.place,
    )


def _group(envelope: Envelope, group: Element, key: str) -> Iterator[Record]:
    title = group.text("groupName") or group.text("name")
    members = tuple(str(member) for member in group.array("members") if isinstance(member, str))
    group.rest(envelope.reading, "group", "revision", "type")
    if envelope.changes.is_new(f"c{key}", (title, members)):
        yield Conversation(key=key, title=title, kind="group", members=tuple(Member(id=id) for id in members))


def _events(envelope: Envelope, data: Element, key: str) -> Iterator[Record]:
    time = envelope.time(data.number("timestamp", envelope.milliseconds))
    reaction = data.element("reaction")
    if reaction is not None:
        yield from _reaction(envelope, reaction, key, time)
    for name, author in (("remoteDelete", ""), ("adminDelete", "targetAuthor")):
        deletion = data.element(name)
        if deletion is not None:
            target = _target(envelope, deletion, author, "targetSentTimestamp" if author else "timestamp")
            yield Deletion(
                conversation=key,
                source_id=target,
                time_microseconds=time,
                metadata={"deleted_by": envelope.sender.id},
                place=envelope.place,
            )
            deletion.rest(envelope.reading, "deletion")


def _reaction(envelope: Envelope, reaction: Element, key: str, time: int) -> Iterator[Record]:
    emoji = reaction.text("emoji")
    if not emoji:
        envelope.reading.skipped("reaction without an emoji", reaction.place)
        return
    yield ReactionEvent(
        conversation=key,
        source_id=_target(envelope, reaction, "targetAuthor", "targetSentTimestamp"),
        time_microseconds=time,
        author=envelope.sender.id,
        emoji=emoji,
        is_removed=reaction.flag("isRemove"),
        replaces=True,
        place=envelope.place,
    )
    reaction.rest(envelope.reading, "reaction")


def _target(envelope: Envelope, element: Element, author: str, time: str) -> str:
    """Returns the id of the message that an element names. Without an author it is a message of the sender."""
    address = Address.of(element, author) if author else envelope.sender
    return envelope.ids.first(message_id(envelope.account, address, element.number(time)))


def _message(
    envelope: Envelope, data: Element, key: str, destination: Address, extra: dict[str, Any]
) -> Message | None:
    milliseconds = data.number("timestamp", envelope.milliseconds)
    original = data.text("message")
    text = plain_text(original, _peeked(data, "mentions"))
    kind, reply_to = "", None
    for name, (author, time) in _TARGETS.items():
        for element in _peeked(data, name) if name in data.members else ():
            reply_to = _target(envelope, element, author, time) if element.number(time) else reply_to
    for name in _KINDS:
        if data.members.get(name):
            kind = _KINDS[name]
    if data.flag("isExpirationUpdate") or ("groupInfo" in extra and not text):
        kind = kind or "service"
        extra["isExpirationUpdate"] = data.members.get("isExpirationUpdate")
    if not data.number("expiresInSeconds"):
        data.ignore("expiresInSeconds")
    text = text or _question(data)
    attachments = _attachments(envelope, data)
    data.ignore("destination", "destinationNumber", "destinationUuid")
    expires, members = data.members.get("expiresInSeconds"), data.rest(envelope.reading, "message", *_DATA_MEMBERS)
    if not (text or kind or attachments or members):
        return None
    if text != original and original:
        members["message"] = original
    if expires:
        members["expiresInSeconds"] = expires
    id, is_own = message_id(envelope.account, envelope.sender, milliseconds), envelope.account.is_own(envelope.sender)
    if is_own:
        envelope.ids.add_own(id, key)
    return Message(
        conversation=key,
        time_microseconds=envelope.time(milliseconds),
        source_id=id,
        sender=envelope.sender.id,
        sender_name=envelope.sender_name,
        text=text,
        is_outgoing=is_own,
        recipient=destination.id if key == destination.id and destination.id != envelope.sender.id else "",
        reply_to=reply_to,
        kind=kind,
        metadata={**{name: value for name, value in extra.items() if value}, **members},
        attachments=attachments,
        place=envelope.place,
    )


def _attachments(envelope: Envelope, data: Element) -> tuple[Attachment, ...]:
    found = [envelope.media.attachment(element) for element in data.elements("attachments")]
    for preview in _peeked(data, "previews"):
        found += [envelope.media.attachment(image) for image in _peeked(preview, "image")]
    for contact in _peeked(data, "contacts"):
        for avatar in _peeked(contact, "avatar"):
            found += [envelope.media.attachment(picture) for picture in _peeked(avatar, "attachment")]
    found += [envelope.media.sticker(sticker) for sticker in _peeked(data, "sticker")]
    return tuple(found)


def _question(data: Element) -> str:
    return "".join(poll.text("question") for poll in _peeked(data, "pollCreate"))


def _peeked(element: Element, name: str) -> list[Element]:
    """Returns the object or objects of a member without marking it as read, so that it also goes to the metadata."""
    value = element.members.get(name)
    if not value:
        return []
    place = f"{element.place}.{name}"
    if isinstance(value, list):
        return [Element(one, f"{place}[{index}]") for index, one in enumerate(value)]
    return [Element(value, place)]
