"""Converts requests to frames, and received frames to events, for one connection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from ..errors import ProtocolError, RefusedError, refusal
from ..model import Error, Progress
from ..wire import Encoded, MalformedBytes, decode, read_field, write_varint
from .call import Call

# The largest frame that the daemon accepts, unless its answer to hello says otherwise.
FRAME_BYTES_DEFAULT = 16 * 1024 * 1024
# The tags of the fields `id` and `more` of Response (wire type 0), and the numbers of two of its results.
_ID, _MORE = 1 << 3, 2 << 3
_ERROR, _PROGRESS = 9, 21
_SECRET_ANSWERS = {"initialize_store", "add_key_slot"}


@dataclass(frozen=True, slots=True)
class Request:
    """The message of a call as bytes, with the fields that surround it."""

    call: Call[Any]
    message: Encoded
    deadline_milliseconds: int = 0
    idempotency_key: bytes = b""
    history_id: bytes = b""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer, or one of several."""

    id: int
    answer: Any
    has_more: bool


@dataclass(frozen=True, slots=True)
class Progressed:
    """A report on the progress of long work."""

    id: int
    progress: Progress


@dataclass(frozen=True, slots=True)
class Refused:
    """An error, which is the last answer."""

    id: int
    error: RefusedError


Event = Answered | Progressed | Refused


class Connection:
    """The requests in flight on one connection. It does no input or output; the transport moves the bytes."""

    def __init__(self) -> None:
        self.frame_bytes_max = FRAME_BYTES_DEFAULT
        # The daemon's error about the connection itself, which it sends before it closes the connection.
        self.closing_error: RefusedError | None = None
        self._received = bytearray()
        self._calls: dict[int, Call[Any]] = {}
        self._last_id = 0

    @property
    def receives_secrets(self) -> bool:
        """True if an expected answer may contain a secret. The received bytes must then be wiped."""
        return any(call.name in _SECRET_ANSWERS for call in self._calls.values())

    def send(self, request: Request) -> tuple[int, bytearray]:
        """Returns the id and the frame of a new request. A frame with secrets must be wiped after the write."""
        self._last_id += 1
        frame = _frame(self._last_id, request)
        if len(frame) - 4 > self.frame_bytes_max:
            raise ValueError(f"the request is larger than a frame; hint: at most {self.frame_bytes_max} bytes")
        self._calls[self._last_id] = request.call
        return self._last_id, frame

    def receive(self, data: bytes | bytearray | memoryview) -> list[Event]:
        """Returns the events that these bytes complete.

        Raises ProtocolError if no more can be read from the connection.
        """
        self._received += data
        events: list[Event] = []
        position = 0
        with memoryview(self._received) as view:
            while (end := self._frame_end(view, position)) is not None:
                event = self._event(view, position + 4, end)
                if event is not None:
                    events.append(event)
                position = end
        if events and self.receives_secrets:
            self._received[:position] = bytes(position)
        for event in events:
            if not isinstance(event, Progressed) and not (isinstance(event, Answered) and event.has_more):
                self._calls.pop(event.id, None)
        del self._received[:position]
        return events

    def _frame_end(self, view: memoryview, position: int) -> int | None:
        if len(view) - position < 4:
            return None
        length = int.from_bytes(view[position : position + 4], "big")
        if not 1 <= length <= self.frame_bytes_max:
            raise ProtocolError("the daemon sent a frame of a length that frames do not have")
        end = position + 4 + length
        return end if end <= len(view) else None

    def _event(self, view: memoryview, start: int, end: int) -> Event | None:
        request_id, has_more, result, position = 0, False, None, start
        try:
            while position < end:
                tag, value, begin, position = read_field(view, position, end)
                if tag == _ID:
                    request_id = value
                elif tag == _MORE:
                    has_more = value != 0
                elif tag & 7 == 2 and tag >> 3 >= _ERROR:
                    result = (tag >> 3, begin, position)
            return self._result(request_id, has_more, result, view)
        except MalformedBytes as malformed:
            raise ProtocolError(f"the daemon sent what is no answer: {malformed}") from malformed

    def _result(
        self, request_id: int, has_more: bool, result: tuple[int, int, int] | None, view: memoryview
    ) -> Event | None:
        if result is None:
            raise ProtocolError("the daemon sent an answer without a result")
        number, begin, stop = result
        call = self._calls.get(request_id)
        # `bytes` are decoded slightly faster, but only a `bytearray` can be wiped.
        is_secret = call is not None and call.name in _SECRET_ANSWERS
        data = bytearray(view[begin:stop]) if is_secret else bytes(view[begin:stop])
        error = refusal(decode(Error, data)) if number == _ERROR else None
        if call is None:
            # An error about the connection itself is the last response on it.
            if request_id == 0 and error is not None:
                self.closing_error = error
                return None
            raise ProtocolError("the daemon answered what was not asked")
        if error is not None:
            return Refused(request_id, error)
        if number == _PROGRESS and call.has_progress and has_more:
            return Progressed(request_id, decode(Progress, data))
        if number != call.result_number:
            raise ProtocolError(f"the daemon answered {call.name} with something else")
        answer = decode(call.answer, data)
        if is_secret:
            cast(bytearray, data)[:] = bytes(len(data))
        return Answered(request_id, answer, has_more)


def _frame(request_id: int, request: Request) -> bytearray:
    frame = bytearray(4)
    write_varint(frame, 1 << 3)
    write_varint(frame, request_id)
    if request.deadline_milliseconds:
        write_varint(frame, 2 << 3)
        write_varint(frame, request.deadline_milliseconds)
    for number, value in ((3, request.idempotency_key), (4, request.history_id)):
        if value:
            write_varint(frame, number << 3 | 2)
            write_varint(frame, len(value))
            frame += value
    write_varint(frame, request.call.number << 3 | 2)
    write_varint(frame, len(request.message.data))
    start = len(frame)
    frame += request.message.data
    # The secrets come last. If the frame grew after that, a copy of the secrets could remain in memory.
    for offset, secret in request.message.secrets:
        frame[start + offset : start + offset + len(secret)] = secret
    frame[:4] = (len(frame) - 4).to_bytes(4, "big")
    return frame
