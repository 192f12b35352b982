"""The argument of a format's reading function: the source, the options of the command, and a place for notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timezone, tzinfo

from .notes import Notes
from .records import Record
from .source import Source


@dataclass(slots=True, kw_only=True)
class Reading:
    """One reading of a source.

    Attributes:
        source: The file, folder or zip.
        zone: The time zone of times that the source gives without one: `--zone`, or the zone of the machine.
        self_ids: The ids or names of the user of the store: `--self`. Needed only by formats that cannot give a
            conversation's key without them; the writer compares senders itself.
        found_self_ids: The members of `self_ids` that the source has.
        asks_self: True if only `--self` says of a message whether the user sent it.
        options: The options of the format: `--option NAME=VALUE`.
        notes: Counts of what is unknown or left out.
    """

    source: Source
    zone: tzinfo = timezone.utc
    self_ids: frozenset[str] = frozenset()
    options: Mapping[str, str] = field(default_factory=dict)
    notes: Notes = field(default_factory=Notes)
    found_self_ids: set[str] = field(default_factory=set)
    asks_self: bool = False

    def is_self(self, *names: str) -> bool:
        """Returns true if `--self` has one of the names of a sender. If no sender is found, the import is refused."""
        self.asks_self = True
        found = self.self_ids.intersection(names) - {""}
        self.found_self_ids |= found
        return bool(found)

    def unknown(self, element: str, place: str) -> None:
        """Counts an element that the format's module does not know: "message of type poll_v2", "field x of a chat"."""
        self.notes.add_unknown(element, place)

    def skipped(self, what: str, place: str) -> None:
        """Counts something that is not imported, with its reason: "draft", "photo that is not in the export"."""
        self.notes.add_skipped(what, place)


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format. A module of `formats` has one, with the name FORMAT. The module has the name of the format.

    Attributes:
        name: The word of the command line, and the beginning of ids: lower-case letters and digits. It can never
            change, because ids are derived from it.
        title: The format for `--list-formats`, at most 60 characters.
        read: Yields the records of a source. It is called twice for each import: a first time to check the whole
            file before anything is saved, and a second time to save. So it must yield the same records again.
        detect: Returns true if the source is certainly of this format. It reads at most the first 64 KiB of one file.
            None: `auto` never chooses the format.
        options: The names of the format's own options, with a help line of each.
        self_hint: The hint for a `--self` that no sender has.
    """

    name: str
    title: str
    read: Callable[[Reading], Iterator[Record]]
    detect: Callable[[Source], bool] | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    self_hint: str = "leave out --self if you wrote nothing, or take a sender that --dry-run without --self lists"
