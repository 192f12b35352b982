"""Messages with their text, delivered as they are added."""

from __future__ import annotations

import time
from types import TracebackType

from .. import model as wire
from ..errors import GhoststoreError, NotFound, TimedOut
from ..protocol import calls
from ..protocol.options import Options
from ..reasons import Reason
from .caller import AsyncCaller
from .watch import AsyncWatch, seconds_until


class AsyncMessageWatch:
    """An iterator over the messages that are added to the store, in the order in which they were added.

    It continues without a gap, as a watch does: after a lost connection, after a restart of the daemon, and after the
    store was locked. If a message cannot be read, the error is raised, and the next call reads the same message again.
    """

    def __init__(self, watch: AsyncWatch, caller: AsyncCaller) -> None:
        self._watch = watch
        self._caller = caller
        # The change whose message is fetched next.
        self._change: wire.Change | None = None

    @property
    def revision(self) -> int | None:
        """The revision up to which all messages were delivered, or None before the watch began.

        Keep it to continue from there.
        """
        return self._watch.revision if self._change is None else self._change.revision - 1

    @property
    def history_id(self) -> bytes:
        """The history to which the revision belongs. Keep it with the revision."""
        return self._watch.history_id

    def __aiter__(self) -> AsyncMessageWatch:
        return self

    async def __anext__(self) -> wire.Message:
        while True:
            message = await self._next(None)
            if message is not None:
                return message
            if self._watch.is_closed:
                raise StopAsyncIteration

    async def next_within(self, seconds: float) -> wire.Message | None:
        """Returns the next message, or None if none comes within this time."""
        deadline = time.monotonic() + seconds
        try:
            while (message := await self._next(deadline)) is None and not self._watch.is_closed:
                pass
            return message
        except TimedOut:
            return None

    async def close(self) -> None:
        """Ends the watch. An iteration that waits ends too."""
        await self._watch.close()

    async def __aenter__(self) -> AsyncMessageWatch:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _next(self, deadline: float | None) -> wire.Message | None:
        if self._change is None:
            change = await self._watch.next_before(deadline)
            if change is None or change.operation is not wire.ChangeOperation.CREATED:
                return None
            self._change = change
        if self._watch.is_closed:
            return None
        try:
            message = await self._read(self._change.id, deadline)
        except TimedOut:
            raise
        except GhoststoreError as error:
            await self._watch.pause_after(error, deadline)
            return None
        self._watch.note_answer()
        self._change = None
        return message

    async def _read(self, message_id: str, deadline: float | None) -> wire.Message | None:
        # The read uses another connection than the watch, because changes that wait on the watch's connection would
        # delay the answer.
        seconds = 0 if deadline is None else seconds_until(deadline)
        options = Options(timeout_seconds=seconds, history_id=self._watch.history_id, repeats=False)
        request = wire.GetMessageRequest(id=message_id)
        try:
            message: wire.Message = await self._caller.call(calls.GET_MESSAGE, request, options)
            return message
        except NotFound as error:
            if error.reason is not Reason.MESSAGE_NOT_FOUND:
                raise
            return None
