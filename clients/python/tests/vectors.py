"""The shared test vectors of frames: proto-docs/VECTORS.md."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from daemon import REPOSITORY

FOLDER = REPOSITORY / "proto-docs" / "vectors" / "frames"


@dataclass(frozen=True)
class Line:
    """One line of a scenario: its first word, and the rest."""

    word: str
    rest: str

    @property
    def data(self) -> bytes:
        """The bytes of a `send` line or of an `expect: frame` line."""
        return bytes.fromhex(self.rest.removeprefix("frame"))


def lines(path: Path) -> list[Line]:
    """Returns the lines of a scenario."""
    read = []
    for text in path.read_text().splitlines():
        if not text or text.startswith("#"):
            continue
        word, _, rest = text.partition(":")
        if word not in ("store", "send", "half-close", "expect"):
            raise ValueError(f"{path.name} has a line that is not known: {word}")
        read.append(Line(word, rest.strip()))
    return read


def split_frames(data: bytes) -> list[bytes]:
    """Returns the payloads of all whole frames. Bytes after the last whole frame are ignored."""
    payloads = []
    while len(data) >= 4 and (length := int.from_bytes(data[:4], "big")) and len(data) >= 4 + length:
        payloads.append(data[4 : 4 + length])
        data = data[4 + length :]
    return payloads
