"""The events that a connection makes of received bytes, without a daemon."""

from __future__ import annotations

import random
from typing import Any

import pytest
from fake import frame as response

from ghoststore import NotFound, ProtocolError, Reason, model, secrets
from ghoststore.protocol import calls
from ghoststore.protocol.connection import Answered, Connection, Progressed, Refused, Request
from ghoststore.wire import encode


def asking(connection: Connection, call: Any, message: Any, **fields: Any) -> int:
    request_id, _ = connection.send(Request(call, encode(message), **fields))
    return request_id


def test_an_answer_in_pieces_of_one_byte_is_one_event() -> None:
    connection = Connection()
    asking(connection, calls.GET_MESSAGE, model.GetMessageRequest(id="m"))
    data = response(1, 122, model.Message(id="m", text="ä"))
    events = [event for index in range(len(data)) for event in connection.receive(data[index : index + 1])]
    assert events == [Answered(1, model.Message(id="m", text="ä"), False)]


def test_answers_come_in_any_order_and_several_at_once() -> None:
    connection = Connection()
    for name in "abc":
        asking(connection, calls.GET_MESSAGE, model.GetMessageRequest(id=name))
    data = response(3, 122, model.Message(id="c")) + response(1, 122, model.Message(id="a"))
    assert [event.id for event in connection.receive(data)] == [3, 1]
    error = model.Error(code=model.ErrorCode.NOT_FOUND, reason="MESSAGE_NOT_FOUND", message="gone; hint: look")
    [refused] = connection.receive(response(2, 9, error))
    assert isinstance(refused, Refused) and isinstance(refused.error, NotFound)
    assert (refused.error.reason, refused.error.message, refused.error.hint) == (
        Reason.MESSAGE_NOT_FOUND,
        "gone",
        "look",
    )


def test_progress_comes_before_the_answer() -> None:
    connection = Connection()
    asking(connection, calls.CHECK_STORE, model.CheckStoreRequest())
    [first] = connection.receive(response(1, 21, model.Progress(done=1, total=2), more=True))
    [last] = connection.receive(response(1, 51, model.CheckReport(is_clean=True)))
    assert first == Progressed(1, model.Progress(done=1, total=2))
    assert last == Answered(1, model.CheckReport(is_clean=True), False)


@pytest.mark.parametrize(
    "data",
    [
        bytes(4),
        b"\xff\xff\xff\xff",
        (16 * 1024 * 1024 + 1).to_bytes(4, "big"),
        b"\0\0\0\x02\x08\x01",
        b"\0\0\0\x01\x0a",
        response(7, 11, model.PingResponse()),
        response(1, 20, model.Commit()),
        response(1, 21, model.Progress(), more=True),
        response(0, 11, model.PingResponse()),
        b"\0\0\0\x07\x08\x01\x5a\x03\x0b\x0b\x0b",
    ],
    ids=[
        "length 0",
        "length of 4 GiB",
        "above the maximum",
        "no result",
        "not whole",
        "not asked",
        "another result",
        "progress of what has none",
        "id 0",
        "a group",
    ],
)
def test_bytes_outside_of_the_protocol_end_the_connection(data: bytes) -> None:
    connection = Connection()
    asking(connection, calls.PING, model.PingRequest())
    with pytest.raises(ProtocolError):
        connection.receive(data)


def test_a_second_answer_to_a_request_ends_the_connection() -> None:
    connection = Connection()
    asking(connection, calls.PING, model.PingRequest())
    answer = response(1, 11, model.PingResponse())
    assert len(connection.receive(answer)) == 1
    with pytest.raises(ProtocolError):
        connection.receive(answer)


def test_an_error_with_id_0_is_about_the_connection() -> None:
    connection = Connection()
    error = model.Error(code=model.ErrorCode.RESOURCE_EXHAUSTED, reason="TOO_MANY_CONNECTIONS", retryable=True)
    assert connection.receive(response(0, 9, error)) == []
    assert connection.closing_error is not None and connection.closing_error.reason is Reason.TOO_MANY_CONNECTIONS


def test_an_unknown_reason_is_kept_and_a_code_without_a_name_too() -> None:
    connection = Connection()
    asking(connection, calls.PING, model.PingRequest())
    asking(connection, calls.PING, model.PingRequest())
    [first] = connection.receive(response(1, 9, model.Error(code=model.ErrorCode.NOT_FOUND, reason="MOON_NOT_FOUND")))
    [second] = connection.receive(response(2, 9, model.Error(code=model.ErrorCode(99), reason="FILE_NOT_FOUND")))
    assert isinstance(first, Refused) and isinstance(second, Refused)
    assert isinstance(first.error, NotFound) and first.error.reason == "MOON_NOT_FOUND"
    assert first.error.reason is not None and not first.error.reason.is_known
    assert isinstance(second.error, NotFound) and second.error.code == 99


def test_a_request_larger_than_a_frame_is_not_sent() -> None:
    connection = Connection()
    connection.frame_bytes_max = 100
    with pytest.raises(ValueError, match="larger than a frame"):
        asking(connection, calls.SAVE_FILE, model.SaveFileRequest(data=bytes(100)))
    assert asking(connection, calls.PING, model.PingRequest()) == 2


def test_a_secret_is_copied_only_into_the_frame() -> None:
    connection = Connection()
    passphrase = bytearray(b"correct horse")
    message = encode(model.UnlockRequest(secret=secrets.passphrase(passphrase)))
    assert passphrase not in message.data
    _, frame = connection.send(Request(calls.UNLOCK, message))
    assert passphrase in frame
    secrets.wipe(passphrase)
    _, wiped = connection.send(Request(calls.UNLOCK, message))
    assert b"correct horse" not in wiped, "the caller's buffer is read when the frame is made, and nothing keeps it"


def test_a_received_secret_is_only_in_the_callers_buffer() -> None:
    connection = Connection()
    asking(connection, calls.INITIALIZE_STORE, model.InitializeStoreRequest())
    assert connection.receives_secrets
    data = response(1, 30, model.InitializeStoreResponse(recovery_code=b"ABCD-EFGH"))
    assert connection.receive(data[:8]) == []
    [event] = connection.receive(data[8:])
    assert isinstance(event, Answered) and isinstance(event.answer.recovery_code, bytearray)
    assert bytes(connection._received) == b"" and not connection.receives_secrets
    secrets.wipe(event.answer.recovery_code)
    assert event.answer.recovery_code == bytes(9)


def test_damaged_answers_are_events_or_protocol_errors_and_nothing_else() -> None:
    dice = random.Random(1)
    error = model.Error(code=model.ErrorCode.NOT_FOUND, reason="MESSAGE_NOT_FOUND", details={"a": "b"})
    message = model.Message(id="m", text="text", reactions=(model.ReactionCount(emoji="🦊", count=2),))
    good = [response(1, 122, message), response(1, 9, error), response(0, 9, error)]
    outcomes = set()
    for _ in range(4000):
        data = bytearray(dice.choice(good))
        for _ in range(dice.randrange(1, 4)):
            data[dice.randrange(4, len(data))] = dice.randrange(256)
        connection = Connection()
        asking(connection, calls.GET_MESSAGE, model.GetMessageRequest(id="m"))
        try:
            outcomes |= {type(event).__name__ for event in connection.receive(data)}
        except ProtocolError:
            outcomes.add("ProtocolError")
    assert outcomes == {"Answered", "Refused", "ProtocolError"}
