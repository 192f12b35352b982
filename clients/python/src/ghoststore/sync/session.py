# Written by tools/generate.py from the module of the same name in aio; do not edit.
"""A connection that is opened when it is needed, and opened again after it was lost."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from weakref import WeakSet

from .. import model as wire
from ..errors import ClosedError, ConnectFailed, ConnectionLost, GhoststoreError, ProtocolError
from ..place import socket_path
from ..protocol import calls
from ..protocol.attempt import GRACE_SECONDS, Attempt
from ..protocol.call import Call
from ..protocol.connection import Answered, Event, Progressed, Refused, Request
from ..wire import encode
from .transport import Channel, Gate, Mutex, Reply, sleep

_PROTOCOL_VERSION = 1
_SEND_ONLY_SECONDS = 1.0
_CROWDED_PAUSE_SECONDS = 0.01
# Half of the daemon's limits for each user: 16 writes in pieces, and 4 exports, imports and archives.
_WRITES_AT_ONCE = 8
_SESSIONS_AT_ONCE = 2


@dataclass(frozen=True, slots=True)
class Settings:
    """The arguments with which a store was created."""

    path: str | os.PathLike[str] | None
    client_name: str
    timeout_seconds: float


class Gates:
    """The queues in which the transfers of one store wait for each other, so that other processes can make transfers
    too.
    """

    def __init__(self) -> None:
        self.writes = Gate(_WRITES_AT_ONCE)
        # The gate for appends to files. If two ran at once, one would have to start again.
        self.appends = Gate(1)
        # The gate for exports, imports, archives and restores.
        self.sessions = Gate(_SESSIONS_AT_ONCE)


class Session:
    """A connection to the daemon for many calls at once."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        # The daemon's answer to hello on the last connection.
        self.server: wire.HelloResponse | None = None
        self._is_closed = False
        self._channel: Channel | None = None
        self._begin()
        _SESSIONS.add(self)

    def _begin(self) -> None:
        self._connecting = Mutex()
        self.gates = Gates()

    def begin_in_child(self) -> None:
        """Gives up the connection and the locks after a fork. They belong to the parent process."""
        if self._channel is not None:
            self._channel.forget()
            self._channel = None
        self._begin()

    def channel(self, deadline: float | None) -> Channel:
        """Returns the connection. Opens it if there is none."""
        with self._connecting:
            if self._channel is not None:
                self._channel.settle()
            if self._channel is None or not self._channel.is_usable:
                self._check()
                self._channel = self._connect(deadline)
            if self._is_closed:
                self._channel.close()
            self._check()
            return self._channel

    def _check(self) -> None:
        if self._is_closed:
            raise ClosedError("the store was closed; make another one")

    def run(self, attempt: Attempt, on_progress: Callable[[wire.Progress], None] | None = None) -> Any:
        """Makes a call, and repeats it while that is safe, until it is answered."""
        while True:
            was_connected = self.server is not None
            try:
                channel = self.channel(attempt.deadline)
                reply = channel.start(attempt.request(time.monotonic()), attempt.deadline)
                return self._finish(channel, reply, attempt, on_progress)
            except GhoststoreError as error:
                if isinstance(error, ConnectFailed) and not was_connected:
                    raise
                sleep(attempt.pause_after(error, time.monotonic()))

    def _finish(
        self,
        channel: Channel,
        reply: Reply,
        attempt: Attempt,
        on_progress: Callable[[wire.Progress], None] | None,
    ) -> Any:
        try:
            return finish(channel, reply, attempt.deadline, on_progress)
        except GhoststoreError:
            raise
        except BaseException:
            # The caller was cancelled or interrupted, so the daemon need not wait for new log entries any longer.
            if attempt.call is calls.READ_LOG:
                self.send_only(calls.CANCEL, wire.CancelRequest(request_id=reply.id))
            raise

    def send_only(self, call: Call[Any], request: object) -> bool:
        """Sends a request without waiting for its answer. Returns False if there is no usable connection."""
        channel = self._channel
        if channel is None or not channel.is_usable:
            return False
        with suppress(GhoststoreError):
            deadline = time.monotonic() + _SEND_ONLY_SECONDS
            channel.abandon(channel.start(Request(call, encode(request)), deadline))
        return channel.is_usable

    def close(self) -> None:
        """Closes the connection permanently."""
        self._is_closed = True
        if self._channel is not None:
            self._channel.close()

    def _open(self, deadline: float) -> Channel:
        while True:
            try:
                return Channel.open(socket_path(self.settings.path), deadline)
            except ConnectFailed as failed:
                if not failed.is_crowded or time.monotonic() + _CROWDED_PAUSE_SECONDS >= deadline:
                    raise
            sleep(_CROWDED_PAUSE_SECONDS)

    def _connect(self, deadline: float | None) -> Channel:
        if deadline is None:
            deadline = time.monotonic() + (self.settings.timeout_seconds or 30)
        channel = self._open(deadline)
        try:
            hello = wire.HelloRequest(client_name=self.settings.client_name, protocol_version=_PROTOCOL_VERSION)
            reply = channel.start(Request(calls.HELLO, encode(hello)), deadline)
            server = finish(channel, reply, deadline)
            if server.protocol_version != _PROTOCOL_VERSION:
                raise ProtocolError(f"the daemon speaks version {server.protocol_version} of the protocol")
            channel.connection.frame_bytes_max = server.frame_bytes_max
        except ConnectionLost as lost:
            # Only hello was sent, so no call can have had an effect.
            raise ConnectFailed(str(lost), lost.refusal) from lost
        except BaseException:
            channel.close()
            raise
        self.server = server
        return channel


_SESSIONS: WeakSet[Session] = WeakSet()


def _begin_in_child() -> None:
    for session in list(_SESSIONS):
        session.begin_in_child()


os.register_at_fork(after_in_child=_begin_in_child)


def finish(
    channel: Channel,
    reply: Reply,
    deadline: float | None,
    on_progress: Callable[[wire.Progress], None] | None = None,
) -> Any:
    """Waits for the last answer to a request and returns it."""
    try:
        while True:
            event: Event = reply.next(None if deadline is None else deadline + GRACE_SECONDS)
            if isinstance(event, Refused):
                raise event.error
            if isinstance(event, Answered) and not event.has_more:
                return event.answer
            if isinstance(event, Progressed) and on_progress is not None:
                on_progress(event.progress)
    finally:
        channel.abandon(reply)
