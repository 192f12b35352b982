"""Reads JSON of any size without holding it: objects and arrays are walked, and only small values are decoded."""

from __future__ import annotations

import codecs
import json
import math
from collections.abc import Iterable, Iterator
from typing import IO, Any, NoReturn

from .errors import SourceError
from .lines import lines

_READ_BYTES = 256 * 1024
# The largest value that is decoded as a whole, in characters.
_VALUE_MAX = 32 * 1024 * 1024
_DEPTH_MAX = 100
_SPACE = " \t\n\r"
_AFTER_VALUE = " \t\n\r,:]}"
_NUMBER_MAX = 64
_CUT_OFF = "the file ends too early; hint: is it complete?"


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)


class JsonReader:
    """A position in a JSON document.

    At a value, call one of `value`, `members` and `elements`. `members` yields the key and `elements` the index while
    the reader is at the value after it. A value that the caller does not read is skipped. Example:

        for key in reader.members():
            if key == "messages":
                for _ in reader.elements():
                    message = reader.value()
    """

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self._stream, self._name = stream, name
        self._decoder: codecs.IncrementalDecoder | None = None
        self._text, self._at, self._discarded = "", 0, 0
        self._has_ended = False
        self._is_at_value = True
        self._path: list[str | int] = []

    @property
    def place(self) -> str:
        """The place of the value that the reader is at: "result.json: chats.list[3].messages[7]"."""
        path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in self._path)
        return f"{self._name}: {path.removeprefix('.')}" if path else self._name

    def value(self) -> Any:
        """Decodes the whole value that the reader is at, and moves after it."""
        self._take_value()
        self._skip_space()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
                if self._has_ended or not self._may_continue(end):
                    if not _is_shallow(value, self._text, self._at, end):
                        self._fail("values are nested too deep")
                    self._at = end
                    return value
            except json.JSONDecodeError as error:
                if self._has_ended:
                    is_cut_off = _is_beginning(error, self._text[error.pos : error.pos + 16].rstrip(_SPACE))
                    self._fail(_CUT_OFF if is_cut_off else f"not JSON: {error.msg.lower()}", error.pos)
            except RecursionError:
                self._fail("values are nested too deep")
            except ValueError:
                self._fail("a number is too large, or is not JSON")
            if len(self._text) - self._at > _VALUE_MAX:
                self._fail(f"a value has more than {_VALUE_MAX // 1024 // 1024} million characters, or is not JSON")
            self._fill()

    def members(self) -> Iterator[str]:
        """Walks an object: yields each key, with the reader at its value."""
        self._open("{", "an object")
        if self._next() == "}":
            self._at += 1
            return
        depth = len(self._path)
        self._path.append("")
        while True:
            if self._next() != '"':
                self._fail("not JSON: a key is missing" if self._next() else _CUT_OFF)
            self._is_at_value = True
            key = self.value()
            self._expect(":", "a colon is missing after a key")
            self._path[depth] = key if len(key) < 60 and key.isprintable() else "…"
            yield from self._at_value(key, depth)
            if self._is_last("}"):
                break
        self._path.pop()

    def elements(self) -> Iterator[int]:
        """Walks an array: yields each index from 0, with the reader at the element."""
        self._open("[", "an array")
        if self._next() == "]":
            self._at += 1
            return
        depth = len(self._path)
        self._path.append(0)
        index = 0
        while True:
            self._path[depth] = index
            yield from self._at_value(index, depth)
            if self._is_last("]"):
                break
            index += 1
        self._path.pop()

    def kind(self) -> str:
        """Returns the first character of the value that the reader is at: "{", "[", a quote, and so on."""
        return self._next()

    def end(self) -> None:
        """Checks that nothing follows the value."""
        if self._next():
            self._fail("more data follows the end of the document")

    def _at_value(self, key: Any, depth: int) -> Iterator[Any]:
        self._is_at_value = True
        yield key
        if len(self._path) != depth + 1:
            raise RuntimeError("the caller left members or elements of an inner value before their end")
        if self._is_at_value:
            self.value()

    def _may_continue(self, end: int) -> bool:
        """Returns true if a value that was decoded may be the beginning of a longer number, such as 1 of 1.5."""
        return end == len(self._text) or (self._text[end] not in _AFTER_VALUE and len(self._text) - end < _NUMBER_MAX)

    def _take_value(self) -> None:
        if not self._is_at_value:
            raise RuntimeError("the value was read already")
        self._is_at_value = False

    def _open(self, bracket: str, kind: str) -> None:
        self._take_value()
        if self._next() != bracket:
            self._fail(f"{kind} was expected" if self._next() else _CUT_OFF)
        self._at += 1

    def _is_last(self, bracket: str) -> bool:
        found = self._next()
        if found not in (",", bracket):
            self._fail("not JSON: a comma is missing" if found else _CUT_OFF)
        self._at += 1
        return found == bracket

    def _expect(self, character: str, problem: str) -> None:
        if self._next() != character:
            self._fail(f"not JSON: {problem}" if self._next() else _CUT_OFF)
        self._at += 1

    def _next(self) -> str:
        """Returns the next character that is not space, without moving; empty at the end."""
        self._skip_space()
        return self._text[self._at : self._at + 1]

    def _skip_space(self) -> None:
        while True:
            while self._at < len(self._text) and self._text[self._at] in _SPACE:
                self._at += 1
            if self._at < len(self._text) or self._has_ended:
                return
            self._fill()

    def _fill(self) -> None:
        data = self._stream.read(max(_READ_BYTES, len(self._text) - self._at))
        if self._decoder is None:
            is_utf16 = data[:2] in (b"\xff\xfe", b"\xfe\xff")
            self._decoder = codecs.getincrementaldecoder("utf-16" if is_utf16 else "utf-8-sig")()
        try:
            text = self._decoder.decode(data, not data)
        except UnicodeDecodeError:
            self._at = len(self._text)
            self._fail("the text is not UTF-8; hint: export it again")
        self._discarded += self._at
        self._text = self._text[self._at :] + text
        self._at = 0
        self._has_ended = not data

    def _fail(self, message: str, at: int | None = None) -> NoReturn:
        position = self._discarded + (self._at if at is None else at) + 1
        raise SourceError(f"{self.place}: character {position}", message) from None


def json_lines(stream: IO[bytes], name: str) -> Iterator[tuple[str, Any]]:
    """Yields the place and the value of each line of JSON Lines. Empty lines are left out."""
    for number, line in lines(stream, name):
        if not line.strip():
            continue
        place = f"{name}: line {number}"
        try:
            value = _DECODER.decode(line)
        except json.JSONDecodeError as error:
            hint = "; hint: does the file have lines of a log?" if error.colno == 1 else ""
            raise SourceError(f"{place}, column {error.colno}", f"not JSON: {error.msg.lower()}{hint}") from None
        except RecursionError:
            raise SourceError(place, "values are nested too deep") from None
        except ValueError:
            raise SourceError(place, "a number is too large, or is not JSON") from None
        if not _is_shallow(value, line, 0, len(line)):
            raise SourceError(place, "values are nested too deep")
        yield place, value


def _is_beginning(error: json.JSONDecodeError, rest: str) -> bool:
    """Returns true if the text from the error on, which is the end of the file, begins a valid value."""
    is_word = any(word.startswith(rest) for word in ("true", "false", "null", "-"))
    return is_word or error.msg.startswith("Unterminated") or (error.msg.startswith("Invalid \\") and len(rest) < 8)


def _is_shallow(value: Any, text: str, start: int, end: int) -> bool:
    """Returns true if at most a hundred values are inside one another, so that the value can be encoded again."""
    # Most values do not even have so many brackets.
    if text.count("[", start, end) + text.count("{", start, end) <= _DEPTH_MAX:
        return True
    layer = [value]
    for _ in range(_DEPTH_MAX + 1):
        layer = [inner for one in layer if isinstance(one, (dict, list)) for inner in _inner(one)]
        if not layer:
            return True
    return False


def _inner(value: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value
