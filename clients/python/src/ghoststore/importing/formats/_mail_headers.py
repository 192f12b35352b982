"""Header fields of mail: unfolding, encoded words (RFC 2047), parameters (RFC 2231), addresses and dates."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from datetime import timezone, tzinfo
from email.utils import parsedate_to_datetime
from encodings import normalize_encoding
from encodings.aliases import aliases
from functools import lru_cache
from urllib.parse import unquote_to_bytes

from ..errors import SourceError
from ..times import from_local

# The most bytes of a field, and of the header of a whole message. A longer one is cut, and the import reports it.
FIELD_MAX = 64 * 1024
HEADER_MAX = 1024 * 1024
# Mails repeat the same addresses and names. The last values are remembered, if they have at most so many characters.
_REMEMBERED = 1024
_REMEMBERED_CHARACTERS = 1000

# A field with its folded lines, or another line.
_FIELD = re.compile(rb"([!-9;-~]{1,200})[ \t]*:([^\n]*+(?:\n[ \t][^\n]*+)*+)\n?|[^\n]*\n|[^\n]+")
_LINE_BREAK = re.compile(rb"(?<!\r)\r*+\n")
_WORD = re.compile(r"=\?([^?\s]{1,80})\?([bBqQ])\?([^?]*)\?=")
_PARAMETER = re.compile(r';\s*([^\s=;"]{1,80})\s*=\s*("(?:[^"\\]|\\.)*"?|[^;]*)', re.S)
_ADDRESS_TOKEN = re.compile(
    r'"(?P<quoted>(?:[^"\\]|\\.)*)"?|<(?P<angle>[^<>]*)>?|(?P<stop>[,;:])|(?P<plain>[^",;:<>()]+)|.', re.S
)
_MESSAGE_ID = re.compile(r"<([^<>\s]{1,1000})>")
_ENVELOPE_TIME = re.compile(
    rb"([A-Z][a-z]{2}) +(\d{1,2}) (\d\d:\d\d(?::\d\d)?)(?: [A-Z]{3,4}| ([+-]\d{4}))? (\d{4})(?: ([+-]\d{4}))?"
)
# Names of charsets that Python does not know, and names that most senders use for a larger charset.
_CHARSETS = {
    "ascii": "cp1252", "us_ascii": "cp1252", "iso_8859_1": "cp1252", "latin1": "cp1252", "latin_1": "cp1252",
    "iso_8859_8_i": "iso8859_8", "iso_8859_9": "cp1254", "gb2312": "gb18030", "gbk": "gb18030", "big5": "big5hkscs",
    "shift_jis": "cp932", "x_sjis": "cp932", "ks_c_5601_1987": "cp949", "euc_kr": "cp949", "x_gbk": "gb18030",
    "unicode_1_1_utf_7": "utf_7", "cp_850": "cp850", "x_mac_cyrillic": "mac_cyrillic", "macintosh": "mac_roman",
}
_KNOWN = frozenset(aliases) | frozenset(aliases.values())


class Headers:
    """The fields of a header, in their order. A value is one line, and its encoded words are not decoded yet."""

    def __init__(self, byte_count_max: int = HEADER_MAX) -> None:
        self.fields: list[tuple[str, str]] = []
        self._values: dict[str, list[str]] = {}
        # The number of lines without a name, and true if bytes were cut off.
        self.odd_lines = 0
        self.is_cut = False
        self._pieces: list[bytes] = []
        self._room = byte_count_max

    def add(self, data: bytes) -> None:
        """Adds the next bytes of the header."""
        if len(data) > self._room:
            self.is_cut = True
        if self._room > 0:
            self._pieces.append(data[: self._room])
            self._room -= len(data)

    def finish(self) -> None:
        """Finds the fields, after the last bytes were added."""
        for match in _FIELD.finditer(b"".join(self._pieces)):
            name, value = match.groups()
            if name is None:
                self.odd_lines += 1
                continue
            excess = match.end(2) - match.start() - FIELD_MAX
            if excess > 0:
                self.is_cut = True
                value = value[:-excess]
            if b"\n" in value:
                value = _LINE_BREAK.sub(b"", value)
            field, text = name.decode("ascii"), _text_of(value).strip()
            self.fields.append((field, text))
            self._values.setdefault(field.lower(), []).append(text)
        self._pieces = []

    def raw(self, name: str) -> str:
        """Returns the first value of a field without decoding it, empty without the field."""
        return self._values[name][0] if name in self._values else ""

    def text(self, name: str) -> str:
        """Returns the first value of a field with its encoded words decoded."""
        return decoded_words(self.raw(name))

    def all(self, name: str) -> list[str]:
        """Returns all values of a field."""
        return self._values.get(name, [])

    def addresses(self, *names: str) -> list[tuple[str, str]]:
        """Returns the names and addresses of fields."""
        return [one for name in names for value in self.all(name) for one in addresses(value)]

    def message_ids(self, name: str) -> list[str]:
        """Returns the ids of messages that a field has, without brackets."""
        value = self.raw(name)
        return _MESSAGE_ID.findall(value) or ([value] if value and not re.search(r"[\s<>]", value) else [])

    def content_type(self) -> tuple[str, dict[str, str]]:
        """Returns the type of the content in lower case, empty without the field, and its parameters."""
        return _with_parameters(self.raw("content-type"))

    def disposition(self) -> tuple[str, dict[str, str]]:
        """Returns "inline", "attachment" or another word, and its parameters."""
        return _with_parameters(self.raw("content-disposition"))


def _with_parameters(value: str) -> tuple[str, dict[str, str]]:
    if not value:
        return "", {}
    word = value.partition(";")[0].strip().lower()
    plain: dict[str, str] = {}
    parts: dict[str, dict[int, tuple[bool, str]]] = {}
    for match in _PARAMETER.finditer(value):
        name, found = match[1].lower(), match[2].strip()
        if found.startswith('"'):
            found = re.sub(r"\\(.)", r"\1", found.removeprefix('"').removesuffix('"'), flags=re.S)
        base, star, number = name.partition("*")
        if not star:
            plain.setdefault(name, decoded_words(found))
            continue
        is_encoded = name.endswith("*")
        digits = number.removesuffix("*")
        if digits.isascii() and (digits.isdigit() or not digits) and len(digits) < 4:
            parts.setdefault(base, {})[int(digits or 0)] = (is_encoded, found)
    return word, plain | {name: _joined(pieces) for name, pieces in parts.items()}


def _joined(pieces: dict[int, tuple[bool, str]]) -> str:
    """Joins the pieces of a parameter of RFC 2231: CHARSET'LANGUAGE'percent-encoded text."""
    charset, data = "utf-8", b""
    for number in sorted(pieces):
        is_encoded, text = pieces[number]
        if is_encoded and number == 0 and text.count("'") >= 2:
            charset, _, text = text.split("'", 2)
        data += unquote_to_bytes(text) if is_encoded else text.encode("utf-8", "replace")
    return decoded(data, charset)[0]


def decoded(data: bytes, charset: str) -> tuple[str, bool]:
    """Returns decoded text, and false if some bytes are not in the charset. An unknown charset is guessed."""
    codec, is_guessed = _codec(charset.strip().strip("'\"").lower()[:80])
    if is_guessed:
        return _text_of(data), codec in _KNOWN or not charset
    try:
        return data.decode(codec), True
    except UnicodeDecodeError:
        return data.decode(codec, "replace"), False
    except (LookupError, ValueError):
        # Some codecs of Python, such as base64, are not for text.
        return _text_of(data), False


@lru_cache(_REMEMBERED)
def _codec(charset: str) -> tuple[str, bool]:
    """Returns the name of a charset in Python, and true if texts are more likely in another charset."""
    name = normalize_encoding(charset).strip("_")
    codec = _CHARSETS.get(name, name)
    return codec, codec not in _KNOWN or name in ("ascii", "us_ascii")


def _text_of(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def decoded_words(value: str) -> str:
    """Decodes encoded words. Space between two words does not count. A character can be split over two words."""
    if "=?" not in value:
        return value
    return _remembered_words(value) if len(value) <= _REMEMBERED_CHARACTERS else _decoded_words(value)


def _decoded_words(value: str) -> str:
    result: list[str] = []
    held, held_charset, end = b"", "", 0
    for match in _WORD.finditer(value):
        between = value[end : match.start()]
        charset = match[1].partition("*")[0].lower()
        if end and not between.strip() and charset == held_charset:
            held += _word_bytes(match)
        else:
            result.append(decoded(held, held_charset)[0] if held else "")
            if not end or between.strip():
                result.append(between)
            held, held_charset = _word_bytes(match), charset
        end = match.end()
    if held:
        result.append(decoded(held, held_charset)[0])
    return "".join(result) + value[end:] if end else value


_remembered_words = lru_cache(_REMEMBERED)(_decoded_words)


def _word_bytes(match: re.Match[str]) -> bytes:
    data = match[3].encode("utf-8", "replace")
    if match[2] in "qQ":
        return binascii.a2b_qp(data, header=True)
    data = re.sub(rb"[^A-Za-z0-9+/]", b"", data)
    if len(data) % 4 == 1:
        data = data[:-1]
    return base64.b64decode(data + b"=" * (-len(data) % 4))


def addresses(value: str) -> tuple[tuple[str, str], ...]:
    """Returns the names and addresses of a list, also of a malformed one. Addresses are in lower case."""
    return _remembered_addresses(value) if len(value) <= _REMEMBERED_CHARACTERS else tuple(_addresses(value))


@lru_cache(_REMEMBERED)
def _remembered_addresses(value: str) -> tuple[tuple[str, str], ...]:
    return tuple(_addresses(value))


def _addresses(value: str) -> Iterator[tuple[str, str]]:
    phrase: list[str] = []
    bare: list[str] = []
    comment, angle = "", None
    at = 0
    while at <= len(value):
        match = _ADDRESS_TOKEN.match(value, at)
        if match is None or match["stop"] is not None:
            if match is not None and match["stop"] == ":":
                phrase, bare, comment, angle = [], [], "", None
            else:
                address = (angle if angle is not None else "".join(bare)).strip().lower()
                name = decoded_words(" ".join(part.strip() for part in phrase if part.strip()))
                if address and not re.search(r"\s", address):
                    yield (name if angle is not None else decoded_words(comment)), address
                phrase, bare, comment, angle = [], [], "", None
            at += 1
            continue
        if match[0] == "(":
            comment, at = _comment(value, at)
            continue
        if match["angle"] is not None:
            angle = match["angle"].rpartition(":")[2]
        elif match["quoted"] is not None:
            phrase.append(re.sub(r"\\(.)", r"\1", match["quoted"], flags=re.S))
            bare.append(match[0])
        elif match["plain"] is not None:
            phrase.append(match["plain"])
            bare.append(match["plain"])
        at = match.end()


def _comment(value: str, at: int) -> tuple[str, int]:
    """Returns the text of a comment, which can have comments inside, and the position after it."""
    depth = 0
    for position in range(at, len(value)):
        if value[position] == "(" and value[position - 1 : position] != "\\":
            depth += 1
        elif value[position] == ")" and value[position - 1 : position] != "\\":
            depth -= 1
            if depth == 0:
                return value[at + 1 : position].strip(), position + 1
    return value[at + 1 :].strip(), len(value)


def time_of(value: str, zone: tzinfo) -> int | None:
    """Returns the time of a field such as Date, or None if the field has no valid time."""
    text = re.sub(r"\([^()]*\)", " ", value[:200]).strip()
    try:
        moment = parsedate_to_datetime(text)
        # RFC 5322: -0000 is a time in UTC, from a sender whose time zone is not known.
        return from_local(moment.replace(tzinfo=timezone.utc) if text.endswith("-0000") else moment, zone, "")
    except (ValueError, TypeError, IndexError, OverflowError, SourceError):
        return None


def envelope_time(line: bytes, zone: tzinfo) -> int | None:
    """Returns the time of a From_ line, which is in the form of asctime(3), or None."""
    match = _ENVELOPE_TIME.search(line[:500])
    if match is None:
        return None
    month, day, clock, before, year, after = (group.decode() if group else "" for group in match.groups())
    return time_of(f"{day} {month} {year} {clock} {before or after}".strip(), zone)
