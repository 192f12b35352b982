"""Moves bytes over a Unix socket with asyncio. The event loop calls `AsyncChannel`, which has no task of its own."""

from __future__ import annotations

import asyncio
import copy
import errno
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

from ..errors import ClosedError, ConnectionLost, GhoststoreError, ProtocolError, TimedOut
from ..place import connect_failed, is_readable
from ..protocol.connection import Connection, Event, Request

_SCRATCH_BYTES = 256 * 1024
# The limit of received watch events that no caller has taken. Above it, reading stops, and the daemon keeps and limits
# further events.
_EVENTS_WAITING_MAX = 16
# The largest number of turns of the event loop for which `settle` waits. The loop notices in one turn that the socket
# is readable, and has read from the socket by the next turn.
_TURNS_TO_NOTICE = 3

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

AsyncMutex = asyncio.Lock
sleep = asyncio.sleep


async def in_thread(
    function: Callable[Parameters, Result], *arguments: Parameters.args, **named: Parameters.kwargs
) -> Result:
    """Runs a function that may wait for a disk in a thread, so that it does not block the event loop."""
    return await asyncio.to_thread(function, *arguments, **named)


class AsyncGate:
    """Admits at most `count` callers at once, in the order in which they came."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def enter(self, deadline: float | None) -> None:
        """Waits until the gate admits the caller. Raises TimedOut at the deadline."""
        if self._free > 0:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await _bounded(turn, deadline)
        except BaseException:
            if turn in self._waiting:
                self._waiting.remove(turn)
            elif turn.done() and not turn.cancelled():
                # `leave` admitted this caller at the moment of its cancellation, so the next caller is admitted
                # instead.
                self.leave()
            raise

    def leave(self) -> None:
        """Leaves the gate. The caller that has waited longest may enter."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done() and not turn.get_loop().is_closed():
                turn.set_result(None)
                return
        self._free += 1


class AsyncReply:
    """The answers to one request."""

    def __init__(self, channel: AsyncChannel) -> None:
        self.id = 0
        self._channel = channel
        self._events: deque[Event] = deque()
        self._error: GhoststoreError | None = None
        self._waiter: asyncio.Future[None] | None = None

    async def next(self, deadline: float | None) -> Event:
        """Returns the next answer.

        Raises the error that ended the connection, or TimedOut at the deadline (of `time.monotonic`).
        """
        while not self._events:
            if self._error is not None:
                # Each waiter gets its own copy of the error, with its own traceback.
                raise copy.copy(self._error)
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await _bounded(self._waiter, deadline)
            finally:
                self._waiter = None
        event = self._events.popleft()
        self._channel.took_event(len(self._events))
        return event

    def give(self, event: Event) -> int:
        """Adds an answer and returns how many answers wait."""
        self._events.append(event)
        self._wake()
        return len(self._events)

    def fail(self, error: GhoststoreError) -> None:
        """Ends the reply with an error. No further answer comes."""
        self._error = error
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class AsyncChannel(asyncio.BufferedProtocol):
    """One connection to the daemon."""

    def __init__(self) -> None:
        self.connection = Connection()
        self._scratch = bytearray(_SCRATCH_BYTES)
        self._replies: dict[int, AsyncReply] = {}
        self._transport: asyncio.Transport | None = None
        self._loop = asyncio.get_running_loop()
        self._failure: GhoststoreError | None = None
        self._room = asyncio.Event()
        self._room.set()
        self._is_paused = False

    @classmethod
    async def open(cls, path: str, deadline: float | None) -> AsyncChannel:
        """Connects to the daemon."""
        loop = asyncio.get_running_loop()
        try:
            transport, channel = await _bounded(loop.create_unix_connection(cls, path), deadline)
            # If the queue of a Unix socket is full, the socket is not connected, but asyncio assumes that it is.
            try:
                transport.get_extra_info("socket").getpeername()
            except OSError:
                channel.close()
                raise BlockingIOError(errno.EAGAIN, "too many wait for the daemon to take them") from None
        except TimedOut:
            raise
        except OSError as error:
            raise connect_failed(path, error) from None
        return channel

    @property
    def is_usable(self) -> bool:
        """True if requests can still be sent, which is possible only from the event loop that opened the connection."""
        return self._failure is None and self._loop is asyncio.get_running_loop()

    async def settle(self) -> None:
        """Notices an end of the connection that came while no request was in flight.

        A request sent after it would be lost.
        """
        for _ in range(_TURNS_TO_NOTICE):
            if self._replies or self._transport is None or not self.is_usable:
                return
            if not is_readable(self._transport.get_extra_info("socket").fileno()):
                return
            await asyncio.sleep(0)

    async def start(self, request: Request, deadline: float | None) -> AsyncReply:
        """Sends a request."""
        if self._failure is not None or self._transport is None:
            raise copy.copy(self._failure) if self._failure is not None else ConnectionLost("the connection is closed")
        reply = AsyncReply(self)
        reply.id, frame = self.connection.send(request)
        self._replies[reply.id] = reply
        if request.message.secrets:
            await self._write_secret(self._transport, frame)
        else:
            self._transport.write(frame)
        if not self._room.is_set():
            try:
                await _bounded(self._room.wait(), deadline)
            except BaseException:
                self.abandon(reply)
                raise
        return reply

    async def _write_secret(self, transport: asyncio.Transport, frame: bytearray) -> None:
        transport.write(frame)
        # The transport may still read from the frame itself until the socket has accepted all of it.
        while transport.get_write_buffer_size() and not transport.is_closing():
            await asyncio.sleep(0.005)
        frame[:] = bytes(len(frame))

    def abandon(self, reply: AsyncReply) -> None:
        """Discards the further answers to a request."""
        if self._replies.pop(reply.id, None) is not None:
            self.took_event(0)

    def close(self) -> None:
        """Closes the connection. Callers that wait get ClosedError."""
        self._fail(ClosedError("the store was closed"))

    def forget(self) -> None:
        """Leaves the connection to the parent process that opened it."""
        self._failure = ClosedError("the connection is another process's")

    def took_event(self, waiting: int) -> None:
        """Resumes reading if enough waiting answers were taken."""
        if self._is_paused and waiting < _EVENTS_WAITING_MAX and self._transport is not None:
            self._is_paused = False
            self._transport.resume_reading()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the event loop when the connection is open."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def get_buffer(self, sizehint: int) -> memoryview:
        """Called by the event loop to get a buffer for received bytes."""
        return memoryview(self._scratch)

    def buffer_updated(self, nbytes: int) -> None:
        """Called by the event loop when bytes were received."""
        wipes = self.connection.receives_secrets
        with memoryview(self._scratch) as view:
            self._receive(view[:nbytes])
        if wipes:
            self._scratch[:nbytes] = bytes(nbytes)

    def _receive(self, data: memoryview) -> None:
        try:
            events = self.connection.receive(data)
        except ProtocolError as error:
            self._fail(error)
            return
        for event in events:
            reply = self._replies.get(event.id)
            if reply is None:
                continue
            if getattr(event, "has_more", False):
                self._pause_above(reply.give(event))
            else:
                reply.give(event)

    def _pause_above(self, waiting: int) -> None:
        if waiting >= _EVENTS_WAITING_MAX and not self._is_paused and self._transport is not None:
            self._is_paused = True
            self._transport.pause_reading()

    def eof_received(self) -> bool:
        """Called by the event loop when the daemon has closed its side."""
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by the event loop when the connection has ended."""
        self._fail(_lost(self.connection))

    def pause_writing(self) -> None:
        """Called by the event loop when the daemon does not read for the moment."""
        self._room.clear()

    def resume_writing(self) -> None:
        """Called by the event loop when the daemon reads again."""
        self._room.set()

    def _fail(self, error: GhoststoreError) -> None:
        if self._failure is None:
            self._failure = error
        replies, self._replies = self._replies, {}
        for reply in replies.values():
            reply.fail(self._failure)
        self._room.set()
        if self._transport is not None:
            self._transport.abort()


def _lost(connection: Connection) -> ConnectionLost:
    said = connection.closing_error
    return ConnectionLost("the daemon closed the connection" if said is None else str(said), said)


async def _bounded(waiter: Awaitable[Result], deadline: float | None) -> Result:
    # Not asyncio.wait_for, because in Python 3.11 it loses a cancellation that arrives together with the result.
    try:
        async with asyncio.timeout(None if deadline is None else max(deadline - time.monotonic(), 0)):
            return await waiter
    except TimeoutError:
        raise TimedOut("the call was not answered in time") from None
