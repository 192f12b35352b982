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
        """Creates a directory.

        Args:
            path: The path of the directory.
            creates_parents: Also creates missing directories above the path.

        Returns:
            Commit, with the path.

        Raises:
            FailedPrecondition: PARENT_DIRECTORY_NOT_FOUND. The directory that contains the path does not exist.
            AlreadyExists: ALREADY_EXISTS if a file or directory has the path.
        """
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
        """Removes a directory. A removed root exists again at once, and is empty.

        Args:
            path: The path of the directory.
            with_children: Also removes a directory that is not empty, with everything in it.

        Returns:
            Commit, with the path.

        Raises:
            NotFound: DIRECTORY_NOT_FOUND, even if a file has the path.
            FailedPrecondition: DIRECTORY_NOT_EMPTY. The directory is not empty, and the request removes only
                empty directories.
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
        """Lists the entries of a directory, ordered by the bytes of their names.

        `files` is simpler: it requests one page after another.

        Args:
            directory: The path of the directory.
            limit: 1 to 1,000; 0 means 100.
            cursor: next_cursor of the previous page; empty starts at the top.

        Returns:
            ListFilesResponse, with one page of the list.

        Raises:
            NotFound: DIRECTORY_NOT_FOUND, even if a file has the path.
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
        """Returns the attributes of the file or directory at a path.

        Args:
            path: The path of the file or directory.

        Returns:
            File, as it is now.

        Raises:
            NotFound: FILE_NOT_FOUND if no file or directory has the path.
        """
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
        """Writes a whole file: creates it, or replaces the content of the existing one.

        Args:
            data: At most 65,536 bytes.
            creates_parents: Also creates missing directories above the path.

        Returns:
            Commit, with the path.

        Raises:
            FailedPrecondition: PARENT_DIRECTORY_NOT_FOUND. The directory that contains the path does not exist.
            AlreadyExists: ALREADY_EXISTS if a directory has the path.
            ResourceExhausted: FILE_QUOTA_EXCEEDED. The bytes do not fit into the area of the vault.
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
        """Appends bytes to a file, or creates a file with these bytes.

        Args:
            data: The bytes to append. Afterwards the file may have at most 65,536 bytes; for larger files use
                begin_file_write.

        Returns:
            Commit, with the path.

        Raises:
            InvalidArgument: INVALID_ARGUMENT if the file would have more than 65,536 bytes.
            FailedPrecondition: PARENT_DIRECTORY_NOT_FOUND. The directory that contains the path does not exist.
            AlreadyExists: ALREADY_EXISTS if a directory has the path.
            ResourceExhausted: FILE_QUOTA_EXCEEDED. The bytes do not fit into the area of the vault.
        """
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
        """Reads a part of a file.

        `download_file` is simpler: it makes all calls of the transfer.

        Args:
            path: The path of the file.
            offset: The offset in the file at which to begin. At or after the end of the file, the answer has no
                bytes; this is not an error.
            byte_count: The maximum number of bytes to read; an answer has at most 1,048,576 bytes. 0 means
                1,048,576.
            expected_revision: The File.revision of the previous answer. If the file was written or replaced
                since, the answer is FILE_CHANGED. 0 reads the file whatever its revision is.

        Returns:
            ReadFileResponse, with the bytes, and the attributes of the file.

        Raises:
            NotFound: FILE_NOT_FOUND, even if a directory has the path.
            Aborted: FILE_CHANGED if the file has another revision than `expected_revision`.
            DataLoss: FILE_DAMAGED. The content of the file is damaged on disk.
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
        """Renames or moves a file, or a directory with everything in it. The destination may be in another area.
        If there is a file at the destination, the moved entry replaces it. A move to the same path changes
        nothing.

        Args:
            origin: The path of the file or directory.
            place: The path that the file or directory gets.

        Returns:
            Commit, with the new path.

        Raises:
            NotFound: FILE_NOT_FOUND if the origin does not exist.
            FailedPrecondition: PARENT_DIRECTORY_NOT_FOUND if the destination's directory does not exist.
            AlreadyExists: ALREADY_EXISTS if a directory has the destination's path.
            ResourceExhausted: FILE_QUOTA_EXCEEDED if the destination is in another area.
            InvalidArgument: INVALID_ARGUMENT if the destination is inside the origin.
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
        """Copies a file, or a directory with everything in it. If there is a file at the destination, the copy
        replaces it. Copying a directory with more than 256 entries takes several commits. The incomplete copy
        is visible in the meantime. If the copy is interrupted, repeat the request to continue it.

        Args:
            origin: The path of the file or directory.
            place: The path of the copy.

        Returns:
            Commit, with the path of the copy.

        Raises:
            NotFound: FILE_NOT_FOUND if the origin does not exist.
            FailedPrecondition: PARENT_DIRECTORY_NOT_FOUND if the destination's directory does not exist.
            AlreadyExists: ALREADY_EXISTS if a directory has the destination's path.
            ResourceExhausted: FILE_QUOTA_EXCEEDED. The bytes do not fit into the area of the vault.
            Aborted: FILE_CHANGED if the origin or its copy was moved or removed before the copy was complete.
            InvalidArgument: INVALID_ARGUMENT if the destination is inside the origin.
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
        """Deletes a file.

        Args:
            path: The path of the file.

        Returns:
            Commit, with the path.

        Raises:
            NotFound: FILE_NOT_FOUND, even if a directory has the path.
        """
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
        """Begins a write in pieces, of any size: proto-docs/FILES.md, "Writing in pieces". Continue with
        write_file and finish_file_write. Until finish_file_write, the file stays as it is.

        `upload_file` is simpler: it makes all calls of the transfer.

        Args:
            path: The path of the file.
            place: The place in the file at which the daemon puts the bytes.
            offset: With FILE_WRITE_PLACE_OFFSET: the offset in the file, at most the file's byte_count.
            creates_parents: Also creates missing directories above the path.
            byte_count: The number of bytes that the client will write, if it knows this number. The daemon then
                accepts neither more nor fewer bytes.

        Returns:
            BeginFileWriteResponse, with the number of the write.

        Raises:
            NotFound: FILE_NOT_FOUND with FILE_WRITE_PLACE_OFFSET if there is no file.
            FailedPrecondition: PARENT_DIRECTORY_NOT_FOUND. The directory that contains the path does not exist.
            AlreadyExists: ALREADY_EXISTS if a directory has the path.
            ResourceExhausted: FILE_QUOTA_EXCEEDED if the announced bytes do not fit.
            ResourceExhausted: TOO_MANY_FILE_WRITES. The maximum number of writes in pieces is running.
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
        """Sends the next piece.

        Args:
            write: The number that begin_file_write or begin_attachment_write returned.
            offset: The number of bytes of this write before this piece, that is, the end of the previous piece;
                0 for the first piece.
            data: At most 1,048,576 bytes.

        Returns:
            WriteFileResponse, with the number of bytes received so far.

        Raises:
            NotFound: FILE_WRITE_NOT_FOUND. This write in pieces has ended or failed, was unused for 60 seconds,
                or ended because the store was locked.
            InvalidArgument: INVALID_ARGUMENT if the piece is out of order, or longer than was announced (the
                write then stays as it was).
            ResourceExhausted: FILE_QUOTA_EXCEEDED if the bytes do not fit into the area, which ends the write.
            ResourceExhausted: DISK_FULL if the disk is full, which ends the write.
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
        """Makes everything that was written visible in the file, in one commit. If the write is for the content of
        an attachment, messages and drafts can use this content from then on.

        Args:
            write: The number that begin_file_write or begin_attachment_write returned.

        Returns:
            Commit, without ids, or for an attachment with the content's digest in hexadecimal as its only id.

        Raises:
            NotFound: FILE_WRITE_NOT_FOUND. This write in pieces has ended or failed, was unused for 60 seconds,
                or ended because the store was locked.
            InvalidArgument: INVALID_ARGUMENT if there are fewer bytes than were announced, or if the content
                has another digest than was announced.
            Aborted: FILE_CHANGED if the file changed since the write began, but never for a write of the whole
                file.
            FailedPrecondition: PARENT_DIRECTORY_NOT_FOUND. The directory that contains the path does not exist.
            AlreadyExists: ALREADY_EXISTS if a directory has the path.
            ResourceExhausted: FILE_QUOTA_EXCEEDED. The bytes do not fit into the area of the vault.
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
        """Ends a write early. The daemon overwrites its bytes on the disk. Has no effect if the write does not
        exist any more.

        Args:
            write: The number that begin_file_write or begin_attachment_write returned.
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
        proto-docs/FILES.md, "Usage".

        Returns:
            FileUsage, with every area.
        """
        request = wire.GetFileUsageRequest()
        return self.call(calls.GET_FILE_USAGE, request, options)
