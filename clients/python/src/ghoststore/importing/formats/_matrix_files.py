"""Finds the files of a Matrix export.

Element names a file after the message's text and time: "images/photo-10-30-2022 at 3-04-05 PM.png". The date is in the
language and the time zone of the browser, so the name cannot be computed. But the numbers in it can be compared.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise

from ...times import from_microseconds
from ..errors import SourceError
from ..identity import clean
from ..reading import Reading
from ..records import Content
from ..safe_names import safe_name
from ..source import Document, Source
from ._matrix_documents import MEDIA_FOLDERS

_MXC = re.compile(r"mxc://([A-Za-z0-9.:\[\]-]{1,255})/([A-Za-z0-9_-]{1,255})")
_NUMBER = re.compile(r"\d{1,9}")
_FOLDERS = {"m.image": "images", "m.video": "videos", "m.audio": "audio"}
_NUMBERS_MAX = 16
_CANDIDATES_MAX = 200
# Time zones differ by quarters of an hour.
_QUARTER = 15


class FileNames:
    """The names of all media of the export, in a temporary database that SQLite moves to the disk if it grows.

    The names of thousands of pictures can differ only in the date, so a picture is found by the minute and the second.
    """

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._index: sqlite3.Connection | None = None

    def close(self) -> None:
        """Removes the database."""
        if self._index is not None:
            self._index.close()

    def find(self, prefix: str, minute: int, second: int) -> Iterator[str]:
        """Yields the names that begin with a text and contain the minute directly followed by the second."""
        if self._index is None:
            self._index = self._made()
        # Other numbers of a date can look like the minute and the second. In most languages the time comes last, so
        # the names with the fewest numbers after the minute and the second come first.
        for [name] in self._index.execute(
            "SELECT name FROM file WHERE moment = ? AND name > ? AND name < ? ORDER BY behind, name LIMIT ?",
            (_moment(minute, second), prefix, prefix + "\U0010ffff", _CANDIDATES_MAX),
        ):
            yield name

    def _made(self) -> sqlite3.Connection:
        index = sqlite3.connect("", isolation_level=None)
        index.execute("PRAGMA journal_mode = OFF")
        index.execute("CREATE TABLE file (moment, name, behind, PRIMARY KEY (moment, name)) WITHOUT ROWID")
        index.execute("BEGIN")
        for name in self._names():
            pairs = enumerate(pairwise(reversed(_numbers(name))))
            rows = [(_moment(minute, second), clean(name), behind) for behind, (second, minute) in pairs if second < 60]
            index.executemany("INSERT OR IGNORE INTO file VALUES (?, ?, ?)", rows)
        return index

    def _names(self) -> Iterator[str]:
        source = self._reading.source
        if not source.is_file:
            yield from (name for name in source.names() if _is_in_media_folder(name))
            return
        for folder in MEDIA_FOLDERS:
            path = source.path.parent / folder
            if path.is_dir() and not path.is_symlink():
                yield from (f"{folder}/{name}" for name in Source(path).names())


class Files:
    """The files beside one document."""

    def __init__(self, reading: Reading, document: Document, names: FileNames, *, is_element: bool) -> None:
        self._reading, self._document, self._names, self._is_element = reading, document, names, is_element
        folder = document.name.rpartition("/")[0]
        self._folder = f"{folder}/" if folder else ""

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
        try:
            local = from_microseconds(time).astimezone(self._reading.zone)
            stem, dot, extension = name.rpartition(".") if "." in name else (name, "", "")
            folder = "stickers" if kind == "m.sticker" else _FOLDERS.get(kind, "files")
            prefix = clean(self._folder + safe_name(f"{folder}/{stem}-", ""))
        except (OverflowError, SourceError):
            # The time is out of range, or the text of the message cannot be the name of a file.
            return None
        ends = (".png",) if kind == "m.sticker" else (dot + extension, ".ogg")
        best: tuple[tuple[int, ...], str] | None = None
        for found in self._names.find(prefix, local.minute, local.second):
            end = next((end for end in ends if found.endswith(end)), None)
            if end is not None:
                inside = found[len(self._folder) :]
                score = self._score(found[len(prefix) : len(found) - len(end)], local, inside, size)
                if score is not None and (best is None or score > best[0]):
                    best = score, inside
        return None if best is None else best[1]

    def _score(self, date: str, local: datetime, name: str, size: int | None) -> tuple[int, ...] | None:
        """Returns how well the numbers of a date fit a time, or None if they do not."""
        numbers = _numbers(date)
        moment = _moment(local.minute, local.second)
        fits = [_fitting(numbers, at, local) for at, pair in enumerate(pairwise(numbers)) if _moment(*pair) == moment]
        return (int(self._has_size(name, size)), max(fits), -len(numbers)) if fits else None

    def _has_size(self, name: str, size: int | None) -> bool:
        content = None if size is None else self._content(name, name)
        return content is not None and content.byte_count == size


def _moment(minute: int, second: int) -> int:
    return minute % _QUARTER * 60 + second


def _numbers(text: str) -> list[int]:
    """Returns the last numbers of a text. Digits of any script count."""
    return [int(digits) for digits in _NUMBER.findall(text)[-_NUMBERS_MAX:]]


def _is_in_media_folder(name: str) -> bool:
    return any(folder in MEDIA_FOLDERS for folder in name.split("/")[:-1])


def _fitting(numbers: list[int], at: int, local: datetime) -> int:
    """Counts the parts of a time that the numbers contain. `at` is the index of the minute. The hour is before it.

    The clock has 12 or 24 hours, and the parts of the date have any order. The minute counts twice: it is the same in
    most time zones.
    """
    count = 2 * (numbers[at] == local.minute)
    hours = (local.hour, local.hour % 12 or 12)
    count += at > 0 and numbers[at - 1] in hours
    rest = numbers[: max(0, at - 1)] + numbers[at + 2 :]
    for wanted in ((local.day,), (local.month,), (local.year, local.year % 100)):
        found = next((one for one in wanted if one in rest), None)
        if found is not None:
            rest.remove(found)
            count += 1
    return count
