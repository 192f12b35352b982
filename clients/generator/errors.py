"""The reasons of proto-docs/ERRORS.md."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ROW = re.compile(r"^\| `([A-Z_]+)` \| ([A-Z_]+) \| (yes|no) \| (.*) \|$", re.MULTILINE)
_WORD = re.compile(r"^\| ([A-Z_]+) \| ([^|]*) \|$", re.MULTILINE)
_TITLE = re.compile(r"^## (.*)$", re.MULTILINE)


@dataclass
class ReasonInfo:
    """A reason for which the daemon refuses a call."""

    word: str
    code: str
    is_retryable: bool
    meaning: str
    # The heading above the table that contains the reason.
    chapter: str


@dataclass
class Errors:
    """The tables of ERRORS.md."""

    reasons: list[ReasonInfo]
    # The words that say why a message of a replica group waits or is refused, with their meanings.
    words: list[tuple[str, str]]


def reasons(document: str) -> list[ReasonInfo]:
    """Returns the reasons in the order of the document."""
    found = []
    titles = [(one.start(), one[1]) for one in _TITLE.finditer(document)]
    for row in _ROW.finditer(document):
        chapter = [title for start, title in titles if start < row.start()][-1]
        found.append(ReasonInfo(row[1], row[2], row[3] == "yes", row[4], chapter))
    return found


def words(document: str) -> list[tuple[str, str]]:
    """Returns the words that say why a message of a replica group waits or is refused, with their meanings."""
    return _WORD.findall(document)
