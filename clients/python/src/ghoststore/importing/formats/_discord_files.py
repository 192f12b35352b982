"""Attachments, stickers and pictures of DiscordChatExporter's JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..elements import Element
from ..reading import Reading
from ..records import Attachment
from ..source import Document

_STICKER_TYPES = {"png": "image/png", "apng": "image/apng", "lottie": "application/json", "gif": "image/gif"}
# Links to Discord's files have a signature, which expires after a day and differs between two exports.
_SIGNATURE = re.compile(r"(?<=[?&])(?:ex|is|hm)=[0-9a-fA-F]*&?")
_SIGNED_HOSTS = ("https://cdn.discordapp.com/", "https://media.discordapp.net/")
_LISTS = ("attachments", "stickers", "embeds")
_EMBED_FILES = ("image", "video", "thumbnail")


def files(reading: Reading, document: Document, message: Element) -> tuple[Attachment, ...]:
    """Returns the attachments of a message or of a forwarded message: files, stickers, and pictures of embeds."""
    if not any(message.members.get(name) for name in _LISTS):
        message.ignore(*_LISTS)
        return ()
    found = [_attachment(reading, document, one) for one in message.elements("attachments")]
    found += [_sticker(reading, document, one) for one in message.elements("stickers")]
    paths: set[str] = set()
    for embed in message.elements("embeds"):
        found += _embedded(reading, document, embed, paths)
    return tuple(found)


def _attachment(reading: Reading, document: Document, element: Element) -> Attachment:
    url = element.text("url")
    name = element.text("fileName") or url
    rest = element.rest(reading, "an attachment", "id", "fileSizeBytes", "description", "width", "height")
    return _file(reading, document, url, name, "", rest, element.place)


def _sticker(reading: Reading, document: Document, element: Element) -> Attachment:
    url = element.text("sourceUrl")
    name = element.text("name")
    word = element.text("format").lower()
    metadata = element.rest(reading, "a sticker", "id") | {"format": word, "is_sticker": True}
    return _file(reading, document, url, name, _STICKER_TYPES.get(word, ""), metadata, element.place)


def _embedded(reading: Reading, document: Document, embed: Element, paths: set[str]) -> Iterator[Attachment]:
    """Yields the pictures and videos of an embed that are in the export. Others stay links in the metadata."""
    places = [embed.element(name) for name in _EMBED_FILES] + list(embed.elements("images"))
    for one in places:
        if one is None:
            continue
        path = one.text("url")
        if path not in paths and is_inside(path):
            paths.add(path)
            metadata: dict[str, Any] = {"is_embedded": True}
            yield _file(reading, document, path, path, "", metadata, one.place, one.text("canonicalUrl"))


def _file(
    reading: Reading,
    document: Document,
    url: str,
    name: str,
    mime_type: str,
    metadata: dict[str, Any],
    place: str,
    source: str = "",
) -> Attachment:
    """Returns an attachment.
    || The exporter writes a link if its option --media was not used, and an absolute path if --media-dir was a folder
    outside of the export. The attachment has no content then.
    """
    if not is_inside(url):
        shown = name.partition("?")[0] if name == url else name
        return Attachment(content=None, name=shown, mime_type=mime_type, source=unsigned(url), metadata=metadata)
    content = reading.source.content(url, beside=document, place=place)
    return Attachment(content=content, name=name, mime_type=mime_type, source=source, metadata=metadata)


def unsigned(value: Any) -> Any:
    """Returns a JSON value in which no link has a signature, so that it is the same in the next export."""
    if isinstance(value, str):
        return _SIGNATURE.sub("", value).rstrip("?&") if value.startswith(_SIGNED_HOSTS) else value
    if isinstance(value, list):
        return [unsigned(one) for one in value]
    return {name: unsigned(one) for name, one in value.items()} if isinstance(value, dict) else value


def is_inside(url: str) -> bool:
    """Returns true for a path relative to the export, and false for a link, an absolute path and an empty path."""
    is_link = url[:8].lower().startswith(("http://", "https://"))
    is_absolute = url.startswith(("/", "\\")) or url[1:2] == ":"
    return bool(url) and not is_link and not is_absolute
