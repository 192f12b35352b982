"""The records of Matrix events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..elements import Element
from ..errors import SourceError
from ..reading import Reading
from ..records import Deletion, Edit, Message, ReactionEvent, Receipt, Record
from ..times import from_milliseconds
from ._matrix_content import Shown, relation, reply_of, shown
from ._matrix_files import Files
from ._matrix_rooms import Rooms

_SHOWN = ("m.room.message", "m.sticker", "m.poll.start", "org.matrix.msc3381.poll.start")
_KINDS = {
    "m.poll.response": "poll-vote",
    "org.matrix.msc3381.poll.response": "poll-vote",
    "m.poll.end": "poll-end",
    "org.matrix.msc3381.poll.end": "poll-end",
    "m.beacon": "location",
    "org.matrix.msc3672.beacon": "location",
    "m.beacon_info": "location",
    "org.matrix.msc3672.beacon_info": "location",
    "m.room.encrypted": "encrypted",
}
# JSON members of an event that are ignored: servers add them for themselves, or they differ from export to export.
_OF_SERVER = (
    "age", "user_id", "unsigned", "redacts", "origin", "depth", "hashes", "signatures", "auth_events", "prev_events",
    "prev_state", "membership", "redacted_because", "replaces_state",
)
_UNSIGNED = (
    "age", "age_ts", "transaction_id", "redacted_because", "redacted_by", "prev_content", "prev_sender",
    "replaces_state", "m.relations", "membership", "invite_room_state", "m.thread_id",
)


@dataclass(slots=True)
class Event:
    """An event with the members that every event has."""

    room: str
    id: str
    type: str
    sender: str
    time: int
    content: Element
    unsigned: Element
    element: Element
    is_state: bool

    @property
    def is_redacted(self) -> bool:
        """True if the server removed the content."""
        because = self.unsigned.members.get("redacted_because") or self.element.members.get("redacted_because")
        return bool(because) or (self.type == "m.room.message" and not self.content.members)

    @property
    def relation_type(self) -> str:
        """The type of the relation to another event: "m.replace", "m.annotation" and others."""
        return relation(self.content).text("rel_type")

    @property
    def redacted_id(self) -> str:
        """The id of the event that a redaction removes. Rooms of version 11 have it in the content."""
        return self.element.text("redacts") or self.content.text("redacts")


def event_of(value: Any, place: str, room: str) -> Event | None:
    """Returns an event, or None if it has no id. Element writes a decrypted event beside the encrypted one."""
    element = Element(value, place)
    if "event_id" not in element.members and isinstance(element.members.get("decrypted"), dict):
        element = Element(element.members["decrypted"], f"{place}.decrypted")
    id = element.text("event_id")
    if not id:
        return None
    if element.members.get("origin_server_ts") is None:
        raise SourceError(place, "the origin_server_ts is missing")
    sender = element.text("sender") or element.text("user_id")
    return Event(
        room=element.text("room_id") or room,
        id=id,
        type=element.text("type"),
        sender=sender,
        time=from_milliseconds(element.number("origin_server_ts"), place),
        content=element.element("content") or Element({}, place),
        unsigned=element.element("unsigned") or Element({}, place),
        element=element,
        is_state=isinstance(element.members.get("state_key"), str),
    )


def records_of(reading: Reading, event: Event, rooms: Rooms, files: Files) -> Iterator[Record]:
    """Yields the records of an event of a room's timeline."""
    if event.type == "m.room.redaction":
        yield from _redaction(event, rooms)
    elif event.type == "m.reaction":
        yield from _reaction(reading, event, rooms)
    elif event.is_redacted and not event.is_state:
        yield from _redacted(event)
    elif event.relation_type == "m.replace" and not event.is_state:
        yield from _edit(reading, event, rooms, files)
    elif event.type == "m.call.candidates":
        reading.skipped("connection data of a call", event.element.place)
    else:
        yield from _message(reading, event, rooms, files)


def receipts_of(reading: Reading, value: Any, place: str, room: str) -> Iterator[Record]:
    """Yields the read marks of an ephemeral event."""
    element = Element(value, place)
    type = element.text("type")
    if type != "m.receipt":
        reading.skipped("typing notice" if type == "m.typing" else "ephemeral event", place)
        return
    content = element.element("content") or Element({}, place)
    # The keys are ids from the file, so places do not contain them.
    for id, kinds in content.members.items():
        for users in Element(kinds, place).members.values():
            for user, mark in Element(users, place).members.items():
                yield Receipt(
                    conversation=element.text("room_id") or room,
                    source_id=id,
                    time_microseconds=from_milliseconds(Element(mark, place).number("ts"), place),
                    is_delivered=True,
                    is_read=user in reading.self_ids,
                    place=place,
                )


def _redaction(event: Event, rooms: Rooms) -> Iterator[Record]:
    # A redacted reaction or edit is handled where the reaction or the edit itself is read.
    if event.redacted_id and not rooms.is_relation(event.redacted_id):
        yield _deletion(event, event.redacted_id, event.element.place)


def _redacted(event: Event) -> Iterator[Record]:
    yield _record(event, Shown("", "deleted", {}))
    because = event.unsigned.members.get("redacted_because") or event.element.members.get("redacted_because")
    redaction = event_of(because, f"{event.element.place}.redacted_because", event.room) if because else None
    yield _deletion(redaction or event, event.id, event.element.place)


def _deletion(redaction: Event, id: str, place: str) -> Deletion:
    metadata = {"deleted_by": redaction.sender} if redaction.id != id else {}
    reason = redaction.content.text("reason")
    return Deletion(
        conversation=redaction.room,
        source_id=id,
        time_microseconds=redaction.time,
        metadata={**metadata, **({"reason": reason} if reason else {})},
        place=place,
    )


def _reaction(reading: Reading, event: Event, rooms: Rooms) -> Iterator[Record]:
    related = relation(event.content)
    target, emoji = related.text("event_id"), related.text("key")
    if not target or not emoji:
        reading.skipped("reaction that was removed", event.element.place)
        return
    yield ReactionEvent(
        conversation=event.room,
        source_id=target,
        time_microseconds=event.time,
        author=event.sender,
        emoji=emoji,
        is_removed=rooms.is_redacted(event.id),
        place=event.element.place,
    )


def _edit(reading: Reading, event: Event, rooms: Rooms, files: Files) -> Iterator[Record]:
    if rooms.is_redacted(event.id):
        reading.skipped("edit that was removed", event.element.place)
        return
    target = relation(event.content).text("event_id")
    new = event.content.element("m.new_content")
    if not target or new is None:
        reading.skipped(
            "edit that was not decrypted" if event.type == "m.room.encrypted" else "edit without a new text",
            event.element.place,
        )
        return
    after = shown(reading, event.type, new, files, event.time)
    yield Edit(
        conversation=event.room,
        source_id=target,
        time_microseconds=event.time,
        text=after.text,
        author=event.sender,
        metadata=_edited_metadata(after, new),
        place=event.element.place,
    )


def _edited_metadata(after: Shown, new: Element) -> dict[str, Any]:
    # The format of the earlier text does not fit the new text. An `Edit` cannot have a new file, so the file is stored
    # in the metadata.
    file = {} if after.attachment is None else {"m.new_content": new.members}
    return {"formatted_body": None, "format": None, **after.metadata, **file}


def _message(reading: Reading, event: Event, rooms: Rooms, files: Files) -> Iterator[Record]:
    related = relation(event.content)
    if event.type in _SHOWN and not event.is_state:
        is_reply = "m.in_reply_to" in related.members
        found = shown(reading, event.type, event.content, files, event.time, is_reply=is_reply)
    else:
        found = _other(reading, event)
    event.element.ignore("state_key", "prev_content", *_OF_SERVER)
    event.unsigned.ignore(*_UNSIGNED)
    rest = event.element.rest(reading, "event")
    unsigned = event.unsigned.rest(reading, "unsigned")
    bundled = event.unsigned.members.get("m.relations")
    bundled = bundled if isinstance(bundled, dict) else {}
    # Old servers count reactions here, without their authors.
    counted = {name: value for name, value in bundled.items() if name == "m.annotation"}
    message = _record(
        event, found, reply_of(related), rest | ({"unsigned": unsigned} if unsigned else {}) | counted
    )
    yield message
    edit = bundled.get("m.replace")
    if isinstance(edit, dict):
        yield from _bundled_edit(reading, event, message, edit, rooms, files)


def _bundled_edit(
    reading: Reading, event: Event, message: Message, value: dict[str, Any], rooms: Rooms, files: Files
) -> Iterator[Record]:
    """Yields the last edit, which the server sends with the message. Old servers put the new text into the message."""
    edit = event_of(value, f"{event.element.place}.unsigned.m.relations.m.replace", event.room)
    if edit is None or rooms.is_redacted(edit.id):
        return
    new = edit.content.element("m.new_content")
    after = Shown(message.text, "", {}) if new is None else shown(reading, event.type, new, files, edit.time)
    yield Edit(
        conversation=event.room,
        source_id=event.id,
        time_microseconds=edit.time,
        text=after.text,
        author=edit.sender,
        metadata={} if new is None else _edited_metadata(after, new),
        place=event.element.place,
    )


def _other(reading: Reading, event: Event) -> Shown:
    """Returns the form of an event that is no message: state, calls, votes, encrypted and unknown events."""
    metadata: dict[str, Any] = {"type": event.type, "content": event.content.members}
    previous = event.unsigned.members.get("prev_content") or event.element.members.get("prev_content")
    if event.is_state:
        metadata |= {"state_key": event.element.members["state_key"]}
        metadata |= {"prev_content": previous} if previous else {}
    body = event.content.members.get("body")
    text = body if isinstance(body, str) else ""
    kind = _KINDS.get(event.type)
    if kind is None and event.type.startswith(("m.call.", "org.matrix.call.")) and not event.is_state:
        kind = "call"
    if kind is None and (event.is_state or event.type.startswith("m.key.verification.")):
        kind = "service"
        if not event.type.startswith("m."):
            reading.unknown(f"state of type {event.type}", event.element.place)
    if kind is None:
        kind = "unknown"
        reading.unknown(f"event of type {event.type}", event.element.place)
    return Shown(text, kind, metadata)


def _record(
    event: Event, found: Shown, reply_to: str | None = None, rest: dict[str, Any] | None = None
) -> Message:
    return Message(
        conversation=event.room,
        time_microseconds=event.time,
        source_id=event.id,
        sender=event.sender,
        text=found.text,
        reply_to=reply_to,
        kind=found.kind,
        metadata={**(rest or {}), **found.metadata},
        attachments=() if found.attachment is None else (found.attachment,),
        place=event.element.place,
    )
