# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/errors.proto."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..wire import Field, Kind, Model, describe
from ._enums import OpenEnum


class ErrorCode(OpenEnum):
    """The canonical codes of google.rpc.Code, with their numbers. The code OK has no value here, because it is not
    an error.
    """

    UNSPECIFIED = 0
    CANCELLED = 1
    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    OUT_OF_RANGE = 11
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    DATA_LOSS = 15
    UNAUTHENTICATED = 16


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Error(Model):
    """`Error` of the protocol.

    Attributes:
        code (ErrorCode): The code that belongs to the reason. If a client does not know the reason, it decides
            by this field.
        reason (str): A stable UPPER_SNAKE word, listed in proto-docs/ERRORS.md. Programs decide by this field.
        message (str): A text for people, in lower case: first the cause, then a hint. Contains no content and
            no key material.
        retryable (bool): True if the same request may succeed when the client sends it again later.
        details (Mapping[str, str]): Facts for programs, such as {"retry_after_milliseconds": "1500"}.
    """

    code: ErrorCode = ErrorCode.UNSPECIFIED
    reason: str = ""
    message: str = ""
    retryable: bool = False
    details: Mapping[str, str] = field(default_factory=dict)


describe(
    Error,
    Field(1, "code", Kind.ENUM, ErrorCode),
    Field(2, "reason", Kind.STRING),
    Field(3, "message", Kind.STRING),
    Field(4, "retryable", Kind.BOOL),
    Field(5, "details", Kind.TEXT_MAP),
)
