"""An import: reads the source once to check it, and a second time to save what the store does not have."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import timezone, tzinfo

from ..sync import Store
from .batches import Batches
from .entities import delete_empty, save_conversations, save_people
from .contents import is_damaged
from .direction import Direction
from .errors import SourceError
from .events import save_other_events
from .folding import with_events
from .formats import format_named
from .identity import content_id, content_key, message_id
from .members import save_members
from .notes import Notes
from .reading import Format, Reading
from .records import Conversation, Message, Person, Record
from .report import Report
from .sending import Sending
from .source import Source
from .spool import Spool
from .wanted import Shaper

# Called with the step, the number of messages that are done, and the number of all messages if it is known.
OnProgress = Callable[[str, int, int | None], None]
_PROGRESS_EVERY = 256
_CONVERSATIONS_IN_MEMORY = 10_000
_SAME_TIME_MAX = 999_999


class Stopped(Exception):
    """The import was stopped by `stop`. Another import continues it."""


class Importer:
    """One import of one source. `report` has the numbers at any time, also after an error."""

    def __init__(
        self,
        store: Store,
        format: Format,
        source: Source,
        *,
        is_dry_run: bool = False,
        skips_damaged: bool = False,
        zone: tzinfo = timezone.utc,
        self_ids: frozenset[str] = frozenset(),
        options: Mapping[str, str] | None = None,
        on_progress: OnProgress | None = None,
    ) -> None:
        self.report = Report(format.name, is_dry_run)
        self._store, self._format, self._source = store, format, source
        self._first = Reading(
            source=source, zone=zone, self_ids=self_ids, options=options or {}, notes=self.report.notes
        )
        self._shaper = Shaper(format.name, self._first)
        self._spool = Spool()
        self._sending = Sending(store)
        self._batches = Batches(store, self._sending, self.report)
        self._on_progress = on_progress or (lambda step, done, total: None)
        # For each conversation, the time of the last message that was read, and the number of earlier messages with
        # this time.
        self._times: dict[str, tuple[int, int]] = {}
        self._is_stopped = False
        self._direction = Direction(self._first, format.self_hint)
        self._skips_damaged = skips_damaged

    def stop(self) -> None:
        """Lets `run` raise Stopped at the next record. A signal handler may call it."""
        self._is_stopped = True

    def run(self) -> Report:
        """Imports the source.

        Raises:
            SourceError: The source is malformed. If the first reading finds it, nothing was saved.
            GhoststoreError: The daemon refused a call, or cannot be reached.
        """
        total = self._collect()
        has_stored = save_conversations(
            self._store, self._sending, self._spool, self._format.name, self._shaper, self.report
        )
        save_people(self._store, self._sending, self._spool, self._format.name, self._shaper, self.report)
        save_members(self._store, self._sending, self._spool, self._format.name, self.report)
        try:
            self._save_messages(total, has_stored)
        except SourceError:
            # Messages before a damaged file are saved, and conversations after it are not.
            self._batches.flush()
            self._sending.finish()
            if not self.report.is_dry_run:
                delete_empty(self._store, self._spool, self._format.name, self.report)
            raise
        save_other_events(self._store, self._spool, self._format.name, self.report)
        self._on_progress("messages", total, total)
        return self.report

    def _save_messages(self, total: int, has_stored: bool) -> None:
        done = 0
        # The first reading has already counted unknown and skipped data.
        for record in self._records(replace(self._first, notes=Notes())):
            if isinstance(record, Message):
                self._save(record, has_stored)
                done += 1
                if done % _PROGRESS_EVERY == 0:
                    self._on_progress("messages", done, total)
        self._batches.flush()
        self._sending.finish()

    def finish(self) -> None:
        """Waits for the requests that were sent before an error or Ctrl-C, so that the report is complete."""
        self._sending.finish()

    def close(self) -> None:
        """Removes what the import remembered."""
        self._sending.abandon()
        self._spool.close()

    def _records(self, reading: Reading) -> Iterator[Record]:
        try:
            for record in self._format.read(reading):
                if self._is_stopped:
                    raise Stopped
                yield record
        except (RecursionError, UnicodeError, OverflowError, MemoryError) as error:
            raise SourceError(self._source.name, f"the file cannot be read: {type(error).__name__}") from error

    def _collect(self) -> int:
        count = 0
        for record in self._records(self._first):
            if isinstance(record, Message):
                self._collect_message(record)
                count += 1
                if count % _PROGRESS_EVERY == 0:
                    self._on_progress("checked", count, None)
            elif isinstance(record, Person):
                self._spool.add_person(record, self._source.name)
            elif isinstance(record, Conversation):
                self._spool.add_conversation(record, self._source.name)
            else:
                self._spool.add_event(record)
        self._spool.complete()
        self._direction.check(self.report, self._spool, self._source.name)
        return count

    def _collect_message(self, message: Message) -> None:
        if not message.conversation:
            raise SourceError(message.place, "a message has no conversation")
        self._spool.add_time(message.conversation, message.time_microseconds, message.place)
        is_self = self._shaper.is_outgoing(message)
        self._direction.add(message)
        if message.sender:
            self._spool.add_sender(
                message.conversation, message.sender, message.sender_name, is_self, message.place
            )

    def _save(self, message: Message, has_stored: bool) -> None:
        name, key = self._format.name, message.conversation
        if message.source_id is None:
            digest = content_key(key, message.time_microseconds, message.sender, message.text)
            id = content_id(name, digest, self._spool.count_earlier(digest))
        else:
            id = message_id(name, key, message.source_id)
            if self._spool.count_earlier(bytes.fromhex(id[-32:])):
                self.report.notes.add_skipped("message that the file has twice", message.place)
                return
            if self._spool.has_events:
                message = with_events(message, self._spool.take_events(key, message.source_id), self.report.notes)
        time = self._time(message)
        stored = self._spool.stored(id) if has_stored else None
        try:
            self._batches.add(self._shaper.shape(id, time, message), stored)
        except SourceError as error:
            if not self._skips_damaged:
                cause, _, hint = error.message.partition("; hint: ")
                hint = f"{hint}, or use --skip-damaged" if hint else "--skip-damaged"
                raise type(error)(error.place, f"{cause}; hint: {hint}") from None
            self._batches.add(self._shaper.shape(id, time, _without_damaged(message)), stored)

    def _time(self, message: Message) -> int:
        """Returns the time of a message. Lists are sorted by time, so messages with equal times get different times."""
        # For the daemon, 0 is the current time.
        time = message.time_microseconds or 1
        last, count = self._times.pop(message.conversation, (None, 0))
        count = min(count + 1, _SAME_TIME_MAX) if last == time else 0
        if len(self._times) >= _CONVERSATIONS_IN_MEMORY:
            del self._times[next(iter(self._times))]
        self._times[message.conversation] = (time, count)
        return time + count


def _without_damaged(message: Message) -> Message:
    """Returns the message without the contents that cannot be read, so that they count as missing."""
    attachments = tuple(
        replace(one, content=None, metadata={**one.metadata, "is_damaged": True})
        if one.content is not None and is_damaged(one.content)
        else one
        for one in message.attachments
    )
    return replace(message, attachments=attachments)


def import_file(
    store: Store,
    format_name: str,
    path: str | os.PathLike[str],
    *,
    is_dry_run: bool = False,
    skips_damaged: bool = False,
    zone: tzinfo = timezone.utc,
    self_ids: frozenset[str] = frozenset(),
    options: Mapping[str, str] | None = None,
) -> Report:
    """Imports a file, folder or zip. ghoststore-import has the same arguments.

    Raises:
        KeyError: There is no format with this name.
        SourceError: The source is malformed. If the first reading finds it, nothing was saved.
        WrongOption: No sender is one of `self_ids`, or an option is wrong. Nothing was saved.
        GhoststoreError: The daemon refused a call, or cannot be reached.
    """
    source = Source(path)
    try:
        importer = Importer(
            store,
            format_named(format_name),
            source,
            is_dry_run=is_dry_run,
            skips_damaged=skips_damaged,
            zone=zone,
            self_ids=self_ids,
            options=options,
        )
        try:
            return importer.run()
        finally:
            importer.close()
    finally:
        source.close()
