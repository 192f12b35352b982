"""Help for tests of formats: reads a file without a daemon, or imports it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from datetime import timezone, tzinfo
from pathlib import Path
from typing import Any

from daemon import Daemon

from ghoststore import ArchiveAim, Store
from ghoststore.importing import Format, Reading, Record, Source, import_file
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


def run_import(daemon: Daemon, name: str, path: str | os.PathLike[str], **options: Any) -> Report:
    """Imports a file into the store of a daemon, with the options of `import_file`, and returns the report."""
    with Store(daemon.socket) as store:
        return import_file(store, name, path, **options)


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


def same_content(one: Store, other: Store) -> bool:
    """Returns true if two stores have the same contents. Times that the stores themselves set may differ."""
    return _content(one) == _content(other)


def _content(store: Store) -> list[object]:
    own_times = {"created_at_microseconds": 0, "updated_at_microseconds": 0}
    content: list[object] = [replace(one, **own_times) for one in store.contacts()]
    for conversation in store.conversations():
        content.append(replace(conversation, **own_times))
        for message in store.messages(conversation.session_id, page_size=1000):
            content.append(replace(message, created_at_microseconds=0))
            content += [(one.emoji, one.author_session_id) for one in store.reactions(message.id)]
            content += [store.read_attachment_bytes(message.id, n) for n in range(len(message.attachments))]
    return content


def assert_round_trip(daemon: Daemon, other_daemon: Daemon, name: str, path: Path, archive: Path) -> None:
    """Checks that import, export and import give an equal store. Both daemons need empty stores."""
    run_import(daemon, name, path)
    with Store(daemon.socket) as store, Store(other_daemon.socket) as other:
        store.create_archive(archive)
        other.restore_archive(archive, ArchiveAim.FILL_EMPTY)
        revision = other.get_status().revision
        report = run_import(other_daemon, name, path)
        assert report.messages.new == report.messages.changed == 0
        assert other.get_status().revision == revision
        assert same_content(store, other)
