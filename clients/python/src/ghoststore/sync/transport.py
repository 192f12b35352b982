"""Moves bytes over a Unix socket without a thread of its own: one of the callers that wait reads for all of them."""

from __future__ import annotations

import contextlib
import copy
import select
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from ..errors import ClosedError, ConnectionLost, GhoststoreError, ProtocolError, TimedOut
from ..place import connect_failed, is_readable
from ..protocol.connection import Connection, Event, Request

_SCRATCH_BYTES = 256 * 1024
# A thread that waits until it can write checks at this interval whether it should read for the others.
_LOOK_AGAIN_MILLISECONDS = 20
_READS_BEHIND_END_MAX = 64

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

Mutex = threading.Lock
sleep = time.sleep


def in_thread(
    function: Callable[Parameters, Result], *arguments: Parameters.args, **named: Parameters.kwargs
) -> Result:
    """Calls the function directly, because a synchronous caller may wait for a disk."""
    return function(*arguments, **named)


class Gate:
    """Admits at most `count` callers at once, in the order in which they came."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._waiting: deque[threading.Lock] = deque()
        self._lock = threading.Lock()

    def enter(self, deadline: float | None) -> None:
        """Waits until the gate admits the caller. Raises TimedOut at the deadline."""
        turn = threading.Lock()
        turn.acquire()
        with self._lock:
            if self._free > 0:
                self._free -= 1
                return
            self._waiting.append(turn)
        has_turn = False
        try:
            has_turn = turn.acquire(timeout=-1 if deadline is None else max(deadline - time.monotonic(), 0))
        except BaseException:
            # `leave` may already have admitted this caller. Then the next caller is admitted instead.
            if not self._withdraw(turn):
                self.leave()
            raise
        if not has_turn and self._withdraw(turn):
            raise TimedOut("earlier transfers of this process did not end in time")

    def leave(self) -> None:
        """Leaves the gate. The caller that has waited longest may enter."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._free += 1

    def _withdraw(self, turn: threading.Lock) -> bool:
        with self._lock:
            if turn in self._waiting:
                self._waiting.remove(turn)
                return True
            return False


class Reply:
    """The answers to one request."""

    def __init__(self, channel: Channel) -> None:
        self.id = 0
        self.events: deque[Event] = deque()
        self._channel = channel

    def next(self, deadline: float | None) -> Event:
        """Returns the next answer.

        Raises the error that ended the connection, or TimedOut at the deadline (of `time.monotonic`).
        """
        self._channel.wait_for(self, deadline)
        return self.events.popleft()


class Channel:
    """One connection to the daemon, for any number of threads."""

    def __init__(self, connected: socket.socket) -> None:
        self.connection = Connection()
        self._socket = connected
        self._scratch = bytearray(_SCRATCH_BYTES)
        self._replies: dict[int, Reply] = {}
        self._failure: GhoststoreError | None = None
        # Guards every attribute of this object. Only plain locks are used, because a signal in the middle of a
        # Python-level lock such as Condition can leave it locked, and then no call would ever end.
        self._lock = threading.RLock()
        # The thread that reads for all callers, and the locks that wake the waiting ones.
        self._reader: int | None = None
        self._sleepers: list[threading.Lock] = []
        self._is_writing = False
        self._writing = threading.Lock()

    @classmethod
    def open(cls, path: str, deadline: float | None) -> Channel:
        """Connects to the daemon."""
        connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connected.settimeout(None if deadline is None else max(deadline - time.monotonic(), 0.001))
            connected.connect(path)
            connected.setblocking(False)
        except TimeoutError:
            connected.close()
            raise TimedOut("the daemon did not take the connection in time") from None
        except OSError as error:
            connected.close()
            raise connect_failed(path, error) from None
        except BaseException:
            connected.close()
            raise
        return cls(connected)

    @property
    def is_usable(self) -> bool:
        """True if requests can still be sent."""
        return self._failure is None

    def settle(self) -> None:
        """Notices an end of the connection that came while no request was in flight.

        A request sent after it would be lost.
        """
        with self._lock:
            for _ in range(_READS_BEHIND_END_MAX):
                if self._replies or self._reader is not None or self._failure is not None:
                    return
                if not is_readable(self._socket.fileno()):
                    return
                self._receive()

    def start(self, request: Request, deadline: float | None) -> Reply:
        """Sends a request."""
        reply = Reply(self)
        frame = bytearray()
        # Frames must be sent in the order of their ids.
        with self._writing:
            try:
                with self._lock:
                    self._check()
                    reply.id, frame = self.connection.send(request)
                    self._replies[reply.id] = reply
                    self._is_writing = True
                self._write(frame, deadline)
            except BaseException as error:
                # A frame that was sent in part cannot be withdrawn.
                if reply.id:
                    cut_off = ConnectionLost("the request was cut off")
                    self._fail(error if isinstance(error, GhoststoreError) else cut_off)
                raise
            finally:
                if request.message.secrets:
                    frame[:] = bytes(len(frame))
                with self._lock:
                    self._is_writing = False
                    self._close_unused()
        return reply

    def abandon(self, reply: Reply) -> None:
        """Discards the further answers to a request."""
        with self._lock:
            self._replies.pop(reply.id, None)

    def close(self) -> None:
        """Closes the connection. Callers that wait get ClosedError."""
        self._fail(ClosedError("the store was closed"))

    def forget(self) -> None:
        """Leaves the connection to the parent process that opened it. The socket is closed only in this process."""
        self._failure = ClosedError("the connection is another process's")
        self._socket.close()

    def wait_for(self, reply: Reply, deadline: float | None) -> None:
        """Waits until the reply has an event."""
        while not reply.events:
            self._check()
            if deadline is not None and time.monotonic() >= deadline:
                raise TimedOut("the call was not answered in time")
            if not self._read(select.POLLIN, deadline, reply):
                self._sleep(reply, deadline)

    def _sleep(self, reply: Reply, deadline: float | None) -> None:
        """Waits until the thread that reads has received something or has stopped reading."""
        sleeper = threading.Lock()
        sleeper.acquire()
        with self._lock:
            if reply.events or self._reader is None or self._failure is not None:
                return
            self._sleepers.append(sleeper)
        sleeper.acquire(timeout=-1 if deadline is None else max(deadline - time.monotonic(), 0))

    def _wake(self) -> None:
        with self._lock:
            sleepers, self._sleepers = self._sleepers, []
        for sleeper in sleepers:
            sleeper.release()

    def _write(self, frame: bytearray, deadline: float | None) -> None:
        with memoryview(frame) as view:
            sent = 0
            while sent < len(view):
                try:
                    sent += self._socket.send(view[sent:], socket.MSG_NOSIGNAL)
                except BlockingIOError:
                    self._wait_for_room(deadline)
                except OSError as error:
                    raise self._last_word() from error

    def _last_word(self) -> GhoststoreError:
        """Returns the reason why no more can be written.

        The daemon may have sent an error before it closed the connection.
        """
        with self._lock:
            for _ in range(_READS_BEHIND_END_MAX):
                if self._failure is None:
                    self._receive()
            return copy.copy(self._failure) if self._failure is not None else self._lost()

    def _wait_for_room(self, deadline: float | None) -> None:
        """Waits until the socket accepts more bytes.

        Reads answers in the meantime, because the daemon stops reading while its answers are not read.
        """
        if deadline is not None and time.monotonic() >= deadline:
            raise TimedOut("the daemon did not take the request in time")
        self._check()
        if not self._read(select.POLLIN | select.POLLOUT, deadline):
            self._poll(select.POLLOUT, _LOOK_AGAIN_MILLISECONDS)

    def _read(self, events: int, deadline: float | None, awaited: Reply | None = None) -> bool:
        """Waits for the socket and receives the bytes that came. Returns False if another thread does this.

        If the awaited reply already has an event, the thread does not wait: nothing more may come for it.
        """
        me = threading.get_ident()
        try:
            with self._lock:
                # The reader can already be this thread, if a signal interrupted it before it could stop being the
                # reader.
                if self._reader not in (None, me) or self._failure is not None:
                    return self._failure is not None
                if awaited is not None and awaited.events:
                    return True
                self._reader = me
            if self._poll(events, _milliseconds_until(deadline)) & ~select.POLLOUT:
                with self._lock:
                    if self._failure is None:
                        self._receive()
            return True
        finally:
            with self._lock:
                has_read = self._reader == me
                if has_read:
                    self._reader = None
                    self._close_unused()
            if has_read:
                self._wake()

    def _poll(self, events: int, milliseconds: int | None) -> int:
        poller = select.poll()
        poller.register(self._socket, events)
        ready = poller.poll(milliseconds)
        return ready[0][1] if ready else 0

    def _receive(self) -> None:
        wipes = self.connection.receives_secrets
        try:
            count = self._socket.recv_into(self._scratch)
            if count == 0:
                raise self._lost()
            with memoryview(self._scratch) as view:
                for event in self.connection.receive(view[:count]):
                    if event.id in self._replies:
                        self._replies[event.id].events.append(event)
            if wipes:
                self._scratch[:count] = bytes(count)
        except BlockingIOError:
            return
        except (ConnectionLost, ProtocolError) as error:
            self._fail(error)
        except OSError:
            self._fail(self._lost())
        except BaseException:
            self._fail(ConnectionLost("reading was cut off"))
            raise

    def _lost(self) -> ConnectionLost:
        said = self.connection.closing_error
        return ConnectionLost("the daemon closed the connection" if said is None else str(said), said)

    def _check(self) -> None:
        if self._failure is not None:
            # Each waiter gets its own copy of the error, with its own traceback.
            raise copy.copy(self._failure)

    def _fail(self, error: GhoststoreError) -> None:
        with self._lock:
            if self._failure is None:
                self._failure = copy.copy(error)
                self._replies.clear()
                # Wakes every thread that polls the socket.
                with contextlib.suppress(OSError):
                    self._socket.shutdown(socket.SHUT_RDWR)
            self._close_unused()
        self._wake()

    def _close_unused(self) -> None:
        """Closes the descriptor if no thread is about to use it. After the close, another file may get its number."""
        if self._failure is not None and self._reader is None and not self._is_writing:
            self._socket.close()


def _milliseconds_until(deadline: float | None) -> int | None:
    return None if deadline is None else max(int((deadline - time.monotonic()) * 1000) + 1, 1)
