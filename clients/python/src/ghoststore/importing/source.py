"""The file, folder or zip that is imported. A name that a file gives can never lead out of the export."""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import IO

from .errors import SourceError, UnreadableSource
from .notes import printable
from .records import Content
from .safe_names import safe_name
from .zips import Zip, is_zip

_FILES_MAX = 2_000_000


@dataclass(frozen=True, slots=True)
class Document:
    """A file of the export that a format reads itself. Its name is relative to the export."""

    source: Source
    name: str

    def open(self) -> IO[bytes]:
        """Opens the document from its beginning. It fails if the document changed since it was first opened."""
        return self.source.open(self.name)

    def head(self, byte_count: int = 65536) -> bytes:
        """Returns the first bytes, to detect a format."""
        with self.open() as stream:
            return stream.read(byte_count)


class Source:
    """An export: one file with the files beside it, a folder, or a zip.

    Names inside have slashes: "photos/1.jpg".
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.name = printable(self.path.name or str(self.path))
        self._seen: dict[str, tuple[int, int, int]] = {}
        try:
            mode = os.stat(self.path).st_mode
            has_zip_form = stat.S_ISREG(mode) and is_zip(self.path)
        except OSError as error:
            raise UnreadableSource(self.name, f"{_cause(error)}; hint: name a file, folder or zip") from None
        if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
            raise UnreadableSource(self.name, "neither a file nor a folder; hint: copy the data into a file")
        self.is_folder = stat.S_ISDIR(mode)
        self._zip: Zip | None = None
        if has_zip_form:
            self._zip = Zip(self.path, self.name)
        self._root = self.path if self.is_folder else self.path.parent

    @property
    def is_zip(self) -> bool:
        """True for a zip."""
        return self._zip is not None

    @property
    def is_file(self) -> bool:
        """True for a file that is not a zip."""
        return not self.is_folder and self._zip is None

    def close(self) -> None:
        """Closes the zip."""
        if self._zip is not None:
            self._zip.close()

    def names(self) -> Iterator[str]:
        """Yields the names of all files of the export, in the order of their names. A single file has one name."""
        if self._zip is not None:
            yield from self._zip.names()
        elif self.is_folder:
            for count, name in enumerate(_walk(self._root, "")):
                if count == _FILES_MAX:
                    raise SourceError(self.name, f"the folder has more than {_FILES_MAX:,} files")
                yield name
        else:
            yield self.path.name

    def documents(self, *patterns: str) -> Iterator[Document]:
        """Yields the files whose last name matches a pattern such as "*.json". A single file always matches."""
        for name in self.names():
            last = name.rpartition("/")[2]
            if self.is_file or any(fnmatchcase(last.lower(), pattern.lower()) for pattern in patterns):
                yield Document(self, name)

    def document(self, *patterns: str) -> Document:
        """Returns the only file that matches. Raises SourceError if there is none, or more than one."""
        found: list[Document] = []
        for one in self.documents(*patterns):
            found.append(one)
            if len(found) > 1:
                raise SourceError(self.name, f"has more than one {' or '.join(patterns)}; hint: name one of the files")
        if not found:
            raise SourceError(self.name, f"has no {' or '.join(patterns)}; hint: is it the whole export?")
        return found[0]

    def content(self, name: str, *, beside: Document | None = None, place: str = "") -> Content | None:
        """Returns a file that the export names, or None if the export does not have it.

        Args:
            name: The name as the document gives it, relative to the document or to the export.
            beside: The document that names the file.
            place: The place of the name, for errors.

        Raises:
            SourceError: The name leads out of the export, or names a link or a device.
        """
        folder = beside.name.rpartition("/")[0] if beside is not None else ""
        inside = safe_name(f"{folder}/{name}" if folder else name, place or self.name)
        byte_count = self._zip.size(inside) if self._zip is not None else self._size(inside)
        if byte_count is None:
            return None
        where = f"{self.name}: {printable(inside)}"
        return Content(place=where, open=partial(self._open, inside), byte_count=byte_count)

    def open(self, name: str) -> IO[bytes]:
        """Opens a document of the export. Raises SourceError if it changed since this source first opened it."""
        stream = self._open(safe_name(name, self.name))
        if self._zip is None:
            status = os.fstat(stream.fileno())
            now = (status.st_ino, status.st_size, status.st_mtime_ns)
            # A folder can have millions of documents. Only the first ones are remembered.
            if len(self._seen) < 1024 and self._seen.setdefault(name, now) != now:
                stream.close()
                raise SourceError(printable(name), "changed while it was imported; hint: import it again")
        return stream

    def _open(self, name: str) -> IO[bytes]:
        if self._zip is not None:
            return self._zip.open(name)
        if self.is_file and name == self.path.name:
            # The caller chose this file, so it may be a link.
            return open(self.path, "rb")
        descriptor = _descriptor(self._root, name)
        if descriptor is None:
            raise UnreadableSource(printable(name), "the file is not there any more")
        return open(descriptor, "rb")

    def _size(self, name: str) -> int | None:
        descriptor = _descriptor(self._root, name)
        if descriptor is None:
            return None
        try:
            return os.fstat(descriptor).st_size
        finally:
            os.close(descriptor)


def _descriptor(root: Path, name: str) -> int | None:
    """Opens a file below a folder without following links. Returns None if the file does not exist."""
    *folders, last = name.split("/")
    here = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for folder in folders:
            inner = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=here)
            os.close(here)
            here = inner
        descriptor = os.open(last, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=here)
    except OSError as error:
        # A folder that is a link gives ENOTDIR. A missing file, or a name that no file can have, is not there.
        if error.errno in (errno.ENOENT, errno.ENAMETOOLONG):
            return None
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise SourceError(printable(name), "leads over a link; hint: put the file itself there") from None
        raise UnreadableSource(printable(name), _cause(error)) from None
    except (UnicodeEncodeError, ValueError):
        return None
    finally:
        os.close(here)
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        if stat.S_ISDIR(mode):
            return None
        raise SourceError(printable(name), "is not a file; hint: remove it from the folder")
    return descriptor


def _walk(folder: Path, prefix: str) -> Iterator[str]:
    # A folder can have millions of files. SQLite moves their names to the disk.
    with closing(sqlite3.connect("", isolation_level=None)) as found:
        found.execute("PRAGMA journal_mode = OFF")
        found.execute("CREATE TABLE entry (name BLOB PRIMARY KEY, is_folder, is_file) WITHOUT ROWID")
        found.execute("BEGIN")
        try:
            with os.scandir(folder) as entries:
                found.executemany("INSERT INTO entry VALUES (?, ?, ?)", map(_entry, entries))
        except OSError as error:
            raise UnreadableSource(printable(prefix or folder.name), _cause(error)) from None
        for encoded_name, is_folder, is_file in found.execute("SELECT * FROM entry ORDER BY name"):
            name = os.fsdecode(encoded_name)
            if is_folder:
                yield from _walk(folder / name, f"{prefix}{name}/")
            elif is_file:
                yield f"{prefix}{name}"
            else:
                raise SourceError(printable(prefix + name), "is a link or a device; hint: remove it from the folder")


def _entry(entry: os.DirEntry[str]) -> tuple[bytes, bool, bool]:
    return os.fsencode(entry.name), entry.is_dir(follow_symlinks=False), entry.is_file(follow_symlinks=False)


def _cause(error: OSError) -> str:
    return (error.strerror or "cannot be read").lower()
