"""Translates words of the protocol in comments into words of StoreClient."""

from __future__ import annotations

import re

from errors import Errors
from for_swift.names import Names
from for_swift.text import camel
from schema import MessageInfo, Schema

# Words in capitals that look like values of an enum but are none.
_NO_VALUES = {"ABSENT", "FILE", "ID", "NUL", "STORE", "UNKNOWN", "LOG"}
_BEFORE_CONDITION = r"[:;,]|\.$| (?:if|on the|while|for|without|means|changes|accepts)\b"
_PHRASES = {
    "details.retry_after_milliseconds": "`StoreClientError.retryAfter`",
    "retry_after_milliseconds": "`StoreClientError.retryAfter`",
    "with wait_milliseconds": "if it waits",
    "With all_devices": "In reads of all devices",
    "Request.history_id": "`StoreClient.with(history:)`",
    "File.revision": "`VaultItem.revision`",
    "Log.created_revision": "`Log.createdRevision`",
    "ReplicaStatus.outgoing": "`ReplicaStatus.outgoing`",
}


class Comments:
    """Translates comments, with the names that types.toml and calls.toml give."""

    def __init__(self, schema: Schema, names: Names, errors: Errors) -> None:
        self._names = names
        self._reasons = {one.word for one in errors.reasons} | {word for word, _ in errors.words}
        self._codes = {one.code for one in errors.reasons}
        self._messages = schema.messages
        self._enums = schema.enums
        self._calls = {one.name for one in schema.calls}
        self._values: dict[str, str] = {}
        self._full_values: dict[str, str] = {}
        for enum in schema.enums.values():
            prefix = re.sub(r"(?<!^)(?=[A-Z])", "_", enum.name).upper() + "_"
            for word, _, _ in enum.values:
                case = names.case(enum.name, word)
                self._full_values[prefix + word] = f"`{names.enum(enum.name)}.{case}`"
                self._values[word] = f"`.{case}`"

    def translated(self, text: str, message: MessageInfo | None = None, is_optional: bool = False) -> str:
        """Returns a comment of a .proto file or of ERRORS.md in the words of StoreClient."""
        text = re.sub(r"`([A-Za-z][A-Za-z_.]*_[A-Za-z_.]*)`", r"\1", text)
        text = self.without_codes(text)
        for phrase, swift in _PHRASES.items():
            text = text.replace(phrase, swift)
        text = re.sub(r"(?<![\w`.])(?:[A-Z][a-z]+){2,}(?!\w|`|\.\w)", lambda found: self._type(found[0]), text)
        text = re.sub(r"(?<![\w`.])[A-Z][A-Z_]*[A-Z](?![\w`])", lambda found: self._capitals(found[0]), text)
        text = re.sub(
            r"(?<![\w`/])[A-Za-z]*\.?[a-z]+(_[a-z]+)+(?![\w`/])", lambda found: self._snake(found[0], message), text
        )
        if is_optional:
            text = re.sub(rf"\b([Aa]bsent|[Ee]mpty)(?={_BEFORE_CONDITION})", "`nil`", text)
            text = re.sub(rf"(?<![\w.,])0(?={_BEFORE_CONDITION})", "`nil`", text)
        return text

    def reason(self, word: str) -> str | None:
        """Returns a reason as Swift writes it, or `None` for another word."""
        return f"`.{camel(word)}`" if word in self._reasons else None

    def without_codes(self, text: str) -> str:
        """Removes the error code before each reason from a text, because a reason always has the same code."""
        codes = "|".join(sorted(self._codes))
        return re.sub(rf"\b(?:{codes}):? (?=([A-Z]+(?:_[A-Z]+)*)\b)", self._without_code, text)

    def _without_code(self, found: re.Match[str]) -> str:
        return "" if found[1] in self._reasons else found[0]

    def _type(self, word: str) -> str:
        if word in self._enums:
            return f"`{self._names.enum(word)}`"
        return f"`{self._names.model(word)}`" if word in self._messages else word

    def _capitals(self, word: str) -> str:
        if word in self._full_values:
            return self._full_values[word]
        if word in self._reasons and (word not in self._values or "_" in word):
            return f"`.{camel(word)}`"
        if word in self._values and word not in _NO_VALUES:
            return self._values[word]
        return self.reason(word) or word

    def _snake(self, word: str, message: MessageInfo | None) -> str:
        owner, dot, name = word.rpartition(".")
        if owner:
            return f"`{self._names.model(owner)}{dot}{self._names.field(owner, name)}`"
        if name in self._calls and (message is None or name not in {one.name for one in message.fields}):
            return f"`{self._names.method(name)}`"
        return f"`{self._names.field(self._owner(name, message), name)}`"

    def _owner(self, name: str, message: MessageInfo | None) -> str:
        """Returns the name of the message with the field `name`: `message` itself, or the type of one of its fields."""
        if message is None:
            return ""
        near = [message.name, *(one.of or "" for one in message.fields if one.of in self._messages)]
        return next((each for each in near if name in {one.name for one in self._messages[each].fields}), message.name)
