"""The records of one mail: people, the conversation, and the message, reaction or receipt."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..reading import Reading
from ..records import Attachment, Content, Conversation, Member, Message, Person, ReactionEvent, Receipt, Record
from ._mail_file import Extents
from ._mail_flags import FIELDS, header_flags
from ._mail_headers import Headers, addresses, decoded_words, envelope_time, time_of
from ._mail_parts import Mail, Part
from ._mail_text import html_text, unflowed

_SAID_MAX = 4096
_TITLE_NAMES = 4
_GOOGLE_REACTION = "text/vnd.google.email-reaction+json"
_ENCODINGS = frozenset(("", "7bit", "8bit", "binary", "base64", "quoted-printable", "x-uuencode", "uuencode", "x-uue"))
_NAMES = {
    "message/rfc822": "message.eml",
    "text/html": "message.html",
    "text/plain": "message.txt",
    "text/calendar": "event.ics",
}
# The subject of the first mail of an mbox in which c-client and other programs store data of their own.
_INTERNAL = re.compile(r"DON'T DELETE THIS MESSAGE|FOLDER INTERNAL DATA")


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """Data about a mail outside of its text: the From_ line, the folder, and Maildir's flags and time."""

    line: bytes = b""
    folder: str = ""
    flags: frozenset[str] = frozenset()
    has_flags: bool = False
    time_microseconds: int | None = None


class MailFormat:
    """Makes records of mails. It remembers only the last people and conversations that it yielded."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        # Only addresses count. Each sender can choose the name that a mail shows.
        self._self = {one.strip().lower(): one for one in reading.self_ids}
        self._said: dict[str, Record] = {}

    def records(self, mail: Mail, envelope: Envelope, extents: Extents, place: str) -> Iterator[Record]:
        """Yields the records of a mail."""
        headers = mail.headers
        self._count_losses(mail, place)
        flags, has_flags, labels = header_flags(headers)
        flags |= envelope.flags
        for flag, what in (("draft", "draft"), ("deleted", "mail in the bin")):
            if flag in flags:
                self.reading.skipped(what, place)
                return
        if headers.raw("x-imap") and _INTERNAL.search(headers.raw("subject")):
            self.reading.skipped("internal data of a mail program", place)
            return
        people = headers.addresses("from")[:1] or headers.addresses("sender", "return-path")[:1] or _sender_of(envelope)
        name, sender = people[0] if people else ("", "")
        people += headers.addresses("to", "cc") or headers.addresses("bcc")
        # A mailbox need not have a mail that its owner wrote, but `--self` is necessary, and can be wrong.
        for _, address in people + headers.addresses("delivered-to", "x-original-to", "envelope-to"):
            self.reading.is_self(self._self.get(address, ""))
        conversation = self._conversation(headers, people)
        for address, person in {one: found for found, one in reversed(people)}.items():
            if person and person.lower() != address and address not in self._self:
                yield from self._once(address, Person(id=address, name=person))
        yield from self._once(f"conversation {conversation.key}", conversation)
        time = self._time(headers, envelope, place)
        answered = headers.message_ids("in-reply-to") or headers.message_ids("references")[-1:]
        if answered and (emoji := _reaction(mail)):
            yield ReactionEvent(conversation="", source_id=answered[0], time_microseconds=time, place=place,
                                author=sender, emoji=emoji)
            return
        yield self._message(mail, extents, place, conversation.key, time, name, sender, answered,
                            metadata=_metadata(headers, flags, labels, envelope.folder),
                            is_read="read" in flags or not (has_flags or envelope.has_flags))
        yield from _receipts(mail, time, place)

    def _message(
        self, mail: Mail, extents: Extents, place: str, key: str, time: int, name: str, sender: str,
        answered: list[str], metadata: dict[str, Any], is_read: bool,
    ) -> Message:
        headers = mail.headers
        text, attachments = self._contents(mail, extents, place)
        subject = headers.text("subject")
        if subject and (not text or not answered):
            text = f"{subject}\n\n{text}".rstrip()
        recipients = headers.addresses("to")
        ids = headers.message_ids("message-id")
        return Message(
            conversation=key,
            time_microseconds=time,
            source_id=ids[0] if ids else None,
            sender=sender,
            sender_name=name,
            text=text,
            is_outgoing=self.reading.is_self(self._self.get(sender, "")),
            is_read=is_read,
            recipient=recipients[0][1] if len(recipients) == 1 else "",
            reply_to=answered[0] if answered and answered[0] not in ids else None,
            kind=_kind(headers),
            metadata=metadata,
            attachments=tuple(attachments),
            place=place,
        )

    def _conversation(self, headers: Headers, people: list[tuple[str, str]]) -> Conversation:
        """Returns the conversation: a mailing list, or all people except the user."""
        list_name, list_id = _mailing_list(headers)
        if list_id:
            return Conversation(key=list_id, title=list_name or list_id, kind="list")
        others = {address: "" for _, address in people if address not in self._self}
        if not others:
            others = {address: "" for _, address in people[:1]}
        for name, address in people:
            if address in others and not others[address]:
                others[address] = name
        members = tuple(Member(id=address, name=name) for address, name in sorted(others.items()))
        if len(others) < 2:
            key, name = next(iter(others.items()), ("unknown sender", ""))
            return Conversation(key=key, title=name, kind="direct", members=members)
        shown = [name or address for address, name in others.items()]
        more = f" + {len(shown) - _TITLE_NAMES}" if len(shown) > _TITLE_NAMES else ""
        title = ", ".join(shown[:_TITLE_NAMES]) + more
        return Conversation(key="group:" + " ".join(sorted(others)), title=title, kind="group", members=members)

    def _contents(self, mail: Mail, extents: Extents, place: str) -> tuple[str, list[Attachment]]:
        texts: list[str] = []
        attachments: list[Attachment] = []
        read = {id(part): self._text(part, extents, place) for part in mail.parts if part.is_text}
        with_plain = {part.alternative for part in mail.parts
                      if part.alternative and part.type == "text/plain" and read.get(id(part), "").strip()}
        for number, part in enumerate(mail.parts, 1):
            text = read.get(id(part))
            if text is not None and part.type == "text/plain":
                texts.append(text.strip("\n"))
            elif text is not None and part.alternative in with_plain:
                if self.reading.options.get("html") == "yes":
                    attachments.append(self._attachment(part, extents, f"{place}, part {number}"))
                else:
                    self.reading.skipped("HTML form of a text that also has a plain form", place)
            else:
                if text is not None:
                    texts.append(html_text(text))
                if part.end > part.start or part.name:
                    attachments.append(self._attachment(part, extents, f"{place}, part {number}"))
        return "\n\n".join(text for text in texts if text.strip()), attachments

    def _text(self, part: Part, extents: Extents, place: str) -> str:
        text, is_whole = part.text(is_quoted=extents.is_quoted)
        if not is_whole:
            self.reading.unknown("bytes that are not in the charset of a text", place)
        if part.type == "text/plain" and part.parameters.get("format", "").lower() == "flowed":
            return unflowed(text, deletes_space=part.parameters.get("delsp", "").lower() == "yes")
        return text

    def _attachment(self, part: Part, extents: Extents, place: str) -> Attachment:
        headers = part.headers
        if part.encoding not in _ENCODINGS:
            self.reading.unknown("transfer encoding of a part", place)
        metadata = {
            "content_id": headers.raw("content-id").strip("<>"),
            "disposition": headers.disposition()[0],
            "description": headers.text("content-description"),
            "location": headers.raw("content-location"),
        }
        # Thunderbird can remove a file from a mail, and leaves a note.
        is_removed = headers.raw("x-mozilla-altered") or part.type == "message/external-body"
        opening = partial(extents.open, part.start, part.end, part.encoding)
        return Attachment(
            content=None if is_removed else Content(place=place, open=opening),
            name=part.name.removeprefix("Deleted: ") or _NAMES.get(part.type, ""),
            mime_type="" if part.type == "text/x-moz-deleted" else part.type,
            source=headers.raw("x-mozilla-external-attachment-url") or part.parameters.get("url", ""),
            metadata={name: value for name, value in metadata.items() if value},
        )

    def _time(self, headers: Headers, envelope: Envelope, place: str) -> int:
        zone = self.reading.zone
        time = time_of(headers.raw("date"), zone)
        if time is None:
            time = time_of(headers.raw("received").rpartition(";")[2], zone)
        if time is None:
            time = envelope_time(envelope.line, zone)
        if time is None:
            time = envelope.time_microseconds
        if time is None:
            self.reading.unknown("time of a mail", place)
        return time or 0

    def _once(self, key: str, record: Record) -> Iterator[Record]:
        if self._said.get(key) != record:
            if len(self._said) >= _SAID_MAX:
                self._said.clear()
            self._said[key] = record
            yield record

    def _count_losses(self, mail: Mail, place: str) -> None:
        for _ in range(mail.odd_lines):
            self.reading.skipped("line of a header that is no field", place)
        if mail.is_cut:
            self.reading.skipped("end of a header or mail that is too large", place)
        if mail.has_epilogue:
            self.reading.skipped("text after the last part of a mail", place)


def _mailing_list(headers: Headers) -> tuple[str, str]:
    """Returns the name and the key of the mailing list.
    || The key is the address of the list, so that mails of the user to this address get into the same conversation.
    """
    value = headers.raw("list-id")
    if not value:
        return "", ""
    name, _, rest = value.rpartition("<")
    post = re.search(r"<mailto:([^<>?\s]{1,320})", headers.raw("list-post"))
    identity = rest.rstrip("> ").strip().lower()
    key = post[1].lower() if post else f"list:{identity}" if identity else ""
    return decoded_words(name.strip().strip('"')), key


def _sender_of(envelope: Envelope) -> list[tuple[str, str]]:
    words = envelope.line.split(b" ", 2)
    found = list(addresses(words[1].decode("utf-8", "replace"))) if len(words) > 2 else []
    return found if found and found[0][1] not in ("-", "mailer-daemon") else []


def _metadata(headers: Headers, flags: frozenset[str], labels: list[str], folder: str) -> dict[str, Any]:
    """Returns the subject, flags, labels, the folder, and all fields of the header."""
    fields: dict[str, Any] = {}
    for name, value in headers.fields:
        key, text = name.lower(), decoded_words(value)
        if key in FIELDS or not text:
            continue
        earlier = fields.get(key)
        if earlier is None:
            fields[key] = text
        elif isinstance(earlier, list):
            earlier.append(text)
        else:
            fields[key] = [earlier, text]
    metadata = {
        "subject": headers.text("subject"),
        "flags": sorted(flags - {"read"}),
        "labels": labels,
        "folder": folder,
        "headers": fields,
    }
    return {name: value for name, value in metadata.items() if value}


def _kind(headers: Headers) -> str:
    kind, parameters = headers.content_type()
    if kind == "multipart/report":
        return "report"
    is_smime = kind in ("application/pkcs7-mime", "application/x-pkcs7-mime")
    if kind == "multipart/encrypted" or is_smime and parameters.get("smime-type", "").lower() != "signed-data":
        return "encrypted"
    return ""


def _reaction(mail: Mail) -> str:
    """Returns the emoji if the mail is only a reaction."""
    for part in mail.parts:
        disposition = part.headers.disposition()[0]
        if part.data is None or disposition == "attachment":
            continue
        if disposition != "reaction" and part.type != _GOOGLE_REACTION:
            continue
        text = part.text(is_quoted=False)[0].strip()
        if part.type == _GOOGLE_REACTION:
            try:
                value = json.loads(text)
            except (ValueError, RecursionError):
                continue
            text = str(value.get("emoji")) if isinstance(value, dict) else ""
        # RFC 9078: a part that is no emoji is an ordinary text.
        if 0 < len(text) <= 32 and not text.isascii() and " " not in text:
            return text
    return ""


def _receipts(mail: Mail, time: int, place: str) -> Iterator[Receipt]:
    """Yields the receipts of a report that a mail of the user was shown (RFC 8098)."""
    for part in mail.parts:
        if part.type != "message/disposition-notification" or part.data is None:
            continue
        fields = Headers()
        fields.add(b"".join(part.data))
        fields.finish()
        original = fields.message_ids("original-message-id")
        if original and "displayed" in fields.raw("disposition").lower():
            yield Receipt(conversation="", source_id=original[0], time_microseconds=time, place=place,
                          is_delivered=True, is_read=True)
