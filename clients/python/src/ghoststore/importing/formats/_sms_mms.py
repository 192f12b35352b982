"""The MMS of SMS Backup & Restore: parts, addresses, and contents in base64."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Any
from xml.etree.ElementTree import Element as XmlElement

from ...model import MessageStatus
from ..elements import Element
from ..reading import Reading
from ..records import Attachment, Content, Message, Record
from ..times import from_milliseconds
from ._sms_people import Thread, Threads, address, identity, time_of

# The numbers of Android's PduHeaders and Telephony.BaseMmsColumns.
_INBOX, _DRAFT, _OUTBOX, _FAILED = 1, 3, 4, 5
_SENT_MESSAGE, _NOTIFICATION, _RECEIVED_MESSAGE = 128, 130, 132
_REPORTS = {134: "delivery report of an MMS", 135: "read report of an MMS", 136: "read report of an MMS"}
_FROM, _TO = 137, 151
_RECIPIENTS = (129, 130, _TO)
_NO_ADDRESS = "insert-address-token"
# A time below this number is in seconds, because old versions of the app did not convert the times of MMS. As
# milliseconds, the number is in 1973.
_SECONDS_BELOW = 100_000_000_000
_FIELDS = (
    "rr", "ct_t", "read_status", "seen", "sub_cs", "resp_st", "retr_st", "d_tm", "text_only", "exp", "locked", "m_id",
    "st", "retr_txt_cs", "retr_txt", "creator", "date_sent", "m_size", "rpt_a", "ct_cls", "pri", "sub_id", "tr_id",
    "resp_txt", "ct_l", "m_cls", "d_rpt", "v", "_id", "thread_id", "sim_id", "sim_slot", "spam_report", "phone_id",
)  # fmt: skip
# Members that link a part with the layout, or repeat its content.
_LINKS = ("seq", "cid", "ctt_s", "ctt_t", "chset", "sub_id", "_id", "mid", "_data")
_BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}")
_READ_CHARACTERS = 64 * 1024
_UTF8_OF_MMS = 106


@dataclass(slots=True)
class _Body:
    """The contents of an MMS."""

    texts: list[str] = field(default_factory=list)
    layouts: list[str] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    # The contents from which the id of the message is made.
    contents: list[str] = field(default_factory=list)


def mms(reading: Reading, element: XmlElement, fields: Element, threads: Threads) -> Iterator[Record]:
    """Yields the records of an MMS."""
    place, box, kind = fields.place, fields.number("msg_box", _INBOX), fields.number("m_type", _RECEIVED_MESSAGE)
    if box == _DRAFT or kind in _REPORTS:
        reading.skipped("draft" if box == _DRAFT else _REPORTS[kind], place)
        return
    if box not in range(1, 6):
        reading.unknown(f"msg_box {box} of mms", place)
    if kind not in (_SENT_MESSAGE, _NOTIFICATION, _RECEIVED_MESSAGE):
        reading.unknown(f"m_type {kind} of mms", place)
    if kind == _NOTIFICATION:
        reading.skipped("content of an MMS that the phone did not download", place)
    body, people = _children(reading, element, place)
    is_outgoing = box != _INBOX
    sender = next((one for one, role in people if role == _FROM), "")
    thread = threads.thread(_others(fields, people, is_outgoing), fields.text("contact_name"))
    yield from threads.records(thread)
    yield _message(reading, fields, body, thread, sender)


def _message(reading: Reading, fields: Element, body: _Body, thread: Thread, sender: str) -> Message:
    box, date = fields.number("msg_box", _INBOX), time_of(fields)
    is_notification = fields.number("m_type") == _NOTIFICATION
    time = from_milliseconds(date * 1000 if 0 < date < _SECONDS_BELOW else date, fields.place)
    is_outgoing = box != _INBOX
    subject = _subject(fields)
    text = "\n".join(body.texts)
    is_read = fields.number("read", 1) != 0
    fields.ignore("readable_date")
    metadata: dict[str, Any] = fields.rest(reading, "mms", *_FIELDS)
    metadata |= {"subject": subject} if subject else {}
    metadata |= {"layout": "\n".join(body.layouts)} if body.layouts else {}
    if not is_outgoing and not sender:
        sender = thread.addresses[0] if not thread.is_group else ""
    return Message(
        conversation=thread.key,
        source_id=identity("mms", time, "" if is_outgoing else sender, is_outgoing, *body.contents),
        sender=sender,
        sender_name="" if is_outgoing or thread.is_group else thread.name,
        recipient=thread.addresses[0] if is_outgoing and not thread.is_group else "",
        # A picture with a subject is shown with the subject as its text.
        text=text or subject,
        time_microseconds=time,
        is_outgoing=is_outgoing,
        is_read=is_read,
        status={_OUTBOX: MessageStatus.PENDING, _FAILED: MessageStatus.FAILED}.get(box),
        kind="service" if is_notification else "",
        metadata=metadata,
        attachments=tuple(body.attachments),
        place=fields.place,
    )


def _children(reading: Reading, element: XmlElement, place: str) -> tuple[_Body, list[tuple[str, int]]]:
    body = _Body()
    people: list[tuple[str, int]] = []
    for child in element:
        if child.tag == "parts":
            for number, part in enumerate(child, 1):
                _add_part(reading, body, part, f"{place}, part {number}")
        elif child.tag == "addrs":
            for one in child:
                if one.tag != "addr":
                    reading.unknown(f"element {one.tag} of addrs", place)
                    continue
                fields = _fields(one, place)
                found = address(fields.text("address"))
                people.append(("" if found == _NO_ADDRESS else found, fields.number("type")))
                fields.rest(reading, "addr", "charset", "_id", "contact_id", "msg_id")
        else:
            reading.unknown(f"element {child.tag} of mms", place)
    return body, people


def _others(fields: Element, people: list[tuple[str, int]], is_outgoing: bool) -> str:
    """Returns the addresses of the conversation, joined by "~"."""
    named = fields.text("address")
    if named:
        return named
    roles = _RECIPIENTS if is_outgoing else (_FROM,)
    return "~".join(one for one, role in people if role in roles)


def _add_part(reading: Reading, body: _Body, part: XmlElement, place: str) -> None:
    if part.tag != "part":
        reading.unknown(f"element {part.tag} of parts", place)
        return
    # Take the data out of the part, so that it stays in memory only if it becomes an attachment.
    data = part.attrib.pop("data", "null")
    fields = _fields(part, place)
    mime_type, text = fields.text("ct").lower(), fields.text("text")
    fields.ignore(*_LINKS)
    names = [name for name in (fields.text("fn"), fields.text("cl"), fields.text("name")) if name]
    rest = fields.rest(reading, "part", "cd")
    has_data = data not in ("null", "")
    body.contents += [mime_type, text, data if has_data else ""]
    if mime_type == "application/smil":
        body.layouts += [text] if text else []
    elif mime_type == "text/plain" and not has_data:
        body.texts += [text] if text else []
    else:
        content = _decoded(reading, data, place) if has_data else _encoded(text, place)
        name = names[0] if names else ""
        body.attachments.append(Attachment(content=content, name=name, mime_type=mime_type, metadata=rest))


def _fields(element: XmlElement, place: str) -> Element:
    return Element({name: value for name, value in element.attrib.items() if value != "null"}, place)


def _subject(fields: Element) -> str:
    """Returns the subject. The phone's database has each byte of its charset as one character."""
    text = fields.text("sub")
    if text and fields.number("sub_cs") == _UTF8_OF_MMS:
        try:
            return text.encode("latin-1").decode("utf-8")
        except UnicodeError:
            pass
    return text


def _encoded(text: str, place: str) -> Content | None:
    """Returns the content of a part that is a text, such as a contact."""
    data = text.encode("utf-8", "replace")
    return Content(place=place, open=lambda: io.BytesIO(data), byte_count=len(data)) if text else None


def _decoded(reading: Reading, data: str, place: str) -> Content | None:
    compact = "".join(data.split()) if any(one in data for one in " \n\r\t") else data
    padding = compact[-2:].count("=")
    # Some programs leave the padding out.
    if not _BASE64.fullmatch(compact) or (len(compact) - padding) % 4 == 1:
        reading.skipped("content of an MMS that is not base64", place)
        return None

    def opened() -> IO[bytes]:
        return io.BufferedReader(_Decoding(compact), _READ_CHARACTERS)

    return Content(place=place, open=opened, byte_count=(len(compact) - padding) * 3 // 4)


class _Decoding(io.RawIOBase):
    """The bytes of a text in base64, decoded piece by piece."""

    def __init__(self, text: str) -> None:
        self._text, self._at, self._rest = text, 0, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        if not self._rest and self._at < len(self._text):
            piece = self._text[self._at : self._at + _READ_CHARACTERS].rstrip("=")
            self._at += _READ_CHARACTERS
            self._rest = base64.b64decode(piece + "=" * (-len(piece) % 4))
        data, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)
