"""An asynchronous store that tests use like a synchronous one, so that one test covers both halves."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Iterator
from typing import Any

from ghoststore import AsyncMessageWatch, AsyncStore, AsyncWatch


class Blocking:
    """Runs coroutines on its own event loop until they are done."""

    def __init__(self, target: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._target = target
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._target, name)
        return self._method(attribute) if callable(attribute) else attribute

    def _method(self, method: Any) -> Any:
        def run(*arguments: Any, **named: Any) -> Any:
            result = method(*arguments, **named)
            if inspect.iscoroutine(result):
                return self._loop.run_until_complete(result)
            if isinstance(result, (AsyncMessageWatch, AsyncWatch)):
                return Blocking(result, self._loop)
            return self._iterate(result) if isinstance(result, AsyncIterator) else result

        return run

    def __iter__(self) -> Iterator[Any]:
        return self._iterate(self._target)

    def _iterate(self, iterator: AsyncIterator[Any]) -> Iterator[Any]:
        try:
            while True:
                try:
                    yield self._loop.run_until_complete(iterator.__anext__())
                except StopAsyncIteration:
                    return
        finally:
            if inspect.isasyncgen(iterator):
                self._loop.run_until_complete(iterator.aclose())


def blocking_store(path: Any, loop: asyncio.AbstractEventLoop) -> Any:
    """Returns an AsyncStore, connected to the daemon at the path, that blocks like a Store."""
    return Blocking(AsyncStore(path), loop)
