"""Hostile forms of a JSON export: cut anywhere, and with each value replaced by values of other types."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ghoststore.importing import Message, SourceError
from importing_help import read_all

_DEEP = json.loads("[" * 50 + "]" * 50)
OTHERS: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**30,
    1e308,
    "",
    "--5",
    "²",
    "../../../etc/passwd",
    "\u202e\0\x1b[2J\ud800",
    [],
    {},
    {"text": 1, "id": None},
    _DEEP,
)


def check(name: str, path: Path) -> bool:
    """Reads an export and returns true if it was read, false for an error that names the place."""
    try:
        records = read_all(name, path)
    except SourceError as error:
        assert error.place and error.message, "the error names no place"
        assert error.message[0].islower() and "\n" not in str(error)
        return False
    for record in records:
        if isinstance(record, Message):
            _check_message(record)
    return True


def _check_message(message: Message) -> None:
    for text in (message.sender, message.sender_name, message.text, message.kind, message.source_id, message.recipient):
        assert isinstance(text, str)
    assert isinstance(message.time_microseconds, int)
    assert message.is_outgoing in (True, False, None)
    assert message.reply_to is None or isinstance(message.reply_to, str)
    json.dumps(message.metadata, sort_keys=True)
    for one in message.attachments:
        assert isinstance(one.name, str) and isinstance(one.mime_type, str)
        json.dumps(one.metadata, sort_keys=True)
    assert all(isinstance(one.emoji, str) and isinstance(one.author, str) for one in message.reactions)


def cuts(data: bytes, step: int) -> Iterator[bytes]:
    """Yields the beginnings of a file, each `step` bytes longer than the one before."""
    end = len(data.rstrip())
    for length in range(0, end, step):
        yield data[:length]


def replacements(value: Any, seen: set[tuple[Any, ...]], *below: Any) -> Iterator[tuple[str, Any]]:
    """Yields copies of a JSON value, each with the path at which a value was replaced or removed.

    If paths differ only in indexes of arrays, only one of them is changed, even in later calls with the same set.
    """
    inner = value
    for part in below:
        inner = inner[part]
    for path in _paths(inner, below):
        names = tuple("[]" if isinstance(part, int) else part for part in path)
        if names in seen:
            continue
        seen.add(names)
        place = ".".join(str(part) for part in path)
        for other in OTHERS:
            yield f"{place} = {other!r:.40}", _with(value, path, lambda holder, key: _put(holder, key, other))
        yield f"{place} missing", _with(value, path, lambda holder, key: holder.pop(key))


def _paths(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield (*path, key)
            yield from _paths(value[key], (*path, key))


def _with(value: Any, path: tuple[Any, ...], change: Callable[[Any, Any], object]) -> Any:
    changed = copy.deepcopy(value)
    holder = changed
    for part in path[:-1]:
        holder = holder[part]
    change(holder, path[-1])
    return changed


def _put(holder: Any, key: Any, value: Any) -> None:
    holder[key] = value
