# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/files.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, describe
from ._enums import OpenEnum


class FileArea(OpenEnum):
    """Each area has a tree of its own, whose root is always there."""

    UNSPECIFIED = 0
    CACHE = 1
    DOCUMENT = 2
    LIBRARY = 3
    # Like the library, for what is not to leave the device.
    NOT_SYNCED_LIBRARY = 4
    TEMPORARY = 5


class FileKind(OpenEnum):
    """The values of `FileKind`."""

    UNSPECIFIED = 0
    DIRECTORY = 1
    FILE = 2


class FileWritePlace(OpenEnum):
    """Where in a file a write in pieces goes."""

    UNSPECIFIED = 0
    # In the place of all that the file has; makes a file where there is none.
    WHOLE = 1
    # Behind the end of the file; makes one where there is none.
    END = 2
    # From a byte of the file on, over what is there and on behind its end.
    OFFSET = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePath:
    """A place in the vault: data, and never a path of the host."""

    area: FileArea = FileArea.UNSPECIFIED
    # Names with slashes between them, from the root down; empty for the root itself. Slashes at the start, at the end
    # and beside another mean nothing. `.` and `..` are no names.
    path: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """What is known of a file or directory beside its content."""

    # The last name of its path; of a root: that of the area, as ids of changes have it.
    name: str = ""
    kind: FileKind = FileKind.UNSPECIFIED
    # Of its content; 0 for a directory.
    byte_count: int = 0
    created_at_microseconds: int = 0
    # Of a file: when its content was last written. Of a directory: when something in it was made, removed or renamed.
    modified_at_microseconds: int = 0
    # The store's revision when it was made, moved or its content was last written; 0 for a root into which nothing
    # was put yet.
    revision: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateDirectoryRequest:
    """Answer: commit, or PARENT_DIRECTORY_NOT_FOUND, then ALREADY_EXISTS."""

    path: FilePath | None = None
    # Makes the directories that the path lies in too, where they are missing.
    creates_parents: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveDirectoryRequest:
    """Removes a directory; a root is there again at once, and empty. Answer: commit, or DIRECTORY_NOT_FOUND (also
    for a file), DIRECTORY_NOT_EMPTY.
    """

    path: FilePath | None = None
    # Also one that is not empty, with all it holds.
    with_children: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFilesRequest:
    """What a directory holds, by the bytes of names. Answer: files, or DIRECTORY_NOT_FOUND (also for a file)."""

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
    """What is at a path. Answer: file, or FILE_NOT_FOUND."""

    path: FilePath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveFileRequest:
    """Writes a file whole: a new one, or in the place of the content of the one that is there. Answer: commit, or
    PARENT_DIRECTORY_NOT_FOUND, ALREADY_EXISTS (a directory has the path).
    """

    path: FilePath | None = None
    # At most 65,536 bytes.
    data: bytes = b""
    # Makes the directories that the path lies in, where they are missing.
    creates_parents: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AppendFileRequest:
    """Puts bytes behind those of a file, or makes a file of them where there is none. Answer: commit, or as
    save_file.
    """

    path: FilePath | None = None
    # The file must have at most 65,536 bytes with them; more is written by begin_file_write.
    data: bytes = b""
    creates_parents: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFileRequest:
    """A part of a file. Answer: file_data, or FILE_NOT_FOUND (also for a directory), FILE_CHANGED, FILE_DAMAGED."""

    path: FilePath | None = None
    # At the end of the file and behind it there are no bytes, which is no error.
    offset: int = 0
    # The most that is read, and an answer has at most 1,048,576 bytes; 0: as many.
    byte_count: int = 0
    # File.revision of the answer before: FILE_CHANGED where the file is another one, or has been written, since. 0:
    # the file as it is.
    expected_revision: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFileResponse:
    """`ReadFileResponse` of the protocol."""

    # Fewer than asked for at the end of the file, because there are more than an answer has, or because the daemon
    # has much to do: ask for the rest.
    data: bytes = b""
    # The file at the moment of the read: whether there is more, its byte_count tells.
    file: File | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveFileRequest:
    """Renames or moves a file, or a directory with what it holds, also to another area. A file in the place is
    replaced; onto itself nothing happens. Answer: commit, or FILE_NOT_FOUND (the origin),
    PARENT_DIRECTORY_NOT_FOUND (of the place), ALREADY_EXISTS (a directory has the place).
    """

    origin: FilePath | None = None
    place: FilePath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyFileRequest:
    """Copies a file, or a directory with what it holds. A directory of more than 256 entries takes several
    commits; what is there of the copy meanwhile can be seen, and a repetition of the request goes on with it.
    Answer: commit, or as move_file.
    """

    origin: FilePath | None = None
    place: FilePath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteFileRequest:
    """Deletes a file. Answer: commit, or FILE_NOT_FOUND (also for a directory)."""

    path: FilePath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginFileWriteRequest:
    """Begins a write in pieces, of any size: proto-docs/FILES.md, "Writing in pieces". The file is as it was until
    finish_file_write. Answer: file_write, or FILE_NOT_FOUND (an offset, and no file),
    PARENT_DIRECTORY_NOT_FOUND, ALREADY_EXISTS (a directory has the path), TOO_MANY_FILE_WRITES.
    """

    path: FilePath | None = None
    place: FileWritePlace = FileWritePlace.UNSPECIFIED
    # With FILE_WRITE_PLACE_OFFSET: at most the file's byte_count.
    offset: int = 0
    # Makes the directories that the path lies in, where they are missing.
    creates_parents: bool = False
    # Bytes that will be written, where that is known: neither more nor fewer may come.
    byte_count: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginFileWriteResponse:
    """`BeginFileWriteResponse` of the protocol."""

    # Names the write in the calls that follow.
    write: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteFileRequest:
    """The next piece. Answer: file_write_progress, or FILE_WRITE_NOT_FOUND, INVALID_ARGUMENT (out of order, or
    more than was announced: the write is as it was).
    """

    write: int = 0
    # Bytes of the write before it: where the piece before it ended; 0 for the first.
    offset: int = 0
    # At most 1,048,576 bytes.
    data: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteFileResponse:
    """`WriteFileResponse` of the protocol."""

    bytes_received: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishFileWriteRequest:
    """Makes all that was written the file's, at once. Answer: commit without ids, or FILE_WRITE_NOT_FOUND,
    INVALID_ARGUMENT (fewer bytes than announced), FILE_CHANGED (the file is not what the write began with; not
    of a write of the whole file), PARENT_DIRECTORY_NOT_FOUND, ALREADY_EXISTS.
    """

    write: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EndFileWriteRequest:
    """Ends a write before its time: nothing of it stays. Answer: file_write_ended, also when there is no such
    write any more.
    """

    write: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EndFileWriteResponse:
    """`EndFileWriteResponse` of the protocol."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GetFileUsageRequest:
    """How much the areas hold, from counts that the store keeps: proto-docs/FILES.md, "Usage". Answer: file_usage."""


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
    # Of all files, also where copies share a content.
    byte_count: int = 0
    # The most that these may be; 0: no bound.
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
