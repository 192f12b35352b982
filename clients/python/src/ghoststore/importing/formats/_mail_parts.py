"""The parts of a message of MIME (RFC 2046), found line by line. Only texts are kept; other parts are only located."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from ._mail_file import Block, decoded_parts
from ._mail_headers import Headers, decoded

# The texts of one message are kept up to this size. A longer text becomes an attachment.
_TEXT_MAX = 4 * 1024 * 1024
_DEPTH_MAX = 32
_PARTS_MAX = 1000
_PART_HEADER_MAX = 32 * 1024
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset=[\"']?([A-Za-z0-9_:.-]{1,40})", re.I)
# An empty line, which ends a header, and the last line before it with the empty line.
_EMPTY_LINE = re.compile(rb"(\r?\n)")
_LAST_LINES = re.compile(rb"\n(\r?\n)")
# Types whose content the import reads, besides texts.
_READ = ("message/disposition-notification",)


@dataclass(slots=True)
class Part:
    """A part that is not a multipart itself.

    `data` has the bytes as the file has them, or None for a part that is not read as text. `alternative` is the number
    of the multipart/alternative that the part belongs to, or 0.
    """

    headers: Headers
    type: str
    parameters: dict[str, str]
    start: int
    end: int = 0
    alternative: int = 0
    data: list[bytes] | None = None
    is_preamble: bool = False

    @property
    def encoding(self) -> str:
        """The word of Content-Transfer-Encoding."""
        return self.headers.raw("content-transfer-encoding").partition(";")[0].strip().lower()

    @property
    def name(self) -> str:
        """The name of the file, empty if the part has none."""
        return self.headers.disposition()[1].get("filename", "") or self.parameters.get("name", "")

    @property
    def is_text(self) -> bool:
        """True for a part that is read as the text of the message, and not as a file."""
        is_file = self.headers.disposition()[0] == "attachment" or self.name
        return self.type in ("text/plain", "text/html") and self.data is not None and not is_file

    def text(self, *, is_quoted: bool) -> tuple[str, bool]:
        """Returns the text, and false if some bytes are not in its charset."""
        data = b"".join(decoded_parts(self.data or [], self.encoding, is_quoted=is_quoted))
        charset = self.parameters.get("charset", "")
        if not charset and self.type == "text/html" and (found := _META_CHARSET.search(data[:4096])):
            charset = found[1].decode()
        text, is_whole = decoded(data, charset)
        return text.replace("\r\n", "\n").replace("\0", ""), is_whole


@dataclass(slots=True)
class _Open:
    """A multipart whose end was not found yet."""

    delimiter: bytes
    alternative: int
    default_type: str


@dataclass(slots=True)
class Mail:
    """A message: its header and its parts."""

    headers: Headers
    parts: list[Part] = field(default_factory=list)
    odd_lines: int = 0
    is_cut: bool = False
    has_epilogue: bool = False


class MailReader:
    """Reads one message, line by line."""

    def __init__(self) -> None:
        self.mail = Mail(Headers())
        self._headers: Headers | None = self.mail.headers
        self._part: Part | None = None
        self._stack: list[_Open] = []
        self._kept = 0
        # The offset up to which the mail was read, and the length of the line break before this offset.
        self._end = 0
        self._newline = 0
        self._alternatives = 0

    def read_header(self, blocks: Iterable[Block]) -> int:
        """Reads the header and returns the offset of the body."""
        for block in blocks:
            self._feed(block)
            if self._headers is not self.mail.headers:
                break
        return self._end

    def read_body(self, blocks: Iterable[Block]) -> Mail:
        """Reads the rest of the message."""
        for block in blocks:
            self._feed(block)
        if self._headers is not None:
            self._start_body(self._headers, self._end)
        self._finish_part(self._end)
        # A preamble is not for readers, but a multipart without a delimiter has only a preamble.
        self.mail.parts = [part for part in self.mail.parts if not part.is_preamble] or self.mail.parts
        return self.mail

    def _feed(self, block: Block) -> None:
        offset, is_start, data = block
        self._end = offset + len(data)
        if is_start and self._stack and data.startswith(b"--") and self._is_delimiter(offset, data):
            self._newline = 0
            return
        at = 0 if self._headers is None else self._feed_header(self._headers, block)
        if at < len(data):
            self._feed_body(data[at:] if at else data)
        self._newline = 2 if data.endswith(b"\r\n") else 1 if data.endswith(b"\n") else 0

    def _feed_header(self, headers: Headers, block: Block) -> int:
        """Reads a header, and returns the position in the block where the body starts."""
        empty_line = _EMPTY_LINE.match(block.data) if block.is_start else None
        found = empty_line or _LAST_LINES.search(block.data)
        if found is None:
            headers.add(block.data)
            return len(block.data)
        headers.add(block.data[: found.start(1)])
        self._start_body(headers, block.offset + found.end())
        return found.end()

    def _feed_body(self, data: bytes) -> None:
        if self._part is None:
            self.mail.has_epilogue = self.mail.has_epilogue or bool(data.strip())
        elif self._part.data is not None:
            self._kept += len(data)
            if self._kept > _TEXT_MAX:
                self._part.data = None
            else:
                self._part.data.append(data)

    def _is_delimiter(self, offset: int, data: bytes) -> bool:
        """Ends the current part if the line is a delimiter of an open multipart."""
        found = data.rstrip()
        for depth in range(len(self._stack) - 1, -1, -1):
            one = self._stack[depth]
            if found in (one.delimiter, one.delimiter + b"--"):
                break
        else:
            return False
        if self._headers is not None:
            self._start_body(self._headers, offset)
        self._finish_part(offset - self._newline)
        is_last = found != one.delimiter
        del self._stack[depth + (not is_last) :]
        self._headers = None if is_last else Headers(_PART_HEADER_MAX)
        return True

    def _start_body(self, headers: Headers, offset: int) -> None:
        headers.finish()
        self._headers = None
        self.mail.odd_lines += headers.odd_lines
        self.mail.is_cut = self.mail.is_cut or headers.is_cut
        kind, parameters = headers.content_type()
        outer = self._stack[-1] if self._stack else None
        boundary = parameters.get("boundary", "")
        if kind.startswith("multipart/") and boundary and len(self._stack) < _DEPTH_MAX:
            alternative = outer.alternative if outer is not None else 0
            if kind == "multipart/alternative" and not alternative:
                self._alternatives += 1
                alternative = self._alternatives
            inner = "message/rfc822" if kind == "multipart/digest" else "text/plain"
            self._stack.append(_Open(b"--" + boundary.encode("utf-8", "replace").rstrip(), alternative, inner))
            self._part = Part(Headers(), "text/plain", {}, offset, data=[], is_preamble=True)
            return
        kind = kind or (outer.default_type if outer is not None else "text/plain")
        if len(self.mail.parts) < _PARTS_MAX:
            is_kept = kind.startswith("text/") or kind in _READ
            alternative = outer.alternative if outer is not None else 0
            self._part = Part(headers, kind, parameters, offset, alternative=alternative, data=[] if is_kept else None)
        else:
            self.mail.is_cut = True

    def _finish_part(self, end: int) -> None:
        part, self._part = self._part, None
        if part is None:
            return
        part.end = max(part.start, end)
        self.mail.parts.append(part)
