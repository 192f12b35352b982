# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/files.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, describe
from ._enums import OpenEnum


class FileArea(OpenEnum):
    """Each area has a tree of its own. Its root always exists."""

    UNSPECIFIED = 0
    CACHE = 1
    DOCUMENT = 2
    LIBRARY = 3
    # Like the library, for files that must not leave the device.
    NOT_SYNCED_LIBRARY = 4
    TEMPORARY = 5


class FileKind(OpenEnum):
    """The values of `FileKind`."""

    UNSPECIFIED = 0
    DIRECTORY = 1
    FILE = 2


class FileWritePlace(OpenEnum):
    """Where a write in pieces puts its bytes in a file."""

    UNSPECIFIED = 0
    # Replaces the whole content of the file, or creates a file.
    WHOLE = 1
    # Appends to the end of the file, or creates a file.
    END = 2
    # Writes from an offset on, over the existing bytes and beyond the end.
    OFFSET = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePath:
    """A path in the vault. It is data, and never a path of the host."""

    area: FileArea = FileArea.UNSPECIFIED
    # Names with slashes between them: each directory from the root on, then the entry; empty for the root itself.
    # Slashes at the start, at the end and next to another slash are ignored. `.` and `..` are not names.
    path: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """The attributes of a file or directory."""

    # The last name of its path; for a root the name of the area, as in ids of changes.
    name: str = ""
    kind: FileKind = FileKind.UNSPECIFIED
    # The size of the content; 0 for a directory.
    byte_count: int = 0
    created_at_microseconds: int = 0
    # File: when its content was last written. Directory: when an entry in it was created, removed or renamed.
    modified_at_microseconds: int = 0
    # The store's revision when it was created or moved, or its content was last written; 0 for a root into which
    # nothing was put yet.
    revision: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateDirectoryRequest:
    """Creates a directory. Answer: commit, or PARENT_DIRECTORY_NOT_FOUND, then ALREADY_EXISTS."""

    path: FilePath | None = None
    # Also creates missing directories above it.
    creates_parents: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveDirectoryRequest:
    """Removes a directory. A removed root exists again at once, and is empty. Answer: commit, or
    DIRECTORY_NOT_FOUND (also for a file), DIRECTORY_NOT_EMPTY.
    """

    path: FilePath | None = None
    # Also removes a directory that is not empty, with everything in it.
    with_children: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFilesRequest:
    """Lists the entries of a directory by the bytes of their names. Answer: files, or DIRECTORY_NOT_FOUND (also
    for a file).
    """

    directory: FilePath | None = None
    # 1 to 1,000; 0 means 100.
    limit: int = 0
    cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFilesResponse:
    """`ListFilesResponse` of the protocol."""

    files: tuple[File, ...] = ()
    # Empty on the last page.
    next_cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GetFileRequest:
    """Returns the attributes of the file or directory at a path. Answer: file, or FILE_NOT_FOUND."""

    path: FilePath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveFileRequest:
    """Writes a whole file: creates it, or replaces the content of the existing one. Answer: commit, or
    PARENT_DIRECTORY_NOT_FOUND, ALREADY_EXISTS (a directory has the path).
    """

    path: FilePath | None = None
    # At most 65,536 bytes.
    data: bytes = b""
    # Also creates missing directories above it.
    creates_parents: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AppendFileRequest:
    """Appends bytes to a file, or creates a file with them. Answer: commit, or the errors of save_file."""

    path: FilePath | None = None
    # With these bytes, the file may have at most 65,536 bytes; for larger files use begin_file_write.
    data: bytes = b""
    creates_parents: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFileRequest:
    """Reads a part of a file. Answer: file_data, or FILE_NOT_FOUND (also for a directory), FILE_CHANGED,
    FILE_DAMAGED.
    """

    path: FilePath | None = None
    # At the end of the file and after it there are no bytes, which is not an error.
    offset: int = 0
    # The most bytes to read; an answer has at most 1,048,576 bytes. 0 means 1,048,576.
    byte_count: int = 0
    # File.revision of the previous answer. If the file was written or replaced since, the answer is FILE_CHANGED. 0:
    # the file as it is.
    expected_revision: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFileResponse:
    """`ReadFileResponse` of the protocol."""

    # There are fewer bytes than requested at the end of the file, if the limit of an answer is reached, or if the
    # daemon is busy: ask for the rest.
    data: bytes = b""
    # The file at the moment of the read. Its byte_count shows whether there is more to read.
    file: File | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveFileRequest:
    """Renames or moves a file, or a directory with everything in it, also to another area. A file at the
    destination is replaced. A move onto itself changes nothing. Answer: commit, or FILE_NOT_FOUND (the origin),
    PARENT_DIRECTORY_NOT_FOUND (of the destination), ALREADY_EXISTS (a directory has the destination's path).
    """

    origin: FilePath | None = None
    place: FilePath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyFileRequest:
    """Copies a file, or a directory with everything in it. A directory with more than 256 entries takes several
    commits. The incomplete copy is visible in the meantime, and repeating the request continues it. Answer:
    commit, or the errors of move_file.
    """

    origin: FilePath | None = None
    place: FilePath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteFileRequest:
    """Deletes a file. Answer: commit, or FILE_NOT_FOUND (also for a directory)."""

    path: FilePath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginFileWriteRequest:
    """Begins a write in pieces, of any size: proto-docs/FILES.md, "Writing in pieces". The file stays as it is
    until finish_file_write. Answer: file_write, or FILE_NOT_FOUND (an offset, and no file),
    PARENT_DIRECTORY_NOT_FOUND, ALREADY_EXISTS (a directory has the path), TOO_MANY_FILE_WRITES.
    """

    path: FilePath | None = None
    place: FileWritePlace = FileWritePlace.UNSPECIFIED
    # With FILE_WRITE_PLACE_OFFSET: at most the file's byte_count.
    offset: int = 0
    # Also creates missing directories above it.
    creates_parents: bool = False
    # The number of bytes that will be written, if it is known; neither more nor fewer are accepted.
    byte_count: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginFileWriteResponse:
    """`BeginFileWriteResponse` of the protocol."""

    # Names the write in the following calls.
    write: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteFileRequest:
    """Sends the next piece. Answer: file_write_progress, or FILE_WRITE_NOT_FOUND, INVALID_ARGUMENT (out of order,
    or more than was announced: the write stays as it was).
    """

    write: int = 0
    # The bytes of the write before it, which is where the previous piece ended; 0 for the first piece.
    offset: int = 0
    # At most 1,048,576 bytes.
    data: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteFileResponse:
    """`WriteFileResponse` of the protocol."""

    bytes_received: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishFileWriteRequest:
    """Makes everything that was written visible in the file, at once. Answer: commit without ids, or
    FILE_WRITE_NOT_FOUND, INVALID_ARGUMENT (fewer bytes than announced), FILE_CHANGED (the file changed since
    the write began; never for a write of the whole file), PARENT_DIRECTORY_NOT_FOUND, ALREADY_EXISTS.
    """

    write: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EndFileWriteRequest:
    """Ends a write early. None of its bytes stay. Answer: file_write_ended, even if the write does not exist any
    more.
    """

    write: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EndFileWriteResponse:
    """`EndFileWriteResponse` of the protocol."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GetFileUsageRequest:
    """Returns the numbers of files, directories and bytes in each area, which the store keeps up to date: proto-
    docs/FILES.md, "Usage". Answer: file_usage.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class FileUsage:
    """`FileUsage` of the protocol."""

    # Every area, in the order of FileArea.
    areas: tuple[FileAreaUsage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileAreaUsage:
    """`FileAreaUsage` of the protocol."""

    area: FileArea = FileArea.UNSPECIFIED
    file_count: int = 0
    # Without the root.
    directory_count: int = 0
    # The bytes of all files, even if copies share a content.
    byte_count: int = 0
    # The limit of these bytes; 0: no limit.
    byte_count_max: int = 0


describe(
    FilePath,
    Field(1, "area", Kind.ENUM, FileArea),
    Field(2, "path", Kind.STRING),
)
describe(
    File,
    Field(1, "name", Kind.STRING),
    Field(2, "kind", Kind.ENUM, FileKind),
    Field(3, "byte_count", Kind.UINT64),
    Field(4, "created_at_microseconds", Kind.INT64),
    Field(5, "modified_at_microseconds", Kind.INT64),
    Field(6, "revision", Kind.UINT64),
)
describe(
    CreateDirectoryRequest,
    Field(1, "path", Kind.MESSAGE, FilePath, has_presence=True),
    Field(2, "creates_parents", Kind.BOOL),
)
describe(
    RemoveDirectoryRequest,
    Field(1, "path", Kind.MESSAGE, FilePath, has_presence=True),
    Field(2, "with_children", Kind.BOOL),
)
describe(
    ListFilesRequest,
    Field(1, "directory", Kind.MESSAGE, FilePath, has_presence=True),
    Field(2, "limit", Kind.UINT32),
    Field(3, "cursor", Kind.STRING),
)
describe(
    ListFilesResponse,
    Field(1, "files", Kind.MESSAGE, File, is_repeated=True),
    Field(2, "next_cursor", Kind.STRING),
)
describe(
    GetFileRequest,
    Field(1, "path", Kind.MESSAGE, FilePath, has_presence=True),
)
describe(
    SaveFileRequest,
    Field(1, "path", Kind.MESSAGE, FilePath, has_presence=True),
    Field(2, "data", Kind.BYTES),
    Field(3, "creates_parents", Kind.BOOL),
)
describe(
    AppendFileRequest,
    Field(1, "path", Kind.MESSAGE, FilePath, has_presence=True),
    Field(2, "data", Kind.BYTES),
    Field(3, "creates_parents", Kind.BOOL),
)
describe(
    ReadFileRequest,
    Field(1, "path", Kind.MESSAGE, FilePath, has_presence=True),
    Field(2, "offset", Kind.UINT64),
    Field(3, "byte_count", Kind.UINT64),
    Field(4, "expected_revision", Kind.UINT64),
)
describe(
    ReadFileResponse,
    Field(1, "data", Kind.BYTES),
    Field(2, "file", Kind.MESSAGE, File, has_presence=True),
)
describe(
    MoveFileRequest,
    Field(1, "origin", Kind.MESSAGE, FilePath, has_presence=True),
    Field(2, "place", Kind.MESSAGE, FilePath, has_presence=True),
)
describe(
    CopyFileRequest,
    Field(1, "origin", Kind.MESSAGE, FilePath, has_presence=True),
    Field(2, "place", Kind.MESSAGE, FilePath, has_presence=True),
)
describe(
    DeleteFileRequest,
    Field(1, "path", Kind.MESSAGE, FilePath, has_presence=True),
)
describe(
    BeginFileWriteRequest,
    Field(1, "path", Kind.MESSAGE, FilePath, has_presence=True),
    Field(2, "place", Kind.ENUM, FileWritePlace),
    Field(3, "offset", Kind.UINT64),
    Field(4, "creates_parents", Kind.BOOL),
    Field(5, "byte_count", Kind.UINT64, has_presence=True),
)
describe(
    BeginFileWriteResponse,
    Field(1, "write", Kind.UINT64),
)
describe(
    WriteFileRequest,
    Field(1, "write", Kind.UINT64),
    Field(2, "offset", Kind.UINT64),
    Field(3, "data", Kind.BYTES),
)
describe(
    WriteFileResponse,
    Field(1, "bytes_received", Kind.UINT64),
)
describe(
    FinishFileWriteRequest,
    Field(1, "write", Kind.UINT64),
)
describe(
    EndFileWriteRequest,
    Field(1, "write", Kind.UINT64),
)
describe(EndFileWriteResponse)
describe(GetFileUsageRequest)
describe(
    FileUsage,
    Field(1, "areas", Kind.MESSAGE, FileAreaUsage, is_repeated=True),
)
describe(
    FileAreaUsage,
    Field(1, "area", Kind.ENUM, FileArea),
    Field(2, "file_count", Kind.UINT64),
    Field(3, "directory_count", Kind.UINT64),
    Field(4, "byte_count", Kind.UINT64),
    Field(5, "byte_count_max", Kind.UINT64),
)
