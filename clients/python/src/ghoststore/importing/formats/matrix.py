"""Matrix: Element's export of a room as JSON, and events as a server sends them, as JSON lines or an array.

Sources that were read: github.com/element-hq/element-web and matrix-org/matrix-react-sdk, src/utils/exportUtils/
(Exporter.ts, JSONExport.ts, of 2021 to the present) and src/DateUtils.ts, which name the files; the specification in
github.com/matrix-org/matrix-spec, content/client-server-api/modules/ (instant_messaging.md, event_replacements.md,
rich_replies.md) and content/client-server-api/_index.md (the forms of /sync and /messages, room events, redactions).

Each line or element of an array is an event, or a response of /sync, /messages or /context. The file is read once for
rooms, people and removed events, and once more for messages: servers send pages with the newest event first.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from ..elements import Element
from ..errors import SourceError
from ..reading import Format, Reading
from ..records import Record
from ..source import Document, Source
from ._matrix_documents import DEVICES, HEADERS, Part, documents, parts, top_keys
from ._matrix_events import Event, event_of, receipts_of, records_of
from ._matrix_files import FileNames, Files
from ._matrix_rooms import Rooms

_ELEMENT_KEYS = {"room_name", "exported_by", "messages"}


def _read(reading: Reading) -> Iterator[Record]:
    found = documents(reading.source)
    with closing(Rooms()) as rooms, closing(FileNames(reading)) as names:
        for document in found:
            _survey(reading, document, rooms)
        yield from rooms.records()
        for document in found:
            files = Files(reading, document, names, is_element=_is_element(document))
            yield from _records(reading, document, rooms, files)


class _Place:
    """The room of events that do not name their room: the room of an option, or the name in Element's export."""

    def __init__(self, reading: Reading) -> None:
        self._option = reading.options.get("room", "")
        self.header: dict[str, Any] = {}

    def event(self, part: Part) -> Event | None:
        """Returns the event of a part, or None if it has no id."""
        event = event_of(part.value, part.place, part.room or self._option)
        if event is not None and not event.room:
            event.room = self.text("room_name", part.place)
            if not event.room:
                raise SourceError(part.place, "the room_id is missing; hint: --option room=ID")
        return event

    def text(self, name: str, place: str) -> str:
        """Returns a text of Element's header."""
        return Element(self.header, place).text(name)


def _survey(reading: Reading, document: Document, rooms: Rooms) -> None:
    """Collects rooms, people and removed events."""
    around = _Place(reading)
    last = ""
    for part in parts(document):
        if part.section == "header":
            around.header |= part.value
        elif part.section == "account":
            _account(part, rooms)
        elif part.section != "ephemeral" and _says_more(part, last):
            event = around.event(part)
            if event is not None:
                _survey_event(event, rooms)
                if event.room != last and around.header:
                    _name(around, event.room, rooms, part.place)
                last = event.room


def _says_more(part: Part, room: str) -> bool:
    """Returns false for most messages, of which the survey needs nothing. That saves a third of the time."""
    value = part.value
    if not isinstance(value, dict) or value.get("room_id") != room or value.get("type") != "m.room.message":
        return True
    content = value.get("content")
    return "state_key" in value or not isinstance(content, dict) or "m.relates_to" in content


def _survey_event(event: Event, rooms: Rooms) -> None:
    if event.is_state:
        rooms.add_state(event.room, event.type, event.element.text("state_key"), event.content, event.time)
    elif event.type == "m.room.redaction":
        rooms.add_redacted(event.redacted_id)
    elif event.type == "m.reaction" or event.relation_type == "m.replace":
        rooms.add_relation(event.id)


def _name(around: _Place, room: str, rooms: Rooms, place: str) -> None:
    rooms.add_title(room, around.text("room_name", place))
    for name in ("topic", "room_creator"):
        value = around.text(name, place)
        if value:
            rooms.add_fact(room, name, value, 0)


def _account(part: Part, rooms: Rooms) -> None:
    """Reads which rooms are conversations of two people."""
    element = Element(part.value, part.place)
    if element.text("type") == "m.direct":
        content = element.element("content") or Element({}, part.place)
        for found in content.members.values():
            for room in found if isinstance(found, list) else ():
                if isinstance(room, str) and room:
                    rooms.set_kind(room, "direct")


def _records(reading: Reading, document: Document, rooms: Rooms, files: Files) -> Iterator[Record]:
    around = _Place(reading)
    for part in parts(document):
        if part.section == "header":
            around.header |= part.value
            _count_header(reading, part)
        elif part.section == "ephemeral":
            yield from receipts_of(reading, part.value, part.place, part.room)
        elif part.section == "account":
            if Element(part.value, part.place).text("type") != "m.direct":
                reading.skipped("settings of an account", part.place)
        elif part.section == "timeline":
            event = around.event(part)
            if event is None:
                reading.skipped("event without an id", part.place)
            else:
                yield from records_of(reading, event, rooms, files)


def _count_header(reading: Reading, part: Part) -> None:
    for name in part.value:
        if name in DEVICES:
            reading.skipped("presence, or keys of a device", part.place)
        elif name not in HEADERS:
            reading.unknown(f"field {name} around the events", part.place)


def _is_element(document: Document) -> bool:
    return _ELEMENT_KEYS.issubset(top_keys(document.head(), document.name))


def _is_matrix(source: Source) -> bool:
    document = documents(source)[0]
    head = document.head()
    if _is_element(document):
        return True
    try:
        value = json.loads(head.partition(b"\n")[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and {"event_id", "origin_server_ts", "type"}.issubset(value)


FORMAT = Format(
    name="matrix",
    title="Matrix: Element's export of a room, or events as JSON",
    read=_read,
    detect=_is_matrix,
    options={"room": "id of the room of events that do not name it"},
)
