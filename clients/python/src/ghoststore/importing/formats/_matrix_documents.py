"""Walks the files of Matrix: Element's export, events as JSON lines or as an array, and responses of the server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from ..elements import Element
from ..errors import SourceError
from ..json_stream import JsonReader, json_lines
from ..notes import printable
from ..source import Document, Source

MEDIA_FOLDERS = ("images", "videos", "audio", "files", "stickers", "media")
_NAMES = ("*.json", "*.jsonl", "*.ndjson")
# Members that only an object around events has: Element's export, /messages, /context and /sync.
_CONTAINERS = ("messages", "chunk", "events", "events_before", "events_after", "state", "rooms", "account_data")
HEADERS = (
    "room_name", "room_creator", "topic", "export_date", "exported_by", "start", "end", "next_batch", "event",
    "summary", "unread_notifications", "unread_thread_notifications",
)
# Members of a response of /sync that are not about rooms.
DEVICES = (
    "presence", "to_device", "device_lists", "device_one_time_keys_count", "device_unused_fallback_key_types",
    "org.matrix.msc2732.device_unused_fallback_key_types",
)
_ROOM_SECTIONS = ("state", "state_after", "invite_state", "knock_state", "timeline", "ephemeral", "account_data")
_READ_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class Part:
    """An event, or another member of the object around the events.

    The section is "timeline", "state", "ephemeral", "account" or "header". The room is empty unless an object around
    the event names it.
    """

    section: str
    room: str
    value: Any
    place: str


def documents(source: Source) -> list[Document]:
    """Returns the files with events: each export.json, or else all that are not attachments."""
    found = [one for one in source.documents(*_NAMES) if source.is_file or not _is_attachment(one.name)]
    exports = [one for one in found if one.name.rpartition("/")[2] == "export.json"]
    return exports or found or [source.document(*_NAMES)]


def parts(document: Document) -> Iterator[Part]:
    """Yields the parts of a file in their order."""
    is_lines = _is_lines(document)
    with document.open() as stream:
        if is_lines:
            for place, value in json_lines(stream, document.name):
                yield from _of_value(value, place)
            return
        reader = JsonReader(stream, document.name)
        if reader.kind() == "[":
            for _ in reader.elements():
                place = reader.place
                yield from _of_value(reader.value(), place)
        else:
            yield from _of_object(reader)
        reader.end()


def top_keys(head: bytes, name: str) -> list[str]:
    """Returns the keys of an object, up to the end of `head` or up to the first key whose value has the events."""
    keys: list[str] = []
    try:
        for key in JsonReader(BytesIO(head), name).members():
            keys.append(key)
            if key in _CONTAINERS:
                break
    except SourceError:
        pass
    return keys


def _of_object(reader: JsonReader) -> Iterator[Part]:
    for key in reader.members():
        place = reader.place
        if key in _CONTAINERS and reader.kind() == "[":
            for _ in reader.elements():
                inner = reader.place
                yield Part("state" if key == "state" else "timeline", "", reader.value(), inner)
        elif key == "rooms":
            yield from _of_rooms(reader)
        else:
            yield from _of_member(key, reader.value(), place)


def _of_rooms(reader: JsonReader) -> Iterator[Part]:
    """Yields the events of a response of /sync, which can have everything that an account ever received."""
    for _ in reader.members():
        for room in reader.members():
            for name in reader.members():
                if name not in _ROOM_SECTIONS:
                    yield Part("header", room, {name: None}, reader.place)
                    continue
                for key in reader.members():
                    for _ in reader.elements() if key == "events" else ():
                        inner = reader.place
                        yield Part(_section_of(name), room, reader.value(), inner)


def _of_value(value: Any, place: str) -> Iterator[Part]:
    if not isinstance(value, dict):
        raise SourceError(place, "an object was expected")
    if "type" in value or not any(key in value for key in _CONTAINERS):
        yield Part("timeline", "", value, place)
        return
    for key, member in value.items():
        yield from _of_member(key, member, f"{place}.{printable(key)}")


def _of_member(key: str, value: Any, place: str) -> Iterator[Part]:
    if key in _CONTAINERS and isinstance(value, list):
        for index, event in enumerate(value):
            yield Part("state" if key == "state" else "timeline", "", event, f"{place}[{index}]")
    elif key == "rooms":
        for kind, rooms in Element(value, place).members.items():
            inner = f"{place}.{printable(kind)}"
            for room, sections in Element(rooms or {}, inner).members.items():
                yield from _of_room(room, Element(sections, f"{inner}.{printable(room)}"))
    elif key == "account_data":
        yield from _section("account", "", Element(value, place))
    else:
        yield Part("header", "", {key: value}, place)


def _of_room(room: str, sections: Element) -> Iterator[Part]:
    for name in sections.members:
        section = sections.element(name) if name in _ROOM_SECTIONS else None
        if name not in _ROOM_SECTIONS:
            yield Part("header", room, {name: None}, sections.place)
        elif section is not None:
            yield from _section(_section_of(name), room, section)


def _section_of(name: str) -> str:
    return "state" if "state" in name else name.removesuffix("_data")


def _section(kind: str, room: str, section: Element) -> Iterator[Part]:
    for index, event in enumerate(section.array("events")):
        yield Part(kind, room, event, f"{section.place}.events[{index}]")


def _is_attachment(name: str) -> bool:
    return any(folder in MEDIA_FOLDERS for folder in name.split("/")[:-1])


def _is_lines(document: Document) -> bool:
    """Returns true for JSON lines. In an object or array over several lines, the second line does not begin with {."""
    head = document.head().removeprefix(b"\xef\xbb\xbf").lstrip()
    if not head.startswith(b"{"):
        return False
    second = _second_line(document)
    if second:
        return second == b"{"
    keys = top_keys(head, document.name)
    return not keys or keys[0] not in _CONTAINERS + HEADERS + DEVICES


def _second_line(document: Document) -> bytes:
    """Returns the first byte of the second line, or nothing."""
    has_begun = is_behind = False
    with document.open() as stream:
        while data := stream.read(_READ_BYTES):
            if not has_begun:
                data = data.lstrip(b" \t\r\n\xef\xbb\xbf")
                has_begun = bool(data)
            if not is_behind:
                _, newline, data = data.partition(b"\n")
                is_behind = bool(newline)
            if is_behind and (data := data.lstrip(b"\r\n")):
                return data[:1]
    return b""
