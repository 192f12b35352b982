# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/files.proto."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..wire import Field, Kind, Model, describe
from ._enums import OpenEnum


class FileArea(OpenEnum):
    """An area of the vault. Each area has a tree of its own, whose root always exists.

    Attributes:
        CACHE: Files that can be downloaded or computed again.
        DOCUMENT: The documents of the person.
        LIBRARY: Other files that an application needs.
        NOT_SYNCED_LIBRARY: Other files that an application needs and that must not leave the device.
        TEMPORARY: Files that may be deleted at any time.
    """

    UNSPECIFIED = 0
    CACHE = 1
    DOCUMENT = 2
    LIBRARY = 3
    NOT_SYNCED_LIBRARY = 4
    TEMPORARY = 5


class FileKind(OpenEnum):
    """The kind of an entry of the vault.

    Attributes:
        DIRECTORY: A directory, which has files and directories.
        FILE: A file, which has a content.
    """

    UNSPECIFIED = 0
    DIRECTORY = 1
    FILE = 2


class FileWritePlace(OpenEnum):
    """The place in a file at which a write in pieces puts its bytes.

    Attributes:
        WHOLE: Replaces the whole content of a file, or creates a file.
        END: Appends to the end of the file, or creates a file.
        OFFSET: Writes from an offset on, over the existing bytes and beyond the end.
    """

    UNSPECIFIED = 0
    WHOLE = 1
    END = 2
    OFFSET = 3


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FilePath(Model):
    """A path in the vault. The daemon never uses it as a path of the host's file system.

    Attributes:
        area (FileArea)
        path (str): Names with slashes between them: each directory from the root on, then the entry; empty for
            the root itself. Slashes at the start, at the end and next to another slash are ignored. A request
            with the name `.` or `..` gets INVALID_ARGUMENT. At most 128 names and 4,096 bytes.
    """

    area: FileArea = FileArea.UNSPECIFIED
    path: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class File(Model):
    """The attributes of a file or directory.

    Attributes:
        name (str): The last name in the path. For the root of an area: the name of the area, as in ids of
            changes.
        kind (FileKind): The kind of the entry.
        byte_count (int): The size of the content; 0 for a directory.
        created_at_microseconds (int): When the entry was created, by the daemon's clock.
        modified_at_microseconds (int): For a file: when its content was last written. For a directory: when an
            entry in it was last created, removed or renamed.
        revision (int): The store's revision when the entry was created or moved, or when its content was last
            written. 0 for the root of an area into which no client has put anything yet.
    """

    name: str = ""
    kind: FileKind = FileKind.UNSPECIFIED
    byte_count: int = 0
    created_at_microseconds: int = 0
    modified_at_microseconds: int = 0
    revision: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CreateDirectoryRequest(Model):
    """The request of `create_directory`.

    Attributes:
        path (FilePath | str | None): The path of the directory.
        creates_parents (bool): Also creates missing directories above the path.
    """

    path: FilePath | str | None = None
    creates_parents: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RemoveDirectoryRequest(Model):
    """The request of `remove_directory`.

    Attributes:
        path (FilePath | str | None): The path of the directory.
        with_children (bool): Also removes a directory that is not empty, with everything in it.
    """

    path: FilePath | str | None = None
    with_children: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListFilesRequest(Model):
    """The request of `list_files`.

    Attributes:
        directory (FilePath | str | None): The path of the directory.
        limit (int): 1 to 1,000; 0 means 100.
        cursor (str): next_cursor of the previous page; empty starts at the top.
    """

    directory: FilePath | str | None = None
    limit: int = 0
    cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListFilesResponse(Model):
    """A page of the entries of a directory, ordered by the bytes of their names.

    Attributes:
        files (tuple[File, ...]): At most as many as requested.
        next_cursor (str): Empty on the last page.
    """

    files: tuple[File, ...] = ()
    next_cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetFileRequest(Model):
    """The request of `get_file`.

    Attributes:
        path (FilePath | str | None): The path of the file or directory.
    """

    path: FilePath | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SaveFileRequest(Model):
    """The request of `save_file`.

    Attributes:
        path (FilePath | str | None)
        data (bytes): At most 65,536 bytes.
        creates_parents (bool): Also creates missing directories above the path.
    """

    path: FilePath | str | None = None
    data: bytes = b""
    creates_parents: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AppendFileRequest(Model):
    """The request of `append_file`.

    Attributes:
        path (FilePath | str | None)
        data (bytes): The bytes to append. Afterwards the file may have at most 65,536 bytes; for larger files
            use begin_file_write.
        creates_parents (bool)
    """

    path: FilePath | str | None = None
    data: bytes = b""
    creates_parents: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReadFileRequest(Model):
    """The request of `read_file`.

    Attributes:
        path (FilePath | str | None): The path of the file.
        offset (int): The offset in the file at which to begin. At or after the end of the file, the answer has
            no bytes; this is not an error.
        byte_count (int): The maximum number of bytes to read; an answer has at most 1,048,576 bytes. 0 means
            1,048,576.
        expected_revision (int): The File.revision of the previous answer. If the file was written or replaced
            since, the answer is FILE_CHANGED. 0 reads the file whatever its revision is.
    """

    path: FilePath | str | None = None
    offset: int = 0
    byte_count: int = 0
    expected_revision: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReadFileResponse(Model):
    """A part of a file.

    Attributes:
        data (bytes): The bytes. They can be fewer than requested at the end of the file, because of the limit
            of an answer, or because the daemon is busy. Ask for the other bytes of the file.
        file (File): The file at the moment of the read. Its byte_count shows whether the file has more bytes.
    """

    data: bytes = b""
    file: File = field(default_factory=lambda: File())


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MoveFileRequest(Model):
    """The request of `move_file`.

    Attributes:
        origin (FilePath | str | None): The path of the file or directory.
        place (FilePath | str | None): The path that the file or directory gets.
    """

    origin: FilePath | str | None = None
    place: FilePath | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CopyFileRequest(Model):
    """The request of `copy_file`.

    Attributes:
        origin (FilePath | str | None): The path of the file or directory.
        place (FilePath | str | None): The path of the copy.
    """

    origin: FilePath | str | None = None
    place: FilePath | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DeleteFileRequest(Model):
    """The request of `delete_file`.

    Attributes:
        path (FilePath | str | None): The path of the file.
    """

    path: FilePath | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BeginFileWriteRequest(Model):
    """The request of `begin_file_write`.

    Attributes:
        path (FilePath | str | None): The path of the file.
        place (FileWritePlace): The place in the file at which the daemon puts the bytes.
        offset (int): With FILE_WRITE_PLACE_OFFSET: the offset in the file, at most the file's byte_count.
        creates_parents (bool): Also creates missing directories above the path.
        byte_count (int | None): The number of bytes that the client will write, if it knows this number. The
            daemon then accepts neither more nor fewer bytes.
    """

    path: FilePath | str | None = None
    place: FileWritePlace = FileWritePlace.UNSPECIFIED
    offset: int = 0
    creates_parents: bool = False
    byte_count: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BeginFileWriteResponse(Model):
    """`BeginFileWriteResponse` of the protocol.

    Attributes:
        write (int): The number of the write, for write_file, finish_file_write and end_file_write.
    """

    write: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WriteFileRequest(Model):
    """The request of `write_file`.

    Attributes:
        write (int): The number that begin_file_write or begin_attachment_write returned.
        offset (int): The number of bytes of this write before this piece, that is, the end of the previous
            piece; 0 for the first piece.
        data (bytes): At most 1,048,576 bytes.
    """

    write: int = 0
    offset: int = 0
    data: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WriteFileResponse(Model):
    """`WriteFileResponse` of the protocol.

    Attributes:
        bytes_received (int): The number of bytes of this write that the daemon has received.
    """

    bytes_received: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FinishFileWriteRequest(Model):
    """The request of `finish_file_write`.

    Attributes:
        write (int): The number that begin_file_write or begin_attachment_write returned.
    """

    write: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EndFileWriteRequest(Model):
    """The request of `end_file_write`.

    Attributes:
        write (int): The number that begin_file_write or begin_attachment_write returned.
    """

    write: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EndFileWriteResponse(Model):
    """`EndFileWriteResponse` of the protocol."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetFileUsageRequest(Model):
    """The request of `get_file_usage`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FileUsage(Model):
    """`FileUsage` of the protocol.

    Attributes:
        areas (tuple[FileAreaUsage, ...]): Every area, in the order of FileArea.
    """

    areas: tuple[FileAreaUsage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FileAreaUsage(Model):
    """The usage of an area of the vault.

    Attributes:
        area (FileArea): The area.
        file_count (int): The number of files in the area.
        directory_count (int): The number of directories in the area, without the root.
        byte_count (int): The bytes of all files. A file counts with all its bytes even if it shares its content
            with copies.
        byte_count_max (int): The limit of these bytes; 0 means no limit.
    """

    area: FileArea = FileArea.UNSPECIFIED
    file_count: int = 0
    directory_count: int = 0
    byte_count: int = 0
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
