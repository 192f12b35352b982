"""Reads XML of any size: yields one element after another, without document types and entities of the file's own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO, NoReturn
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from .errors import SourceError

_READ_BYTES = 256 * 1024
_READ_BYTES_MAX = 32 * 1024 * 1024
# The largest element in bytes: a picture in base64 can be an attribute.
_ELEMENT_MAX = 256 * 1024 * 1024
_DEPTH_MAX = 100
# Some programs write a character above U+FFFF as two references, to the halves of its UTF-16 form.
_HIGH = rb"&#(x[dD][89abAB][0-9a-fA-F]{2}|55(?:29[6-9]|[3-9][0-9]{2})|56(?:[0-2][0-9]{2}|3[01][0-9]));"
_LOW = rb"&#(x[dD][c-fC-F][0-9a-fA-F]{2}|56(?:3[2-9][0-9]|[4-9][0-9]{2})|57(?:[0-2][0-9]{2}|3[0-3][0-9]|34[0-3]));"
_REFERENCES = re.compile(_HIGH + _LOW + rb"|&#(x[0-9a-fA-F]{1,6}|[0-9]{1,7});")
# An end that the next bytes may continue: an incomplete reference, or the first of two halves.
_INCOMPLETE = re.compile(rb"(?:" + _HIGH + rb")?(?:&[#x0-9a-fA-F]{0,8})?$")
_REPLACEMENT = b"&#65533;"


def xml_elements(stream: IO[bytes], name: str) -> Iterator[tuple[str, Element]]:
    """Yields the place and each child element of the root, complete with its own children.

    The first element that it yields is the root itself, with its attributes and without children.

    Raises:
        SourceError: The file is not XML, ends too early, has a document type, or an element is too large.
    """
    walk = _Walk(name)
    since_element = 0
    carried = b""
    while True:
        # expat reads an unfinished tag from its beginning at each call, so a large attribute is read in large pieces.
        data = stream.read(max(_READ_BYTES, min(since_element, _READ_BYTES_MAX)))
        text = carried + data
        held = _INCOMPLETE.search(text, max(0, len(text) - 24)) if data else None
        end = held.start() if held else len(text)
        carried = text[end:]
        walk.feed(_REFERENCES.sub(_repaired, text[:end]), not data)
        since_element = 0 if walk.ready else since_element + len(data)
        if since_element > _ELEMENT_MAX:
            walk.fail(f"an element has more than {_ELEMENT_MAX // 1024 // 1024} MiB")
        yield from walk.ready
        walk.ready = []
        if not data:
            return


class _Walk:
    def __init__(self, name: str) -> None:
        self._name = name
        self.ready: list[tuple[str, Element]] = []
        self._depth = 0
        self._builder = TreeBuilder()
        self._place = name
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._document_type

    def feed(self, data: bytes, is_last: bool) -> None:
        try:
            self._parser.Parse(data, is_last)
        except expat.ExpatError as error:
            self.fail(f"not XML: {expat.ErrorString(error.code)}")

    def fail(self, message: str) -> NoReturn:
        raise SourceError(f"{self._name}: line {self._parser.CurrentLineNumber}", message) from None

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if self._depth == 0:
            self.ready.append((self._name, Element(tag, attributes)))
        else:
            if self._depth == 1:
                self._place = f"{self._name}: line {self._parser.CurrentLineNumber}"
            self._builder.start(tag, attributes)
        self._depth += 1
        if self._depth > _DEPTH_MAX:
            self.fail("elements are nested too deep")

    def _end(self, tag: str) -> None:
        self._depth -= 1
        if self._depth > 0:
            self._builder.end(tag)
        if self._depth == 1:
            self.ready.append((self._place, self._builder.close()))
            self._builder = TreeBuilder()

    def _characters(self, text: str) -> None:
        if self._depth > 1:
            self._builder.data(text)

    def _document_type(self, *_: object) -> None:
        self.fail("the file has a document type, which could define entities without end")


def _repaired(match: re.Match[bytes]) -> bytes:
    """Joins references to two halves, and replaces a reference to a character that XML does not have."""
    if match[1]:
        return b"&#%d;" % (0x10000 + ((_code(match[1]) - 0xD800) << 10) + (_code(match[2]) - 0xDC00))
    return match[0] if _is_character(_code(match[3])) else _REPLACEMENT


def _code(digits: bytes) -> int:
    return int(digits[1:], 16) if digits.startswith(b"x") else int(digits)


def _is_character(code: int) -> bool:
    return code in (0x9, 0xA, 0xD) or 0x20 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or 0x10000 <= code < 0x110000
