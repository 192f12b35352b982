"""WhatsApp's exported chat: a text file, alone, in a folder, or in a zip with its media.

Read for this module, without copying:

- https://faq.whatsapp.com/1180414079177245: how a chat is exported.
- https://github.com/starkdmi/whats_json: README.md, lib/src/message_parser.dart, lib/src/patterns.dart (WhatsApp's
  words by language), and test/data/languages, android and calendars: chats in 15 languages and three calendars.
- https://github.com/Pustur/whatsapp-chat-parser: src/parser.ts and src/date.ts.
- https://github.com/lucasrodes/whatstk: docs/source/getting_started/hformat.rst.
- https://github.com/Duelion/whatsapp-wrapped: SUPPORTED_FORMATS.md.
- Two tables of public repositories, found by their texts: names of exported chats and words for attached files of
  Android's strings.xml (de.kappa_mm.email.chatmatter, LanguageTags.java), and words for omitted media by language.

The file has no ids. Times are local times, which Android writes without seconds. If the dates do not prove the order of
day and month, the import ends with an error: ids depend on the time, so a wrong guess could not be corrected. A message
that was edited or deleted after the last export looks like a new message, because only the text distinguishes messages
of one minute. A line of a text that looks like the beginning of a message becomes a message: nothing in the file
distinguishes the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, time
from typing import IO

from ..errors import SourceError, WrongOption
from ..lines import lines
from ..reading import Format, Reading
from ..records import Conversation, Member, Message, Person, Record
from ..source import Document, Source
from ..times import from_local
from ._whatsapp_body import Body, Files, body_of
from ._whatsapp_dates import ORDERS, Orders, check_calendar, day_of, is_day
from ._whatsapp_header import Header, Style, header_of, sender_and_body
from ._whatsapp_title import rank, title_of
from ._whatsapp_words import LEFT_TO_RIGHT_MARK, without_marks

# The longest text of a message, in characters.
_TEXT_MAX = 8 * 1024 * 1024
_DOCUMENTS_MAX = 100_000
_NOTICE = re.compile("whatsapp|واتساب|واتس اب|end-to-end", re.IGNORECASE)


@dataclass(slots=True)
class _Raw:
    """A message as the file has it: its header, its sender and its text."""

    number: int
    header: Header
    sender: str
    text: str


@dataclass(slots=True)
class _Survey:
    """The findings of the first reading of a chat. Its size does not depend on the file."""

    style: Style | None = None
    orders: Orders = field(default_factory=Orders)
    # The first word for the half of the day.
    half: str = ""
    # At most three senders.
    senders: list[str] = field(default_factory=list)
    title: str = ""


def _read(reading: Reading) -> Iterator[Record]:
    titles: set[str] = set()
    for document in _chats(reading):
        place = document.name
        survey = _surveyed(document)
        if survey.style is None:
            if reading.source.is_file:
                raise SourceError(place, "has no message as WhatsApp writes it; hint: is it an exported chat?")
            reading.skipped("text file that is not a chat", place)
            continue
        title = _title(reading, document, survey)
        if title in titles:
            raise SourceError(place, "a second file has the same conversation; hint: import one file after the other")
        if len(titles) == _DOCUMENTS_MAX:
            raise SourceError(place, f"there are more than {_DOCUMENTS_MAX:,} chats")
        titles.add(title)
        yield from _conversation(survey, title)
        yield from _messages(reading, document, survey, title, _order(reading, survey, place))
    if not titles:
        raise SourceError(reading.source.name, "has no chat of WhatsApp; hint: _chat.txt or WhatsApp Chat with ….txt")


def _chats(reading: Reading) -> Iterator[Document]:
    """Yields the chats. People can send text files, so files with other names count only if none has a chat's name."""
    source = reading.source
    has_names = any(rank(one.name) < 2 for one in source.documents("*.txt"))
    for document in source.documents("*.txt"):
        found = rank(document.name)
        # Beside a chat of iOS, all other files are attachments.
        is_attachment = found == 1 and source.content("_chat.txt", beside=document) is not None
        if source.is_file or (found == 2) != has_names and not is_attachment:
            yield document


def _raw_messages(stream: IO[bytes], name: str, order: str | None) -> Iterator[_Raw | int]:
    """Yields the messages, and the number of each line before the first one.

    Without an order, a date counts if it is a day in any order.
    """
    style: Style | None = None
    texts: list[str] = []
    raw: _Raw | None = None
    length = 0
    orders = (order,) if order else ORDERS
    for number, line in lines(stream, name):
        header = header_of(line, style)
        if header is not None and is_day(header.date, orders):
            if raw is not None:
                yield _complete(raw, texts)
            style = header.style
            sender, text = sender_and_body(header.rest)
            raw, texts, length = _Raw(number, header, sender, ""), [text], len(text)
        elif raw is None:
            if header is not None:
                check_calendar(header.date, f"{name}: line {number}")
            if without_marks(line):
                yield number
        else:
            length += len(line) + 1
            if length > _TEXT_MAX:
                raise SourceError(f"{name}: line {raw.number}", "the text of the message is too long")
            texts.append(line)
    if raw is not None:
        yield _complete(raw, texts)


def _complete(raw: _Raw, texts: list[str]) -> _Raw:
    # Remove empty lines at the end: a longer export does not have them there, and the id depends on the text.
    raw.text = "\n".join(texts).rstrip("\n")
    return raw


def _surveyed(document: Document) -> _Survey:
    survey = _Survey()
    with document.open() as stream:
        for raw in _raw_messages(stream, document.name, None):
            if isinstance(raw, int):
                continue
            header = raw.header
            is_marked = raw.text.startswith(LEFT_TO_RIGHT_MARK)
            if survey.style is None:
                survey.style = header.style
                # An export of iOS begins with a notice, whose sender is the conversation.
                if header.style.has_brackets and is_marked and _NOTICE.search(raw.text):
                    survey.title = raw.sender
            survey.half = survey.half or header.half
            survey.orders.add(header.date)
            is_notice = is_marked and raw.sender == survey.title
            sender = "" if is_notice else _person(raw.sender)
            if sender and sender not in survey.senders and len(survey.senders) < 3:
                survey.senders.append(sender)
    return survey


def _order(reading: Reading, survey: _Survey, place: str) -> str:
    given = reading.options.get("date-order")
    if given is not None:
        if given not in ORDERS:
            raise WrongOption(place, "--option date-order is none of dmy, mdy and ymd")
        return given
    assert survey.style is not None
    order = survey.orders.choose(survey.style.separator, survey.half)
    if order is None:
        raise SourceError(
            place,
            "its dates do not show which number is the day; hint: --option date-order=dmy if the day is first,"
            " date-order=mdy if the month is first",
        )
    return order


def _title(reading: Reading, document: Document, survey: _Survey) -> str:
    """Returns the name of the conversation, which is its key."""
    others = [sender for sender in survey.senders if sender not in reading.self_ids]
    only = others[0] if len(survey.senders) == 2 and len(others) == 1 else ""
    title = reading.options.get("conversation") or survey.title or title_of(reading.source, document, only)
    if not without_marks(title):
        hint = "--option conversation=NAME" + ("" if reading.self_ids else ", or --self NAME")
        raise SourceError(document.name, f"does not say which conversation it is; hint: {hint}")
    return _person(title)


def _conversation(survey: _Survey, title: str) -> Iterator[Record]:
    if len(survey.senders) > 2:
        yield Conversation(key=title, title=title, kind="group")
    elif title in survey.senders:
        yield Conversation(key=title, title=title, kind="direct", members=(Member(id=title, name=title),))
        yield Person(id=title, name=title)
    else:
        yield Conversation(key=title, title=title)


def _messages(reading: Reading, document: Document, survey: _Survey, title: str, order: str) -> Iterator[Record]:
    files = Files(reading, document)
    with document.open() as stream:
        for raw in _raw_messages(stream, document.name, order):
            if isinstance(raw, int):
                reading.unknown("line before the first message", f"{document.name}: line {raw}")
            else:
                yield _message(reading, raw, files, (title, _person(survey.title)), order)


def _message(reading: Reading, raw: _Raw, files: Files, titles: tuple[str, str], order: str) -> Message:
    place = f"{files.document.name}: line {raw.number}"
    header, sender = raw.header, _person(raw.sender)
    body = body_of(raw.text, files, place) if sender else Body(text=_own_text(raw.text), kind="service")
    if body.kind == "service" and sender in titles:
        sender = ""
    if not body.text and not body.attachments and not body.kind:
        reading.unknown("message without a text, such as a photo to be seen once", place)
    day = day_of(header.date, order)
    assert day is not None
    moment = datetime.combine(day, time(header.hour, header.minute, header.second))
    return Message(
        conversation=titles[0],
        time_microseconds=from_local(moment, reading.zone, place),
        sender=sender,
        sender_name=sender,
        text=body.text,
        is_outgoing=True if body.is_own else None,
        kind=body.kind,
        metadata=body.metadata,
        attachments=body.attachments,
        place=place,
    )


def _own_text(text: str) -> str:
    """Returns a message of WhatsApp itself without the marks around names."""
    return "\n".join(without_marks(line) for line in text.split("\n"))


def _person(name: str) -> str:
    """Returns the id of a sender. WhatsApp writes "~ Ann" if Ann is not in the phone's contacts."""
    return (name.removeprefix("~").strip() or name).replace("\u2011", "-")


def _is_chat(source: Source) -> bool:
    documents = source.documents("*.txt")
    document = next((one for one in documents if source.is_file or rank(one.name) < 2), None)
    if document is None:
        return False
    first = document.head(4096).decode("utf-8-sig", "replace").lstrip().partition("\n")[0]
    header = header_of(first)
    if header is None or not is_day(header.date, ORDERS):
        return False
    # Lines of a log begin like messages of old versions. So such a message counts only if it has a sender.
    return header.style.end != ":" or bool(sender_and_body(header.rest)[0])


FORMAT = Format(
    name="whatsapp",
    title="WhatsApp, exported chat (text, folder or zip)",
    read=_read,
    detect=_is_chat,
    options={
        "conversation": "name of the conversation, if the file does not say it",
        "date-order": "order of day, month and year in dates: dmy, mdy or ymd",
    },
)
