"""A daemon with answers from a test, for behaviour that the real one shows rarely or never."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ghoststore import model
from ghoststore.protocol import calls
from ghoststore.protocol.call import Call
from ghoststore.reasons import CODES, Reason
from ghoststore.wire import decode, encode, read_field, write_varint

_BY_NUMBER = {call.number: call for call in calls.ALL.values()}
HELLO = model.HelloResponse(protocol_version=1, server_version="0", frame_bytes_max=1 << 24)
# A function that returns the answers to a call with a message. Bytes are sent unchanged, and None closes the
# connection.
Handler = Callable[[Call[Any], Any], Any]


def refusal(reason: Reason, **details: str) -> model.Error:
    """Returns an error with this reason as the daemon answers it."""
    code, retryable = CODES[reason]
    return model.Error(code=code, reason=reason.value, message="no", retryable=retryable, details=details)


def frame(request_id: int, number: int, message: Any, *, more: bool = False) -> bytes:
    """Returns a response as a frame."""
    payload = bytearray()
    for field, value in ((1, request_id), (2, int(more))):
        write_varint(payload, field << 3)
        write_varint(payload, value)
    body = encode(message).data
    write_varint(payload, number << 3 | 2)
    write_varint(payload, len(body))
    payload += body
    return len(payload).to_bytes(4, "big") + payload


class FakeDaemon:
    """A server that listens until the end of the `with` block."""

    def __init__(self, folder: Path, handler: Handler) -> None:
        self.socket = folder / "fake"
        self.requests: list[str] = []
        self._handler = handler
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.socket))
        self._listener.listen()

    def __enter__(self) -> FakeDaemon:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, client.makefile("rb") as stream:
            try:
                while head := stream.read(4):
                    if not self._answer(client, stream.read(int.from_bytes(head, "big"))):
                        return
            except OSError:
                return

    def _answer(self, client: socket.socket, payload: bytes) -> bool:
        request_id = position = 0
        message: Any = None
        while position < len(payload):
            tag, value, begin, position = read_field(payload, position, len(payload))
            request_id = value if tag == 1 << 3 else request_id
            if tag >> 3 >= 10:
                call, message = _BY_NUMBER[tag >> 3], decode(_BY_NUMBER[tag >> 3].request, payload[begin:position])
        self.requests.append(call.name)
        answers = self._handler(call, message)
        if answers is None and call is calls.HELLO:
            answers = HELLO
        for answer in answers if isinstance(answers, list) else [answers]:
            if answer is None:
                return False
            client.sendall(_bytes(request_id, call, answer))
        return True


def _bytes(request_id: int, call: Call[Any], answer: Any) -> bytes:
    if isinstance(answer, bytes):
        return answer
    if isinstance(answer, model.Error):
        return frame(request_id, 9, answer)
    if isinstance(answer, model.Progress):
        return frame(request_id, 21, answer, more=True)
    return frame(request_id, call.result_number, answer, more=call is calls.WATCH)


def in_turn(answers: Iterable[Any]) -> Handler:
    """Returns a handler that gives one answer after the other, whatever is requested, except for hello."""
    remaining = iter(answers)
    return lambda call, _: None if call is calls.HELLO else next(remaining)
