"""The description of a call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, eq=False)
class Call(Generic[Answer]):
    """One call of the protocol."""

    name: str
    # Its field in Request.
    number: int
    request: type
    # The field of Response that answers it, by name and number, and its class.
    result: str
    result_number: int
    answer: type[Answer]
    # Whether it may be given an idempotency key, which makes it safe to repeat.
    takes_key: bool
    # Whether `progress` may come before the answer.
    has_progress: bool
