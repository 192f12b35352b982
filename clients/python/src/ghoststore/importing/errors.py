"""The error of a file that cannot be imported."""

from __future__ import annotations

from .notes import printable

_CHARACTERS_MAX = 300


class SourceError(Exception):
    """The file is malformed, damaged or not safe to read. Nothing of it was saved.

    `place` says where: "result.json: byte 1204", "chat.txt: line 12", "export.zip: media/1.jpg". `message` is the
    cause in lower case and in the words of the format; it never quotes what people wrote.
    """

    def __init__(self, place: str, message: str) -> None:
        self.place, self.message = printable(place, _CHARACTERS_MAX), printable(message, _CHARACTERS_MAX)
        super().__init__(f"{self.place}: {self.message}" if place else self.message)


class UnreadableSource(SourceError):
    """The file, or a file of the export, does not exist or cannot be read."""


class WrongOption(SourceError):
    """The file cannot be read with these options of the command."""
