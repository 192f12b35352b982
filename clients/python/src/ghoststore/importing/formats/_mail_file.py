"""The bytes of mail: lines of bounded length, the messages of an mbox, and parts, decoded when they are read."""

from __future__ import annotations

import binascii
import io
import re
import string
import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import IO, NamedTuple

from ..source import Document

# A longer line is returned in several pieces.
_LINE_MAX = 64 * 1024
_READ_BYTES = 256 * 1024
_MEMORY_MAX = 1024 * 1024
_SEPARATOR = re.compile(rb"From .*\d\d:\d\d.*\b\d{4}\b")
_FIELD = re.compile(rb">?[!-9;-~]+[ \t]*:|>From ")
_MARK = re.compile(rb"\n(?=--|From )")
_MARK_OF_HEADER = re.compile(rb"\n(?:(?=--|From )|\r?\n)")
_EMPTY_LINES = (b"\n\n", b"\n\r\n")
_QUOTED = re.compile(rb"^>(>*From )", re.M)
_END_OF_MESSAGE = re.compile(rb"(?:\r?\n){0,2}(?:From |\Z)")
_NOT_BASE64 = bytes(set(range(256)) - set(b"+/=" + (string.ascii_letters + string.digits).encode()))


class Block(NamedTuple):
    """Bytes of a file: one or several lines of a header or of a body."""

    offset: int
    is_start: bool
    data: bytes


class Lines:
    """The lines of a file, each with its position and number. A very long line comes in pieces.

    Lines come in blocks. Only the first line of a block can begin with "--" or "From ", so a reader needs not look at
    each line of an attachment.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._text, self._at, self._has_ended = b"", 0, False
        # The next line: the offset of its first byte, its number, and false if it continues a long line.
        self.offset = 0
        self.number = 1
        self.is_start = True

    def peek(self, count: int = 0) -> bytes:
        """Returns the line after the next `count` lines, without advancing; empty at the end of the file."""
        start = 0
        for _ in range(count):
            start = self._line_end(start)
        end = self._line_end(start)
        return self._text[self._at + start : self._at + end]

    def line(self) -> Block:
        """Returns the next line and advances past it."""
        return self._take(len(self.peek()))

    def block(self, *, is_header: bool = False) -> Block:
        """Returns the next line with lines after it, and advances past them; empty at the end of the file.

        In a header, the block ends after an empty line.
        """
        line = self.peek()
        if self.is_start and line.startswith((b"--", b"From ", b"\n", b"\r\n")):
            return self._take(len(line))
        pattern = _MARK_OF_HEADER if is_header else _MARK
        if mark := pattern.search(self._text, self._at):
            return self._take(mark.end() - self._at)
        end = self._text.rfind(b"\n", self._at) + 1
        return self._take(end - self._at if end else len(line))

    def _take(self, byte_count: int) -> Block:
        block = Block(self.offset, self.is_start, self._text[self._at : self._at + byte_count])
        self._at += byte_count
        self.offset += byte_count
        self.number += block.data.count(b"\n")
        self.is_start = block.data.endswith(b"\n")
        return block

    def _line_end(self, start: int) -> int:
        """Returns the end of the line that is `start` bytes after the position. Reads more of the file if needed."""
        searched = start
        while (end := self._text.find(b"\n", self._at + searched, self._at + start + _LINE_MAX)) < 0:
            available = len(self._text) - self._at
            if self._has_ended or available - start >= _LINE_MAX:
                return min(available, start + _LINE_MAX)
            searched = available
            data = self._stream.read(_READ_BYTES)
            self._text, self._at, self._has_ended = self._text[self._at :] + data, 0, not data
        return end + 1 - self._at


def whole(stream: IO[bytes]) -> Iterator[Block]:
    """Yields the blocks of the header of a file with one message, and the blocks of its body."""
    return _blocks(Lines(stream), lambda: False)


class Mbox:
    """The messages of an mbox, in all its variants: mboxo, mboxrd, mboxcl, mboxcl2.

    A From_ line separates two messages if it has a time and a year, and a header follows. So a line of a text that only
    begins with "From " separates nothing. Some files lack the empty line before a From_ line.
    """

    def __init__(self, stream: IO[bytes], peeking: IO[bytes]) -> None:
        self._lines = Lines(stream)
        self._peeking = peeking
        # No message ends before this offset.
        self._until = 0
        self.envelope = b""
        self.number = 1

    def has_next(self) -> bool:
        """Advances to the next message, past its From_ line. Returns false at the end of the file."""
        lines = self._lines
        while lines.peek() in (b"\n", b"\r\n"):
            lines.line()
        self.number, self.envelope = lines.number, b""
        if lines.peek().startswith(b"From "):
            self.envelope = lines.line().data
            while not lines.is_start and lines.peek():
                lines.line()
        return bool(lines.peek() or self.envelope)

    def trust_length(self, body: int, byte_count: int) -> None:
        """Lets the body at offset `body` have this Content-Length, if a message or the file ends there."""
        if not 0 < byte_count < 1 << 60:
            return
        self._peeking.seek(body + byte_count - 1)
        found = self._peeking.read(256)
        if found and _END_OF_MESSAGE.match(found, 1):
            self._until = body + byte_count

    def message(self) -> Iterator[Block]:
        """Yields the blocks of the header of a message and of its body, without the empty line at its end.

        After the empty line that ends the header, the caller may call `trust_length`.
        """
        return _blocks(self._lines, self._is_at_end)

    def _is_at_end(self) -> bool:
        lines = self._lines
        line = lines.peek()
        is_separator = line.startswith(b"From ") and lines.offset >= self._until
        return not line or is_separator and _is_separator(line, lines.peek(1))


def _blocks(lines: Lines, is_at_end: Callable[[], bool]) -> Iterator[Block]:
    while lines.peek() and not is_at_end():
        block = lines.block(is_header=True)
        yield block
        if block.data.endswith(_EMPTY_LINES) or (block.is_start and block.data in (b"\n", b"\r\n")):
            break
    tail = b""
    while not is_at_end():
        block = lines.block()
        if not block.data:
            return
        tail = (tail + block.data[-4:])[-4:]
        if tail.endswith(_EMPTY_LINES) and is_at_end():
            block = block._replace(data=block.data.removesuffix(b"\n").removesuffix(b"\r"))
        if block.data:
            yield block


def _is_separator(line: bytes, after: bytes) -> bool:
    return bool(_SEPARATOR.match(line[:1000]) and _FIELD.match(after[:1000]))


def is_mbox(head: bytes) -> bool:
    """Returns true if a file begins as an mbox does."""
    first, _, rest = head.lstrip(b"\r\n").partition(b"\n")
    if not first.startswith(b"From "):
        return False
    return bool(not rest or _FIELD.match(rest[:1000]) or _SEPARATOR.match(first[:1000]))


def decoded_parts(blocks: Iterable[bytes], encoding: str, *, is_quoted: bool) -> Iterator[bytes]:
    """Yields the decoded bytes of a part.

    Args:
        blocks: The lines of the part, in blocks of whole lines, or pieces of long lines.
        encoding: The value of Content-Transfer-Encoding, in lower case.
        is_quoted: True in an mbox, where lines that begin with "From " got a ">".
    """
    if encoding == "base64":
        return _from_base64(blocks)
    if is_quoted:
        blocks = (_QUOTED.sub(rb"\1", block) if b"From " in block else block for block in blocks)
    if encoding == "quoted-printable":
        return _from_quoted_printable(blocks)
    if encoding in ("x-uuencode", "uuencode", "x-uue"):
        return _from_uuencode(blocks)
    return iter(blocks)


def _from_base64(blocks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for block in blocks:
        rest += block.translate(None, _NOT_BASE64)
        if (end := rest.find(b"=")) >= 0:
            rest = rest[:end]
            break
        if len(rest) >= 4096:
            whole = len(rest) // 4 * 4
            yield binascii.a2b_base64(rest[:whole])
            rest = rest[whole:]
    if len(rest) % 4 == 1:
        rest = rest[:-1]
    yield binascii.a2b_base64(rest + b"=" * (-len(rest) % 4))


def _from_quoted_printable(blocks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for block in blocks:
        rest += block
        # A piece of a long line can end within an escape.
        cut = rest.rfind(b"=", -3) if not rest.endswith(b"\n") else -1
        whole, rest = (rest[:cut], rest[cut:]) if cut >= 0 else (rest, b"")
        yield binascii.a2b_qp(whole)
    yield binascii.a2b_qp(rest)


def _from_uuencode(blocks: Iterable[bytes]) -> Iterator[bytes]:
    for line in (line for block in blocks for line in block.split(b"\n")):
        if line.strip() and not line.startswith((b"begin ", b"end")):
            try:
                yield binascii.a2b_uu(line)
            except binascii.Error:
                continue


class _Parts(io.RawIOBase):
    """A stream over pieces of bytes."""

    def __init__(self, parts: Iterator[bytes], stream: IO[bytes]) -> None:
        self._parts, self._stream, self._rest = parts, stream, memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        while not self._rest:
            part = next(self._parts, None)
            if part is None:
                return 0
            self._rest = memoryview(part)
        count = min(len(buffer), len(self._rest))
        buffer[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count

    def close(self) -> None:
        self._stream.close()
        super().close()


class Extents:
    """Opens parts of a document, each given by the offsets of its start and its end."""

    def __init__(self, document: Document, *, is_quoted: bool) -> None:
        self._document, self.is_quoted = document, is_quoted
        self._shared: IO[bytes] | None = None
        self._is_closed = False

    def close(self) -> None:
        """Closes the stream that the parts of a zip share. Parts that are opened later have their own."""
        self._is_closed = True
        if self._shared is not None:
            self._shared.close()

    def open(self, start: int, end: int, encoding: str) -> IO[bytes]:
        """Returns a stream over the decoded bytes of a part."""
        if not self._document.source.is_zip:
            stream = self._document.open()
            return io.BufferedReader(_Parts(self._decoded(stream, start, end, encoding), stream))
        # A zip cannot go back without unpacking everything again, so all parts come from one stream, in their order.
        if self._is_closed:
            with self._document.open() as stream:
                return self._copy(stream, start, end, encoding)
        if self._shared is None:
            self._shared = self._document.open()
        return self._copy(self._shared, start, end, encoding)

    def _copy(self, stream: IO[bytes], start: int, end: int, encoding: str) -> IO[bytes]:
        copy: IO[bytes] = tempfile.SpooledTemporaryFile(_MEMORY_MAX)
        for part in self._decoded(stream, start, end, encoding):
            copy.write(part)
        copy.seek(0)
        return copy

    def _decoded(self, stream: IO[bytes], start: int, end: int, encoding: str) -> Iterator[bytes]:
        return decoded_parts(_range(stream, start, end), encoding, is_quoted=self.is_quoted)


def _range(stream: IO[bytes], start: int, end: int) -> Iterator[bytes]:
    """Yields a part of a file in blocks of whole lines, or pieces of long lines."""
    stream.seek(start)
    rest = b""
    while start < end and (data := stream.read(min(_READ_BYTES, end - start))):
        start += len(data)
        whole_lines = data.rfind(b"\n") + 1 or len(data)
        yield rest + data[:whole_lines]
        rest = data[whole_lines:]
    if rest:
        yield rest
