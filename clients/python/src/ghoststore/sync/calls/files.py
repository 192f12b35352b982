# Written by tools/generate.py from proto-docs; do not edit.
"""Calls of ghoststore/v1/files.proto."""

from __future__ import annotations

from ... import model as wire
from ...protocol import calls
from ...protocol.options import Options
from ...short_forms import to_path
from ..caller import Caller


class FilesCalls(Caller):
    """The calls of ghoststore/v1/files.proto."""

    def create_directory(
        self,
        path: wire.FilePath | str,
        *,
        creates_parents: bool = False,
        options: Options | None = None,
    ) -> wire.Commit:
        """Creates a directory. Answer: commit, or PARENT_DIRECTORY_NOT_FOUND, then ALREADY_EXISTS."""
        request = wire.CreateDirectoryRequest(
            path=to_path(path),
            creates_parents=creates_parents,
        )
        return self.call(calls.CREATE_DIRECTORY, request, options)

    def remove_directory(
        self,
        path: wire.FilePath | str,
        *,
        with_children: bool = False,
        options: Options | None = None,
    ) -> wire.Commit:
        """Removes a directory. A removed root exists again at once, and is empty. Answer: commit, or
        DIRECTORY_NOT_FOUND (also for a file), DIRECTORY_NOT_EMPTY.
        """
        request = wire.RemoveDirectoryRequest(
            path=to_path(path),
            with_children=with_children,
        )
        return self.call(calls.REMOVE_DIRECTORY, request, options)

    def list_files(
        self,
        directory: wire.FilePath | str,
        *,
        limit: int = 0,
        cursor: str = "",
        options: Options | None = None,
    ) -> wire.ListFilesResponse:
        """Lists the entries of a directory by the bytes of their names. Answer: files, or DIRECTORY_NOT_FOUND
        (also for a file).
        """
        request = wire.ListFilesRequest(
            directory=to_path(directory),
            limit=limit,
            cursor=cursor,
        )
        return self.call(calls.LIST_FILES, request, options)

    def get_file(
        self,
        path: wire.FilePath | str,
        *,
        options: Options | None = None,
    ) -> wire.File:
        """Returns the attributes of the file or directory at a path. Answer: file, or FILE_NOT_FOUND."""
        request = wire.GetFileRequest(
            path=to_path(path),
        )
        return self.call(calls.GET_FILE, request, options)

    def save_file(
        self,
        path: wire.FilePath | str,
        data: bytes,
        *,
        creates_parents: bool = False,
        options: Options | None = None,
    ) -> wire.Commit:
        """Writes a whole file: creates it, or replaces the content of the existing one. Answer: commit, or
        PARENT_DIRECTORY_NOT_FOUND, ALREADY_EXISTS (a directory has the path).
        """
        request = wire.SaveFileRequest(
            path=to_path(path),
            data=data,
            creates_parents=creates_parents,
        )
        return self.call(calls.SAVE_FILE, request, options)

    def append_file(
        self,
        path: wire.FilePath | str,
        data: bytes,
        *,
        creates_parents: bool = False,
        options: Options | None = None,
    ) -> wire.Commit:
        """Appends bytes to a file, or creates a file with them. Answer: commit, or the errors of save_file."""
        request = wire.AppendFileRequest(
            path=to_path(path),
            data=data,
            creates_parents=creates_parents,
        )
        return self.call(calls.APPEND_FILE, request, options)

    def read_file(
        self,
        path: wire.FilePath | str,
        *,
        offset: int = 0,
        byte_count: int = 0,
        expected_revision: int = 0,
        options: Options | None = None,
    ) -> wire.ReadFileResponse:
        """Reads a part of a file. Answer: file_data, or FILE_NOT_FOUND (also for a directory), FILE_CHANGED,
        FILE_DAMAGED.
        """
        request = wire.ReadFileRequest(
            path=to_path(path),
            offset=offset,
            byte_count=byte_count,
            expected_revision=expected_revision,
        )
        return self.call(calls.READ_FILE, request, options)

    def move_file(
        self,
        origin: wire.FilePath | str,
        place: wire.FilePath | str,
        *,
        options: Options | None = None,
    ) -> wire.Commit:
        """Renames or moves a file, or a directory with everything in it, also to another area. A file at the
        destination is replaced. A move onto itself changes nothing. Answer: commit, or FILE_NOT_FOUND (the
        origin), PARENT_DIRECTORY_NOT_FOUND (of the destination), ALREADY_EXISTS (a directory has the
        destination's path).
        """
        request = wire.MoveFileRequest(
            origin=to_path(origin),
            place=to_path(place),
        )
        return self.call(calls.MOVE_FILE, request, options)

    def copy_file(
        self,
        origin: wire.FilePath | str,
        place: wire.FilePath | str,
        *,
        options: Options | None = None,
    ) -> wire.Commit:
        """Copies a file, or a directory with everything in it. A directory with more than 256 entries takes
        several commits. The incomplete copy is visible in the meantime, and repeating the request continues it.
        Answer: commit, or the errors of move_file.
        """
        request = wire.CopyFileRequest(
            origin=to_path(origin),
            place=to_path(place),
        )
        return self.call(calls.COPY_FILE, request, options)

    def delete_file(
        self,
        path: wire.FilePath | str,
        *,
        options: Options | None = None,
    ) -> wire.Commit:
        """Deletes a file. Answer: commit, or FILE_NOT_FOUND (also for a directory)."""
        request = wire.DeleteFileRequest(
            path=to_path(path),
        )
        return self.call(calls.DELETE_FILE, request, options)

    def begin_file_write(
        self,
        path: wire.FilePath | str,
        place: wire.FileWritePlace,
        *,
        offset: int = 0,
        creates_parents: bool = False,
        byte_count: int | None = None,
        options: Options | None = None,
    ) -> wire.BeginFileWriteResponse:
        """Begins a write in pieces, of any size: proto-docs/FILES.md, "Writing in pieces". The file stays as it is
        until finish_file_write. Answer: file_write, or FILE_NOT_FOUND (an offset, and no file),
        PARENT_DIRECTORY_NOT_FOUND, ALREADY_EXISTS (a directory has the path), TOO_MANY_FILE_WRITES.
        """
        request = wire.BeginFileWriteRequest(
            path=to_path(path),
            place=place,
            offset=offset,
            creates_parents=creates_parents,
            byte_count=byte_count,
        )
        return self.call(calls.BEGIN_FILE_WRITE, request, options)

    def write_file(
        self,
        write: int,
        offset: int,
        data: bytes,
        *,
        options: Options | None = None,
    ) -> wire.WriteFileResponse:
        """Sends the next piece. Answer: file_write_progress, or FILE_WRITE_NOT_FOUND, INVALID_ARGUMENT (out of
        order, or more than was announced: the write stays as it was).
        """
        request = wire.WriteFileRequest(
            write=write,
            offset=offset,
            data=data,
        )
        return self.call(calls.WRITE_FILE, request, options)

    def finish_file_write(
        self,
        write: int,
        *,
        options: Options | None = None,
    ) -> wire.Commit:
        """Makes everything that was written visible in the file, at once. Answer: commit without ids, or
        FILE_WRITE_NOT_FOUND, INVALID_ARGUMENT (fewer bytes than announced), FILE_CHANGED (the file changed
        since the write began; never for a write of the whole file), PARENT_DIRECTORY_NOT_FOUND, ALREADY_EXISTS.
        """
        request = wire.FinishFileWriteRequest(
            write=write,
        )
        return self.call(calls.FINISH_FILE_WRITE, request, options)

    def end_file_write(
        self,
        write: int,
        *,
        options: Options | None = None,
    ) -> None:
        """Ends a write early. None of its bytes stay. Answer: file_write_ended, even if the write does not exist
        any more.
        """
        request = wire.EndFileWriteRequest(
            write=write,
        )
        self.call(calls.END_FILE_WRITE, request, options)

    def get_file_usage(
        self,
        *,
        options: Options | None = None,
    ) -> wire.FileUsage:
        """Returns the numbers of files, directories and bytes in each area, which the store keeps up to date:
        proto-docs/FILES.md, "Usage". Answer: file_usage.
        """
        request = wire.GetFileUsageRequest()
        return self.call(calls.GET_FILE_USAGE, request, options)
