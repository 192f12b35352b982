"""CSV with named columns: one message a line. This module is the example for the authors of formats."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import datetime
from typing import TextIO

from ..errors import SourceError
from ..lines import lines
from ..reading import Format, Reading
from ..records import Attachment, Conversation, Message, Record
from ..source import Document, Source
from ..times import from_iso, from_local, from_milliseconds, from_seconds
from ._seen import Seen

_UTF8_HINT = "save it as CSV UTF-8, or: iconv -f cp1252 -t utf-8 OLD > NEW"
# As seconds, a larger number is after the year 5138; as milliseconds, it is after March 1973.
_SECONDS_MAX = 100_000_000_000
_FIELD_CHARACTERS_MAX = 16 * 1024 * 1024
_COLUMNS = {
    "conversation": "the conversation: an id, a number or a name; required",
    "conversation_name": "the name of the conversation",
    "time": "the time: ISO 8601, or seconds or milliseconds since 1970; required",
    "id": "the id of the message in the source",
    "sender": "the id of the sender, or the name if there are no ids",
    "sender_name": "the name of the sender",
    "text": "the text",
    "outgoing": "yes if the user of the store sent the message",
    "read": "no if the user has not read the message",
    "reply_to": "the id of the message that it answers",
    "kind": "a word for the kind of the message",
    "attachment": "the path of a file, relative to the CSV file",
}
_YES_AND_NO = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def _read(reading: Reading) -> Iterator[Record]:
    document = reading.source.document("*.csv", "*.tsv")
    try:
        with io.TextIOWrapper(document.open(), encoding="utf-8-sig", newline="") as text:
            yield from _messages(reading, document, text)
    except UnicodeDecodeError:
        raise SourceError(_place_of_other_encoding(document), f"the text is not UTF-8; hint: {_UTF8_HINT}") from None


def _place_of_other_encoding(document: Document) -> str:
    # The text is decoded in pieces of many lines, so the reader of rows does not know the line with the error.
    try:
        with document.open() as stream:
            for _ in lines(stream, document.name):
                pass
    except SourceError as error:
        return error.place
    return document.name


def _messages(reading: Reading, document: Document, text: TextIO) -> Iterator[Record]:
    table = _rows(text, document.name)
    _, header = next(table)
    if not header:
        raise SourceError(f"{document.name}: line 1", "is empty; hint: the first line has the names of the columns")
    columns = _columns(header, reading, document.name)
    seen = Seen()
    for number, row in table:
        place = f"{document.name}: line {number}"
        if not row:
            continue
        if len(row) != len(header):
            raise SourceError(place, f"has {len(row)} fields, but the first line names {len(header)}")
        named = {columns.get(name, name): field for name, field in zip(header, row)}
        found = {name: field for name, field in named.items() if field}
        message = _message(reading, document, found, place)
        title = found.get("conversation_name", "")
        if title and seen.is_new(message.conversation, title):
            yield Conversation(key=message.conversation, title=title)
        yield message


def _message(reading: Reading, document: Document, row: dict[str, str], place: str) -> Message:
    for name in ("conversation", "time"):
        if name not in row:
            raise SourceError(place, f"the {name} is missing")
    path = row.get("attachment")
    attachments: tuple[Attachment, ...] = ()
    if path:
        content = reading.source.content(path, beside=document, place=place)
        attachments = (Attachment(content=content, name=path),)
    return Message(
        conversation=row["conversation"],
        time_microseconds=_time(row["time"], reading, place),
        source_id=row.get("id"),
        sender=row.get("sender", ""),
        sender_name=row.get("sender_name", ""),
        text=row.get("text", ""),
        is_outgoing=_flag(row, "outgoing", place),
        is_read=_flag(row, "read", place) is not False,
        reply_to=row.get("reply_to"),
        kind=row.get("kind", ""),
        metadata={name: field for name, field in row.items() if name not in _COLUMNS},
        attachments=attachments,
        place=place,
    )


def _columns(header: list[str], reading: Reading, name: str) -> dict[str, str]:
    """Returns the meaning of each column that has one: its own name, or the meaning that an option gives it."""
    place = f"{name}: line 1"
    if len(set(header)) < len(header):
        raise SourceError(place, "two columns have the same name")
    columns = {found: found for found in header if found in _COLUMNS}
    for meaning in _COLUMNS:
        wanted = reading.options.get(meaning)
        if wanted is not None:
            if wanted not in header:
                raise SourceError(place, f"there is no column for --option {meaning}={wanted}")
            columns = {found: other for found, other in columns.items() if other != meaning} | {wanted: meaning}
    for meaning in ("conversation", "time"):
        if meaning not in columns.values():
            raise SourceError(place, f"no column is the {meaning}; hint: --option {meaning}=NAME-OF-THE-COLUMN")
    return columns


def _rows(text: TextIO, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yields the rows, each with the number of its last line."""
    csv.field_size_limit(_FIELD_CHARACTERS_MAX)
    number = 1
    try:
        first = text.readline(_FIELD_CHARACTERS_MAX)
        delimiter = _delimiter(first)
        yield 1, next(csv.reader([first], delimiter=delimiter), [])
        reader = csv.reader(text, delimiter=delimiter, strict=True)
        for row in reader:
            number = reader.line_num + 1
            yield number, row
    except csv.Error as error:
        raise SourceError(f"{name}: after line {number}", f"not CSV: {error}") from None


def _delimiter(first: str) -> str:
    return max(",;\t|", key=first.count)


def _time(text: str, reading: Reading, place: str) -> int:
    form = reading.options.get("time-format")
    if form is not None:
        try:
            return from_local(datetime.strptime(text, form), reading.zone, place)
        except ValueError:
            message = "the time does not have the form of --option time-format; hint: strptime(3)"
            raise SourceError(place, message) from None
    if text.removeprefix("-").isdecimal() and len(text) < 20 and abs(int(text)) > _SECONDS_MAX:
        return from_milliseconds(int(text), place)
    if text.replace(".", "", 1).removeprefix("-").isdigit():
        return from_seconds(text, place)
    try:
        return from_iso(text, reading.zone, place)
    except SourceError as error:
        raise SourceError(place, f"{error.message}; hint: --option time-format='%d.%m.%Y %H:%M'") from None


def _flag(row: dict[str, str], name: str, place: str) -> bool | None:
    word = row.get(name)
    if word is None:
        return None
    if word.lower() not in _YES_AND_NO:
        raise SourceError(place, f"{name} is neither yes nor no; hint: yes, true, 1, no, false or 0")
    return _YES_AND_NO[word.lower()]


def _is_csv(source: Source) -> bool:
    document = source.document("*.csv", "*.tsv")
    first = document.head(4096).decode("utf-8-sig", "replace").partition("\n")[0].removesuffix("\r")
    header = set(next(csv.reader([first], delimiter=_delimiter(first)), []))
    return {"conversation", "time"} <= header <= set(_COLUMNS)


FORMAT = Format(
    name="csv",
    title="CSV with named columns",
    read=_read,
    detect=_is_csv,
    options={name: f"column with {text}" for name, text in _COLUMNS.items()}
    | {"time-format": "form of the times, as strptime(3) has it: %d.%m.%Y %H:%M"},
)
