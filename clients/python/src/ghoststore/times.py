"""Times of the protocol: microseconds since 1970-01-01T00:00:00Z."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MICROSECOND = timedelta(microseconds=1)


def to_microseconds(moment: datetime) -> int:
    """Converts a `datetime` to microseconds. The `datetime` needs a time zone."""
    if moment.tzinfo is None:
        raise ValueError("a time without a time zone is no moment; hint: datetime(..., tzinfo=timezone.utc)")
    return (moment - _EPOCH) // _MICROSECOND


def from_microseconds(microseconds: int) -> datetime:
    """Converts microseconds to a `datetime` in UTC. Raises OverflowError outside the years 1 to 9999."""
    return _EPOCH + timedelta(microseconds=microseconds)
