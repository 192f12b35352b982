"""Sources and targets of pieces: file objects, and files of the host."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import IO, Union

from .errors import SourceChanged

# The largest piece of a transfer in either direction, in bytes.
PIECE_BYTES = 1024 * 1024

Source = Union[bytes, bytearray, memoryview, str, "os.PathLike[str]", IO[bytes]]
Target = Union[str, "os.PathLike[str]", IO[bytes]]


class PieceReader:
    """Reads pieces of a source: bytes, a file object (from its current position), or a path of the host."""

    def __init__(self, source: Source, piece_bytes: int = PIECE_BYTES) -> None:
        self._piece_bytes = piece_bytes
        self._bytes: memoryview | None = None
        self._file: IO[bytes] | None = None
        self._closes = False
        if isinstance(source, (bytes, bytearray, memoryview)):
            self._bytes = memoryview(source)
        elif isinstance(source, (str, os.PathLike)):
            self._file = open(source, "rb")
            self._closes = True
        else:
            self._file = source
        self._start = self._file.tell() if self._file is not None and self._file.seekable() else None
        self._announced: int | None = None
        self.position = 0

    def announce(self) -> int | None:
        """Returns the number of bytes of the source, or None if it is unknown.

        From now on, `read` raises SourceChanged if the source changes its size.
        """
        self._announced = self.byte_count
        return self._announced

    @property
    def byte_count(self) -> int | None:
        """The number of bytes of the source, or None if it is unknown."""
        if self._bytes is not None:
            return self._bytes.nbytes
        if self._file is None or self._start is None:
            return None
        here = self._file.tell()
        end = self._file.seek(0, os.SEEK_END)
        self._file.seek(here)
        return max(end - self._start, 0)

    @property
    def can_rewind(self) -> bool:
        """True if the source can be read a second time."""
        return self._bytes is not None or self._start is not None

    def rewind(self, position: int = 0) -> None:
        """Continues at another position, in bytes from the start of the source."""
        self.position = position
        if self._file is not None and self._start is not None:
            self._file.seek(self._start + position)

    def read(self) -> bytes:
        """Returns the next piece, or empty bytes at the end. Every piece except the last has the full size."""
        if self._bytes is not None:
            piece = bytes(self._bytes[self.position : self.position + self._piece_bytes])
        else:
            assert self._file is not None
            piece = _read_full(self._file, self._piece_bytes)
        self.position += len(piece)
        if self._announced is not None:
            self._check(self._announced, is_at_end=not piece)
        return piece

    def _check(self, announced: int, *, is_at_end: bool) -> None:
        # The length of the source is checked before the last piece is sent, because the last piece may make the whole
        # transfer take effect.
        is_last = self.position == announced and not is_at_end
        if self.position > announced or (is_last and self._file is not None and self._file.read(1)):
            raise SourceChanged("the source became longer while it was sent; hint: send it again")
        if is_at_end and self.position < announced:
            raise SourceChanged("the source became shorter while it was sent; hint: send it again")

    def close(self) -> None:
        """Closes the file if this reader opened it."""
        if self._closes and self._file is not None:
            self._file.close()


class PieceWriter:
    """Writes pieces to a file object or to a file of the host.

    A file of the host gets its name only when it is complete.
    """

    def __init__(self, target: Target) -> None:
        self.byte_count = 0
        self._path: Path | None = None
        if isinstance(target, (str, os.PathLike)):
            self._path = Path(target)
            # The name does not contain the target's name, which may already have the greatest possible length.
            self._partial = self._path.with_name(f".{secrets.token_hex(8)}.partial")
            # Only the owner may read data that leaves an encrypted store.
            self._file: IO[bytes] = open(self._partial, "xb", opener=_for_owner_alone)
        else:
            self._file = target

    def write(self, piece: bytes) -> None:
        """Writes the next piece."""
        rest = memoryview(piece)
        while rest:
            taken = self._file.write(rest)
            rest = rest[len(rest) if taken is None else taken :]
        self.byte_count += len(piece)

    @property
    def can_restart(self) -> bool:
        """True if the pieces that were written so far can be discarded."""
        return self._path is not None or self.byte_count == 0

    def restart(self) -> None:
        """Discards the pieces that were written so far."""
        if self._path is not None:
            self._file.seek(0)
            self._file.truncate()
        self.byte_count = 0

    def finish(self) -> None:
        """Completes the target after the last piece. A file of the host gets its name now."""
        if self._path is None:
            self._file.flush()
            return
        with self._file:
            self._file.flush()
            os.fsync(self._file.fileno())
        os.replace(self._partial, self._path)

    def discard(self) -> None:
        """Removes an incomplete file of the host."""
        if self._path is not None:
            self._file.close()
            self._partial.unlink(missing_ok=True)


def _read_full(file: IO[bytes], count: int) -> bytes:
    parts, missing = [], count
    while missing > 0:
        part = file.read(missing)
        if not part:
            break
        parts.append(part)
        missing -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _for_owner_alone(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
