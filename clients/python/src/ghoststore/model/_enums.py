"""Enums that can get new values."""

from __future__ import annotations

from enum import IntEnum
from typing import TypeVar

_Self = TypeVar("_Self", bound="OpenEnum")


class OpenEnum(IntEnum):
    """An enum that keeps unknown values by their number. New values are added within version 1 of the protocol."""

    @classmethod
    def _missing_(cls: type[_Self], value: object) -> _Self | None:
        if not isinstance(value, int):
            return None
        unknown = int.__new__(cls, value)
        unknown._name_ = f"UNKNOWN_{value}"
        unknown._value_ = value
        return unknown

    @property
    def is_known(self) -> bool:
        """True if this is one of the enum's own values."""
        return self._name_ in type(self).__members__
