"""A JSON object of a file, whose members are checked when they are read. Members that nothing reads are not lost."""

from __future__ import annotations

import re
from typing import Any, TypeVar

from .errors import SourceError
from .reading import Reading

Kind = TypeVar("Kind")
_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,19}")


class Element:
    """A JSON object. Each member that a format reads is marked; `rest` returns the others for the metadata.

    A member that is absent or null has the default. A member of another type is a SourceError with its place.
    """

    __slots__ = ("members", "place", "_read")

    def __init__(self, value: object, place: str) -> None:
        if not isinstance(value, dict):
            raise SourceError(place, "an object was expected")
        self.members: dict[str, Any] = value
        self.place = place
        self._read: set[str] = set()

    def text(self, name: str, default: str = "") -> str:
        """Returns a member that is a text."""
        return self._member(name, str, "a text", default)

    def number(self, name: str, default: int = 0) -> int:
        """Returns a member that is a whole number, also in quotes."""
        value = self._raw(name)
        if value is None:
            return default
        if isinstance(value, str) and _WHOLE_NUMBER.fullmatch(value):
            return int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise SourceError(self.place, f"{name} is not a whole number")
        return value

    def flag(self, name: str, default: bool = False) -> bool:
        """Returns a member that is true or false."""
        return self._member(name, bool, "true or false", default)

    def array(self, name: str) -> list[Any]:
        """Returns a member that is an array, or an empty array."""
        return self._member(name, list, "an array", [])

    def element(self, name: str) -> Element | None:
        """Returns a member that is an object, or None."""
        value = self._raw(name)
        return None if value is None else Element(value, f"{self.place}.{name}")

    def elements(self, name: str) -> list[Element]:
        """Returns the objects of an array, empty if it is absent."""
        return [Element(value, f"{self.place}.{name}[{index}]") for index, value in enumerate(self.array(name))]

    def any(self, name: str) -> Any:
        """Returns a member of any type, or None."""
        return self._raw(name)

    def ignore(self, *names: str) -> None:
        """Marks members as read because they only repeat other members, such as a date in a second form."""
        self._read.update(names)

    def rest(self, reading: Reading, what: str, *expected: str) -> dict[str, Any]:
        """Returns the members that were not read, for the metadata.

        The names that the format's module knows are `expected`. Other names are also counted as unknown, as
        "field NAME of WHAT". Members that are null, empty or false are left out.
        """
        rest = {}
        for name, value in self.members.items():
            if name in self._read:
                continue
            if name not in expected:
                reading.unknown(f"field {name} of {what}", self.place)
            if value not in (None, "", False, [], {}) or value == 0 and value is not False:
                rest[name] = value
        return rest

    def _raw(self, name: str) -> Any:
        self._read.add(name)
        return self.members.get(name)

    def _member(self, name: str, kind: type[Kind], described: str, default: Kind) -> Kind:
        value = self._raw(name)
        if value is None:
            return default
        if not isinstance(value, kind):
            raise SourceError(self.place, f"{name} is not {described}")
        return value
