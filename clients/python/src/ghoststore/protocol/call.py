"""The description of a call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, eq=False)
class Call(Generic[Answer]):
    """One call of the protocol."""

    name: str
    # The number of the call's field in Request.
    number: int
    request: type
    # The field of Response with the answer: its name, its number and the class of its message.
    result: str
    result_number: int
    answer: type[Answer]
    # True if the call accepts an idempotency key, which makes it safe to repeat.
    takes_key: bool
    # True if `progress` may come before the answer.
    has_progress: bool
