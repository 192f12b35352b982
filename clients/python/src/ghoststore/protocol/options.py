"""Options of a single call."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of one call. For a field that is None, the store's own setting applies."""

    # The time limit of the whole call, including repetitions; 0 means no limit.
    timeout_seconds: float | None = None
    # 8 to 64 bytes that identify this request permanently. Without a key the client creates one for each write.
    idempotency_key: bytes | None = None
    # The history of the request's revisions and numbers. If the store has another history, the call fails with
    # HISTORY_CHANGED.
    history_id: bytes | None = None
    # True: the request is sent again after a lost connection, if the protocol allows it.
    repeats: bool = True
