"""The report of an import."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .notes import Note, Notes, printable

_NAMED_MAX = 5


@dataclass(slots=True)
class Counts:
    """The numbers of entities of one kind that were new, changed or known."""

    new: int = 0
    changed: int = 0
    known: int = 0

    @property
    def total(self) -> int:
        """The number of entities."""
        return self.new + self.changed + self.known


@dataclass(slots=True)
class Report:
    """The numbers of an import. In a dry run they say what the import would do."""

    format_name: str
    is_dry_run: bool = False
    conversations: Counts = field(default_factory=Counts)
    contacts: Counts = field(default_factory=Counts)
    members: Counts = field(default_factory=Counts)
    messages: Counts = field(default_factory=Counts)
    attachments_saved: int = 0
    reactions_added: int = 0
    # The session ids of the first conversations.
    session_ids: list[str] = field(default_factory=list)
    # Ids and names of the first senders, so that the user can choose one for `--self`.
    senders: list[tuple[str, str]] = field(default_factory=list)
    notes: Notes = field(default_factory=Notes)

    @property
    def _counts(self) -> dict[str, Counts]:
        return {
            "conversations": self.conversations,
            "contacts": self.contacts,
            "members": self.members,
            "messages": self.messages,
        }

    @property
    def _notes(self) -> dict[str, dict[str, Note]]:
        return {"hints": self.notes.hints, "skipped": self.notes.skipped, "unknown": self.notes.unknown}

    def add_conversation(self, session_id: str) -> None:
        """Adds a conversation. The report names the first ones."""
        if len(self.session_ids) < _NAMED_MAX:
            self.session_ids.append(session_id)

    def as_json(self) -> dict[str, Any]:
        """Returns the report as an object for programs."""
        return {
            "format": self.format_name,
            "dry_run": self.is_dry_run,
            **{
                name: {"new": counts.new, "changed": counts.changed, "known": counts.known}
                for name, counts in self._counts.items()
            },
            "attachments_saved": self.attachments_saved,
            "reactions_added": self.reactions_added,
            "session_ids": self.session_ids,
            "senders": [{"id": id, "name": name} for id, name in self.senders],
            **{
                name: [{"what": what, "count": note.count, "first": note.first_place} for what, note in notes.items()]
                for name, notes in self._notes.items()
            },
        }

    def as_text(self) -> str:
        """Returns the report as a table for people."""
        rows = [(self.format_name, "new", "changed", "known")]
        for name, counts in self._counts.items():
            rows.append((name, f"{counts.new:,}", f"{counts.changed:,}", f"{counts.known:,}"))
        lines = [f"{name:<15}{new:>12}{changed:>12}{known:>12}".rstrip() for name, new, changed, known in rows]
        lines.append(f"{'attachments':<15}{self.attachments_saved:>12,}")
        lines.append(f"{'reactions':<15}{self.reactions_added:>12,}")
        more = self.conversations.total - len(self.session_ids)
        named = [*self.session_ids, *([f"and {more:,} more"] if more else [])]
        senders = [f"{id} ({name})" if name not in ("", id) else id for id, name in self.senders]
        for title, texts in (("Conversations", named), ("Senders", senders)):
            if texts:
                lines += ["", f"{title}:", *(f"  {printable(text, 300)}" for text in texts)]
        for title, notes in self._notes.items():
            if notes:
                lines += ["", f"{title.capitalize()}:"]
                lines += [f"  {note.count:,} × {what} (first: {note.first_place})" for what, note in notes.items()]
        if self.is_dry_run:
            lines += ["", "dry run: nothing was saved"]
        return "\n".join(lines)
