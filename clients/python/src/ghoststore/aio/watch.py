"""Changes of the store and entries of logs, delivered as they occur."""

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
    """An iterator over changes. It continues after a lost connection, without a gap and without a change twice.

    A watch has a connection of its own. Changes that are not taken wait in the daemon and delay no other call; if they
    wait too long, the watch requests them again. While the store is locked, the watch waits. It ends with an error if
    it cannot continue: CHANGES_COMPACTED, REVISION_AHEAD, HISTORY_CHANGED, PERMISSION_DENIED, or a daemon that did not
    return in time.
    """

    def __init__(self, session: AsyncSession, watching: Watching) -> None:
        self._session = session
        self._watching = watching
        self._channel: AsyncChannel | None = None
        self._reply: AsyncReply | None = None
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
        """Returns the next change, or None if none comes within this time."""
        deadline = time.monotonic() + seconds
        try:
            while (change := await self._next(deadline)) is None and not self._is_closed:
                pass
            return change
        except TimedOut:
            return None

    async def close(self) -> None:
        """Ends the watch. An iteration that waits ends too."""
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
    """Watches of the store and of logs."""

    @abstractmethod
    def new_session(self) -> AsyncSession:
        """Returns another connection with the settings of this store."""

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
        """Returns the changes after a revision, then new changes. Without a revision it returns new changes only.

        If the connection is lost, the watch tries to connect again for `patience_seconds`; None means without a limit.
        While the store is locked, also after a restart of the daemon, the watch waits until the store is unlocked,
        however long that takes. With `waits_while_locked=False` it raises STORE_LOCKED instead. Pass the `history_id`
        that was kept with the revision: the watch then raises HISTORY_CHANGED if a backup has replaced the store.
        """
        watching = Watching(
            after_revision, history_id, kinds, conversation_id, scene, patience_seconds, waits_while_locked
        )
        return AsyncWatch(self.new_session(), watching)

    async def log_entries(
        self, name: str, *, after_sequence: int = 0, page_size: int = 0, options: Options | None = None
    ) -> AsyncIterator[wire.LogEntry]:
        """Yields the messages of a log after a sequence number, oldest first, up to the newest."""
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
        """Yields the messages of a log after a sequence number, then new messages.

        It follows the log that it found, and raises LOG_NOT_FOUND if that log is deleted. Pass `created_revision` and
        `history_id` if they were kept with the number. While the store is locked, it waits; with
        `waits_while_locked=False` it raises STORE_LOCKED instead.
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
