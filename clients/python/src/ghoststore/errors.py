"""Everything that goes wrong is a `GhoststoreError`."""

from __future__ import annotations

from collections.abc import Mapping

from .model.errors import Error, ErrorCode
from .reasons import CODES, Reason


class GhoststoreError(Exception):
    """The base of all errors of this package, but for wrong arguments (`TypeError`, `ValueError`)."""

    code: ErrorCode = ErrorCode.UNKNOWN
    reason: Reason | None = None
    # Whether the same call may succeed later without anybody changing something.
    is_retryable: bool = False
    # Whether the call may have been done all the same: its answer never came.
    may_have_had_effect: bool = False
    details: Mapping[str, str] = {}
    # The key of a write that may have had an effect: under it the same write may be made again, in another process too.
    idempotency_key: bytes = b""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        # For people: the cause, and behind the first semicolon what can be done.
        self.message, _, hint = message.partition("; ")
        self.hint = hint.removeprefix("hint: ")


class ConnectFailed(GhoststoreError):
    """There is no daemon at the socket, or it lets this process not in."""

    code = ErrorCode.UNAVAILABLE
    is_retryable = True
    # There is a daemon, with many others before its door.
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
        # What the daemon said before it closed the connection.
        self.refusal = refusal
        _take_over(self, refusal)


class TimedOut(GhoststoreError, TimeoutError):
    """The call's time was over before its answer came."""

    code = ErrorCode.DEADLINE_EXCEEDED

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.may_have_had_effect = True


class ProtocolError(GhoststoreError):
    """The peer sent what the protocol does not have. The connection is not used any more."""

    code = ErrorCode.INTERNAL


class ClosedError(GhoststoreError):
    """The store was closed by this program."""

    code = ErrorCode.CANCELLED


class SourceChanged(GhoststoreError):
    """What is sent became longer or shorter meanwhile: nothing was saved."""

    code = ErrorCode.ABORTED


class RefusedError(GhoststoreError):
    """The daemon answered with an error: nothing was changed. Its subclasses are the codes."""

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
        """How long to wait, where the daemon said so."""
        text = self.details.get("retry_after_milliseconds", "")
        return int(text) / 1000 if text.isascii() and text.isdigit() and len(text) < 10 else None


class InvalidArgument(RefusedError):
    """A field is missing or out of its range, or the bytes of a frame or file make no sense."""


class DeadlineExceeded(RefusedError, TimeoutError):
    """The work was not begun in time."""


class NotFound(RefusedError):
    """There is no such thing."""


class AlreadyExists(RefusedError):
    """The name or id is taken, or the key was used for another request."""


class PermissionDenied(RefusedError):
    """The caller has no right to this, or the secret is wrong."""


class ResourceExhausted(RefusedError):
    """A limit was reached."""


class FailedPrecondition(RefusedError):
    """The store, or what the call is about, is not in a state for it."""


class Aborted(RefusedError):
    """Somebody else changed what the call is about."""


class OutOfRange(RefusedError):
    """A revision is not kept any more, or not reached yet."""


class Unimplemented(RefusedError):
    """The daemon does not know the call."""


class InternalError(RefusedError):
    """A fault of the daemon, or of the disk under it."""


class Unavailable(RefusedError):
    """The daemon is stopping, or something else holds the store for a moment."""


class DataLoss(RefusedError):
    """What is on the disk is not what was written."""


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
    """What the daemon said before it closed the connection is the reason for that."""
    if said is not None:
        error.code, error.reason, error.details = said.code, said.reason, said.details
        error.is_retryable = said.is_retryable


def refusal(error: Error) -> RefusedError:
    """The exception for an answer that is an error."""
    code = error.code
    if code is ErrorCode.UNSPECIFIED or not code.is_known:
        code, _ = CODES.get(Reason(error.reason), (code, False))
    return _BY_CODE.get(code, RefusedError)(error)
