"""Calls that are made ahead of the answers to those before them."""

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
    """Calls of one connection whose answers are taken in the order sent. How many are under way is its length."""

    def __init__(self, session: AsyncSession, options: Options | None) -> None:
        self._session = session
        self._options = options
        self._waiting: deque[tuple[Attempt, AsyncChannel | None, AsyncReply | None]] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    async def send(self, call: Call[Any], request: object) -> None:
        """Sends a call. One that could not be sent is sent again when its answer is asked for."""
        attempt = Attempt(call, request, self._options, self._session.settings.timeout_seconds, time.monotonic())
        self._waiting.append(await self._send(attempt))

    async def take(self) -> Any:
        """The answer to the oldest call; made again where that is safe."""
        attempt, channel, reply = self._waiting.popleft()
        if channel is not None and reply is not None:
            try:
                return await finish(channel, reply, attempt.deadline)
            except GhoststoreError as error:
                await sleep(attempt.pause_after(error, time.monotonic()))
        return await self._session.run(attempt)

    def abandon(self) -> None:
        """Nobody waits for the answers any more. What was sent may be done all the same."""
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
