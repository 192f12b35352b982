"""The test vectors of frames that server and clients share."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
from daemon import Daemon
from vectors import FOLDER, Line, lines, split_frames

from ghoststore import Store, secrets
from ghoststore.protocol import calls
from ghoststore.protocol.connection import Answered, Connection, Progressed, Refused, Request
from ghoststore.wire import MalformedBytes, decode, encode, read_field

PATHS = sorted(FOLDER.glob("*.txt"))
BY_NUMBER = {call.number: call for call in calls.ALL.values()}
BY_RESULT_NAME = {call.result: call.answer for call in calls.ALL.values()}
# Vectors with requests that a client of this package never sends, because they test errors in the requests themselves.
NOT_OURS = ("payload-", "frame-", "store-secret-twice")
# One vector of each kind. The server's own tests play all of them.
PLAYED = [
    "service-hello",
    "store-initialize",
    "store-unlock-then-use",
    "watch-live",
    "data-idempotency",
    "log-wait",
    "scene-every-kind",
    "file-writes",
    "frame-length-zero",
    "frame-truncated",
    "payload-unknown-call",
    "data-search",
]


def read_request(payload: bytes) -> tuple[int, Request] | None:
    """Returns a request as it was sent, or None if this package cannot read it."""
    numbers = {1: 0, 2: 0}
    texts = {3: b"", 4: b""}
    message: tuple[Any, bytes] | None = None
    position = 0
    try:
        while position < len(payload):
            tag, value, begin, position = read_field(payload, position, len(payload))
            if tag >> 3 in numbers:
                numbers[tag >> 3] = value
            elif tag >> 3 in texts:
                texts[tag >> 3] = payload[begin:position]
            elif tag >> 3 in BY_NUMBER and message is None:
                message = BY_NUMBER[tag >> 3], payload[begin:position]
            else:
                return None
        if message is None:
            return None
        call, data = message
        return numbers[1], Request(call, encode(decode(call.request, data)), numbers[2], texts[3], texts[4])
    except MalformedBytes:
        return None


def read_id(payload: bytes) -> int:
    """Returns the id of a request, which may otherwise be invalid."""
    found = position = 0
    try:
        while position < len(payload):
            tag, value, _, position = read_field(payload, position, len(payload))
            found = value if tag == 1 << 3 else found
    except MalformedBytes:
        pass
    return found


@pytest.mark.parametrize("path", PATHS, ids=lambda path: str(path.stem))
def test_requests_are_made_and_answers_read_byte_for_byte(path: Path) -> None:
    connection = Connection()
    scenario = lines(path)
    sent = b"".join(line.data for line in scenario if line.word == "send")
    for payload in split_frames(sent):
        read = read_request(payload)
        if read is None:
            assert path.name.startswith(NOT_OURS), "a request that this package cannot read"
            connection._calls[read_id(payload)] = calls.PING
            continue
        connection._last_id = read[0] - 1
        _, frame = connection.send(read[1])
        if not path.name.startswith(NOT_OURS):
            assert bytes(frame[4:]) == payload
    for line in scenario:
        if line.rest.startswith("frame"):
            events = connection.receive(line.data)
            assert len(events) == 1 or connection.closing_error is not None


@pytest.mark.parametrize("name", PLAYED)
def test_a_scenario_with_the_real_daemon(name: str) -> None:
    scenario = lines(FOLDER / f"{name}.txt")
    daemon = Daemon(has_key_file=False)
    try:
        state = scenario[0].rest
        with Store(daemon.socket) as store:
            if state != "absent":
                store.initialize_store(secrets.passphrase(b"vector passphrase"), low_cost=True)
            if state == "locked":
                store.lock()
        Player(daemon).play(scenario[1:])
    finally:
        daemon.remove()


class Player:
    """Plays a scenario over a socket. The package's own connection reads the answers."""

    def __init__(self, daemon: Daemon) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(20)
        self.socket.connect(str(daemon.socket))
        self.connection = Connection()

    def play(self, scenario: list[Line]) -> None:
        """Plays all lines in order."""
        with self.socket:
            for line in scenario:
                if line.word == "send":
                    for payload in split_frames(line.data):
                        read = read_request(payload)
                        self.connection._calls[read_id(payload)] = calls.PING if read is None else read[1].call
                    self.socket.sendall(line.data)
                elif line.word == "half-close":
                    self.socket.shutdown(socket.SHUT_WR)
                else:
                    self.expect(line)

    def expect(self, line: Line) -> None:
        """Receives what one `expect` line demands."""
        word, *rest = line.rest.split()
        if word == "close":
            assert self.socket.recv(1) == b""
            return
        frame = self.frame()
        if word == "frame":
            assert frame == line.data
        read = self.connection.receive(frame)
        if word == "frame":
            return
        request_id = int(rest[1].removeprefix("id="))
        if word == "error":
            error = read[0].error if read and isinstance(read[0], Refused) else self.connection.closing_error
            assert error is not None and error.reason == rest[0]
            assert (read[0].id if read else 0) == request_id
            return
        [event] = read
        assert event.id == request_id
        if isinstance(event, Progressed):
            assert (word, rest[0]) == ("more", "progress")
        else:
            assert isinstance(event, Answered)
            assert event.has_more == (word == "more")
            assert BY_RESULT_NAME[rest[0]] is type(event.answer)

    def frame(self) -> bytes:
        """Returns the next frame, including its length."""
        head = self.take(4)
        return head + self.take(int.from_bytes(head, "big"))

    def take(self, count: int) -> bytes:
        """Receives this number of bytes."""
        data = b""
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            assert piece, "the daemon closed the connection"
            data += piece
        return data
