"""Hints about `--self`: without it, or with a wrong one, messages of the user look like messages of another person."""

from __future__ import annotations

from .notes import Notes
from .records import Message


class Direction:
    """Counts the messages for which only `--self` decides whether the user sent them."""

    def __init__(self, self_ids: frozenset[str]) -> None:
        self._self_ids = self_ids
        self._missing = set(self_ids)
        self._undecided_count = 0

    def add(self, message: Message) -> None:
        """Counts a message."""
        if message.sender and message.is_outgoing is None:
            self._undecided_count += 1
            if self._missing:
                self._missing -= {message.sender, message.sender_name}

    def add_hints(self, notes: Notes, place: str) -> None:
        """Adds hints if the user was not found."""
        if not self._undecided_count:
            return
        if not self._self_ids:
            notes.add_hint("the export does not say who you are, so all messages are incoming: use --self", place)
        for id in sorted(self._missing):
            notes.add_hint(f"no message is from the sender of --self {id}", place)
