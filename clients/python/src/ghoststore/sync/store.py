# Written by tools/generate.py from the module of the same name in aio; do not edit.
"""A store."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterator, Callable, Iterable
from types import TracebackType
from typing import Any, TypeVar

from .. import model as wire
from ..errors import GhoststoreError
from ..protocol.attempt import Attempt
from ..protocol.call import Call
from ..protocol.options import Options
from .attachments import Attachments
from .backups import Backups
from .calls import Calls
from .files import Files
from .lists import Lists
from .message_files import MessageFiles
from .scenes import Scenes
from .session import Session, Settings, finish
from .transport import Channel, Reply, sleep
from .watch import Following

Answer = TypeVar("Answer")


class Store(
    Calls, Lists, Scenes, Files, Attachments, Backups, MessageFiles, Following
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
        self._session = Session(Settings(path, client_name, timeout_seconds))

    def open(self) -> wire.HelloResponse:
        """Connects, and gives what the daemon says about itself. Nobody has to: the first call does it too."""
        timeout = self._session.settings.timeout_seconds
        self._session.channel(time.monotonic() + timeout if timeout else None)
        assert self._session.server is not None
        return self._session.server

    def close(self) -> None:
        """Closes the connection; calls that wait for answers get ClosedError."""
        self._session.close()

    def __enter__(self) -> Store:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def call(
        self,
        call: Call[Answer],
        request: object,
        options: Options | None = None,
        on_progress: Callable[[wire.Progress], None] | None = None,
    ) -> Answer:
        """Makes a call and gives its answer; repeats it where that is safe."""
        answer: Answer = self._session.run(self._attempt(call, request, options), on_progress)
        return answer

    def pipeline(
        self, requests: Iterable[tuple[Call[Answer], object]], *, ahead: int = 64, options: Options | None = None
    ) -> Iterator[Answer]:
        """Makes many calls, so many of them ahead of the answers, and gives the answers in their order.

        The daemon does writes in the order sent. One that had to be repeated is done later than those behind it. An
        error ends the iteration; what was sent ahead of it may be done all the same.
        """
        waiting: deque[tuple[Attempt, Channel | None, Reply | None]] = deque()
        try:
            for call, request in requests:
                waiting.append(self._send_ahead(self._attempt(call, request, options)))
                if len(waiting) >= ahead:
                    yield self._finish_ahead(*waiting.popleft())
            while waiting:
                yield self._finish_ahead(*waiting.popleft())
        finally:
            for _, channel, reply in waiting:
                if channel is not None and reply is not None:
                    channel.abandon(reply)

    def send_only(self, call: Call[Any], request: object) -> None:
        """Sends a request whose answer nobody needs, where there is a connection."""
        self._session.send_only(call, request)

    def new_session(self) -> Session:
        """A connection beside the store's own."""
        return Session(self._session.settings)

    def _attempt(self, call: Call[Any], request: object, options: Options | None) -> Attempt:
        return Attempt(call, request, options, self._session.settings.timeout_seconds, time.monotonic())

    def _send_ahead(self, attempt: Attempt) -> tuple[Attempt, Channel | None, Reply | None]:
        try:
            channel = self._session.channel(attempt.deadline)
            return attempt, channel, channel.start(attempt.request(time.monotonic()), attempt.deadline)
        except GhoststoreError as error:
            sleep(attempt.pause_after(error, time.monotonic()))
            return attempt, None, None

    def _finish_ahead(self, attempt: Attempt, channel: Channel | None, reply: Reply | None) -> Any:
        if channel is not None and reply is not None:
            try:
                return finish(channel, reply, attempt.deadline)
            except GhoststoreError as error:
                sleep(attempt.pause_after(error, time.monotonic()))
        return self._session.run(attempt)
