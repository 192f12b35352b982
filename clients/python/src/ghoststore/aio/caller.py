"""What the methods of calls are built on."""

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
        """Makes a call and gives its answer; repeats it where that is safe."""

    @abstractmethod
    def pipeline(
        self, requests: Iterable[tuple[Call[Answer], object]], *, ahead: int = 64, options: Options | None = None
    ) -> AsyncIterator[Answer]:
        """Makes many calls, so many of them ahead of the answers, and gives the answers in their order."""

    @abstractmethod
    def ahead(self, options: Options | None = None) -> AsyncAhead:
        """Calls that are made ahead of the answers to those before them."""

    @abstractmethod
    async def send_only(self, call: Call[Any], request: object) -> bool:
        """Sends a request whose answer nobody needs, where there is a connection. False where it cannot be used."""

    @property
    @abstractmethod
    def gates(self) -> AsyncGates:
        """Where transfers wait for each other."""
