"""Reads XML of any size: yields one element after another, without document types and entities of the file's own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO, NoReturn
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from .errors import SourceError

_READ_BYTES = 256 * 1024
# The largest element in bytes: a picture in base64 can be an attribute.
_ELEMENT_MAX = 256 * 1024 * 1024
_DEPTH_MAX = 100
# Some programs write a character above U+FFFF as two references, to the halves of its UTF-16 form.
_HALVES = re.compile(rb"&#(5[5-6][0-9]{3});&#(5[6-7][0-9]{3});")
_PART_OF_HALVES = re.compile(rb"&[#0-9]{0,6};?(&[#0-9]{0,6})?$")


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
        data = stream.read(_READ_BYTES)
        joined = _HALVES.sub(_joined, carried + data)
        held = _PART_OF_HALVES.search(joined, max(0, len(joined) - 20)) if data else None
        end = held.start() if held else len(joined)
        carried = joined[end:]
        walk.feed(joined[:end], not data)
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


def _joined(match: re.Match[bytes]) -> bytes:
    high, low = int(match[1]), int(match[2])
    if 0xD800 <= high < 0xDC00 <= low < 0xE000:
        return b"&#%d;" % (0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    return match[0]
