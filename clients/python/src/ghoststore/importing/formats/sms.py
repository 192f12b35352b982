"""SMS Backup & Restore: the XML files sms-….xml and calls-….xml, one, or a folder or zip with several.

Read for this module, without copying:

- https://synctech.com.au/sms-backup-restore/fields-in-xml-backup-files/: the fields and their numbers.
- https://github.com/devadvance/sms-backup-reader-2: packages/lib/src/parser.ts, and
  packages/lib/test-assets/sms_and_mms.xml with files of 2017 and 2024, groups and RCS.
- https://github.com/raleighlittles/SMS-backup-and-restore-extractor: README.md, about calls.
- https://wilgysef.com/smstoxml/: emoji that are written as two halves.

The app writes "null" where the phone's database has nothing. Messages have no id that another phone would keep, so a
digest of time, people and contents is their id. The same message in two backups has the same id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element as XmlElement

from ...model import MessageStatus
from ..elements import Element
from ..errors import SourceError
from ..reading import Format, Reading
from ..records import Message, Record
from ..source import Document, Source
from ..times import from_milliseconds
from ..xml_stream import xml_elements
from ._sms_mms import mms
from ._sms_people import Threads, identity, time_of

_DRAFT = 3
_STATUS = {2: None, 4: MessageStatus.PENDING, 5: MessageStatus.FAILED, 6: MessageStatus.PENDING}
_REPORTS = {0: MessageStatus.DELIVERED, 32: MessageStatus.PENDING, 64: MessageStatus.FAILED}
_SMS_FIELDS = (
    "protocol", "subject", "toa", "sc_toa", "service_center", "locked", "date_sent", "sub_id", "seen",
    "error_code", "reply_path_present", "creator", "thread_id", "person", "_id", "sim_id", "sim_slot",
)  # fmt: skip
_CALLS = {1: "incoming", 2: "outgoing", 3: "missed", 4: "voicemail", 5: "rejected", 6: "blocked", 7: "elsewhere"}
_CALL_FIELDS = ("presentation", "subscription_id", "post_dial_digits", "subscription_component_name", "features")
_ROOTS = re.compile(rb"<(smses|calls)[\s/>]")


def _read(reading: Reading) -> Iterator[Record]:
    threads = Threads()
    count = 0
    for document in reading.source.documents("*.xml"):
        if not reading.source.is_file and not _ROOTS.search(document.head(4096)):
            reading.skipped("XML file that is not a backup of SMS Backup & Restore", document.name)
            continue
        count += 1
        yield from _document(reading, document, threads)
    if not count:
        raise SourceError(reading.source.name, "has no XML file of SMS Backup & Restore; hint: sms-….xml")


def _document(reading: Reading, document: Document, threads: Threads) -> Iterator[Record]:
    with document.open() as stream:
        elements = xml_elements(stream, document.name)
        place, root = next(elements)
        if root.tag not in ("smses", "calls"):
            raise SourceError(place, "not a backup of SMS Backup & Restore: the root is neither smses nor calls")
        for place, element in elements:
            yield from _element(reading, element, threads, place)


def _element(reading: Reading, element: XmlElement, threads: Threads, place: str) -> Iterator[Record]:
    fields = Element({name: value for name, value in element.attrib.items() if value != "null"}, place)
    if (element.text or "").strip():
        reading.unknown(f"text in element {element.tag}", place)
    if element.tag == "sms":
        for child in element:
            reading.unknown(f"element {child.tag} of sms", place)
        yield from _sms(reading, fields, threads, has_null_body=element.get("body") == "null")
    elif element.tag == "mms":
        yield from mms(reading, element, fields, threads)
    elif element.tag == "call":
        yield from _call(reading, fields, threads)
    else:
        reading.unknown(f"element {element.tag}", place)


def _sms(reading: Reading, fields: Element, threads: Threads, *, has_null_body: bool) -> Iterator[Record]:
    place, box = fields.place, fields.number("type", 1)
    if box == _DRAFT:
        reading.skipped("draft", place)
        return
    if box != 1 and box not in _STATUS:
        reading.unknown(f"type {box} of sms", place)
    thread = threads.thread(fields.text("address"), fields.text("contact_name"))
    yield from threads.records(thread)
    time = from_milliseconds(time_of(fields), place)
    is_outgoing = box in _STATUS
    text = fields.text("body")
    state = fields.number("status", -1)
    if state not in (-1, *_REPORTS):
        reading.unknown(f"status {state} of sms", place)
    report = _REPORTS.get(state) if box == 2 else None
    is_read = fields.number("read", 1) != 0
    sender = "" if is_outgoing else thread.addresses[0]
    fields.ignore("readable_date")
    metadata = fields.rest(reading, "sms", *_SMS_FIELDS)
    metadata |= {"body": "null"} if has_null_body else {}
    yield Message(
        conversation=thread.key,
        source_id=identity("sms", time, sender, is_outgoing, text),
        sender=sender,
        sender_name="" if is_outgoing or thread.is_group else thread.name,
        recipient=thread.addresses[0] if is_outgoing and not thread.is_group else "",
        text=text,
        time_microseconds=time,
        is_outgoing=is_outgoing,
        is_read=is_read,
        status=report or _STATUS.get(box),
        metadata=metadata,
        place=place,
    )


def _call(reading: Reading, fields: Element, threads: Threads) -> Iterator[Record]:
    place, kind = fields.place, fields.number("type")
    if kind not in _CALLS:
        reading.unknown(f"type {kind} of call", place)
    thread = threads.thread(fields.text("number"), fields.text("contact_name"))
    yield from threads.records(thread)
    time = from_milliseconds(time_of(fields), place)
    duration = fields.number("duration")
    is_outgoing = kind == 2
    fields.ignore("readable_date")
    metadata = fields.rest(reading, "call", *_CALL_FIELDS)
    metadata |= {"call": _CALLS.get(kind, str(kind)), "duration_seconds": duration}
    yield Message(
        conversation=thread.key,
        source_id=identity("call", time, thread.key, is_outgoing, f"{kind} {duration}"),
        sender="" if is_outgoing else thread.addresses[0],
        sender_name="" if is_outgoing else thread.name,
        recipient=thread.addresses[0] if is_outgoing else "",
        time_microseconds=time,
        is_outgoing=is_outgoing,
        kind="call",
        metadata=metadata,
        place=place,
    )


def _is_backup(source: Source) -> bool:
    document = next(iter(source.documents("*.xml")), None)
    return document is not None and _ROOTS.search(document.head(4096)) is not None


FORMAT = Format(name="sms", title="SMS Backup & Restore, XML files of messages or calls", read=_read, detect=_is_backup)
