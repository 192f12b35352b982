"""A zip from a stranger: names are checked, sizes are limited, and every error names the entry."""

from __future__ import annotations

import io
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from .errors import SourceError
from .notes import printable
from .safe_names import safe_name

_ENTRIES_MAX = 500_000
_DIRECTORY_BYTES_MAX = 128 * 1024 * 1024
# Texts of chats shrink to about a tenth. A zip bomb shrinks to about a thousandth.
_RATIO_MAX = 200
_BYTES_WITHOUT_RATIO = 16 * 1024 * 1024
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


def is_zip(path: Path) -> bool:
    """Returns true if the file begins as a zip with entries does."""
    with open(path, "rb") as file:
        return file.read(4) in (b"PK\x03\x04", b"PK\x05\x06")


class Zip:
    """The files of a zip, by safe names."""

    def __init__(self, path: Path, name: str) -> None:
        self._name = name
        _check_directory(path, name)
        try:
            self._file = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, struct.error, EOFError):
            raise SourceError(name, "the zip is damaged; hint: export it again") from None
        self._entries: dict[str, zipfile.ZipInfo] = {}
        packed = 0
        for entry in self._file.infolist():
            if entry.is_dir():
                continue
            inside = safe_name(_decoded(entry), name)
            place = f"{name}: {printable(inside)}"
            packed += entry.compress_size
            self._check(entry, place)
            if inside in self._entries:
                raise SourceError(place, "two entries have this name")
            self._entries[inside] = entry
        # Entries that overlap share their packed bytes, so that a small zip unpacks to any size.
        if packed > os.stat(path).st_size:
            raise SourceError(name, "entries of the zip overlap")

    def _check(self, entry: zipfile.ZipInfo, place: str) -> None:
        if entry.flag_bits & 1:
            raise SourceError(place, "the entry is encrypted; hint: unpack the zip into a folder first")
        if entry.compress_type not in _COMPRESSIONS:
            raise SourceError(place, "the entry has an unknown compression; hint: unpack the zip into a folder first")
        if entry.file_size > max(_BYTES_WITHOUT_RATIO, entry.compress_size * _RATIO_MAX):
            raise SourceError(place, f"the entry unpacks to more than {_RATIO_MAX} times its size, as a zip bomb does")

    def names(self) -> Iterator[str]:
        """Yields the names of the files in the order of their names."""
        yield from sorted(self._entries)

    def size(self, name: str) -> int | None:
        """Returns the size of a file, or None if there is no such file."""
        entry = self._entries.get(name)
        return None if entry is None else entry.file_size

    def open(self, name: str) -> IO[bytes]:
        """Opens a file of the zip."""
        place = f"{self._name}: {printable(name)}"
        entry = self._entries.get(name)
        if entry is None:
            raise SourceError(place, "the zip has no such file")
        try:
            stream = self._file.open(entry)
        except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError, EOFError, struct.error):
            raise SourceError(place, "the entry of the zip is damaged; hint: export it again") from None
        return io.BufferedReader(_Guarded(stream, place), 256 * 1024)

    def close(self) -> None:
        """Closes the zip."""
        self._file.close()


class _Guarded(io.RawIOBase):
    """A file of a zip. Exceptions of zipfile and zlib for damaged bytes become a SourceError with the place."""

    def __init__(self, stream: IO[bytes], place: str) -> None:
        self._stream, self._place = stream, place

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        try:
            data = self._stream.read(len(buffer))
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError):
            raise SourceError(self._place, "the entry of the zip is damaged; hint: export it again") from None
        buffer[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def close(self) -> None:
        self._stream.close()
        super().close()


def _decoded(entry: zipfile.ZipInfo) -> str:
    """Returns the name. Many programs write UTF-8 without the flag that says so; zipfile then reads code page 437."""
    if entry.flag_bits & 0x800:
        return entry.filename
    try:
        return entry.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return entry.filename


def _check_directory(path: Path, name: str) -> None:
    """Checks the size of the directory before zipfile reads it into memory."""
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 65536 - 22 - 20))
        tail = file.read()
        at = tail.rfind(b"PK\x05\x06")
        if at < 0 or len(tail) < at + 22:
            raise SourceError(name, "the end of the zip is missing; hint: copy or export it again")
        count, byte_count = struct.unpack_from("<HI", tail, at + 10)
        locator = tail.rfind(b"PK\x06\x07", 0, at)
        if (count == 0xFFFF or byte_count == 0xFFFFFFFF) and locator >= 0 and len(tail) >= locator + 16:
            [start] = struct.unpack_from("<Q", tail, locator + 8)
            file.seek(min(start, size))
            record = file.read(48)
            if record[:4] == b"PK\x06\x06" and len(record) == 48:
                count, byte_count = struct.unpack_from("<QQ", record, 32)
    if count > _ENTRIES_MAX or byte_count > _DIRECTORY_BYTES_MAX:
        raise SourceError(name, f"the zip has more than {_ENTRIES_MAX:,} entries; hint: unpack it into a folder first")
