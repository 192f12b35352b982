"""What a caller may say about a single call."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """About one call; what is None is as the store was told when it was connected."""

    # How long the whole call may take, repetitions included; 0 stands for no bound.
    timeout_seconds: float | None = None
    # 8 to 64 bytes that name this request for good. Without one the client makes one for each write.
    idempotency_key: bytes | None = None
    # The history that revisions and numbers of the request are of: HISTORY_CHANGED where the store has another.
    history_id: bytes | None = None
    # Whether the request is sent again after its connection was lost, where the protocol allows that.
    repeats: bool = True
