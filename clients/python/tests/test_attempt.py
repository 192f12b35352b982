"""The decision to repeat a call, without a daemon and without a clock."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from ghoststore import (
    ConnectFailed,
    ConnectionLost,
    GhoststoreError,
    NewMessage,
    Options,
    ProtocolError,
    Reason,
    RefusedError,
    TimedOut,
    by_id,
    by_session,
    model,
    new_key,
)
from ghoststore.errors import refusal
from ghoststore.protocol import calls
from ghoststore.protocol.attempt import WAITED_FOR, Attempt
from ghoststore.protocol.watching import Watching
from ghoststore.reasons import CODES

WRITE = (calls.SAVE_MESSAGE, model.SaveMessageRequest(message=NewMessage(text="t")))
READ = (calls.GET_MESSAGE, model.GetMessageRequest(id="m"))
PIECE = (calls.WRITE_FILE, model.WriteFileRequest(write=1, data=b"d"))


def attempt(call_and_message: Any, options: Options | None = None, timeout: float = 30) -> Attempt:
    call, message = call_and_message
    return Attempt(call, message, options, timeout, 100.0)


def said(reason: Reason, **details: str) -> RefusedError:
    code, retryable = CODES[reason]
    return refusal(model.Error(code=code, reason=reason.value, retryable=retryable, details=details))


def test_a_write_is_repeated_with_the_same_bytes_under_the_same_key() -> None:
    one = attempt(WRITE)
    first, second = one.request(100.0), one.request(101.0)
    assert first.message is second.message and first.idempotency_key == second.idempotency_key
    assert len(first.idempotency_key) == 16
    assert (first.deadline_milliseconds, second.deadline_milliseconds) == (30_000, 29_000)
    assert attempt(WRITE).request(100.0).idempotency_key != first.idempotency_key


def test_reads_and_pieces_have_no_key() -> None:
    assert attempt(READ).request(100.0).idempotency_key == b""
    assert attempt(PIECE).request(100.0).idempotency_key == b""


def test_a_lost_connection_repeats_reads_and_writes_and_nothing_else() -> None:
    assert attempt(WRITE).pause_after(ConnectionLost("lost"), 100.0) < 1
    assert attempt(READ).pause_after(ConnectionLost("lost"), 100.0) < 1
    for call in (PIECE, (calls.UNLOCK, model.UnlockRequest()), (calls.CREATE_BACKUP, model.CreateBackupRequest())):
        with pytest.raises(ConnectionLost):
            attempt(call).pause_after(ConnectionLost("lost"), 100.0)
    with pytest.raises(ConnectionLost):
        attempt(WRITE, Options(repeats=False)).pause_after(ConnectionLost("lost"), 100.0)


def test_the_error_of_a_write_that_may_have_had_an_effect_has_its_key() -> None:
    one, late = attempt(WRITE), TimedOut("late")
    with pytest.raises(TimedOut):
        one.pause_after(late, 100.0)
    assert late.may_have_had_effect and late.idempotency_key == one.request(100.0).idempotency_key
    read_late = TimedOut("late")
    with pytest.raises(TimedOut):
        attempt(READ).pause_after(read_late, 100.0)
    assert not read_late.may_have_had_effect and read_late.idempotency_key == b""


def test_every_call_that_was_not_sent_is_repeated() -> None:
    assert attempt(PIECE).pause_after(ConnectFailed("no daemon"), 100.0) < 1


@pytest.mark.parametrize("reason", list(CODES))
def test_refused_calls_are_repeated_if_the_reason_is_retryable(reason: Reason) -> None:
    one = attempt(PIECE)
    if CODES[reason][1] and reason is not Reason.DEADLINE_EXCEEDED:
        assert one.pause_after(said(reason), 100.0) < 1
    else:
        with pytest.raises(RefusedError):
            one.pause_after(said(reason), 100.0)


def test_the_pause_is_the_one_that_the_daemon_asks_for() -> None:
    error = said(Reason.UNLOCK_THROTTLED, retry_after_milliseconds="1500")
    assert attempt(PIECE).pause_after(error, 100.0) == 1.5
    for nonsense in ("", "soon", "-1", "²", "9" * 30):
        odd = said(Reason.UNLOCK_THROTTLED, retry_after_milliseconds=nonsense)
        assert attempt(PIECE).pause_after(odd, 100.0) < 1


def test_repetitions_end_after_the_time_limit_or_eight_refusals() -> None:
    with pytest.raises(ConnectionLost):
        attempt(READ).pause_after(ConnectionLost("lost"), 130.0)
    one = attempt(READ, Options(timeout_seconds=0))
    assert one.request(100.0).deadline_milliseconds == 0
    for _ in range(8):
        one.pause_after(said(Reason.DISK_FULL), 1e9)
    with pytest.raises(RefusedError):
        one.pause_after(said(Reason.DISK_FULL), 1e9)


@pytest.mark.parametrize("error", [TimedOut("late"), ProtocolError("odd")])
def test_a_call_is_not_repeated_after_a_timeout_or_a_protocol_error(error: GhoststoreError) -> None:
    with pytest.raises(type(error)):
        attempt(READ).pause_after(error, 100.0)


def test_keys_sort_by_time() -> None:
    import time

    first = new_key()
    time.sleep(0.002)
    assert first[:6] < new_key()[:6] and first[6] >> 4 == 7 and first[8] >> 6 == 2


def test_errors_can_be_pickled() -> None:
    error = said(Reason.FILE_CHANGED)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error) and again.reason is Reason.FILE_CHANGED


def change(revision: int) -> model.Change:
    return model.Change(revision=revision)


def watching(patience: float | None = 10, *, waits_while_locked: bool = True) -> Watching:
    return Watching(5, b"h" * 16, (), None, "", "", patience, waits_while_locked)


def test_a_watch_continues_after_received_changes_and_has_the_revision_of_delivered_ones() -> None:
    one = watching()
    one.receive(model.WatchEvent(changes=(change(7), change(8)), revision=9, history_id=b"n" * 16))
    assert one.request().after_revision == 9 and one.history_id == b"n" * 16
    taken = one.take()
    assert taken is not None and taken.revision == 7 and one.revision == 7
    one.take()
    assert one.revision == 8 and one.take() is None and one.revision == 9


def test_a_watch_request_has_the_id_of_its_conversation() -> None:
    for reference, unresolved in ((None, None), (by_id("c"), None), (by_session("s"), by_session("s"))):
        one = Watching(5, b"", (), reference, "", "", 10, True)
        assert one.unresolved == unresolved
        if unresolved is not None:
            one.resolve("c")
        assert one.unresolved is None and one.request().conversation_id == ("c" if reference else "")


def test_a_watch_that_never_began_does_not_wait_for_a_daemon() -> None:
    with pytest.raises(ConnectFailed):
        watching().pause_after(ConnectFailed("no daemon"), 0)


def test_a_watch_waits_for_the_daemon_as_long_as_its_patience() -> None:
    one = watching()
    one.receive(model.WatchEvent(revision=5, history_id=b"h" * 16))
    for error in (ConnectionLost("lost"), ConnectFailed("none"), said(Reason.SHUTTING_DOWN)):
        assert one.pause_after(error, 1.0) <= 1
    with pytest.raises(ConnectFailed):
        one.pause_after(ConnectFailed("none"), 12.0)
    one.receive(model.WatchEvent(revision=5, history_id=b"h" * 16))
    assert one.pause_after(ConnectFailed("none"), 12.0) <= 1


@pytest.mark.parametrize("reason", [Reason.STORE_LOCKED, Reason.CHANGES_COMPACTED, Reason.HISTORY_CHANGED])
def test_a_watch_that_cannot_continue_ends(reason: Reason) -> None:
    with pytest.raises(RefusedError):
        watching(waits_while_locked=False).pause_after(said(reason), 0)


def test_a_watch_waits_for_a_locked_store_without_using_up_its_patience() -> None:
    one = watching(patience=10)
    one.receive(model.WatchEvent(revision=5, history_id=b"h" * 16))
    for now in (0.0, 11.0, 100_000.0):
        assert one.pause_after(said(Reason.STORE_LOCKED), now) == 1
        assert one.pause_after(ConnectFailed("none"), now + 0.5) <= 1


def test_a_call_waits_for_busy_resources_until_its_time_limit() -> None:
    for reason in WAITED_FOR:
        assert CODES[reason][1], f"{reason} is retryable"
        one = attempt(READ)
        for second in range(29):
            assert one.pause_after(said(reason), 100.0 + second) <= 1
        with pytest.raises(RefusedError):
            one.pause_after(said(reason), 130.0)
