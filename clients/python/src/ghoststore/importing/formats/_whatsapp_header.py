"""The beginning of a message in an exported chat: date, time and sender, as locales write them.

    [27.03.22, 21:41:35] Ann: text          iOS
    27/03/2022, 9:41 p. m. - Ann: text      Android
    [21:41:35, 27/3/22] Ann: text           iOS, Vietnamese
    15/04/16 15:04:05: Ann: text            old iOS
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ._whatsapp_words import AM, BESIDE_TIME, MARKS, PM, SPACES, without_marks

# All repetitions have a limit, so that no line takes long to match.
_MARK = f"[{MARKS}]{{0,6}}"
_GAP = f"[{MARKS}{SPACES}]{{0,6}}"
_SPACE = f"[{MARKS}]{{0,4}}[{SPACES}]{{1,3}}[{MARKS}]{{0,4}}"
_LINE_MAX = 200
# A name of a contact is shorter. A longer text before ": " belongs to a message of WhatsApp itself.
_SENDER_MAX = 120
_QUOTES = {"“": "”", "«": "»", "「": "」", "„": "“", '"': '"'}


def _words(words: str) -> str:
    """Returns a pattern for words, in which dots and spaces may be missing."""
    patterns = {".": rf"\.?{_GAP}", " ": _GAP}
    longest_first = sorted(words.split("|"), key=lambda word: (-len(word), word))
    return "|".join("".join(patterns.get(one) or re.escape(one) for one in word) for word in longest_first)


_BESIDE = f"(?:{_words(BESIDE_TIME)})"
_AM, _PM = _words(AM + "|am|a.m"), _words(PM + "|pm|p.m")
_DATE = (
    rf"(?P<first>[RH]?\d{{1,4}}){_GAP}(?P<separator>[./\-年년]){_GAP}(?P<second>\d{{1,4}}){_GAP}[./\-月월]{_GAP}"
    rf"(?P<third>[RH]?\d{{1,4}})(?!\d)(?:{_GAP}[.日일])?(?:{_GAP}(?:BE|CE|AD|г\.))?"
)
_TIME = (
    rf"(?:{_BESIDE}{_GAP})?(?:(?:(?P<am1>{_AM})|(?P<pm1>{_PM})){_GAP})?"
    rf"(?P<hour>\d{{1,2}})(?:[:.]|{_GAP}h{_GAP})(?P<minute>\d{{2}})"
    rf"(?:(?:[:.]|{_GAP}min{_GAP})(?P<seconds>\d{{2}}))?(?!\d)"
    rf"(?:{_GAP}(?:s|min))?(?:{_GAP}(?:(?P<am2>{_AM})|(?P<pm2>{_PM})))?(?:{_GAP}{_BESIDE})?"
)
_COMMA = rf"(?:{_MARK}[,،、])?"
_END = rf"{_GAP}(?P<end>\]{_GAP}|{_SPACE}[-–—](?=[{SPACES}{MARKS}])|:(?=[{SPACES}]))"
_DATE_FIRST = re.compile(rf"{_MARK}(?P<open>\[?){_GAP}{_DATE}{_COMMA}{_GAP}{_TIME}{_END}", re.IGNORECASE)
_TIME_FIRST = re.compile(rf"{_MARK}(?P<open>\[?){_GAP}{_TIME}{_COMMA}{_GAP}{_DATE}{_END}", re.IGNORECASE)


class Style(NamedTuple):
    """The common form of the beginnings of all messages of a file. A line of another form belongs to a text."""

    has_brackets: bool
    is_date_first: bool
    separator: str
    has_seconds: bool
    end: str


class Header(NamedTuple):
    """The beginning of a message. `date` has the three numbers of the date in the order of the file."""

    style: Style
    date: tuple[str, str, str]
    hour: int
    minute: int
    second: int
    # The words for the half of the day, as they are in the file; empty with a clock of 24 hours.
    half: str
    rest: str


def header_of(line: str, style: Style | None = None) -> Header | None:
    """Returns the beginning of a message, or None. With a style, only a beginning of this style counts."""
    start = line[:_LINE_MAX]
    for pattern in (_DATE_FIRST, _TIME_FIRST):
        if style is None or style.is_date_first == (pattern is _DATE_FIRST):
            found = pattern.match(start)
            header = _header(line, found, pattern is _DATE_FIRST) if found else None
            if header is not None and style in (None, header.style):
                return header
    return None


def _header(line: str, found: re.Match[str], is_date_first: bool) -> Header | None:
    end = "]" if "]" in found["end"] else ":" if ":" in found["end"] else "-"
    if (found["open"] == "[") != (end == "]"):
        return None
    am, pm = found["am1"] or found["am2"], found["pm1"] or found["pm2"]
    hour, minute, second = int(found["hour"]), int(found["minute"]), int(found["seconds"] or 0)
    if am and hour <= 12:
        hour %= 12
    elif pm and hour <= 12:
        hour = hour % 12 + 12
    # Some locales count the hours from 1 to 24.
    hour = 0 if hour == 24 else hour
    if hour > 23 or minute > 59 or second > 59:
        return None
    style = Style(found["open"] == "[", is_date_first, found["separator"], found["seconds"] is not None, end)
    date = (found["first"], found["second"], found["third"])
    return Header(style, date, hour, minute, second, without_marks(am or pm or ""), line[found.end() :])


def sender_and_body(rest: str) -> tuple[str, str]:
    """Splits the rest of a first line into sender and text. WhatsApp's own messages have no sender."""
    rest = rest.lstrip(SPACES)
    sender, colon, body = rest.partition(": ")
    if not colon and rest.rstrip(MARKS + SPACES).endswith(":"):
        sender, body = rest.rstrip(MARKS + SPACES)[:-1], ""
    elif not colon:
        return "", rest
    name = _name(sender)
    return (name, body) if name else ("", rest)


@lru_cache(maxsize=1024)
def _name(sender: str) -> str:
    """Returns a sender's name, or nothing if the words are a part of a message of WhatsApp itself."""
    name = without_marks(sender)
    has_open_quote = any(
        name.count(opening) % 2 if closing == opening else name.count(opening) > name.count(closing)
        for opening, closing in _QUOTES.items()
    )
    return "" if has_open_quote or len(name) > _SENDER_MAX else name
