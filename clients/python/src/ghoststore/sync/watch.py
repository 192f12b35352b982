# Written by tools/generate.py from the module of the same name in aio; do not edit.
"""Changes of the store, delivered as they occur."""

from __future__ import annotations

import time
from types import TracebackType

from .. import model as wire
from ..errors import GhoststoreError, TimedOut
from ..protocol import calls
from ..protocol.attempt import Attempt
from ..protocol.connection import Answered, Refused, Request
from ..protocol.options import Options
from ..protocol.watching import Watching
from ..wire import encode
from .session import Session
from .transport import Channel, Reply, sleep

# The shortest timeout that is passed on at the end of a deadline. 0 would mean that there is no timeout.
_TIMEOUT_SECONDS_MIN = 0.001


class Watch:
    """An iterator over changes. It continues after a lost connection, without a gap and without a change twice.

    A watch has a connection of its own. Changes that are not taken wait in the daemon and delay no other call; if they
    wait too long, the watch requests them again. While the store is locked, the watch waits. It ends with an error if
    it cannot continue: CHANGES_COMPACTED, REVISION_AHEAD, HISTORY_CHANGED, PERMISSION_DENIED, or a daemon that did not
    return in time.
    """

    def __init__(self, session: Session, watching: Watching) -> None:
        self._session = session
        self._watching = watching
        self._channel: Channel | None = None
        self._reply: Reply | None = None
        self._is_closed = False

    @property
    def revision(self) -> int | None:
        """The revision up to which all changes were delivered, or None before the watch began.

        Keep it to continue from there.
        """
        return self._watching.revision

    @property
    def history_id(self) -> bytes:
        """The history to which the revision belongs. Keep it with the revision."""
        return self._watching.history_id

    @property
    def is_closed(self) -> bool:
        """True if the watch has ended and gives no more changes."""
        return self._is_closed

    def __iter__(self) -> Watch:
        return self

    def __next__(self) -> wire.Change:
        while True:
            change = self.next_before(None)
            if change is not None:
                return change
            if self._is_closed:
                raise StopIteration

    def next_within(self, seconds: float) -> wire.Change | None:
        """Returns the next change, or None if none comes within this time."""
        deadline = time.monotonic() + seconds
        try:
            while (change := self.next_before(deadline)) is None and not self._is_closed:
                pass
            return change
        except TimedOut:
            return None

    def close(self) -> None:
        """Ends the watch. An iteration that waits ends too."""
        self._is_closed = True
        self._session.close()

    def __enter__(self) -> Watch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def next_before(self, deadline: float | None) -> wire.Change | None:
        """Returns the next change, or None if another attempt is needed or the watch is closed.

        Raises TimedOut at the deadline (of `time.monotonic`).
        """
        if self._is_closed:
            return None
        if (change := self._watching.take()) is not None:
            return change
        try:
            self._receive(deadline)
        except TimedOut:
            raise
        except GhoststoreError as error:
            self._reply = None
            if self._is_closed:
                return None
            try:
                self.pause_after(error, deadline)
            except TimedOut:
                raise
            except GhoststoreError:
                self.close()
                raise
        return self._watching.take()

    def pause_after(self, error: GhoststoreError, deadline: float | None) -> None:
        """Waits before the next attempt. Raises the error if there is none, or TimedOut if the wait is too long."""
        now = time.monotonic()
        pause = self._watching.pause_after(error, now)
        if deadline is not None and now + pause > deadline:
            raise TimedOut("no change came in time")
        sleep(pause)

    def note_answer(self) -> None:
        """Records that the daemon has answered another call. The time without a daemon then starts at zero again."""
        self._watching.note_answer()

    def _resolve(self, conversation: wire.ConversationReference, deadline: float | None) -> None:
        request = wire.GetConversationRequest(conversation=conversation)
        options = Options(timeout_seconds=None if deadline is None else seconds_until(deadline))
        default = self._session.settings.timeout_seconds
        attempt = Attempt(calls.GET_CONVERSATION, request, options, default, time.monotonic())
        self._watching.resolve((self._session.run(attempt)).id)

    def _receive(self, deadline: float | None) -> None:
        if self._watching.unresolved is not None:
            self._resolve(self._watching.unresolved, deadline)
        if self._reply is None:
            self._channel = self._session.channel(None)
            request = Request(calls.WATCH, encode(self._watching.request()), history_id=self._watching.history_id)
            self._reply = self._channel.start(request, deadline)
        event = self._reply.next(deadline)
        if isinstance(event, Refused):
            raise event.error
        if isinstance(event, Answered):
            self._watching.receive(event.answer)
            self._is_closed = self._is_closed or not event.has_more


def seconds_until(deadline: float) -> float:
    """Returns the seconds until a deadline (of `time.monotonic`) as a timeout, which is more than 0."""
    return max(deadline - time.monotonic(), _TIMEOUT_SECONDS_MIN)
