"""Remembers what a format has yielded already, in a bounded amount of memory."""

from __future__ import annotations

_COUNT_MAX = 10_000


class Seen:
    """What was yielded lately. A file can have any number of people, so that older ones are forgotten."""

    def __init__(self) -> None:
        self._hashes: set[int] = set()

    def is_new(self, *values: object) -> bool:
        """Returns false if the same values were asked for before, and remembers them."""
        # Hashes of texts differ from process to process, so that no file can prepare two with the same hash.
        found = hash(repr(values))
        if found in self._hashes:
            return False
        if len(self._hashes) >= _COUNT_MAX:
            self._hashes.clear()
        self._hashes.add(found)
        return True
