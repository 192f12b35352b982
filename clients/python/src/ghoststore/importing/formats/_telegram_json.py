"""Repairs what Telegram Desktop writes into result.json although it is not JSON.

The exporter writes a control character as \\x and two digits, which JSON does not know. It writes each of the
separators U+2028 and U+2029 as an escape, followed by two bytes of its UTF-8 form. These bytes are not valid UTF-8.
"""

from __future__ import annotations

import io
import re
from typing import IO

_ESCAPE = re.compile(rb"\\(?:x([0-9A-Fa-f]{2})|(u202[89])\x80[\xa8\xa9]|.)", re.DOTALL)
_ESCAPE_BYTES_MAX = 8


def repaired(stream: IO[bytes]) -> IO[bytes]:
    """Returns the stream with these invalid escapes replaced by valid JSON."""
    return io.BufferedReader(_Repaired(stream), 256 * 1024)


class _Repaired(io.RawIOBase):
    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._ready = b""
        # The beginning of an escape that the next bytes complete.
        self._held = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        has_ended = False
        while not self._ready and not has_ended:
            data = self._stream.read(len(buffer))
            has_ended = not data
            self._repair(self._held + data, has_ended)
        part, self._ready = self._ready[: len(buffer)], self._ready[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)

    def _repair(self, data: bytes, is_last: bool) -> None:
        end = len(data) if is_last else _complete(data)
        self._ready = _ESCAPE.sub(_joined, data[:end])
        self._held = data[end:]


def _complete(data: bytes) -> int:
    """Returns the number of bytes at the beginning that certainly end outside of an escape."""
    at = data.find(b"\\", max(0, len(data) - _ESCAPE_BYTES_MAX))
    if at < 0:
        return len(data)
    # A run of backslashes in the last bytes can begin before them. Its start decides which backslash begins an escape.
    while at > 0 and data[at - 1] == ord("\\"):
        at -= 1
    end = at
    for match in _ESCAPE.finditer(data, at):
        if len(data) - match.start() < _ESCAPE_BYTES_MAX:
            return match.start()
        end = match.end()
    last = data.find(b"\\", end)
    return len(data) if last < 0 else last


def _joined(match: re.Match[bytes]) -> bytes:
    if match[1] is not None:
        return b"\\u00" + match[1]
    if match[2] is not None:
        return b"\\" + match[2]
    return match[0]
