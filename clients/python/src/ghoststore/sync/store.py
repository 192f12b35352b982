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
from .following import Following
from .lists import Lists
from .log_reading import LogReading
from .message_files import MessageFiles
from .scenes import Scenes
from .session import Gates, Session, Settings

Answer = TypeVar("Answer")


class Store(
    Calls,
    Lists,
    Scenes,
    Files,
    Attachments,
    Backups,
    MessageFiles,
    LogReading,
    Following,
):
    """The content of a daemon, over one connection that any number of callers share.

    The store connects with the first call, and again after a lost connection. It then repeats reads and writes that
    were not answered. Each write is repeated under its idempotency key, so that the daemon does it only once. Other
    calls are not repeated.

    A string names a conversation by its session id. `options` of a call set its time limit and its key. The docstring
    of a method lists the errors that depend on the call. Every call can also raise these subclasses of GhoststoreError:

    - ConnectFailed: no daemon listens, or it refuses the connection. Nothing was done.
    - ConnectionLost: no answer came, and the call is not safe to repeat.
    - TimedOut: the call took longer than its time limit.
    - PermissionDenied: the caller has no right to the call.
    - InvalidArgument: a field is missing or out of range.
    - FailedPrecondition: the store is not open (`reason` is STORE_LOCKED, STORE_ABSENT, …), or it does not have the
      history that the options name (HISTORY_CHANGED).
    - ResourceExhausted: the disk is full, or a limit of the daemon was reached until the time limit was over.
    - DataLoss: the store is damaged.
    - ClosedError: this program has closed the store.
    - ProtocolError: the peer does not speak this protocol.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        client_name: str = "python-ghoststore",
        timeout_seconds: float = 30,
    ) -> None:
        """Creates a store object. It connects with the first call.

        Args:
            path: The socket of the daemon. None: $GHOSTSTORE_SOCKET, or the user's own socket if it exists, or the
                socket of the system.
            client_name: A name for the logs of the daemon, at most 64 bytes: myapp/1.2.
            timeout_seconds: The time limit of calls except long work, including repetitions; 0 means no limit.

        Raises:
            ValueError: The time limit is negative.
        """
        if timeout_seconds < 0:
            raise ValueError("a timeout is at least 0 seconds; hint: 0 stands for none")
        self._session = Session(Settings(path, client_name, timeout_seconds))

    def open(self) -> wire.HelloResponse:
        """Connects and returns the daemon's description of itself.

        This call is optional: the first call of any kind also connects.
        """
        timeout = self._session.settings.timeout_seconds
        self._session.channel(time.monotonic() + timeout if timeout else None)
        assert self._session.server is not None
        return self._session.server

    def close(self) -> None:
        """Closes the connection. Calls that wait for answers get ClosedError."""
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
        """Makes a call and returns its answer. Repeats the call if that is safe."""
        attempt = Attempt(call, request, options, self._session.settings.timeout_seconds, time.monotonic())
        answer: Answer = self._session.run(attempt, on_progress)
        return answer

    def pipeline(
        self, requests: Iterable[tuple[Call[Answer], object]], *, ahead: int = 64, options: Options | None = None
    ) -> Iterator[Answer]:
        """Makes many calls, up to `ahead` of them before their answers have come. Yields the answers in order.

        The daemon does writes in the order in which they were sent. A write that had to be repeated is done after
        later ones. An error ends the iteration; the daemon may still do the calls that were already sent.
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
        """Returns an object that sends calls before the answers to earlier calls have come."""
        return Ahead(self._session, options)

    def send_only(self, call: Call[Any], request: object) -> bool:
        """Sends a request without waiting for its answer. Returns False if there is no usable connection."""
        return self._session.send_only(call, request)

    @property
    def gates(self) -> Gates:
        """The queues in which the transfers of this store wait for each other."""
        return self._session.gates

    def new_session(self) -> Session:
        """Returns another connection with the settings of this store."""
        return Session(self._session.settings)
