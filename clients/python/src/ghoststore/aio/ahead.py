"""Calls that are sent before the answers to earlier calls have come."""

from __future__ import annotations

import time
from collections import deque
from typing import Any

from ..errors import GhoststoreError
from ..protocol.attempt import Attempt
from ..protocol.call import Call
from ..protocol.options import Options
from .session import AsyncSession, finish
from .transport import AsyncChannel, AsyncReply, sleep


class AsyncAhead:
    """Calls of one connection.

    Their answers are taken in the order in which the calls were sent. Its length is the number of calls in flight.
    """

    def __init__(self, session: AsyncSession, options: Options | None) -> None:
        self._session = session
        self._options = options
        self._waiting: deque[tuple[Attempt, AsyncChannel | None, AsyncReply | None]] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    async def send(self, call: Call[Any], request: object) -> None:
        """Sends a call. A call that could not be sent is sent again when its answer is taken."""
        attempt = Attempt(call, request, self._options, self._session.settings.timeout_seconds, time.monotonic())
        self._waiting.append(await self._send(attempt))

    async def take(self) -> Any:
        """Returns the answer to the oldest call. Repeats the call if that is safe."""
        attempt, channel, reply = self._waiting.popleft()
        if channel is not None and reply is not None:
            try:
                return await finish(channel, reply, attempt.deadline)
            except GhoststoreError as error:
                await sleep(attempt.pause_after(error, time.monotonic()))
        return await self._session.run(attempt)

    def abandon(self) -> None:
        """Stops waiting for the answers. The daemon may still do the calls that were sent."""
        while self._waiting:
            _, channel, reply = self._waiting.popleft()
            if channel is not None and reply is not None:
                channel.abandon(reply)

    async def _send(self, attempt: Attempt) -> tuple[Attempt, AsyncChannel | None, AsyncReply | None]:
        try:
            channel = await self._session.channel(attempt.deadline)
            return attempt, channel, await channel.start(attempt.request(time.monotonic()), attempt.deadline)
        except GhoststoreError as error:
            await sleep(attempt.pause_after(error, time.monotonic()))
            return attempt, None, None
