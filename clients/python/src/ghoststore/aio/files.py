"""Transfers between files of the vault and file objects or files of the host."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from .. import model as wire
from ..protocol import calls
from ..protocol.options import Options
from ..short_forms import to_path
from ..streams import Source, Target
from .pieces import AsyncPieces, has_changed, without_key

_SAVED_WHOLE_BYTES_MAX = 65_536


class AsyncFiles(AsyncPieces):
    """The vault."""

    async def upload_file(
        self,
        path: wire.FilePath | str,
        source: Source,
        *,
        place: wire.FileWritePlace = wire.FileWritePlace.WHOLE,
        offset: int = 0,
        creates_parents: bool = False,
        options: Options | None = None,
    ) -> wire.Commit:
        """Writes a file of any size. All readers see the new content at the same moment.

        After a lost connection the upload continues. If the daemon was restarted, the upload starts again, provided
        that the source can be read twice. A timeout applies to each piece.

        Args:
            path: A path of the vault. A string begins with the area: document/notes/today.txt.
            source: Bytes, a path of the host, or a file object, which is read from its current position.
            place: WHOLE replaces the content of the file, END appends to the file, OFFSET writes from `offset` on.
            offset: With OFFSET, at most the size of the file.
            creates_parents: Also creates missing directories above the file.

        Returns:
            Commit. Its `ids` has the path if the source was given as bytes, with at most 64 KiB; otherwise it is empty.

        Raises:
            FailedPrecondition: PARENT_DIRECTORY_NOT_FOUND. The directory that contains the path does not exist.
            AlreadyExists: ALREADY_EXISTS if a directory has the path.
            NotFound: FILE_NOT_FOUND if an offset is given and there is no file.
            Aborted: FILE_CHANGED if another program changed the file meanwhile; never with WHOLE.
            ResourceExhausted: FILE_QUOTA_EXCEEDED. The bytes do not fit into the area.
            SourceChanged: The source became longer or shorter; nothing was written.
            OSError: The source cannot be read.
        """
        is_whole = place == wire.FileWritePlace.WHOLE
        if is_whole and isinstance(source, (bytes, bytearray)) and len(source) <= _SAVED_WHOLE_BYTES_MAX:
            request = wire.SaveFileRequest(path=to_path(path), data=bytes(source), creates_parents=creates_parents)
            return await self.call(calls.SAVE_FILE, request, options)

        async def begin(byte_count: int | None) -> int:
            request = wire.BeginFileWriteRequest(
                path=to_path(path), place=place, offset=offset, creates_parents=creates_parents, byte_count=byte_count
            )
            return (await self.call(calls.BEGIN_FILE_WRITE, request, without_key(options))).write

        return await self._write_in_pieces(source, begin, options, appends=place == wire.FileWritePlace.END)

    async def download_file(self, path: wire.FilePath | str, target: Target, *, options: Options | None = None) -> int:
        """Reads a file to a path of the host or into a file object. Returns its number of bytes.

        A file of the host gets its name only when it is complete. If the file is written in the meantime, the read
        starts again.

        Raises:
            NotFound: FILE_NOT_FOUND, even if a directory has the path.
            Aborted: FILE_CHANGED if the file was written and a file object already has some of the content.
            DataLoss: FILE_DAMAGED. The content of the file is damaged on disk.
            OSError: The target cannot be written.
        """
        return await self._receive(lambda: self.file_pieces(path, options=options), target, has_changed)

    async def read_file_bytes(self, path: wire.FilePath | str, *, options: Options | None = None) -> bytes:
        """Returns a whole file. If the file is written in the meantime, it is read again.

        Raises:
            NotFound: FILE_NOT_FOUND, even if a directory has the path.
            Aborted: FILE_CHANGED if the file was written again and again while it was read.
            DataLoss: FILE_DAMAGED. The content of the file is damaged on disk.
        """
        return await self._bytes(lambda: self.file_pieces(path, options=options))

    async def file_pieces(
        self, path: wire.FilePath | str, *, offset: int = 0, options: Options | None = None
    ) -> AsyncGenerator[bytes, None]:
        """Yields the content of a file from an offset on, all of one revision.

        Raises:
            NotFound: FILE_NOT_FOUND, even if a directory has the path.
            Aborted: FILE_CHANGED if the file is written in the meantime.
            DataLoss: FILE_DAMAGED. The content of the file is damaged on disk.
        """
        place = to_path(path)

        def read(start: int, byte_count: int, first: wire.ReadFileResponse | None) -> object:
            revision = 0 if first is None else first.file.revision
            return wire.ReadFileRequest(path=place, offset=start, byte_count=byte_count, expected_revision=revision)

        def size(answer: wire.ReadFileResponse) -> int:
            return answer.file.byte_count

        async for piece in self._content(calls.READ_FILE, read, size, offset, options):
            yield piece
