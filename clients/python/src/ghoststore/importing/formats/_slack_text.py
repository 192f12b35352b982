"""Plain text of Slack's mrkdwn, and of the blocks and cards of apps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ._slack_emoji import emoji

_MARKUP = re.compile(r"<([^<>\n]{1,8000})>")
_CODE = re.compile(r"```(.+?)```|`([^`\n]+)`", re.S)
_EMOJI = re.compile(r":([a-z0-9_+-]{1,60}(?:::skin-tone-[2-6])?):")
_STYLES = [
    re.compile(rf"(?<![\w{mark}]){mark}(?=\S)([^{mark}\n]+?)(?<=\S){mark}(?![\w{mark}])") for mark in (r"\*", "_", "~")
]
_HELD = re.compile(r"\0(\d+)\0")
_NAMES_MAX = 100_000
_NAME_CHARACTERS_MAX = 80
_DEPTH_MAX = 20


class Names:
    """The names of people, groups and channels by their ids. In a very large workspace, not all are remembered."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def add(self, id: str, name: str) -> None:
        """Remembers a name."""
        if name and len(id) < _NAME_CHARACTERS_MAX and len(self._names) < _NAMES_MAX:
            self._names[id] = name[:_NAME_CHARACTERS_MAX]

    def get(self, id: str) -> str:
        """Returns a name, empty if it is not known."""
        return self._names.get(id, "")

    def plain(self, text: str) -> str:
        """Returns mrkdwn as plain text: with names instead of ids, and without marks for bold and other styles."""
        held: list[str] = []

        def hold(shown: str) -> str:
            held.append(shown)
            return f"\0{len(held) - 1}\0"

        text = text.replace("\0", "")
        text = _CODE.sub(lambda match: hold(_MARKUP.sub(self._linked, match[1] or match[2])), text)
        text = _MARKUP.sub(lambda match: hold(self._linked(match)), text)
        for style in _STYLES:
            text = style.sub(r"\1", text)
        text = _EMOJI.sub(lambda match: emoji(match[1]) or match[0], text)
        return unescape_entities(_HELD.sub(lambda match: held[int(match[1])], text))

    def _linked(self, match: re.Match[str]) -> str:
        target, _, label = match[1].partition("|")
        sign, id = target[:1], target[1:]
        if sign == "@":
            return "@" + (label or self.get(id) or id).removeprefix("@")
        if sign == "#":
            return "#" + (label or self.get(id) or id).removeprefix("#")
        if sign == "!":
            word, _, detail = id.partition("^")
            if word == "date":
                return label or detail
            return "@" + (label or (self.get(detail) if word == "subteam" else word) or detail).removeprefix("@")
        if not label or label in (target, target.removeprefix("mailto:")):
            return label or target
        return f"{label} &lt;{target}&gt;"

    def of_apps(self, blocks: list[Any], cards: list[Any]) -> str:
        """Returns the text of a message that has its text only in blocks or cards, as apps write them."""
        lines = [*_texts(blocks, 0)]
        for card in cards:
            if isinstance(card, dict):
                found = [card.get(name) for name in ("pretext", "title", "text")]
                fields = card.get("fields")
                for one in fields if isinstance(fields, list) else []:
                    if isinstance(one, dict):
                        found += [one.get("title"), one.get("value")]
                shown = [one for one in found if isinstance(one, str) and one]
                fallback = card.get("fallback")
                lines += shown or ([fallback] if isinstance(fallback, str) else []) or [*_texts(card.get("blocks"), 0)]
        return self.plain("\n".join(line for line in lines if line.strip()))


def unescape_entities(text: str) -> str:
    """Replaces the three entities that Slack writes."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _texts(value: Any, depth: int) -> Iterator[str]:
    """Yields the texts of blocks: the members "text" of all elements, wherever they are."""
    if depth > _DEPTH_MAX:
        return
    if isinstance(value, list):
        for inner in value:
            yield from _texts(inner, depth + 1)
    elif isinstance(value, dict):
        text = value.get("text")
        if value.get("type") in ("rich_text_section", "rich_text_preformatted", "rich_text_quote"):
            elements = value.get("elements")
            yield "".join(map(_rich, elements)) if isinstance(elements, list) else ""
        elif isinstance(text, str):
            yield text
        else:
            for name in ("title", "text", "fields", "elements", "alt_text"):
                inner = value.get(name)
                yield from _texts(inner, depth + 1) if not isinstance(inner, str) else [inner]


def _rich(element: Any) -> str:
    if not isinstance(element, dict):
        return ""
    for name, form in (("text", "{}"), ("user_id", "<@{}>"), ("channel_id", "<#{}>"), ("url", "{}"), ("name", ":{}:")):
        found = element.get(name)
        if isinstance(found, str) and found:
            return form.format(found)
    return ""
