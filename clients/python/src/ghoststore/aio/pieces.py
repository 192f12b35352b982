"""What goes in pieces, in either direction."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import aclosing
from dataclasses import replace
from typing import Any, TypeVar

from .. import model as wire
from ..errors import ConnectionLost, GhoststoreError, ProtocolError, RefusedError
from ..protocol import calls
from ..protocol.call import Call
from ..protocol.options import Options
from ..reasons import Reason
from ..streams import PieceReader, PieceWriter, Source, Target
from .caller import AsyncCaller
from .transport import in_thread

Answer = TypeVar("Answer")
# How often a transfer that can be begun anew is.
_RESTARTS_MAX = 3
# Whole chunks, and with its frame it fits a buffer of a mebibyte (FILES.md, "Reading in pieces").
CONTENT_PIECE_BYTES = 983_040
_READ_AHEAD = 4


def is_worth_beginning_anew(error: GhoststoreError) -> bool:
    """Whether a write in pieces ended without an effect, for no reason of its own."""
    return isinstance(error, ConnectionLost) or error.reason is Reason.FILE_WRITE_NOT_FOUND


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
            for restarts_left in range(_RESTARTS_MAX, -1, -1):
                try:
                    return await self._write_once(reader, begin, options)
                except GhoststoreError as error:
                    if not (is_worth_beginning_anew(error) and reader.can_rewind and restarts_left):
                        raise
                    await in_thread(reader.rewind)
            raise AssertionError("the last restart raises or returns")
        finally:
            await in_thread(reader.close)

    async def _write_once(
        self, reader: PieceReader, begin: Callable[[int | None], Awaitable[int]], options: Options | None
    ) -> wire.Commit:
        write = await begin(await in_thread(lambda: reader.byte_count))
        try:
            await self._send_pieces(
                calls.WRITE_FILE,
                lambda offset, data: wire.WriteFileRequest(write=write, offset=offset, data=data),
                reader,
                options,
            )
            return await self.call(calls.FINISH_FILE_WRITE, wire.FinishFileWriteRequest(write=write), options)
        except BaseException:
            await self.send_only(calls.END_FILE_WRITE, wire.EndFileWriteRequest(write=write))
            raise

    async def _send_pieces(
        self,
        call: Call[Any],
        make_request: Callable[[int, bytes], object],
        reader: PieceReader,
        options: Options | None,
    ) -> None:
        """Sends what a reader has left, one piece behind the other."""
        while piece := await in_thread(reader.read):
            await self.call(call, make_request(reader.position - len(piece), piece), without_key(options))

    async def _receive(
        self, pieces: Callable[[], AsyncGenerator[bytes, None]], target: Target, *, restarts: bool = False
    ) -> int:
        """Takes pieces into a target; begins anew where the content changed meanwhile. How many bytes they were."""
        writer = await in_thread(PieceWriter, target)
        try:
            for restarts_left in range(_RESTARTS_MAX if restarts else 0, -1, -1):
                try:
                    async with aclosing(pieces()) as stream:
                        async for piece in stream:
                            await in_thread(writer.write, piece)
                    break
                except RefusedError as error:
                    if error.reason is not Reason.FILE_CHANGED or not restarts_left or not writer.can_restart:
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
        call: Call[Any],
        make_request: Callable[[int], object],
        end: tuple[Call[Any], object],
        options: Options | None,
    ) -> AsyncGenerator[bytes, None]:
        """The pieces of an export or archive, which ends with the last of them."""
        offset, is_last = 0, False
        try:
            while not is_last:
                piece = await self.call(call, make_request(offset), without_key(options))
                offset, is_last = offset + len(piece.data), piece.is_last
                yield piece.data
        finally:
            if not is_last:
                await self.send_only(*end)
