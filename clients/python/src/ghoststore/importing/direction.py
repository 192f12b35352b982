"""The user of the store among the senders: `--self` is refused if it names none of them."""

from __future__ import annotations

from .errors import WrongOption
from .notes import printable
from .reading import Reading
from .records import Message
from .report import Report
from .spool import Spool


class Direction:
    """Counts the messages for which only `--self` decides whether the user sent them."""

    def __init__(self, reading: Reading, hint: str) -> None:
        self._reading, self._hint = reading, hint
        self._undecided_count = 0

    def add(self, message: Message) -> None:
        """Counts a message."""
        if message.is_outgoing is None and (message.sender or message.sender_name):
            self._undecided_count += 1

    def check(self, report: Report, spool: Spool, place: str) -> None:
        """Adds hints if the user, or one of the user's names, was not found.

        Raises:
            WrongOption: No name of the user was found. All messages would become incoming.
        """
        given, found = self._reading.self_ids, self._reading.found_self_ids
        if not given and self._undecided_count:
            what = "the export does not say who you are, so all messages are incoming: use --self"
            report.notes.add_hint(what, place)
        if not given and (self._undecided_count or report.is_dry_run):
            report.senders = list(spool.senders())
        if given and self._reading.asks_self and not found:
            names = ", ".join(printable(id, 40) for id in sorted(given)[:3])
            raise WrongOption(place, f"no message is from the sender of --self {names}; hint: {self._hint}")
        for id in sorted(given - found) if found else ():
            report.notes.add_hint(f"no message is from the sender of --self {id}", place)
