"""Where pieces come from and go to: file objects, and files of the host."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import IO, Union

from .errors import SourceChanged

# What one piece has at the most, in either direction.
PIECE_BYTES = 1024 * 1024

Source = Union[bytes, bytearray, memoryview, str, "os.PathLike[str]", IO[bytes]]
Target = Union[str, "os.PathLike[str]", IO[bytes]]


class PieceReader:
    """Reads pieces of a source: bytes, a file object (from where it stands), or a path of the host."""

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
        """How many bytes there are, where that is known. From here on it is SourceChanged where they become others."""
        self._announced = self.byte_count
        return self._announced

    @property
    def byte_count(self) -> int | None:
        """How many bytes there are, where that is known."""
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
        """Whether it can be read a second time."""
        return self._bytes is not None or self._start is not None

    def rewind(self, position: int = 0) -> None:
        """Goes back to a position."""
        self.position = position
        if self._file is not None and self._start is not None:
            self._file.seek(self._start + position)

    def read(self) -> bytes:
        """The next piece, as large as can be but for the last; empty at the end."""
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
        # Looked for before the last piece is sent, which may be what makes all of it count.
        is_last = self.position == announced and not is_at_end
        if self.position > announced or (is_last and self._file is not None and self._file.read(1)):
            raise SourceChanged("the source became longer while it was sent; hint: send it again")
        if is_at_end and self.position < announced:
            raise SourceChanged("the source became shorter while it was sent; hint: send it again")

    def close(self) -> None:
        """Closes a file that it opened."""
        if self._closes and self._file is not None:
            self._file.close()


class PieceWriter:
    """Takes pieces into a file object, or into a file of the host that has its name only once it is whole."""

    def __init__(self, target: Target) -> None:
        self.byte_count = 0
        self._path: Path | None = None
        if isinstance(target, (str, os.PathLike)):
            self._path = Path(target)
            # Without the target's own name, which may be as long as a name can be.
            self._partial = self._path.with_name(f".{secrets.token_hex(8)}.partial")
            # What leaves an encrypted store is for its owner alone.
            self._file: IO[bytes] = open(self._partial, "xb", opener=_for_owner_alone)
        else:
            self._file = target

    def write(self, piece: bytes) -> None:
        """Takes the next piece."""
        rest = memoryview(piece)
        while rest:
            taken = self._file.write(rest)
            rest = rest[len(rest) if taken is None else taken :]
        self.byte_count += len(piece)

    @property
    def can_restart(self) -> bool:
        """Whether what came so far can be taken back."""
        return self._path is not None or self.byte_count == 0

    def restart(self) -> None:
        """Takes back what came so far."""
        if self._path is not None:
            self._file.seek(0)
            self._file.truncate()
        self.byte_count = 0

    def finish(self) -> None:
        """All pieces came: the file gets its name."""
        if self._path is None:
            self._file.flush()
            return
        with self._file:
            self._file.flush()
            os.fsync(self._file.fileno())
        os.replace(self._partial, self._path)

    def discard(self) -> None:
        """Not all pieces came: nothing stays of a file of the host."""
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
