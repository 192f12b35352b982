"""The exit status and the message of a failure, as docs/cli.md has them for ghoststorectl."""

from __future__ import annotations

import os
import sqlite3
import traceback

from ..errors import ConnectFailed, ConnectionLost, GhoststoreError, ProtocolError, TimedOut
from ..model import ErrorCode
from .errors import SourceError, UnreadableSource, WrongOption

WRONG_COMMAND_LINE = 64
INTERRUPTED = 130
_MALFORMED, _UNREADABLE, _UNREACHABLE, _FAULT, _IO, _TRY_AGAIN = 65, 66, 69, 70, 74, 75
_STATUSES = {
    ErrorCode.NOT_FOUND: 2,
    ErrorCode.FAILED_PRECONDITION: 3,
    ErrorCode.DATA_LOSS: 4,
    ErrorCode.INVALID_ARGUMENT: _MALFORMED,
    ErrorCode.INTERNAL: _FAULT,
    ErrorCode.PERMISSION_DENIED: 77,
}


def exit_status(error: Exception) -> int:
    """Returns the exit status of a failure."""
    if isinstance(error, UnreadableSource):
        return _UNREADABLE
    if isinstance(error, WrongOption):
        return WRONG_COMMAND_LINE
    if isinstance(error, SourceError):
        return _MALFORMED
    if isinstance(error, (ConnectFailed, ConnectionLost)):
        return _UNREACHABLE
    if isinstance(error, TimedOut):
        return _TRY_AGAIN
    if isinstance(error, ProtocolError):
        return _FAULT
    if isinstance(error, GhoststoreError):
        return _STATUSES.get(error.code, _TRY_AGAIN if error.is_retryable else 1)
    return _IO if isinstance(error, (OSError, sqlite3.Error)) else _FAULT


def described(error: Exception) -> tuple[str, str, str]:
    """Returns the message of a failure, and its code and reason if it has them."""
    if isinstance(error, GhoststoreError):
        hint = f"; hint: {error.hint}" if error.hint else ""
        reason = "" if error.reason is None else error.reason.value
        return f"{error.message}{hint}", error.code.name, reason
    if isinstance(error, sqlite3.Error):
        return "the temporary folder has no room; hint: set TMPDIR to a folder with room", "", ""
    if isinstance(error, OSError):
        return f"{(error.strerror or 'input or output failed').lower()}", "", ""
    if isinstance(error, SourceError):
        return str(error), "", ""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{os.path.basename(frame.filename)}:{frame.lineno}"
    return f"a fault of ghoststore-import: {type(error).__name__} at {where}; hint: report it", "", ""
