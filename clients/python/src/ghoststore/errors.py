"""The errors of this package. Each is a subclass of `GhoststoreError`."""

from __future__ import annotations

from collections.abc import Mapping

from .model.errors import Error, ErrorCode
from .reasons import CODES, Reason


class GhoststoreError(Exception):
    """The base class of all errors of this package, except wrong arguments (`TypeError`, `ValueError`)."""

    code: ErrorCode = ErrorCode.UNKNOWN
    reason: Reason | None = None
    # True if the same call may succeed later without any other change.
    is_retryable: bool = False
    # True if the daemon may have done the call although its answer never came.
    may_have_had_effect: bool = False
    details: Mapping[str, str] = {}
    # The key of a write that may have had an effect. The same write can be repeated under it, even by another process.
    idempotency_key: bytes = b""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        # The message for people: the cause, and after the first semicolon a hint.
        self.message, _, hint = message.partition("; ")
        self.hint = hint.removeprefix("hint: ")


class ConnectFailed(GhoststoreError):
    """The client could not connect: no daemon listens on the socket, or it refuses this process."""

    code = ErrorCode.UNAVAILABLE
    is_retryable = True
    # True if a daemon listens, but too many other clients wait to connect.
    is_crowded = False

    def __init__(self, message: str, refusal: RefusedError | None = None) -> None:
        super().__init__(message)
        _take_over(self, refusal)


class ConnectionLost(GhoststoreError):
    """The connection ended before the answer came."""

    code = ErrorCode.UNAVAILABLE
    is_retryable = True

    def __init__(self, message: str, refusal: RefusedError | None = None) -> None:
        super().__init__(message)
        self.may_have_had_effect = True
        # The daemon's error about the connection, sent before it closed the connection, or None.
        self.refusal = refusal
        _take_over(self, refusal)


class TimedOut(GhoststoreError, TimeoutError):
    """The time limit of the call passed before its answer came."""

    code = ErrorCode.DEADLINE_EXCEEDED

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.may_have_had_effect = True


class ProtocolError(GhoststoreError):
    """The peer sent data that does not belong to the protocol. The connection is not used again."""

    code = ErrorCode.INTERNAL


class ClosedError(GhoststoreError):
    """This program has closed the store."""

    code = ErrorCode.CANCELLED


class SourceChanged(GhoststoreError):
    """The source became longer or shorter while it was sent. Nothing was saved."""

    code = ErrorCode.ABORTED


class RefusedError(GhoststoreError):
    """The daemon answered with an error and changed nothing. There is one subclass for each error code."""

    def __init__(self, error: Error) -> None:
        super().__init__(error.message)
        self.code, self.is_retryable, self.details = error.code, error.retryable, error.details
        self.reason = Reason(error.reason)
        self._error = error

    def __reduce__(self) -> tuple[type[RefusedError], tuple[Error]]:
        return type(self), (self._error,)

    def __str__(self) -> str:
        word = "" if self.reason is None else self.reason.value
        return f"{word}: {self.args[0]}" if word else str(self.args[0])

    @property
    def retry_after_seconds(self) -> float | None:
        """The time to wait before the next attempt, or None if the daemon gave none."""
        text = self.details.get("retry_after_milliseconds", "")
        return int(text) / 1000 if text.isascii() and text.isdigit() and len(text) < 10 else None


class InvalidArgument(RefusedError):
    """A field is missing or out of range, or the bytes of a frame or file are malformed."""


class DeadlineExceeded(RefusedError, TimeoutError):
    """The daemon did not begin the work in time."""


class NotFound(RefusedError):
    """The requested object does not exist."""


class AlreadyExists(RefusedError):
    """The name or id is in use, or the idempotency key was used for another request."""


class PermissionDenied(RefusedError):
    """The caller does not have the necessary right, or the secret is wrong."""


class ResourceExhausted(RefusedError):
    """A limit was reached."""


class FailedPrecondition(RefusedError):
    """The store, or the object that the call names, is not in the necessary state."""


class Aborted(RefusedError):
    """Another program changed the object that the call names."""


class OutOfRange(RefusedError):
    """A revision is no longer kept, or has not been reached yet."""


class Unimplemented(RefusedError):
    """The daemon does not know the call."""


class InternalError(RefusedError):
    """The daemon has a fault, or the disk that it uses."""


class Unavailable(RefusedError):
    """The daemon is stopping, or another program uses the store's files for a moment."""


class DataLoss(RefusedError):
    """The data on the disk differs from the data that was written."""


_BY_CODE: dict[ErrorCode, type[RefusedError]] = {
    ErrorCode.INVALID_ARGUMENT: InvalidArgument,
    ErrorCode.DEADLINE_EXCEEDED: DeadlineExceeded,
    ErrorCode.NOT_FOUND: NotFound,
    ErrorCode.ALREADY_EXISTS: AlreadyExists,
    ErrorCode.PERMISSION_DENIED: PermissionDenied,
    ErrorCode.RESOURCE_EXHAUSTED: ResourceExhausted,
    ErrorCode.FAILED_PRECONDITION: FailedPrecondition,
    ErrorCode.ABORTED: Aborted,
    ErrorCode.OUT_OF_RANGE: OutOfRange,
    ErrorCode.UNIMPLEMENTED: Unimplemented,
    ErrorCode.INTERNAL: InternalError,
    ErrorCode.UNAVAILABLE: Unavailable,
    ErrorCode.DATA_LOSS: DataLoss,
}


def _take_over(error: GhoststoreError, said: RefusedError | None) -> None:
    """Copies the daemon's last error, which it sent before it closed the connection, into another error."""
    if said is not None:
        error.code, error.reason, error.details = said.code, said.reason, said.details
        error.is_retryable = said.is_retryable


def refusal(error: Error) -> RefusedError:
    """Returns the exception for an answer that is an error."""
    code = error.code
    if code is ErrorCode.UNSPECIFIED or not code.is_known:
        code, _ = CODES.get(Reason(error.reason), (code, False))
    return _BY_CODE.get(code, RefusedError)(error)
