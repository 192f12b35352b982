"""Lines of a text file, with their numbers."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import IO

from .errors import SourceError

_READ_BYTES = 256 * 1024
_LINE_MAX = 32 * 1024 * 1024


def lines(stream: IO[bytes], name: str, *, encoding: str = "utf-8") -> Iterator[tuple[int, str]]:
    """Yields the number and the text of each line, without its end. A line ends with LF or CR LF, and nothing else.

    A byte order mark is left out; with the mark of UTF-16, the file is read as UTF-16.

    Raises:
        SourceError: The bytes are not in the encoding, or a line has more than 32 million characters.
    """
    decoder: codecs.IncrementalDecoder | None = None
    rest: list[str] = []
    rest_length = 0
    number = 1
    while True:
        data = stream.read(_READ_BYTES)
        if decoder is None:
            decoder = _decoder(data, encoding)
        try:
            text = decoder.decode(data, not data)
        except UnicodeDecodeError as error:
            number += data[: error.start].count(b"\n")
            raise SourceError(f"{name}: line {number}", f"the text is not {encoding.upper()}") from None
        first, *others = text.split("\n")
        rest.append(first)
        rest_length += len(first)
        if rest_length > _LINE_MAX:
            raise SourceError(f"{name}: line {number}", "the line is too long")
        for other in others:
            yield number, "".join(rest).removesuffix("\r")
            rest, rest_length = [other], len(other)
            number += 1
        if not data:
            if rest_length:
                yield number, "".join(rest).removesuffix("\r")
            return


def _decoder(data: bytes, encoding: str) -> codecs.IncrementalDecoder:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return codecs.getincrementaldecoder("utf-16")()
    return codecs.getincrementaldecoder("utf-8-sig" if encoding == "utf-8" else encoding)()
