"""The content of a Matrix event as text, kind and attachment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..elements import Element
from ..reading import Reading
from ..records import Attachment
from ._matrix_files import Files

_MEDIA = ("m.image", "m.video", "m.audio", "m.file")
_KINDS = {
    "m.notice": "notice",
    "m.server_notice": "notice",
    "m.emote": "emote",
    "m.location": "location",
    "m.key.verification.request": "service",
    "m.bad.encrypted": "encrypted",
}
_MESSAGE_TYPES = ("m.text", *_MEDIA, *_KINDS)
# The stable and the unstable names of members of an event.
_POLL_STARTS = ("m.poll", "org.matrix.msc3381.poll.start")
_TEXTS = ("m.text", "org.matrix.msc1767.text", "org.matrix.msc1767.message", "m.message")
_VOICES = ("org.matrix.msc3245.voice", "org.matrix.msc3245.voice.v2", "m.voice")
_KNOWN = (
    "msgtype", "format", "formatted_body", "m.mentions", "m.relates_to", "info", "geo_uri", "m.location", "m.asset",
    "m.ts", "external_url", "filename", "org.matrix.msc1767.audio", "org.matrix.msc1767.file", "m.audio", "m.file",
    "org.matrix.msc3488.location", "org.matrix.msc3488.asset", "org.matrix.msc3488.ts", "server_notice_type",
    "admin_contact", "limit_type", "from_device", "methods", "to", "body", "com.beeper.linkpreviews",
    *_POLL_STARTS, *_TEXTS, *_VOICES,
)


@dataclass(frozen=True, slots=True)
class Shown:
    """The text, kind and attachment that a content shows to readers."""

    text: str
    kind: str
    metadata: dict[str, Any]
    attachment: Attachment | None = None


def shown(
    reading: Reading, type: str, content: Element, files: Files, time: int, *, is_reply: bool = False
) -> Shown:
    """Returns what the content of a message, a sticker or a poll shows."""
    message_type = content.text("msgtype") if type == "m.room.message" else type
    question = _question(content)
    if question is not None:
        return Shown(question, "poll", _rest(reading, content))
    if message_type in _MEDIA or type == "m.sticker":
        return _media(reading, content, files, message_type, time, is_reply)
    text = _body(content, is_reply)
    if message_type not in _MESSAGE_TYPES:
        reading.unknown(f"message of type {message_type}", content.place)
    kind = _KINDS.get(message_type, "")
    # The text of an event that was not decrypted is left out: the exporting program wrote it, in its own language.
    return Shown("" if kind == "encrypted" else text, kind, _rest(reading, content))


def relation(content: Element) -> Element:
    """Returns how an event relates to others."""
    found = content.members.get("m.relates_to")
    return Element({} if found is None else found, f"{content.place}.m.relates_to")


def reply_of(related: Element) -> str | None:
    """Returns the id of the event that an event answers. An event of a thread that is no reply answers the root."""
    answered = related.element("m.in_reply_to")
    if answered is not None and not related.flag("is_falling_back"):
        return answered.text("event_id") or None
    if related.text("rel_type") in ("m.thread", "io.element.thread", "m.reference"):
        return related.text("event_id") or None
    return None


def _media(
    reading: Reading, content: Element, files: Files, kind: str, time: int, is_reply: bool
) -> Shown:
    body = content.text("body")
    name = content.text("filename") or body
    encrypted = content.element("file")
    url = content.text("url") or ("" if encrypted is None else encrypted.text("url"))
    info = Element(content.members.get("info") or {}, f"{content.place}.info")
    size = info.members.get("size")
    attachment = Attachment(
        content=files.find(
            kind,
            body,
            url=url,
            is_encrypted=encrypted is not None,
            time=time,
            size=size if isinstance(size, int) else None,
            place=content.place,
        ),
        name=name,
        mime_type=info.text("mimetype"),
        source=url,
        metadata={**info.members, **({} if encrypted is None else {"file": encrypted.members})},
    )
    # A text beside the name of the file is a caption. The text of a sticker describes it.
    text = _body(content, is_reply) if kind == "m.sticker" or name != body else ""
    content.ignore("info")
    word = "sticker" if kind == "m.sticker" else "voice" if any(one in content.members for one in _VOICES) else ""
    return Shown(text, word, _rest(reading, content), attachment)


def _rest(reading: Reading, content: Element) -> dict[str, Any]:
    return content.rest(reading, "content of a message", *_KNOWN)


def _body(content: Element, is_reply: bool) -> str:
    body = content.text("body")
    if not is_reply or not body.startswith("> "):
        return body
    # Clients from before 2024 quote the answered message in the text.
    lines = body.split("\n")
    count = next((index for index, line in enumerate(lines) if not line.startswith("> ")), len(lines))
    quoted_until = count + 1 if count < len(lines) and not lines[count] else count
    return "\n".join(lines[quoted_until:])


def _question(content: Element) -> str | None:
    for name in _POLL_STARTS:
        poll = content.members.get(name)
        if isinstance(poll, dict):
            return _text(poll.get("question"))
    return None


def _text(value: Any) -> str:
    """Returns the plain text of an extensible event: a text, or the first of several forms."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return next((found for one in value if (found := _text(one))), "")
    if isinstance(value, dict):
        return next((found for name in ("body", *_TEXTS) if (found := _text(value.get(name)))), "")
    return ""
