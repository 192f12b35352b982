"""A store."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator, Callable, Iterable
from types import TracebackType
from typing import Any, TypeVar

from .. import model as wire
from ..protocol.attempt import Attempt
from ..protocol.call import Call
from ..protocol.options import Options
from .ahead import AsyncAhead
from .attachments import AsyncAttachments
from .backups import AsyncBackups
from .calls import AsyncCalls
from .files import AsyncFiles
from .lists import AsyncLists
from .message_files import AsyncMessageFiles
from .scenes import AsyncScenes
from .session import AsyncGates, AsyncSession, Settings
from .watch import AsyncFollowing

Answer = TypeVar("Answer")


class AsyncStore(
    AsyncCalls, AsyncLists, AsyncScenes, AsyncFiles, AsyncAttachments, AsyncBackups, AsyncMessageFiles, AsyncFollowing
):
    """What a daemon keeps, over one connection that any number of callers share.

    It connects with the first call, and again when the connection was lost. Reads and writes whose answer did not come
    are repeated then, writes under their idempotency key, so that they are done once; nothing else is.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        client_name: str = "python-ghoststore",
        timeout_seconds: float = 30,
    ) -> None:
        """Without a path the daemon is looked for at $GHOSTSTORE_SOCKET and in the well-known places."""
        if timeout_seconds < 0:
            raise ValueError("a timeout is at least 0 seconds; hint: 0 stands for none")
        self._session = AsyncSession(Settings(path, client_name, timeout_seconds))

    async def open(self) -> wire.HelloResponse:
        """Connects, and gives what the daemon says about itself. Nobody has to: the first call does it too."""
        timeout = self._session.settings.timeout_seconds
        await self._session.channel(time.monotonic() + timeout if timeout else None)
        assert self._session.server is not None
        return self._session.server

    async def close(self) -> None:
        """Closes the connection; calls that wait for answers get ClosedError."""
        self._session.close()

    async def __aenter__(self) -> AsyncStore:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def call(
        self,
        call: Call[Answer],
        request: object,
        options: Options | None = None,
        on_progress: Callable[[wire.Progress], None] | None = None,
    ) -> Answer:
        """Makes a call and gives its answer; repeats it where that is safe."""
        attempt = Attempt(call, request, options, self._session.settings.timeout_seconds, time.monotonic())
        answer: Answer = await self._session.run(attempt, on_progress)
        return answer

    async def pipeline(
        self, requests: Iterable[tuple[Call[Answer], object]], *, ahead: int = 64, options: Options | None = None
    ) -> AsyncIterator[Answer]:
        """Makes many calls, so many of them ahead of the answers, and gives the answers in their order.

        The daemon does writes in the order sent. One that had to be repeated is done later than those behind it. An
        error ends the iteration; what was sent ahead of it may be done all the same.
        """
        under_way = self.ahead(options)
        try:
            for call, request in requests:
                await under_way.send(call, request)
                if len(under_way) >= ahead:
                    yield await under_way.take()
            while under_way:
                yield await under_way.take()
        finally:
            under_way.abandon()

    def ahead(self, options: Options | None = None) -> AsyncAhead:
        """Calls that are made ahead of the answers to those before them."""
        return AsyncAhead(self._session, options)

    async def send_only(self, call: Call[Any], request: object) -> bool:
        """Sends a request whose answer nobody needs, where there is a connection. False where it cannot be used."""
        return await self._session.send_only(call, request)

    @property
    def gates(self) -> AsyncGates:
        """Where transfers wait for each other."""
        return self._session.gates

    def new_session(self) -> AsyncSession:
        """A connection beside the store's own."""
        return AsyncSession(self._session.settings)
