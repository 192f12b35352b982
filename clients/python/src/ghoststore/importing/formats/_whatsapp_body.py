"""The text of an exported message: words of people, and the words of WhatsApp for files, calls and deletions."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Any

from ..reading import Reading
from ..records import Attachment, Content
from ..source import Document
from ._whatsapp_words import (
    ATTACHED,
    CALLS,
    DELETED,
    DOCUMENT_ENDS,
    EDITED,
    FILE_ATTACHED,
    LEFT_TO_RIGHT_MARK,
    MARKS,
    OMITTED,
    OMITTED_DOCUMENT,
    SPACES,
    YOU_DELETED,
    plain,
    without_marks,
)

_MARK = f"[{MARKS}]{{0,6}}"
# The marks and spaces around a caption, for `strip`, which knows no ranges.
_AROUND = SPACES + "\n\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
_NAME = r"[^\n<>]{1,250}?"
_FILE = rf"{_NAME}\.\w{{1,12}}"
# "caption <attached: 00000001-PHOTO.jpg>" of iOS.
_IOS_FILE = re.compile(rf"(?P<mark>{_MARK})<{_MARK}(?P<word>[^<>:\n]{{1,40}}): ?(?P<file>[^<>\n]{{1,300}})>{_MARK}\Z")
# The largest number of characters at the end of a text that are searched for a file or for the mark of an edit.
_END_MAX = 400
# "2018-03-05-PHOTO-00000003.jpg <attached>" of old versions.
_OLD_FILE = re.compile(rf"{_MARK}(?P<file>{_FILE}) {_MARK}<(?P<mark>{_MARK})(?P<word>[^<>:\n]{{1,40}})>{_MARK}\Z")
# "IMG-20220323-WA0002.jpg (file attached)" of Android. The caption is on the next lines.
_ANDROID_FILE = re.compile(rf"(?P<mark>{_MARK})(?P<file>{_FILE}) \((?P<word>[^()\n]{{2,60}})\)[{MARKS}{SPACES}]{{0,6}}")
_DESCRIPTION = re.compile(r"(?P<name>[^\n]{1,250}?) • (?P<about>[^\n•]{1,60})")
_BRACKETED = re.compile(rf"{_MARK}<{_MARK}([^<>:\n]{{2,80}})>{_MARK}")
_EDIT_MARK = re.compile(rf"[{SPACES}\n]{{0,3}}({_MARK})<{_MARK}([^<>:\n]{{3,80}})>{_MARK}\Z")
_MAP = re.compile(r"[^\n:]{1,60}: https://maps\.google\.com/\?q=(-?\d{1,3}(?:\.\d{1,20})?),(-?\d{1,3}(?:\.\d{1,20})?)")
_PLACE = re.compile(r"(?s:(.{1,400}?)):?\s(https://foursquare\.com/v/\w{1,40})")
_POLL_OPTION = re.compile(r"[^\s:]{1,30} ?: (.{1,200}) \((\d{1,7})[^()]{0,40}\)")
_MEDIA = {"PHOTO": "image", "IMG": "image", "VIDEO": "video", "VID": "video", "GIF": "gif", "AUDIO": "audio",
          "PTT": "voice", "AUD": "audio", "STICKER": "sticker", "STK": "sticker", "DOC": "document"}  # fmt: skip
_MEDIA_BY_EXTENSION = {"opus": "voice", "vcf": "contact"}
_MEDIA_WORD = re.compile(r"(?:^|[-_\d])([A-Z]{3,7})-\d")
# Media types that Python's table does not have, or has in another form.
_TYPES = {"opus": "audio/ogg", "webp": "image/webp", "m4a": "audio/mp4", "vcf": "text/vcard", "heic": "image/heic",
          "was": "application/was", "aac": "audio/aac", "amr": "audio/amr", "3gp": "video/3gpp"}  # fmt: skip
_KINDS = {"sticker": "sticker", "voice": "voice", "contact": "contact"}


@dataclass(slots=True)
class Body:
    """The meaning of a message's text."""

    text: str = ""
    kind: str = ""
    is_own: bool = False
    attachments: tuple[Attachment, ...] = ()
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Files:
    """The files of an export, beside its chat."""

    reading: Reading
    document: Document

    def find(self, name: str, place: str) -> Content | None:
        """Returns a file. A name that is a path is only text: a person can send any text."""
        if re.search(r"[/\\\0]", name) or name in (".", "..") or name[1:2] == ":":
            self.reading.skipped("file whose name is a path", place)
            return None
        # Some systems write the accents in file names as separate characters.
        forms = dict.fromkeys((name, unicodedata.normalize("NFC", name), unicodedata.normalize("NFD", name)))
        for form in forms:
            content = self.reading.source.content(form, beside=self.document, place=place)
            if content is not None:
                return content
        return None


def body_of(text: str, files: Files, place: str) -> Body:
    """Returns the meaning of a text: a file, a call, a deletion, a place, a poll, or the words of a person."""
    edited = _EDIT_MARK.search(text, max(0, len(text) - _END_MAX)) if ">" in text[-8:] else None
    is_edited = edited is not None and _is_edit(edited)
    if edited is not None and is_edited:
        text = text[: edited.start()]
    body = _file(text, files, place) or _omitted(text) or _words(text) or _location(text) or _poll(text) or _other(text)
    if is_edited:
        body.metadata["is_edited"] = True
    return body


def _is_edit(found: re.Match[str]) -> bool:
    """Returns true for the mark of an edit: the known words, or any words after a mark of WhatsApp's own."""
    word = plain(found[2])
    is_marked = bool(found[1]) and found.start() > 0
    return word in EDITED or is_marked and word not in OMITTED and word not in ATTACHED


def _file(text: str, files: Files, place: str) -> Body | None:
    has_end = ">" in text[-8:]
    found = has_end and (_IOS_FILE.search(text, max(0, len(text) - _END_MAX)) or _OLD_FILE.match(text))
    if found and (found["mark"] or text.startswith(LEFT_TO_RIGHT_MARK) or plain(found["word"]) in ATTACHED):
        name = without_marks(found["file"])
        return _with_file(name, files.find(name, place), text[: found.start()].strip(_AROUND))
    first, _, caption = text.partition("\n")
    found = ")" in first[-8:] and _ANDROID_FILE.fullmatch(first)
    if not found:
        return None
    name, is_known = without_marks(found["file"]), plain(found["word"]) in FILE_ATTACHED
    # A text file that is imported alone can have files beside it that do not belong to the export. Then unknown words
    # count as the name of a file only with a mark of WhatsApp's own.
    is_marked = bool(found["mark"]) or not files.reading.source.is_file
    if not is_known and not (is_marked and not re.search(r"[/\\]", name)):
        return None
    content = files.find(name, place)
    return _with_file(name, content, caption) if is_known or content is not None else None


def _with_file(name: str, content: Content | None, caption: str) -> Body:
    word = next((one for one in _MEDIA_WORD.findall(name) if one in _MEDIA), "")
    extension = name.rpartition(".")[2].lower()
    media = _MEDIA_BY_EXTENSION.get(extension, _MEDIA.get(word, ""))
    shown, about = name, _DESCRIPTION.fullmatch(without_marks(caption))
    metadata: dict[str, Any] = {"media": media} if media else {}
    # The name of a document stands before the name of its file, which begins with a number.
    described = about["name"] if about else without_marks(caption)
    if described and name.endswith(described) and name != described:
        shown, caption = described, ""
        metadata |= {"about": about["about"]} if about else {}
    attachment = Attachment(content=content, name=shown, mime_type=_TYPES.get(extension, ""), metadata=metadata)
    return Body(text=caption, kind=_KINDS.get(media, ""), attachments=(attachment,))


def _omitted(text: str) -> Body | None:
    """Returns a file that was left out of the export. Its caption, or a document's name, is in the text."""
    first, _, rest = text.partition("\n")
    bracketed = ">" in first[-8:] and _BRACKETED.fullmatch(first.strip(SPACES))
    words = plain(bracketed[1] if bracketed else first[:500])
    media, name = OMITTED.get(words), ""
    if media is None and words.endswith(DOCUMENT_ENDS):
        document = OMITTED_DOCUMENT.fullmatch(unicodedata.normalize("NFKC", without_marks(first)))
        media, name = ("document", document[1]) if document else (None, "")
    if media is None or not bracketed and rest:
        return None
    attachment = Attachment(content=None, name=name, metadata={"media": media})
    # If nothing marks the words, a person may have written them, so they are kept.
    metadata = {} if bracketed or text.startswith(LEFT_TO_RIGHT_MARK) else {"notice": without_marks(text)}
    return Body(text=rest, kind=_KINDS.get(media, ""), attachments=(attachment,), metadata=metadata)


def _words(text: str) -> Body | None:
    """Returns a deletion or a call, or None for other words."""
    if len(text) > 200 or "\n" in text:
        return None
    words = plain(text)
    if words in DELETED or words in YOU_DELETED or words.startswith("this message was deleted by admin"):
        return Body(kind="deleted", is_own=words in YOU_DELETED, metadata={"notice": without_marks(text)})
    is_marked = text.startswith(LEFT_TO_RIGHT_MARK)
    if words in CALLS or is_marked and any(words.startswith((f"{call},", f"{call}.")) for call in CALLS):
        return Body(text=without_marks(text), kind="call")
    return None


def _location(text: str) -> Body | None:
    if len(text) > 1000 or "https://" not in text:
        return None
    shown = text.replace(LEFT_TO_RIGHT_MARK, "")
    if found := _MAP.fullmatch(without_marks(shown)):
        metadata = {"latitude": float(found[1]), "longitude": float(found[2])}
        return Body(text=shown, kind="location", metadata=metadata)
    if found := _PLACE.fullmatch(shown.strip()):
        return Body(text=shown, kind="location", metadata={"title": found[1], "url": found[2]})
    return None


def _poll(text: str) -> Body | None:
    """Returns a poll: a line with a word, the question, and a line for each option with the number of its votes."""
    if len(text) > 20_000 or "\n" not in text or not without_marks(text.partition("\n")[0][:60]).endswith(":"):
        return None
    _, *lines = [without_marks(line) for line in text.split("\n")]
    options = [_POLL_OPTION.fullmatch(line) for line in lines]
    first = next((number for number, one in enumerate(options) if one), 0)
    if first == 0 or len(options) - first < 2 or None in options[first:]:
        return None
    votes = [{"text": one[1], "votes": int(one[2])} for one in options if one]
    metadata = {"question": "\n".join(lines[:first]), "options": votes}
    return Body(text=text.replace(LEFT_TO_RIGHT_MARK, ""), kind="poll", metadata=metadata)


def _other(text: str) -> Body:
    """Returns the words of a person, or a message of WhatsApp itself, which iOS marks at its beginning."""
    if text.startswith(LEFT_TO_RIGHT_MARK):
        return Body(text=text.replace(LEFT_TO_RIGHT_MARK, ""), kind="service")
    return Body(text=text)
