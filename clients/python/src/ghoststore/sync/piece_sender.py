# Written by tools/generate.py from the module of the same name in aio; do not edit.
"""Sends the pieces of a write, several at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..errors import ConnectionLost, GhoststoreError, InvalidArgument, ProtocolError
from ..protocol.call import Call
from ..protocol.options import Options
from .caller import Caller

# The largest number of unanswered pieces. It is larger than 1, so that the daemon writes one piece while the next ones
# arrive. Each piece is kept until it is answered.
_UNANSWERED_MAX = 4
# The number of consecutive pieces that may be lost together with their connections.
_LOSSES_MAX = 8


class PieceSender:
    """Sends the pieces of a file, attachment or backup.

    The daemon refuses a piece out of order and changes nothing (FILES.md). If the connection is lost, or if the daemon
    has no room for a piece, this class sends the unanswered pieces again. If a piece is refused then, the daemon
    already has it. An upload that can continue after a restart of the daemon is an exception: a daemon that was killed
    may have only a part of a piece. For such an upload, `bytes_received` asks the daemon how many bytes it has.
    """

    def __init__(
        self,
        caller: Caller,
        call: Call[Any],
        make_request: Callable[[int, bytes], object],
        options: Options | None,
        bytes_received: Callable[[], int] | None = None,
    ) -> None:
        self._caller = caller
        self._call = call
        self._make_request = make_request
        self._options = options or Options()
        self._bytes_received = bytes_received
        # `ahead` must not repeat the pieces one by one, because each would then arrive after later pieces.
        self._ahead = caller.ahead(replace(self._options, repeats=False))
        self._unanswered: deque[tuple[int, bytes]] = deque()

    def send(self, offset: int, data: bytes) -> None:
        """Sends the next piece. Waits for an earlier answer if too many pieces are unanswered."""
        if len(self._unanswered) >= _UNANSWERED_MAX:
            self._expect()
        self._unanswered.append((offset, data))
        try:
            self._ahead.send(self._call, self._make_request(offset, data))
        except GhoststoreError as error:
            self._send_again(error)

    def finish(self) -> None:
        """Waits until the daemon has all pieces."""
        while self._unanswered:
            self._expect()

    def abandon(self) -> None:
        """Stops waiting for answers."""
        self._ahead.abandon()

    def _expect(self) -> None:
        try:
            self._ahead.take()
        except GhoststoreError as error:
            self._send_again(error)
        else:
            self._unanswered.popleft()

    def _send_again(self, error: GhoststoreError) -> None:
        if not self._options.repeats or not error.is_retryable or isinstance(error, ProtocolError):
            raise error
        self._ahead.abandon()
        losses = 0
        while self._unanswered:
            offset, data = self._unanswered[0]
            try:
                self._caller.call(self._call, self._make_request(offset, data), self._options)
            except ConnectionLost:
                losses += 1
                if losses > _LOSSES_MAX:
                    raise
                continue
            except InvalidArgument as refused:
                missing = self._missing(offset, data, refused)
                if missing:
                    self._unanswered[0] = offset + len(data) - len(missing), missing
                    continue
            losses = 0
            self._unanswered.popleft()

    def _missing(self, offset: int, data: bytes, refused: InvalidArgument) -> bytes:
        """Returns the end of a refused piece that the daemon does not have.

        Raises the refusal if the daemon has nothing of the piece, because then it refused the piece for another reason.
        """
        if self._bytes_received is None:
            return b""
        received = self._bytes_received() - offset
        if received <= 0:
            raise refused
        return data[received:]
