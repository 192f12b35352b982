# Written by tools/generate.py from the module of the same name in aio; do not edit.
"""Append logs, read to their end or followed."""

from __future__ import annotations

from collections.abc import Iterator

from .. import model as wire
from ..errors import GhoststoreError
from ..protocol import calls
from ..protocol.options import Options
from ..protocol.watching import LOCKED_PAUSE_SECONDS
from ..reasons import Reason
from .caller import Caller
from .transport import sleep

_WAIT_MILLISECONDS = 30_000
_WAIT_MORE_SECONDS = 30


class LogReading(Caller):
    """Iterators over the messages of append logs."""

    def log_entries(
        self, name: str, *, after_sequence: int = 0, page_size: int = 0, options: Options | None = None
    ) -> Iterator[wire.LogEntry]:
        """Yields the messages of a log after a sequence number, oldest first, up to the newest.

        Raises:
            NotFound: LOG_NOT_FOUND. The log does not exist.
        """
        has_more = True
        while has_more:
            request = wire.ReadLogRequest(name=name, after_sequence=after_sequence, limit=page_size)
            page = self.call(calls.READ_LOG, request, options)
            for entry in page.entries:
                yield entry
                after_sequence = entry.sequence
            has_more = page.has_more

    def follow_log(
        self,
        name: str,
        *,
        after_sequence: int = 0,
        created_revision: int = 0,
        history_id: bytes = b"",
        waits_while_locked: bool = True,
    ) -> Iterator[wire.LogEntry]:
        """Yields the messages of a log after a sequence number, then new messages.

        It follows the log that it found first. Messages that a full log overwrites before they are read are left out.

        Args:
            name: The name of the log.
            after_sequence: The number of the last message that was read before; 0: begins with the oldest message.
            created_revision: `Log.created_revision`, if it was kept with the number.
            history_id: `ReadLogResponse.history_id`, if it was kept with the number.
            waits_while_locked: While the store is locked, it waits until the store is unlocked, however long that
                takes. False: it raises STORE_LOCKED instead.

        Raises:
            NotFound: LOG_NOT_FOUND if the log does not exist, or is deleted, or if another log has its name.
            FailedPrecondition: HISTORY_CHANGED if a backup has replaced the store.
            FailedPrecondition: STORE_LOCKED with `waits_while_locked=False`.
            ResourceExhausted: TOO_MANY_WATCHES.
        """
        while True:
            request = wire.ReadLogRequest(
                name=name,
                after_sequence=after_sequence,
                wait_milliseconds=_WAIT_MILLISECONDS,
                created_revision=created_revision,
            )
            timeout = _WAIT_MILLISECONDS / 1000 + _WAIT_MORE_SECONDS
            try:
                page = self.call(calls.READ_LOG, request, Options(timeout_seconds=timeout, history_id=history_id))
            except GhoststoreError as error:
                if not waits_while_locked or error.reason is not Reason.STORE_LOCKED:
                    raise
                sleep(LOCKED_PAUSE_SECONDS)
                continue
            history_id = page.history_id
            created_revision = page.log.created_revision
            for entry in page.entries:
                yield entry
                after_sequence = entry.sequence
