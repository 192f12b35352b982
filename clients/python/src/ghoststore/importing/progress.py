"""Progress on a terminal."""

from __future__ import annotations

import sys
import time

_SECONDS = 0.2


class Progress:
    """One line on standard error that is written again and again, if standard error is a terminal."""

    def __init__(self, is_quiet: bool) -> None:
        self._is_shown = not is_quiet and sys.stderr.isatty()
        self._last = 0.0
        self._has_line = False

    def show(self, step: str, done: int, total: int | None) -> None:
        """Shows a number of messages, at most five times a second."""
        now = time.monotonic()
        if not self._is_shown or now - self._last < _SECONDS:
            return
        self._last = now
        self._has_line = True
        numbers = f"{done:,}" if total is None else f"{done:,} of {total:,}"
        sys.stderr.write(f"\r\033[K{step}: {numbers}")
        sys.stderr.flush()

    def end(self) -> None:
        """Removes the line."""
        if self._has_line:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
            self._has_line = False
