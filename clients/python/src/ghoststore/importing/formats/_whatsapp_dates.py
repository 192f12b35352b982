"""Dates of an exported chat: three numbers, whose order and calendar follow from the whole file."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import lru_cache

from ..errors import SourceError

ORDERS = ("dmy", "mdy", "ymd")
# Before the first version of WhatsApp, and more years than an export can be read.
_YEARS = range(2009, 2200)
_PERSIAN_YEARS = range(1388, 1430)
_ISLAMIC_YEARS = range(1430, 1500)
_BUDDHIST_YEARS = range(2552, 2743)
_ERAS = {"r": 2018, "h": 1988}
# Years of two digits are of the Christian calendar up to this one, and else of the Buddhist calendar.
_SHORT_YEAR_MAX = 50
_MONTH_DAYS = (31, 31, 31, 31, 31, 31, 30, 30, 30, 30, 30, 29)


@dataclass(slots=True)
class _Candidate:
    """An order, and how well the dates of the file fit it."""

    invalid_count: int = 0
    backward_days: int = 0
    moved_days: int = 0
    last: date | None = None

    def add(self, found: date | None) -> None:
        if found is None:
            self.invalid_count += 1
            return
        if self.last is not None:
            days = (found - self.last).days
            self.moved_days += abs(days)
            self.backward_days += max(0, -days)
        self.last = found


@dataclass(slots=True)
class Orders:
    """Finds the order of day, month and year. Its size does not depend on the number of dates."""

    _candidates: dict[str, _Candidate] = field(default_factory=lambda: {order: _Candidate() for order in ORDERS})
    _last: tuple[str, str, str] | None = None
    # Pairs of orders with which the dates differ.
    _differing: set[tuple[str, str]] = field(default_factory=set)
    _has_zeros: bool = False

    def add(self, parts: tuple[str, str, str]) -> None:
        """Counts a date."""
        if parts == self._last:
            return
        self._last = parts
        self._has_zeros |= any(len(part) == 2 and int(part) < 10 for part in parts[:2] if part.isdecimal())
        found = {order: day_of(parts, order) for order in ORDERS}
        for order, one in found.items():
            self._candidates[order].add(one)
        for order in ORDERS:
            self._differing.update((order, other) for other in ORDERS if found[order] != found[other])

    def choose(self, separator: str, half: str) -> tuple[str, bool]:
        """Returns the best order, and true if the dates prove it.

        Args:
            separator: What stands between the numbers.
            half: A word of the clock of 12 hours, as the file writes it; empty with 24 hours.
        """
        ranks = {order: (one.invalid_count, one.backward_days) for order, one in self._candidates.items()}
        best = min(ranks.values())
        equal = [order for order in ORDERS if ranks[order] == best]
        # Wrong orders jump over months: the order with by far the fewest days between messages is right.
        moves = {order: self._candidates[order].moved_days for order in equal}
        nearest = [order for order in equal if moves[order] * 4 <= min(moves.values()) * 5]
        # Only Korean begins with a year of two digits.
        if "ymd" in nearest and len(nearest) > 1 and half not in ("오전", "오후"):
            nearest.remove("ymd")
        # The default of English in the United States has no zeros before the numbers, and AM and PM in capitals.
        is_american = separator == "/" and half in ("AM", "PM") and not self._has_zeros
        guess = "ymd" if "ymd" in nearest else "mdy" if is_american and "mdy" in nearest else nearest[0]
        return guess, guess == "ymd" or not any((guess, other) in self._differing for other in nearest)


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
