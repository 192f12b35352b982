"""The error of a file that cannot be imported."""

from __future__ import annotations


class SourceError(Exception):
    """The file is malformed, damaged or not safe to read. Nothing of it was saved.

    `place` says where: "result.json: byte 1204", "chat.txt: line 12", "export.zip: media/1.jpg". `message` is the
    cause in lower case and in the words of the format; it never quotes what people wrote.
    """

    def __init__(self, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}" if place else message)
        self.place, self.message = place, message


class UnreadableSource(SourceError):
    """The file, or a file of the export, does not exist or cannot be read."""
