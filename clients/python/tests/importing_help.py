"""Help for tests of formats: reads a file without a daemon, or imports it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import timezone, tzinfo

from ghoststore.importing import Reading, Record, Source
from ghoststore.importing.formats import all_formats
from ghoststore.importing.notes import Notes


def read_all(
    name: str,
    path: str | os.PathLike[str],
    *,
    zone: tzinfo = timezone.utc,
    self_ids: frozenset[str] = frozenset(),
    options: Mapping[str, str] | None = None,
    notes: Notes | None = None,
) -> list[Record]:
    """Returns the records of a file. Pass `notes` to see what was unknown or skipped."""
    source = Source(path)
    try:
        reading = Reading(
            source=source, zone=zone, self_ids=self_ids, options=options or {}, notes=notes or Notes()
        )
        return list(all_formats()[name].read(reading))
    finally:
        source.close()
