"""Times of exports, as microseconds since 1970."""

from __future__ import annotations

from datetime import datetime, tzinfo

from ..times import to_microseconds
from .errors import SourceError

# The years 1 to 9999, which `datetime` can show.
_SECONDS_MIN = -62_135_596_800
_SECONDS_MAX = 253_402_300_799


def from_seconds(value: object, place: str) -> int:
    """Converts seconds since 1970: a number, or a text such as "1690000000.123456" without rounding."""
    return _scaled(value, 1_000_000, place)


def from_milliseconds(value: object, place: str) -> int:
    """Converts milliseconds since 1970."""
    return _scaled(value, 1000, place)


def from_iso(text: str, zone: tzinfo, place: str) -> int:
    """Converts a time of ISO 8601. Without an offset of its own it is a time of the zone."""
    try:
        return from_local(datetime.fromisoformat(text), zone, place)
    except ValueError:
        raise SourceError(place, "a time is not in the form of ISO 8601") from None


def from_local(moment: datetime, zone: tzinfo, place: str) -> int:
    """Converts a `datetime`; if it has no time zone, it is a time of the zone."""
    try:
        return to_microseconds(moment if moment.tzinfo is not None else moment.replace(tzinfo=zone))
    except (OverflowError, ValueError):
        raise SourceError(place, "a time is outside of the years 1 to 9999") from None


def _scaled(value: object, factor: int, place: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return _checked(value * factor, place)
    if isinstance(value, float) and abs(value) <= _SECONDS_MAX * 1000:
        return _checked(round(value * factor), place)
    if isinstance(value, str) and len(value) < 40 and value.isascii():
        digits, _, fraction = value.strip().partition(".")
        if digits.removeprefix("-").isdigit() and (fraction.isdigit() or not fraction):
            width = len(str(factor)) - 1
            part = int((fraction + "0" * width)[:width])
            return _checked(int(digits) * factor + (-part if digits.startswith("-") else part), place)
    raise SourceError(place, "a time is not a number")


def _checked(microseconds: int, place: str) -> int:
    if not _SECONDS_MIN * 1_000_000 <= microseconds <= _SECONDS_MAX * 1_000_000:
        raise SourceError(place, "a time is outside of the years 1 to 9999")
    return microseconds
