"""Counts of the data that a format could not import, or does not know."""

from __future__ import annotations

from dataclasses import dataclass

# A hostile file can have any number of different element names. Beyond this number they are counted together.
_NAMES_MAX = 200
_NAME_CHARACTERS_MAX = 100
_OTHERS = "other names"


@dataclass(slots=True)
class Note:
    """A number of equal notes, with the place of the first."""

    count: int
    first_place: str


class Notes:
    """The notes of one run, by their text."""

    def __init__(self) -> None:
        self.unknown: dict[str, Note] = {}
        self.skipped: dict[str, Note] = {}
        self.hints: dict[str, Note] = {}

    def add_unknown(self, element: str, place: str) -> None:
        """Counts an element that the format's module does not know. Its data should be in the metadata."""
        _count(self.unknown, element, place)

    def add_skipped(self, what: str, place: str) -> None:
        """Counts something that is not saved, such as "photo that is not in the export"."""
        _count(self.skipped, what, place)

    def add_hint(self, what: str, place: str) -> None:
        """Counts something that is saved, but most likely not as the user wants it."""
        _count(self.hints, what, place)


def _count(notes: dict[str, Note], text: str, place: str) -> None:
    name = printable(text)
    if name not in notes and len(notes) >= _NAMES_MAX:
        name = _OTHERS
    note = notes.setdefault(name, Note(0, printable(place)))
    note.count += 1


def printable(text: str, characters_max: int = _NAME_CHARACTERS_MAX) -> str:
    """Returns a name from a file so that it can go to a terminal: short, on one line, without control characters."""
    cut = text if len(text) <= characters_max else text[:characters_max] + "…"
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in cut)
