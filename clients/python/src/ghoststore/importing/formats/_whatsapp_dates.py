"""Dates of an exported chat: three numbers, whose order and calendar follow from the whole file."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import lru_cache

from ..errors import SourceError

ORDERS = ("dmy", "mdy", "ymd")
# An order of day, month and year counts as wrong if its dates jump back by ten times as many days as the dates of
# another order.
_PROOF = 10
# The years from the first version of WhatsApp on. The end is far in the future.
_YEARS = range(2009, 2200)
_PERSIAN_YEARS = range(1388, 1430)
_ISLAMIC_YEARS = range(1430, 1500)
_BUDDHIST_YEARS = range(2552, 2743)
_ERAS = {"r": 2018, "h": 1988}
# Years of two digits up to this number belong to the Christian calendar (20xx). Greater numbers belong to the Buddhist
# calendar (25xx).
_SHORT_YEAR_MAX = 50
_MONTH_DAYS = (31, 31, 31, 31, 31, 31, 30, 30, 30, 30, 30, 29)


@dataclass(slots=True)
class _Candidate:
    """An order, and how well the dates of the file fit it."""

    invalid_count: int = 0
    backward_days: int = 0
    last: date | None = None

    def add(self, found: date | None) -> None:
        if found is None:
            self.invalid_count += 1
            return
        if self.last is not None:
            self.backward_days += max(0, (self.last - found).days)
        self.last = found


@dataclass(slots=True)
class Orders:
    """Finds the order of day, month and year. Its size does not depend on the number of dates."""

    _candidates: dict[str, _Candidate] = field(default_factory=lambda: {order: _Candidate() for order in ORDERS})
    _last: tuple[str, str, str] | None = None
    # Pairs of orders that give different days for at least one date.
    _differing: set[tuple[str, str]] = field(default_factory=set)

    def add(self, parts: tuple[str, str, str]) -> None:
        """Counts a date."""
        if parts == self._last:
            return
        self._last = parts
        found = {order: day_of(parts, order) for order in ORDERS}
        for order, one in found.items():
            self._candidates[order].add(one)
        for order in ORDERS:
            self._differing.update((order, other) for other in ORDERS if found[order] != found[other])

    def choose(self, separator: str, half: str) -> str | None:
        """Returns the order, or None if neither the dates nor the way in which they are written prove it.

        Args:
            separator: The text between the numbers.
            half: A word of the clock of 12 hours, as the file writes it; empty with 24 hours.
        """
        fewest = min(one.invalid_count for one in self._candidates.values())
        valid = {order: one for order, one in self._candidates.items() if one.invalid_count == fewest}
        # Messages are sorted by time. With a wrong order of day, month and year, the dates jump back by weeks at the
        # end of a month. The dates of a phone whose clock was wrong jump back, too, but not so often.
        least = min(one.backward_days for one in valid.values())
        possible = [order for order, one in valid.items() if one.backward_days < _PROOF * (least + 1)]
        # Only Korean dates begin with a year of two digits.
        if "ymd" in possible and half in ("오전", "오후"):
            return "ymd"
        if "ymd" in possible and len(possible) > 1:
            possible.remove("ymd")
        # No locale writes the month first before a dot.
        if "dmy" in possible and separator == ".":
            return "dmy"
        is_proven = not any((possible[0], other) in self._differing for other in possible)
        return possible[0] if is_proven else None


@lru_cache(maxsize=4096)
def is_day(parts: tuple[str, str, str], orders: tuple[str, ...]) -> bool:
    """Returns true if the numbers are a day in one of the orders."""
    return any(day_of(parts, order) for order in orders)


def check_calendar(parts: tuple[str, str, str], place: str) -> None:
    """Raises SourceError if the numbers are no day because their calendar cannot be converted."""
    if any(len(part) == 4 and part.isdecimal() and int(part) in _ISLAMIC_YEARS for part in parts):
        raise SourceError(place, "the date is of the Islamic calendar; hint: set the phone to the Gregorian one")


@lru_cache(maxsize=4096)
def day_of(parts: tuple[str, str, str], order: str) -> date | None:
    """Returns the day of three numbers in an order, or None if there is no such day."""
    named = dict(zip(order, parts))
    year, month, day = named["y"], named["m"], named["d"]
    if not (month.isdecimal() and day.isdecimal() and len(month) <= 2 and len(day) <= 2):
        return None
    try:
        return _gregorian(year.lower(), int(month), int(day))
    except (ValueError, OverflowError):
        return None


def _gregorian(year: str, month: int, day: int) -> date:
    """Returns the day of any supported calendar. Raises ValueError if there is none."""
    if year[0] in _ERAS:
        number = int(year[1:]) + _ERAS[year[0]]
    elif len(year) <= 2:
        number = int(year)
        number += 2000 if number <= _SHORT_YEAR_MAX else 2500 - 543
    elif len(year) == 3:
        # The years of Taiwan's calendar.
        number = int(year) + 1911
    else:
        number = int(year)
        if number in _PERSIAN_YEARS:
            return _persian(number, month, day)
        if number in _BUDDHIST_YEARS:
            number -= 543
    if number not in _YEARS:
        raise ValueError
    return date(number, month, day)


def _persian(year: int, month: int, day: int) -> date:
    if not 1 <= month <= 12 or not 1 <= day <= _MONTH_DAYS[month - 1] + (month == 12 and _is_persian_leap(year)):
        raise ValueError
    # 1 Farvardin 1388 was 21 March 2009.
    days = sum(365 + _is_persian_leap(earlier) for earlier in range(_PERSIAN_YEARS.start, year))
    return date(2009, 3, 21) + timedelta(days=days + sum(_MONTH_DAYS[: month - 1]) + day - 1)


def _is_persian_leap(year: int) -> bool:
    return year % 33 in (1, 5, 9, 13, 17, 22, 26, 30)
