"""Finds the files of a Matrix export.

Element names a file after the message's text and time: "images/photo-10-30-2022 at 3-04-05 PM.png". The date is in the
language and the time zone of the browser, so that it cannot be made again. But its numbers can be compared.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from datetime import datetime

from ...times import from_microseconds
from ..errors import SourceError
from ..identity import clean
from ..reading import Reading
from ..records import Content
from ..safe_names import safe_name
from ..source import Document, Source
from ._matrix_documents import MEDIA_FOLDERS

_MXC = re.compile(r"mxc://([A-Za-z0-9.:\[\]-]{1,255})/([A-Za-z0-9_-]{1,255})")
_FOLDERS = {"m.image": "images", "m.video": "videos", "m.audio": "audio"}
_CANDIDATES_MAX = 10_000
# Time zones differ by quarters of an hour.
_QUARTER = 15


class Files:
    """The files beside one document, in a temporary database: an export can have any number of them."""

    def __init__(self, reading: Reading, document: Document, *, is_element: bool) -> None:
        self._reading, self._document, self._is_element = reading, document, is_element
        self._index: sqlite3.Connection | None = None

    def close(self) -> None:
        """Removes the database."""
        if self._index is not None:
            self._index.close()

    def find(
        self, kind: str, name: str, *, url: str, is_encrypted: bool, time: int, size: int | None, place: str
    ) -> Content | None:
        """Returns the file of a message, or None if the export does not have it."""
        if self._is_element:
            found = self._of_element(kind, name, time, size)
            return None if found is None else self._content(found, place)
        match = _MXC.fullmatch(url)
        # The server's copy of an encrypted file cannot be read.
        if match is None or is_encrypted:
            return None
        server, id = match.groups()
        for path in (f"media/{server}/{id}", f"media/{id}"):
            content = self._content(path, place)
            if content is not None:
                return content
        return None

    def _content(self, path: str, place: str) -> Content | None:
        return self._reading.source.content(path, beside=self._document, place=place)

    def _of_element(self, kind: str, name: str, time: int, size: int | None) -> str | None:
        folder = "stickers" if kind == "m.sticker" else _FOLDERS.get(kind, "files")
        stem, dot, extension = name.rpartition(".")
        if not dot:
            stem, extension = name, ""
        ends = {dot + extension, ".png"} if kind == "m.sticker" else {dot + extension, ".ogg"}
        try:
            prefix = clean(safe_name(f"{folder}/{stem}-", "")) if stem else f"{folder}/-"
        except SourceError:
            # The text of the message is no name of a file.
            return None
        rows = self._names().execute(
            "SELECT name FROM file WHERE name > ? AND name < ? ORDER BY name LIMIT ?",
            (prefix, prefix + "\U0010ffff", _CANDIDATES_MAX),
        )
        best: tuple[tuple[int, ...], str] | None = None
        for (found,) in rows:
            for end in ends:
                if not found.endswith(end):
                    continue
                score = self._score(found[len(prefix) : len(found) - len(end)], time, found, size)
                if score is not None and (best is None or score > best[0]):
                    best = score, found
        return None if best is None else best[1]

    def _score(self, date: str, time: int, name: str, size: int | None) -> tuple[int, ...] | None:
        """Returns how well the numbers of a date fit a time, or None if they do not."""
        numbers = [int(digits) for digits in re.findall(r"\d{1,9}", date)]
        try:
            local = from_microseconds(time).astimezone(self._reading.zone)
        except OverflowError:
            return None
        if local.second not in numbers or not any((local.minute - one) % _QUARTER == 0 for one in numbers):
            return None
        has_size = size is not None and self._size(name) == size
        return int(has_size), _fitting(numbers, local), -len(numbers)

    def _size(self, name: str) -> int | None:
        content = self._content(name, name)
        return None if content is None else content.byte_count

    def _names(self) -> sqlite3.Connection:
        if self._index is None:
            self._index = sqlite3.connect("", isolation_level=None)
            self._index.execute("PRAGMA journal_mode = OFF")
            self._index.execute("CREATE TABLE file (name TEXT PRIMARY KEY) WITHOUT ROWID")
            self._index.executemany("INSERT OR IGNORE INTO file VALUES (?)", ((clean(name),) for name in self._beside()))
        return self._index

    def _beside(self) -> Iterator[str]:
        """Yields the names of media, relative to the document."""
        source = self._reading.source
        if not source.is_file:
            folder = self._document.name.rpartition("/")[0]
            prefix = f"{folder}/" if folder else ""
            for name in source.names():
                inside = name.removeprefix(prefix)
                if name.startswith(prefix) and inside.partition("/")[0] in MEDIA_FOLDERS:
                    yield inside
            return
        for folder in MEDIA_FOLDERS:
            path = source.path.parent / folder
            if path.is_dir() and not path.is_symlink():
                yield from (f"{folder}/{name}" for name in Source(path).names())


def _fitting(numbers: list[int], local: datetime) -> int:
    rest = list(numbers)
    count = 0
    for wanted in ({local.second}, {local.minute}, {local.hour, local.hour % 12 or 12}, {local.day}, {local.month},
                   {local.year, local.year % 100}):
        found = next((one for one in rest if one in wanted), None)
        if found is not None:
            rest.remove(found)
            count += 1
    return count
