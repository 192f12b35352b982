"""Descriptions of the fields of messages, filled in by the generated modules of ``ghoststore.model``."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from enum import IntEnum
from typing import Any


class Kind(IntEnum):
    """The types of fields that the protocol uses."""

    STRING = 1
    BYTES = 2
    # Bytes that are wiped. They are encoded from the caller's buffer, and decoded to a buffer that the caller may
    # overwrite.
    SECRET = 3
    BOOL = 4
    UINT32 = 5
    UINT64 = 6
    INT64 = 7
    SINT64 = 8
    ENUM = 9
    FLOAT = 10
    DOUBLE = 11
    MESSAGE = 12
    TEXT_MAP = 13


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a message."""

    number: int
    name: str
    kind: Kind
    # The class of an enum or message.
    of: Any = None
    is_repeated: bool = False
    # True for `optional` fields, messages and members of a oneof, which are written unless they are None, even if the
    # value is zero.
    has_presence: bool = False
    # The name of the field's oneof, or empty. If several members of a oneof are given, the last one counts.
    oneof: str = ""


class Model:
    """The base class of messages."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Returns the fields that differ from their defaults. Secrets are left out."""
        shown = [one for one in fields(self) if one.repr and getattr(self, one.name) != _default(one)]
        return f"{type(self).__name__}({', '.join(f'{one.name}={getattr(self, one.name)!r}' for one in shown)})"


def _default(one: dataclasses.Field[Any]) -> Any:
    return one.default if one.default_factory is dataclasses.MISSING else one.default_factory()


@dataclass(slots=True)
class Plan:
    """The fields of a class, prepared for reading and writing."""

    model: type
    fields: tuple[Field, ...]
    by_number: dict[int, Field] = field(default_factory=dict)
    # For each member of a oneof, the other members.
    rivals: dict[str, tuple[str, ...]] = field(default_factory=dict)
    repeated: tuple[str, ...] = ()
    maps: tuple[str, ...] = ()
    # Converts a string to a message of this class.
    from_text: Callable[[str], Any] | None = None


_plans: dict[type, Plan] = {}


def describe(model: type, *fields: Field) -> None:
    """Registers the fields of the class `model`."""
    ordered = tuple(sorted(fields, key=lambda one: one.number))
    _plans[model] = Plan(
        model,
        ordered,
        {one.number: one for one in ordered},
        {one.name: _rivals(one, ordered) for one in ordered if one.oneof},
        tuple(one.name for one in ordered if one.is_repeated),
        tuple(one.name for one in ordered if one.kind is Kind.TEXT_MAP),
    )


def accept_text(model: type, from_text: Callable[[str], Any]) -> None:
    """Lets a string stand for a message of the class `model` in requests."""
    _plans[model].from_text = from_text


def _rivals(one: Field, fields: tuple[Field, ...]) -> tuple[str, ...]:
    return tuple(other.name for other in fields if other.oneof == one.oneof and other is not one)


def plan_of(model: type) -> Plan:
    """Returns the plan of a class that was registered with `describe`."""
    return _plans[model]


def described_models() -> tuple[type, ...]:
    """Returns every class that was registered."""
    return tuple(_plans)
