"""Writes the reasons of ERRORS.md."""

from __future__ import annotations

from errors import ReasonInfo
from for_swift.comments import Comments
from for_swift.text import HEADER, camel, comment, escaped

# Reasons that the client itself also uses. Errors/Reason.swift says when.
_WRITTEN = {"CANCELLED", "DEADLINE_EXCEEDED", "REQUEST_TOO_LARGE"}


def file(reasons: list[ReasonInfo], words: list[tuple[str, str]], comments: Comments) -> str:
    """Returns the content of the file."""
    text = HEADER.rstrip("\n") + "\n"
    chapters: dict[str, list[tuple[str, str]]] = {}
    for one in reasons:
        if one.word not in _WRITTEN:
            chapters.setdefault(one.chapter, []).append((one.word, one.meaning))
    for title, rows in chapters.items():
        about = comment(f"Reasons of the daemon: {title[:1].lower() + title[1:]}.", "")
        text += f"\n{about}extension StoreClientError.Reason {{\n{_constants(rows, comments)}}}\n"
    about = comment("The words of the protocol, for messages that wait and then for messages that are refused.", "")
    return f"{text}\n{about}extension ReplicaReason {{\n{_constants(words, comments)}}}\n"


def _constants(rows: list[tuple[str, str]], comments: Comments) -> str:
    return "".join(
        comment(comments.translated(meaning), "    ")
        + f'    public static let {escaped(camel(word))} = Self(rawValue: "{word}")\n'
        for word, meaning in rows
    )
