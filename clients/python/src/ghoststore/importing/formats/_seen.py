"""Remembers what a format has yielded already, in a bounded amount of memory."""

from __future__ import annotations

_COUNT_MAX = 10_000


class Seen:
    """The values that were yielded lately. A file can have any number of people, so older values are forgotten."""

    def __init__(self) -> None:
        self._hashes: set[int] = set()

    def is_new(self, *values: object) -> bool:
        """Returns true if these values were not passed lately, and remembers them."""
        # Hashes of texts differ from process to process, so no file can be made with two texts of the same hash.
        found = hash(repr(values))
        if found in self._hashes:
            return False
        if len(self._hashes) >= _COUNT_MAX:
            self._hashes.clear()
        self._hashes.add(found)
        return True
