"""The path of the daemon's socket, and errors of connecting to it."""

from __future__ import annotations

import errno
import os
import select
from pathlib import Path

from .errors import ConnectFailed

_SYSTEM_SOCKET = "/run/ghoststore/socket"


def socket_path(path: str | os.PathLike[str] | None) -> str:
    """Returns the given path, or $GHOSTSTORE_SOCKET, or the user's own socket if it exists, or the system's socket."""
    if path is not None:
        return os.fspath(path)
    if named := os.environ.get("GHOSTSTORE_SOCKET"):
        return named
    own = os.environ.get("XDG_RUNTIME_DIR")
    if own and Path(own, "ghoststore/socket").exists():
        return os.path.join(own, "ghoststore/socket")
    return _SYSTEM_SOCKET


def is_readable(descriptor: int) -> bool:
    """Returns True if data or the end of the connection can be read."""
    poller = select.poll()
    poller.register(descriptor, select.POLLIN)
    return bool(poller.poll(0))


def connect_failed(path: str, error: OSError) -> ConnectFailed:
    """Returns the error for a socket that cannot be connected to."""
    if error.errno in (errno.ENOENT, errno.ECONNREFUSED):
        return ConnectFailed(f"no daemon listens on {path}; hint: start ghoststored, or name its socket")
    failed = ConnectFailed(f"the socket {path} cannot be connected to: {error.strerror or error}")
    failed.is_crowded = error.errno == errno.EAGAIN
    failed.is_retryable = error.errno in (errno.EAGAIN, errno.EINTR, errno.ENOBUFS, None)
    return failed
