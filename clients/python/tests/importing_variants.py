"""Hostile variants of many messages of one format, which have most of their members in common."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from importing_hostile import replacements


def variants(*values: Any) -> Iterator[Any]:
    """Yields copies of JSON values in which one inner value is another or missing.

    A place that several of the values have, such as the time of every message, is changed in the first of them only.
    """
    seen: set[str] = set()
    for value in values:
        for label, variant in replacements(value):
            place = re.sub(r"\.[0-9]+", ".0", label)
            if place not in seen:
                seen.add(place)
                yield variant
