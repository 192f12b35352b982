# Written by tools/generate.py from the module of the same name in aio; do not edit.
"""Transfers between files of the vault and file objects or files of the host."""

from __future__ import annotations

from collections.abc import Generator

from .. import model as wire
from ..protocol import calls
from ..protocol.options import Options
from ..short_forms import to_path
from ..streams import Source, Target
from .pieces import Pieces, has_changed, without_key

_SAVED_WHOLE_BYTES_MAX = 65_536


class Files(Pieces):
    """The vault."""

    def upload_file(
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

        The source is bytes, a path of the host, or a file object, which is read from its current position. After a
        lost connection the upload continues. If the daemon was restarted, the upload starts again, provided that the
        source can be read twice. If the source becomes longer or shorter, SourceChanged is raised and nothing is
        written. A timeout applies to each piece.
        """
        is_whole = place == wire.FileWritePlace.WHOLE
        if is_whole and isinstance(source, (bytes, bytearray)) and len(source) <= _SAVED_WHOLE_BYTES_MAX:
            request = wire.SaveFileRequest(path=to_path(path), data=bytes(source), creates_parents=creates_parents)
            return self.call(calls.SAVE_FILE, request, options)

        def begin(byte_count: int | None) -> int:
            request = wire.BeginFileWriteRequest(
                path=to_path(path), place=place, offset=offset, creates_parents=creates_parents, byte_count=byte_count
            )
            return (self.call(calls.BEGIN_FILE_WRITE, request, without_key(options))).write

        return self._write_in_pieces(source, begin, options, appends=place == wire.FileWritePlace.END)

    def download_file(self, path: wire.FilePath | str, target: Target, *, options: Options | None = None) -> int:
        """Reads a file to a path of the host or into a file object. Returns its number of bytes.

        A file of the host gets its name only when it is complete. If the file is written in the meantime, the read
        starts again. If a file object already has some of the content, FILE_CHANGED is raised instead.
        """
        return self._receive(lambda: self.file_pieces(path, options=options), target, has_changed)

    def read_file_bytes(self, path: wire.FilePath | str, *, options: Options | None = None) -> bytes:
        """Returns a whole file. If the file is written in the meantime, it is read again."""
        return self._bytes(lambda: self.file_pieces(path, options=options))

    def file_pieces(
        self, path: wire.FilePath | str, *, offset: int = 0, options: Options | None = None
    ) -> Generator[bytes, None, None]:
        """Yields the content of a file from an offset on, all of one revision.

        Raises FILE_CHANGED if the file is written in the meantime.
        """
        place = to_path(path)

        def read(start: int, byte_count: int, first: wire.ReadFileResponse | None) -> object:
            revision = 0 if first is None else first.file.revision
            return wire.ReadFileRequest(path=place, offset=start, byte_count=byte_count, expected_revision=revision)

        def size(answer: wire.ReadFileResponse) -> int:
            return answer.file.byte_count

        for piece in self._content(calls.READ_FILE, read, size, offset, options):
            yield piece
