"""Help for tests of formats: reads a file without a daemon, or imports it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import timezone, tzinfo

from daemon import Daemon

from ghoststore import Store
from ghoststore.importing import Format, Reading, Record, Source
from ghoststore.importing.formats import format_named
from ghoststore.importing.importer import Importer
from ghoststore.importing.notes import Notes
from ghoststore.importing.report import Report


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
        return list(format_named(name).read(reading))
    finally:
        source.close()


def run_import(
    daemon: Daemon,
    name: str,
    path: str | os.PathLike[str],
    *,
    is_dry_run: bool = False,
    zone: tzinfo = timezone.utc,
    self_ids: frozenset[str] = frozenset(),
    options: Mapping[str, str] | None = None,
) -> Report:
    """Imports a file into the store of a daemon, and returns the report."""
    source = Source(path)
    try:
        with Store(daemon.socket) as store:
            importer = Importer(
                store,
                format_named(name),
                source,
                is_dry_run=is_dry_run,
                zone=zone,
                self_ids=self_ids,
                options=dict(options or {}),
            )
            try:
                return importer.run()
            finally:
                importer.close()
    finally:
        source.close()


def run_records(
    daemon: Daemon,
    records: list[Record],
    *,
    is_dry_run: bool = False,
    self_ids: frozenset[str] = frozenset(),
) -> Report:
    """Imports records of a format with the name "test"."""
    with Store(daemon.socket) as store:
        importer = Importer(
            store,
            Format(name="test", title="records of a test", read=lambda reading: iter(records)),
            Source(__file__),
            is_dry_run=is_dry_run,
            self_ids=self_ids,
        )
        try:
            return importer.run()
        finally:
            importer.close()
