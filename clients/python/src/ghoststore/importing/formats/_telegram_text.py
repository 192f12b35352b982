"""Texts of Telegram: parts with a format each, and rich messages of blocks."""

from __future__ import annotations

from typing import Any

from ..errors import SourceError

# Members of a rich message that hold text or blocks, in the order in which a reader sees them.
_TEXTS = ("title", "author", "text", "old_text", "source", "formula", "caption", "credit")
_BLOCKS = ("block", "blocks", "items", "rows", "articles", "buttons")
_PATHS = ("photo", "file", "poster_photo", "author_photo")


def plain(value: object, place: str) -> str:
    """Returns the text of a message without formats: a text, or an array of texts and parts."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        raise SourceError(place, "the text is neither a text nor an array")
    return "".join(_part(one, place) for one in value)


def _part(value: object, place: str) -> str:
    if isinstance(value, dict):
        value = value.get("text")
    if not isinstance(value, str):
        raise SourceError(place, "a part of the text has no text")
    return value


def has_formats(parts: list[Any]) -> bool:
    """Returns true if a part is more than plain text."""
    return any(isinstance(one, dict) and one.get("type") != "plain" for one in parts)


def rich(value: object) -> tuple[str, list[tuple[dict[str, Any], str]]]:
    """Returns the text of a rich message, and its files: each block with the member that has the path."""
    texts: list[str] = []
    files: list[tuple[dict[str, Any], str]] = []
    # A stack, because blocks may be nested to any depth.
    waiting: list[Any] = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            texts.append(one)
        elif isinstance(one, list):
            waiting.extend(reversed(one))
        elif isinstance(one, dict):
            files.extend((one, name) for name in _PATHS if isinstance(one.get(name), str))
            waiting.extend(reversed(_inside(one)))
    return "".join(texts).strip("\n"), files


def _inside(block: dict[str, Any]) -> list[Any]:
    """Returns the texts and blocks of a block, each block with the end of its line."""
    found: list[Any] = [block[name] for name in _TEXTS if isinstance(block.get(name), str | dict | list)]
    cells = block.get("cells")
    if isinstance(cells, list):
        found.extend(part for cell in cells for part in (cell, "\t"))
    for name in _BLOCKS:
        inner = block.get(name)
        found.extend(part for one in (inner if isinstance(inner, list) else [inner]) for part in (one, "\n") if inner)
    return found
