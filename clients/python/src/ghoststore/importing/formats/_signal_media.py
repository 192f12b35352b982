"""Attachments, stickers and mentions of signal-cli's messages."""

from __future__ import annotations

import os
import re

from ..elements import Element
from ..errors import SourceError
from ..reading import Reading
from ..records import Attachment, Content
from ..source import Document, Source

# The characters that signal-cli replaces when it makes the name of a file from an id.
_NOT_IN_NAMES = re.compile("[^A-Za-z0-9_.-]")
_PLACEHOLDER = "\N{OBJECT REPLACEMENT CHARACTER}"


class Media:
    """Finds files in the data folder of signal-cli: the document's folder, or the folder that the option names."""

    def __init__(self, reading: Reading, document: Document) -> None:
        self._reading, self._document = reading, document
        self._folder: Source | None = None
        path = reading.options.get("attachments")
        if path is not None:
            self._folder = Source(os.path.expanduser(path))
            if not self._folder.is_folder:
                raise SourceError(self._folder.name, "is not a folder; hint: --option attachments=FOLDER")

    def attachment(self, element: Element) -> Attachment:
        """Returns an attachment, with None as its content if the file is not there."""
        id = element.any("id")
        name = "" if id is None else _NOT_IN_NAMES.sub("_", _word(id, element.place))
        return Attachment(
            content=self._content("attachments", name, element.place),
            name=element.text("filename") or name,
            mime_type=element.text("contentType"),
            metadata=element.rest(
                self._reading, "attachment", "size", "width", "height", "caption", "uploadTimestamp", "isVoiceNote",
                "isGif", "isBorderless", "blurHash", "thumbnail",
            ),
        )

    def sticker(self, element: Element) -> Attachment:
        """Returns the picture of a sticker."""
        pack = _NOT_IN_NAMES.sub("_", element.text("packId"))
        number = element.number("stickerId")
        content = self._content(f"stickers/{pack}", str(number), element.place) if pack and number >= 0 else None
        return Attachment(content=content, name=f"sticker-{number}.webp", mime_type="image/webp")

    def _content(self, folder: str, name: str, place: str) -> Content | None:
        if not name:
            return None
        if self._folder is not None:
            return self._folder.content(name, place=place) if folder == "attachments" else None
        found = self._reading.source.content(f"{folder}/{name}", beside=self._document, place=place)
        if found is None and folder == "attachments":
            found = self._reading.source.content(name, beside=self._document, place=place)
        return found


def plain_text(text: str, mentions: list[Element]) -> str:
    """Returns a text in which each mention's placeholder is a name.

    The positions of mentions count units of UTF-16. A mention that does not name a placeholder is left alone.
    """
    if not mentions or _PLACEHOLDER not in text:
        return text
    units = text.encode("utf-16-le", "surrogatepass")
    mark = _PLACEHOLDER.encode("utf-16-le")
    pieces: list[bytes] = []
    end = 0
    for mention in sorted(mentions, key=lambda mention: mention.number("start")):
        start = mention.number("start") * 2
        if start < end or units[start : start + 2] != mark:
            continue
        pieces += [units[end:start], f"@{_mentioned(mention)}".encode("utf-16-le", "surrogatepass")]
        end = start + 2
    return b"".join([*pieces, units[end:]]).decode("utf-16-le", "surrogatepass")


def _mentioned(mention: Element) -> str:
    return mention.text("name") or mention.text("number") or mention.text("uuid")


def _word(value: object, place: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 64:
        return str(value)
    raise SourceError(place, "id is neither a text nor a number")
