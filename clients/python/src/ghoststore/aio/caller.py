"""The base class of the methods for calls."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any, TypeVar

from ..model import Progress
from ..protocol.call import Call
from ..protocol.options import Options
from .ahead import AsyncAhead
from .session import AsyncGates

Answer = TypeVar("Answer")


class AsyncCaller(ABC):
    """Makes calls."""

    @abstractmethod
    async def call(
        self,
        call: Call[Answer],
        request: object,
        options: Options | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Answer:
        """Makes a call and returns its answer. Repeats the call if that is safe."""

    @abstractmethod
    def pipeline(
        self, requests: Iterable[tuple[Call[Answer], object]], *, ahead: int = 64, options: Options | None = None
    ) -> AsyncIterator[Answer]:
        """Makes many calls, up to `ahead` of them before their answers have come. Yields the answers in order."""

    @abstractmethod
    def ahead(self, options: Options | None = None) -> AsyncAhead:
        """Returns an object that sends calls before the answers to earlier calls have come."""

    @abstractmethod
    async def send_only(self, call: Call[Any], request: object) -> bool:
        """Sends a request without waiting for its answer. Returns False if there is no usable connection."""

    @property
    @abstractmethod
    def gates(self) -> AsyncGates:
        """The queues in which the transfers of this store wait for each other."""
