# Written by tools/generate.py from the module of the same name in aio; do not edit.
"""A store."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Callable, Iterable
from types import TracebackType
from typing import Any, TypeVar

from .. import model as wire
from ..protocol.attempt import Attempt
from ..protocol.call import Call
from ..protocol.options import Options
from .ahead import Ahead
from .attachments import Attachments
from .backups import Backups
from .calls import Calls
from .files import Files
from .lists import Lists
from .message_files import MessageFiles
from .scenes import Scenes
from .session import Gates, Session, Settings
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
        attempt = Attempt(call, request, options, self._session.settings.timeout_seconds, time.monotonic())
        answer: Answer = self._session.run(attempt, on_progress)
        return answer

    def pipeline(
        self, requests: Iterable[tuple[Call[Answer], object]], *, ahead: int = 64, options: Options | None = None
    ) -> Iterator[Answer]:
        """Makes many calls, so many of them ahead of the answers, and gives the answers in their order.

        The daemon does writes in the order sent. One that had to be repeated is done later than those behind it. An
        error ends the iteration; what was sent ahead of it may be done all the same.
        """
        under_way = self.ahead(options)
        try:
            for call, request in requests:
                under_way.send(call, request)
                if len(under_way) >= ahead:
                    yield under_way.take()
            while under_way:
                yield under_way.take()
        finally:
            under_way.abandon()

    def ahead(self, options: Options | None = None) -> Ahead:
        """Calls that are made ahead of the answers to those before them."""
        return Ahead(self._session, options)

    def send_only(self, call: Call[Any], request: object) -> bool:
        """Sends a request whose answer nobody needs, where there is a connection. False where it cannot be used."""
        return self._session.send_only(call, request)

    @property
    def gates(self) -> Gates:
        """Where transfers wait for each other."""
        return self._session.gates

    def new_session(self) -> Session:
        """A connection beside the store's own."""
        return Session(self._session.settings)
