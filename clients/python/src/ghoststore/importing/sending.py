"""Calls in flight: many are sent before the first answer, and memory stays bounded."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

from ..errors import RefusedError
from ..protocol.call import Call
from ..sync import Store

Answer = TypeVar("Answer")
_CALLS_MAX = 256
_BYTES_MAX = 12 * 1024 * 1024


class Sending:
    """Calls whose answers go to functions, in the order of the calls."""

    def __init__(self, store: Store) -> None:
        self._ahead = store.ahead()
        self._waiting: deque[tuple[Callable[[Any], None], Callable[[RefusedError], None] | None, int]] = deque()
        self._byte_count = 0

    def send(
        self,
        call: Call[Answer],
        request: object,
        on_answer: Callable[[Answer], None],
        on_refusal: Callable[[RefusedError], None] | None = None,
        byte_count: int = 512,
    ) -> None:
        """Sends a call. Without `on_refusal`, a refusal is raised by a later `send` or `finish`."""
        while self._waiting and (len(self._waiting) >= _CALLS_MAX or self._byte_count + byte_count > _BYTES_MAX):
            self._take()
        self._ahead.send(call, request)
        self._waiting.append((on_answer, on_refusal, byte_count))
        self._byte_count += byte_count

    def finish(self) -> None:
        """Waits for all answers."""
        while self._waiting:
            self._take()

    def abandon(self) -> None:
        """Gives up the answers. The daemon may still do the calls."""
        self._waiting.clear()
        self._ahead.abandon()

    def _take(self) -> None:
        on_answer, on_refusal, byte_count = self._waiting.popleft()
        self._byte_count -= byte_count
        try:
            answer = self._ahead.take()
        except RefusedError as error:
            if on_refusal is None:
                raise
            on_refusal(error)
        else:
            on_answer(answer)
