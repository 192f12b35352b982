"""Decides when a call is sent again. It does no input or output and has no clock of its own."""

from __future__ import annotations

import os
import random
import time
from typing import Any

from ..errors import ConnectFailed, ConnectionLost, GhoststoreError, ProtocolError, RefusedError
from ..reasons import Reason
from ..wire import Encoded, encode
from .call import Call
from .connection import Request
from .options import Options
from .rules import REPEATABLE, has_default_timeout, is_repeatable

# Reasons for which a call is repeated until its deadline: other requests use the necessary resource and will soon
# release it.
WAITED_FOR = frozenset(
    [
        Reason.TOO_MANY_FILE_WRITES,
        Reason.TOO_MANY_BLOB_SESSIONS,
        Reason.MEMORY_EXHAUSTED,
        Reason.QUEUE_FULL,
        Reason.STORE_BUSY,
        Reason.SHUTTING_DOWN,
    ]
)
# Any other retryable error, such as a full disk, ends the call when it has occurred this many times.
_REFUSALS_MAX = 8
_PAUSE_FIRST_SECONDS = 0.02
_PAUSE_MAX_SECONDS = 1.0
# The client waits this much longer for the daemon's own DEADLINE_EXCEEDED, because that error proves that nothing was
# done.
GRACE_SECONDS = 0.5


def new_key() -> bytes:
    """Returns a new idempotency key: the bytes of a UUIDv7, which sort by time."""
    milliseconds = time.time_ns() // 1_000_000
    key = bytearray(milliseconds.to_bytes(6, "big") + os.urandom(10))
    key[6] = key[6] & 0x0F | 0x70
    key[8] = key[8] & 0x3F | 0x80
    return bytes(key)


class Attempt:
    """One call, from its first request to its answer. Each repetition sends the same bytes under the same key."""

    def __init__(
        self, call: Call[Any], message: object, options: Options | None, default_timeout_seconds: float, now: float
    ) -> None:
        options = options or Options()
        if options.idempotency_key is not None and not call.takes_key:
            raise ValueError(f"{call.name} takes no idempotency key")
        self.call = call
        self.deadline = _deadline(call, options, default_timeout_seconds, now)
        self._message: Encoded = encode(message)
        self._key = (options.idempotency_key or new_key()) if call.takes_key else b""
        self._history_id = options.history_id or b""
        self._repeats = options.repeats
        self._refusals = 0
        self._failures = 0

    def request(self, now: float) -> Request:
        """Returns the request to send now."""
        milliseconds = 0
        if self.deadline is not None:
            milliseconds = min(max(int((self.deadline - now) * 1000), 1), (1 << 32) - 1)
        return Request(self.call, self._message, milliseconds, self._key, self._history_id)

    def pause_after(self, error: GhoststoreError, now: float) -> float:
        """Returns the seconds to wait before the call is repeated. Raises the error if the call is not repeated."""
        pause = self._pause(error)
        if error.may_have_had_effect:
            error.may_have_had_effect = self.call.name not in REPEATABLE
            error.idempotency_key = self._key
        if pause is None or (self.deadline is not None and now + pause >= self.deadline):
            raise error
        return pause

    def _pause(self, error: GhoststoreError) -> float | None:
        if not self._repeats or not error.is_retryable or isinstance(error, ProtocolError):
            return None
        self._failures += 1
        told = None
        if isinstance(error, RefusedError):
            if error.reason not in WAITED_FOR:
                self._refusals += 1
            if self._refusals > _REFUSALS_MAX or error.reason is Reason.DEADLINE_EXCEEDED:
                return None
            told = error.retry_after_seconds
        elif isinstance(error, ConnectionLost):
            if not is_repeatable(self.call):
                return None
        elif not isinstance(error, ConnectFailed):
            return None
        return told if told is not None else pause_seconds(self._failures)


def pause_seconds(failures: int) -> float:
    """Returns a random pause that doubles with each failure, up to one second."""
    longest: float = min(_PAUSE_FIRST_SECONDS * 2 ** min(failures - 1, 10), _PAUSE_MAX_SECONDS)
    return longest * random.uniform(0.5, 1.0)


def _deadline(call: Call[Any], options: Options, default_timeout_seconds: float, now: float) -> float | None:
    timeout = options.timeout_seconds
    if timeout is None:
        timeout = default_timeout_seconds if has_default_timeout(call) else 0
    if timeout < 0:
        raise ValueError("a timeout is at least 0 seconds; hint: 0 stands for none")
    return now + timeout if timeout else None
