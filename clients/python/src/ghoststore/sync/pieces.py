# Written by tools/generate.py from the module of the same name in aio; do not edit.
"""Transfers in pieces, in either direction."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from typing import Any, TypeVar

from .. import model as wire
from ..errors import ConnectionLost, GhoststoreError, ProtocolError, TimedOut
from ..protocol import calls
from ..protocol.attempt import pause_seconds
from ..protocol.call import Call
from ..protocol.options import Options
from ..reasons import Reason
from ..streams import PieceReader, PieceWriter, Source, Target
from .caller import Caller
from .piece_sender import PieceSender
from .transport import Gate, in_thread, sleep

Result = TypeVar("Result")
# The number of times that a transfer starts again after it was lost.
_RESTARTS_MAX = 3
# The number of times that an append starts again because another process wrote to the file meanwhile.
_COLLISIONS_MAX = 20
# The number of times that a content is read again because it was written meanwhile.
_REREADS_MAX = 8
# The size is a multiple of the chunk size, and fits with its frame in a buffer of a mebibyte (FILES.md, "Reading in
# pieces").
CONTENT_PIECE_BYTES = 983_040
_READ_AHEAD = 4
_END_SECONDS = 1
# The error reasons for a request about a write or session that does not exist, or no longer exists.
_ENDED = frozenset([Reason.FILE_WRITE_NOT_FOUND, Reason.BLOB_SESSION_NOT_FOUND])


def ended_without_effect(options: Options | None) -> Callable[[GhoststoreError], bool]:
    """Returns a test for errors after which a transfer may start again.

    Such a transfer ended with its connection or its daemon and had no lasting effect.
    """

    def is_worth_it(error: GhoststoreError) -> bool:
        if options is not None and not options.repeats:
            return False
        # A call with a key, such as the end of a write, may have had its effect.
        is_lost = isinstance(error, ConnectionLost) and not error.idempotency_key
        return is_lost or error.reason in _ENDED

    return is_worth_it


def has_changed(error: GhoststoreError) -> bool:
    """Returns True if the content was written while it was read."""
    return error.reason is Reason.FILE_CHANGED


def without_key(options: Options | None) -> Options | None:
    """Returns the options without an idempotency key, because pieces accept none."""
    return None if options is None else replace(options, idempotency_key=None)


class Pieces(Caller):
    """Moves pieces between the daemon and file objects."""

    def _write_in_pieces(
        self,
        source: Source,
        begin: Callable[[int | None], int],
        options: Options | None,
        *,
        appends: bool = False,
    ) -> wire.Commit:
        """Writes a file or the content of an attachment from its beginning to its end.

        Any number of callers may write at once. Only as many as the gates allow send to the daemon; the others wait.
        """
        gates = [self.gates.appends, self.gates.writes] if appends else [self.gates.writes]
        with self._turn(gates, options):
            reader = in_thread(PieceReader, source)
            try:
                return self._beginning_anew(
                    lambda: self._write_once(reader, begin, options), reader, options, appends=appends
                )
            finally:
                in_thread(reader.close)

    def _enter(self, gate: Gate, deadline: float | None) -> None:
        try:
            gate.enter(deadline)
        except TimedOut as late:
            # Nothing was sent yet.
            late.may_have_had_effect = False
            raise

    @contextmanager
    def _turn(self, gates: Sequence[Gate], options: Options | None) -> Generator[None, None, None]:
        """Enters each gate in turn. Waits at most for the timeout that the caller gave."""
        timeout = None if options is None else options.timeout_seconds
        deadline = time.monotonic() + timeout if timeout else None
        entered: list[Gate] = []
        try:
            for gate in gates:
                self._enter(gate, deadline)
                entered.append(gate)
            yield
        finally:
            for gate in entered:
                gate.leave()

    def _write_once(
        self, reader: PieceReader, begin: Callable[[int | None], int], options: Options | None
    ) -> wire.Commit:
        write = begin(in_thread(reader.announce))
        try:
            self._send_ahead(
                calls.WRITE_FILE,
                lambda offset, data: wire.WriteFileRequest(write=write, offset=offset, data=data),
                reader,
                options,
            )
            return self.call(calls.FINISH_FILE_WRITE, wire.FinishFileWriteRequest(write=write), options)
        except BaseException as error:
            self._end(error, calls.END_FILE_WRITE, wire.EndFileWriteRequest(write=write))
            raise

    def _end(self, error: BaseException, call: Call[Any], request: object) -> None:
        """Ends a write or session. Otherwise the daemon would count it against the limit for a long time.

        A write or session belongs to a user, not to a connection. So if this connection is no longer usable, another
        connection ends it.
        """
        if not isinstance(error, ConnectionLost) and self.send_only(call, request):
            return
        with suppress(GhoststoreError):
            self.call(call, request, Options(timeout_seconds=_END_SECONDS))

    def _beginning_anew(
        self,
        transfer: Callable[[], Result],
        reader: PieceReader,
        options: Options | None,
        *,
        appends: bool = False,
    ) -> Result:
        """Makes a transfer. If it ended without an effect, makes it again from the beginning of the source.

        An append also starts again if another process wrote to the same file in the meantime.
        """
        is_worth_it = ended_without_effect(options)
        restarts_left, collisions = _RESTARTS_MAX, 0
        while True:
            try:
                return transfer()
            except GhoststoreError as error:
                if not (reader.can_rewind or reader.position == 0):
                    raise
                if appends and has_changed(error) and collisions < _COLLISIONS_MAX:
                    collisions += 1
                    sleep(pause_seconds(collisions))
                elif is_worth_it(error) and restarts_left:
                    restarts_left -= 1
                else:
                    raise
                in_thread(reader.rewind)

    def _send_ahead(
        self,
        call: Call[Any],
        make_request: Callable[[int, bytes], object],
        reader: PieceReader,
        options: Options | None,
        bytes_received: Callable[[], int] | None = None,
    ) -> None:
        """Sends the rest of a reader, several pieces at once. Continues after a lost connection.

        An upload that outlives the daemon passes `bytes_received`, which asks the daemon how many bytes it has.
        """
        sender = PieceSender(self, call, make_request, without_key(options), bytes_received)
        try:
            while piece := in_thread(reader.read):
                sender.send(reader.position - len(piece), piece)
            sender.finish()
        finally:
            sender.abandon()

    def _send_pieces(
        self,
        call: Call[Any],
        make_request: Callable[[int, bytes], object],
        reader: PieceReader,
        options: Options | None,
    ) -> None:
        """Sends the rest of a reader to a session, one piece at a time, because a piece out of order ends the session.
        """
        while piece := in_thread(reader.read):
            self.call(call, make_request(reader.position - len(piece), piece), without_key(options))

    def _receive(
        self,
        pieces: Callable[[], Generator[bytes, None, None]],
        target: Target,
        is_worth_restarting: Callable[[GhoststoreError], bool] = lambda _: False,
    ) -> int:
        """Writes pieces to a target and returns their number of bytes.

        Starts again after the errors that the caller names.
        """
        writer = in_thread(PieceWriter, target)
        restarts = 0
        try:
            while True:
                try:
                    with closing(pieces()) as stream:
                        for piece in stream:
                            in_thread(writer.write, piece)
                    break
                except GhoststoreError as error:
                    restarts += 1
                    restarts_max = _REREADS_MAX if has_changed(error) else _RESTARTS_MAX
                    if not (is_worth_restarting(error) and restarts <= restarts_max and writer.can_restart):
                        raise
                    in_thread(writer.restart)
                    sleep(pause_seconds(restarts))
            in_thread(writer.finish)
            return writer.byte_count
        except BaseException:
            writer.discard()
            raise

    def _bytes(self, pieces: Callable[[], Generator[bytes, None, None]]) -> bytes:
        """Returns a whole content. Reads it again if it was written meanwhile."""
        for rereads in range(1, _REREADS_MAX + 2):
            try:
                return b"".join([piece for piece in pieces()])
            except GhoststoreError as error:
                if not has_changed(error) or rereads > _REREADS_MAX:
                    raise
            sleep(pause_seconds(rereads))
        raise AssertionError("the last read returns or raises")

    def _content(
        self,
        call: Call[Any],
        make_request: Callable[[int, int, Any], object],
        byte_count_of: Callable[[Any], int],
        offset: int,
        options: Options | None,
    ) -> Generator[bytes, None, None]:
        """Yields a content from an offset on.

        The first answer identifies the content; the later answers must be of the same content.
        """
        first = self.call(call, make_request(offset, CONTENT_PIECE_BYTES, None), options)
        if first.data:
            yield first.data
        position, end = offset + len(first.data), byte_count_of(first)

        def rest() -> Iterator[tuple[Call[Any], object]]:
            for start in range(position, end, CONTENT_PIECE_BYTES):
                yield call, make_request(start, min(CONTENT_PIECE_BYTES, end - start), first)

        for answer in self.pipeline(rest(), ahead=_READ_AHEAD, options=options):
            stop = min(position + CONTENT_PIECE_BYTES, end)
            while True:
                position += len(answer.data)
                yield answer.data
                if position >= stop:
                    break
                # The answer may have fewer bytes than were requested.
                answer = self.call(call, make_request(position, stop - position, first), options)
                if not answer.data:
                    raise ProtocolError("the daemon gave fewer bytes than there are")

    def _session_pieces(
        self,
        begin: Callable[[], int],
        call: Call[Any],
        make_request: Callable[[int, int], object],
        end: Callable[[int], tuple[Call[Any], object]],
        options: Options | None,
    ) -> Generator[bytes, None, None]:
        """Yields the pieces of an export or archive. The session ends with the last piece."""
        session = begin()
        offset, is_last = 0, False
        try:
            while not is_last:
                piece = self.call(call, make_request(session, offset), without_key(options))
                offset, is_last = offset + len(piece.data), piece.is_last
                yield piece.data
        except BaseException as error:
            if not is_last:
                self._end(error, *end(session))
            raise
