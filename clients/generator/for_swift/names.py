"""The names of models, enums and calls in StoreClient."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from for_swift.text import camel

_FOLDER = Path(__file__).parent


class Names:
    """The tables of names beside this module."""

    def __init__(self) -> None:
        table = tomllib.loads((_FOLDER / "types.toml").read_text())
        self.enums: dict[str, dict[str, str]] = table["enums"]
        self.choices: dict[str, dict[str, Any]] = table["choices"]
        self.kinds: dict[str, dict[str, str]] = table["kinds"]
        self.types: dict[str, dict[str, Any]] = table["types"]
        self.calls: dict[str, Any] = tomllib.loads((_FOLDER / "calls.toml").read_text())
        self._models: dict[str, str] = {}
        for name, spec in self.types.items():
            for message in messages(name, spec):
                self._models.setdefault(message, name)

    def enum(self, name: str) -> str:
        """Returns the Swift name of an enum, such as `Change.Kind`."""
        return self.enums.get(name, {}).get("name", name)

    def case(self, enum: str, word: str) -> str:
        """Returns the Swift name of a value of an enum."""
        return self.enums.get(enum, {}).get(word, camel(word))

    def model(self, message: str) -> str:
        """Returns the Swift name of the model of a message."""
        return self._models.get(message, message)

    def field(self, message: str, name: str) -> str:
        """Returns the Swift name of a field of a message."""
        spec = self.types.get(self.model(message), {}).get(name)
        text = spec.get("is", "") if isinstance(spec, dict) else spec
        given = parts(text or "")[0]
        if given and given != "-":
            return given
        return property_name(name)

    def method(self, call: str) -> str:
        """Returns the Swift name of the first method that makes a call."""
        signature = self.calls["calls"].get(call)
        if signature is None or call in self.calls["written"]:
            return str(self.calls["written"].get(call, camel(call)))
        first = signature[0] if isinstance(signature, list) else signature
        text = first["swift"] if isinstance(first, dict) else first
        return str(text.partition("(")[0].partition(",")[0])


def messages(name: str, spec: dict[str, Any]) -> list[str]:
    """Returns the messages of a model."""
    given = spec.get("_proto", name)
    return given if isinstance(given, list) else [given]


def property_name(name: str) -> str:
    """Returns the Swift name of a field without a name of its own: times lose their unit."""
    return camel(name.removesuffix("_microseconds"))


def parts(spec: str) -> tuple[str, str, str | None]:
    """Returns the name, type and default of `NAME as TYPE = DEFAULT`; empty or `None` for a part that is left out."""
    rest, equals, default = spec.partition("=")
    before, _, kind = f" {rest} ".partition(" as ")
    return before.strip(), kind.strip(), default.strip() if equals else None
