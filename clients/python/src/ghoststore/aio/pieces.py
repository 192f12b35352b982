"""What goes in pieces, in either direction."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import Any, TypeVar

from .. import model as wire
from ..errors import ConnectionLost, GhoststoreError, ProtocolError
from ..protocol import calls
from ..protocol.call import Call
from ..protocol.options import Options
from ..reasons import Reason
from ..streams import PieceReader, PieceWriter, Source, Target
from .caller import AsyncCaller
from .piece_sender import AsyncPieceSender
from .transport import in_thread

Result = TypeVar("Result")
# How often a transfer that can be begun anew is.
_RESTARTS_MAX = 3
# Whole chunks, and with its frame it fits a buffer of a mebibyte (FILES.md, "Reading in pieces").
CONTENT_PIECE_BYTES = 983_040
_READ_AHEAD = 4
_END_SECONDS = 1
# What is said of a number that the daemon does not know, or not any more.
_ENDED = frozenset([Reason.FILE_WRITE_NOT_FOUND, Reason.BLOB_SESSION_NOT_FOUND])


def ended_without_effect(options: Options | None) -> Callable[[GhoststoreError], bool]:
    """Tells what may be begun anew: its connection or its daemon ended, and nothing of it is there for good."""

    def is_worth_it(error: GhoststoreError) -> bool:
        if options is not None and not options.repeats:
            return False
        # What has a key, as the end of a write, may have been done.
        is_lost = isinstance(error, ConnectionLost) and not error.idempotency_key
        return is_lost or error.reason in _ENDED

    return is_worth_it


def has_changed(error: GhoststoreError) -> bool:
    """Whether the content that was read was written meanwhile."""
    return error.reason is Reason.FILE_CHANGED


def without_key(options: Options | None) -> Options | None:
    """The same for pieces, which take no key."""
    return None if options is None else replace(options, idempotency_key=None)


class AsyncPieces(AsyncCaller):
    """Moves pieces between the daemon and file objects."""

    async def _write_in_pieces(
        self, source: Source, begin: Callable[[int | None], Awaitable[int]], options: Options | None
    ) -> wire.Commit:
        """A write of the vault or of an attachment, from its begin to its end."""
        reader = await in_thread(PieceReader, source)
        try:
            return await self._beginning_anew(lambda: self._write_once(reader, begin, options), reader, options)
        finally:
            await in_thread(reader.close)

    async def _write_once(
        self, reader: PieceReader, begin: Callable[[int | None], Awaitable[int]], options: Options | None
    ) -> wire.Commit:
        write = await begin(await in_thread(reader.announce))
        try:
            await self._send_ahead(
                calls.WRITE_FILE,
                lambda offset, data: wire.WriteFileRequest(write=write, offset=offset, data=data),
                reader,
                options,
            )
            return await self.call(calls.FINISH_FILE_WRITE, wire.FinishFileWriteRequest(write=write), options)
        except BaseException as error:
            await self._end(error, calls.END_FILE_WRITE, wire.EndFileWriteRequest(write=write))
            raise

    async def _end(self, error: BaseException, call: Call[Any], request: object) -> None:
        """Ends what was begun: it is its user's, not its connection's, and would hold a place for long.

        So another connection does as well, where a request was cut off and this one cannot be used any more.
        """
        if not isinstance(error, ConnectionLost) and await self.send_only(call, request):
            return
        with suppress(GhoststoreError):
            await self.call(call, request, Options(timeout_seconds=_END_SECONDS))

    async def _beginning_anew(
        self, transfer: Callable[[], Awaitable[Result]], reader: PieceReader, options: Options | None
    ) -> Result:
        """Makes a transfer, and makes it again from the source's beginning where it ended without an effect."""
        is_worth_it = ended_without_effect(options)
        for restarts_left in range(_RESTARTS_MAX, -1, -1):
            try:
                return await transfer()
            except GhoststoreError as error:
                can_restart = reader.can_rewind or reader.position == 0
                if not (is_worth_it(error) and can_restart and restarts_left):
                    raise
                await in_thread(reader.rewind)
        raise AssertionError("the last restart raises or returns")

    async def _send_ahead(
        self,
        call: Call[Any],
        make_request: Callable[[int, bytes], object],
        reader: PieceReader,
        options: Options | None,
    ) -> None:
        """Sends what a reader has left, several pieces under way at once. Goes on where its connection was lost."""
        sender = AsyncPieceSender(self, call, make_request, without_key(options))
        try:
            while piece := await in_thread(reader.read):
                await sender.send(reader.position - len(piece), piece)
            await sender.finish()
        finally:
            sender.abandon()

    async def _send_pieces(
        self,
        call: Call[Any],
        make_request: Callable[[int, bytes], object],
        reader: PieceReader,
        options: Options | None,
    ) -> None:
        """Sends what a reader has left to a session, which ends with the first piece out of order: one by one."""
        while piece := await in_thread(reader.read):
            await self.call(call, make_request(reader.position - len(piece), piece), without_key(options))

    async def _receive(
        self,
        pieces: Callable[[], AsyncGenerator[bytes, None]],
        target: Target,
        is_worth_restarting: Callable[[GhoststoreError], bool] = lambda _: False,
    ) -> int:
        """Takes pieces into a target; begins anew where that is worth it. How many bytes they were."""
        writer = await in_thread(PieceWriter, target)
        try:
            for restarts_left in range(_RESTARTS_MAX, -1, -1):
                try:
                    async with aclosing(pieces()) as stream:
                        async for piece in stream:
                            await in_thread(writer.write, piece)
                    break
                except GhoststoreError as error:
                    if not (is_worth_restarting(error) and restarts_left and writer.can_restart):
                        raise
                    await in_thread(writer.restart)
            await in_thread(writer.finish)
            return writer.byte_count
        except BaseException:
            writer.discard()
            raise

    async def _content(
        self,
        call: Call[Any],
        make_request: Callable[[int, int, Any], object],
        byte_count_of: Callable[[Any], int],
        offset: int,
        options: Options | None,
    ) -> AsyncGenerator[bytes, None]:
        """A content from an offset on. The first answer says what it is, and those behind it must be of the same."""
        first = await self.call(call, make_request(offset, CONTENT_PIECE_BYTES, None), options)
        if first.data:
            yield first.data
        position, end = offset + len(first.data), byte_count_of(first)

        def rest() -> Iterator[tuple[Call[Any], object]]:
            for start in range(position, end, CONTENT_PIECE_BYTES):
                yield call, make_request(start, min(CONTENT_PIECE_BYTES, end - start), first)

        async for answer in self.pipeline(rest(), ahead=_READ_AHEAD, options=options):
            stop = min(position + CONTENT_PIECE_BYTES, end)
            while True:
                position += len(answer.data)
                yield answer.data
                if position >= stop:
                    break
                # It may have fewer than were asked for.
                answer = await self.call(call, make_request(position, stop - position, first), options)
                if not answer.data:
                    raise ProtocolError("the daemon gave fewer bytes than there are")

    async def _session_pieces(
        self,
        begin: Callable[[], Awaitable[int]],
        call: Call[Any],
        make_request: Callable[[int, int], object],
        end: Callable[[int], tuple[Call[Any], object]],
        options: Options | None,
    ) -> AsyncGenerator[bytes, None]:
        """The pieces of an export or archive, which ends with the last of them."""
        session = await begin()
        offset, is_last = 0, False
        try:
            while not is_last:
                piece = await self.call(call, make_request(session, offset), without_key(options))
                offset, is_last = offset + len(piece.data), piece.is_last
                yield piece.data
        except BaseException as error:
            if not is_last:
                await self._end(error, *end(session))
            raise
