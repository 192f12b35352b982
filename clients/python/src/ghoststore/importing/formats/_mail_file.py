"""The bytes of mail: lines of bounded length, the messages of an mbox, and parts, decoded when they are read."""

from __future__ import annotations

import binascii
import io
import re
import string
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator
from typing import IO

from ..source import Document

# A longer line comes in several pieces.
_LINE_MAX = 64 * 1024
_MEMORY_MAX = 1024 * 1024
_SEPARATOR = re.compile(rb"From .*\d\d:\d\d.*\b\d{4}\b")
_FIELD = re.compile(rb">?[!-9;-~]+[ \t]*:|>From ")
_QUOTED = re.compile(rb">+From ")
_END_OF_MESSAGE = re.compile(rb"(?:\r?\n){0,2}(?:From |\Z)")
_NOT_BASE64 = bytes(set(range(256)) - set(b"+/=" + (string.ascii_letters + string.digits).encode()))


class Lines:
    """The lines of a file, each with its position and number. A very long line comes in pieces."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._held: deque[bytes] = deque()
        # Of the next line: the offset of its first byte, its number, and whether it is the start of a line.
        self.offset = 0
        self.number = 1
        self.is_start = True

    def peek(self, count: int = 0) -> bytes:
        """Returns the next line, or the line after so many lines; empty at the end of the file."""
        while len(self._held) <= count:
            self._held.append(self._stream.readline(_LINE_MAX))
        return self._held[count]

    def advance(self) -> None:
        """Goes behind the next line."""
        line = self.peek()
        self.offset += len(line)
        self.is_start = line.endswith(b"\n")
        self.number += self.is_start
        self._held.popleft()


Line = tuple[int, bool, bytes]


def all_lines(stream: IO[bytes]) -> Iterator[Line]:
    """Yields the lines of a file: the offset, whether the line starts there, and the line or a piece of it."""
    lines = Lines(stream)
    while line := lines.peek():
        yield lines.offset, lines.is_start, line
        lines.advance()


class Mbox:
    """The messages of an mbox, in all its variants: mboxo, mboxrd, mboxcl, mboxcl2.

    A From_ line separates two messages if it follows an empty line, has a time and a year, and a header follows. So a
    line of a text that only begins with "From " separates nothing.
    """

    def __init__(self, stream: IO[bytes], peeking: IO[bytes]) -> None:
        self._lines = Lines(stream)
        self._peeking = peeking
        # No message ends before this offset.
        self._until = 0
        self.envelope = b""
        self.number = 1

    def has_next(self) -> bool:
        """Goes to the next message, behind its From_ line; false at the end of the file."""
        lines = self._lines
        while lines.peek() in (b"\n", b"\r\n"):
            lines.advance()
        self.number, self.envelope = lines.number, b""
        if lines.peek().startswith(b"From "):
            self.envelope = lines.peek()
            lines.advance()
            while not lines.is_start and lines.peek():
                lines.advance()
        return bool(lines.peek() or self.envelope)

    def trust_length(self, body: int, byte_count: int) -> None:
        """Reads a body of a length, as Content-Length gives it, if a message or the file ends there."""
        if not 0 < byte_count < 1 << 60:
            return
        self._peeking.seek(body + byte_count - 1)
        found = self._peeking.read(256)
        if found and _END_OF_MESSAGE.match(found, 1):
            self._until = body + byte_count

    def message(self) -> Iterator[Line]:
        """Yields the lines of the message, without the empty line at its end."""
        lines = self._lines
        empty: Line | None = None
        is_header, is_after_empty = True, False
        while line := lines.peek():
            if is_after_empty and line.startswith(b"From ") and lines.offset >= self._until:
                if _is_separator(line, lines.peek(1)):
                    return
            if empty is not None:
                yield empty
                empty = None
            one = (lines.offset, lines.is_start, line)
            lines.advance()
            is_after_empty = one[1] and line in (b"\n", b"\r\n")
            if is_after_empty and not is_header:
                empty = one
            else:
                # The caller gets the end of the header at once, because `trust_length` can change where the body ends.
                is_header = is_header and not is_after_empty
                yield one


def _is_separator(line: bytes, after: bytes) -> bool:
    return bool(_SEPARATOR.match(line[:1000]) and _FIELD.match(after[:1000]))


def is_mbox(head: bytes) -> bool:
    """Returns true if a file begins as an mbox does."""
    first, _, rest = head.lstrip(b"\r\n").partition(b"\n")
    if not first.startswith(b"From "):
        return False
    return bool(not rest or _FIELD.match(rest[:1000]) or _SEPARATOR.match(first[:1000]))


def decoded_parts(lines: Iterable[bytes], encoding: str, *, is_quoted: bool) -> Iterator[bytes]:
    """Yields the decoded bytes of a part.

    Args:
        lines: The lines of the part, or pieces of long lines.
        encoding: The value of Content-Transfer-Encoding, in lower case.
        is_quoted: True in an mbox, where lines that begin with "From " got a ">".
    """
    if is_quoted:
        lines = (line[1:] if _QUOTED.match(line) else line for line in lines)
    if encoding == "base64":
        return _from_base64(lines)
    if encoding == "quoted-printable":
        return _from_quoted_printable(lines)
    if encoding in ("x-uuencode", "uuencode", "x-uue"):
        return _from_uuencode(lines)
    return iter(lines)


def _from_base64(lines: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for line in lines:
        rest += line.translate(None, _NOT_BASE64)
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


def _from_quoted_printable(lines: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for line in lines:
        rest += line
        # A piece of a long line can end within an escape.
        cut = rest.rfind(b"=", -3) if not rest.endswith(b"\n") else -1
        whole, rest = (rest[:cut], rest[cut:]) if cut >= 0 else (rest, b"")
        yield binascii.a2b_qp(whole)
    yield binascii.a2b_qp(rest)


def _from_uuencode(lines: Iterable[bytes]) -> Iterator[bytes]:
    for line in lines:
        if not line.startswith((b"begin ", b"end")):
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
    """Opens parts of a document, each given by its first byte and the byte behind its last."""

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
    stream.seek(start)
    while start < end and (line := stream.readline(min(_LINE_MAX, end - start))):
        start += len(line)
        yield line
