"""Changes and entries of logs as they come."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import AsyncIterator, Sequence
from types import TracebackType

from .. import model as wire
from ..errors import GhoststoreError, TimedOut
from ..protocol import calls
from ..protocol.connection import Answered, Refused, Request
from ..protocol.options import Options
from ..protocol.watching import LOCKED_PAUSE_SECONDS, Watching
from ..reasons import Reason
from ..wire import encode
from .caller import AsyncCaller
from .session import AsyncSession
from .transport import AsyncChannel, AsyncReply, sleep

_WAIT_MILLISECONDS = 30_000
_WAIT_MORE_SECONDS = 30


class AsyncWatch:
    """An iterator over changes that goes on after a lost connection, without a gap and without a change twice.

    It has a connection of its own: changes that nobody takes wait in the daemon, and hold up no call. Where they wait
    too long it begins again by itself. While the store is locked it waits. It ends with an error where it cannot go on:
    CHANGES_COMPACTED, REVISION_AHEAD, HISTORY_CHANGED, PERMISSION_DENIED, or a daemon that did not come back in time.
    """

    def __init__(self, session: AsyncSession, watching: Watching) -> None:
        self._session = session
        self._watching = watching
        self._channel: AsyncChannel | None = None
        self._reply: AsyncReply | None = None
        self._is_closed = False

    @property
    def revision(self) -> int | None:
        """Up to and including this revision all was given: keep it to go on from there. None: not begun."""
        return self._watching.revision

    @property
    def history_id(self) -> bytes:
        """The history that the revision is of: keep it too."""
        return self._watching.history_id

    def __aiter__(self) -> AsyncWatch:
        return self

    async def __anext__(self) -> wire.Change:
        while True:
            change = await self._next(None)
            if change is not None:
                return change
            if self._is_closed:
                raise StopAsyncIteration

    async def next_within(self, seconds: float) -> wire.Change | None:
        """The next change, or None where none came in time."""
        deadline = time.monotonic() + seconds
        try:
            while (change := await self._next(deadline)) is None and not self._is_closed:
                pass
            return change
        except TimedOut:
            return None

    async def close(self) -> None:
        """Ends the watch; an iteration that waits ends too."""
        self._is_closed = True
        self._session.close()

    async def __aenter__(self) -> AsyncWatch:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _next(self, deadline: float | None) -> wire.Change | None:
        if self._is_closed:
            return None
        if (change := self._watching.take()) is not None:
            return change
        try:
            await self._receive(deadline)
        except TimedOut:
            raise
        except GhoststoreError as error:
            self._reply = None
            if self._is_closed:
                return None
            await self._pause(error, deadline)
        return self._watching.take()

    async def _pause(self, error: GhoststoreError, deadline: float | None) -> None:
        now = time.monotonic()
        try:
            pause = self._watching.pause_after(error, now)
        except GhoststoreError:
            await self.close()
            raise
        if deadline is not None and now + pause > deadline:
            raise TimedOut("no change came in time")
        await sleep(pause)

    async def _receive(self, deadline: float | None) -> None:
        if self._reply is None:
            self._channel = await self._session.channel(None)
            request = Request(calls.WATCH, encode(self._watching.request()), history_id=self._watching.history_id)
            self._reply = await self._channel.start(request, deadline)
        event = await self._reply.next(deadline)
        if isinstance(event, Refused):
            raise event.error
        if isinstance(event, Answered):
            self._watching.receive(event.answer)
            self._is_closed = self._is_closed or not event.has_more


class AsyncFollowing(AsyncCaller):
    """What comes as it comes."""

    @abstractmethod
    def new_session(self) -> AsyncSession:
        """A connection beside the store's own."""

    def watch(
        self,
        after_revision: int | None = None,
        *,
        history_id: bytes = b"",
        kinds: Sequence[wire.EntityKind] = (),
        conversation_id: str = "",
        scene: str = "",
        patience_seconds: float | None = 300,
        waits_while_locked: bool = True,
    ) -> AsyncWatch:
        """Returns changes after a revision, then those to come; without a revision only those to come.

        If the connection is lost, the watch connects again for `patience_seconds`, with None without a limit. While the
        store is locked, also after a restart of the daemon, the watch waits until somebody unlocks it, however long
        that takes; with `waits_while_locked=False` it raises STORE_LOCKED instead. Give the `history_id` that was kept
        with the revision: the watch raises HISTORY_CHANGED if a backup took the store's place.
        """
        watching = Watching(
            after_revision, history_id, kinds, conversation_id, scene, patience_seconds, waits_while_locked
        )
        return AsyncWatch(self.new_session(), watching)

    async def log_entries(
        self, name: str, *, after_sequence: int = 0, page_size: int = 0, options: Options | None = None
    ) -> AsyncIterator[wire.LogEntry]:
        """The messages of a log behind a sequence number, oldest first, up to now."""
        has_more = True
        while has_more:
            request = wire.ReadLogRequest(name=name, after_sequence=after_sequence, limit=page_size)
            page = await self.call(calls.READ_LOG, request, options)
            for entry in page.entries:
                yield entry
                after_sequence = entry.sequence
            has_more = page.has_more

    async def follow_log(
        self,
        name: str,
        *,
        after_sequence: int = 0,
        created_revision: int = 0,
        history_id: bytes = b"",
        waits_while_locked: bool = True,
    ) -> AsyncIterator[wire.LogEntry]:
        """Yields the messages of a log after a sequence number, then those to come.

        It keeps to the log that it found, and raises LOG_NOT_FOUND if that log is deleted. Give `created_revision`
        and `history_id` if they were kept with the number. While the store is locked it waits, except with
        `waits_while_locked=False`, where it raises STORE_LOCKED.
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
                page = await self.call(calls.READ_LOG, request, Options(timeout_seconds=timeout, history_id=history_id))
            except GhoststoreError as error:
                if not waits_while_locked or error.reason is not Reason.STORE_LOCKED:
                    raise
                await sleep(LOCKED_PAUSE_SECONDS)
                continue
            history_id = page.history_id
            created_revision = page.log.created_revision if page.log is not None else created_revision
            for entry in page.entries:
                yield entry
                after_sequence = entry.sequence
