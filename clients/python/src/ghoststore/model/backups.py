# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/backups.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, describe
from ._enums import OpenEnum
from .keys import Secret
from .maintenance import Statistics


class BackupKind(OpenEnum):
    """The values of `BackupKind`."""

    UNSPECIFIED = 0
    # Made by create_backup.
    MADE = 1
    # Sent with begin_backup_upload and write_backup.
    UPLOADED = 2
    # Not a backup, but the store that existed before the last restore. It needs disk space; it can only be deleted.
    REPLACED_STORE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """`Backup` of the protocol."""

    # Given by the daemon. The replaced store is always named "replaced".
    name: str = ""
    # The size of the file; for an incomplete upload, the bytes received so far.
    bytes: int = 0
    # For the replaced store: when it was replaced.
    created_at_microseconds: int = 0
    # 0 if it is not known.
    revision: int = 0
    # False for an incomplete upload, and for a backup of the daemon whose end is missing or damaged.
    is_complete: bool = False
    kind: BackupKind = BackupKind.UNSPECIFIED
    # The number of a backup that the daemon made: later backups of this store have greater numbers, even if the clock
    # was wrong. 0 if it is not known.
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateBackupRequest:
    """Makes a consistent, encrypted copy of the store with its keyring, under the daemon's state directory.
    Answers: progress, then backup.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class ListBackupsRequest:
    """Lists the backups by name, the oldest first, and the replaced store last. Answer: backups."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListBackupsResponse:
    """`ListBackupsResponse` of the protocol."""

    backups: tuple[Backup, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBackupRequest:
    """Reads one piece of a backup file. At most 32 requests of administration can wait, and this request is one of
    them. So request only a few pieces at a time, or the answer is QUEUE_FULL. Answer: backup_data, or
    BACKUP_NOT_FOUND, BACKUP_INCOMPLETE.
    """

    name: str = ""
    # At the end of the file, the answer has no data; an offset beyond the end is INVALID_ARGUMENT.
    offset: int = 0
    # 1 to 1,048,576.
    length: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBackupResponse:
    """`ReadBackupResponse` of the protocol."""

    data: bytes = b""
    # The size of the whole backup.
    total_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginBackupUploadRequest:
    """Begins to send a backup file to the daemon, for verify or restore. Answer: begin_backup_upload."""

    # The size of the whole file. Pieces beyond it are refused.
    total_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginBackupUploadResponse:
    """`BeginBackupUploadResponse` of the protocol."""

    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteBackupRequest:
    """Sends the next piece, of 1 to 1,048,576 bytes, at the offset where the previous one ended. The upload is
    complete when all announced bytes have arrived. A piece that is refused leaves the upload as it is. The
    request waits in the same queue as read_backup. Answer: write_backup.
    """

    name: str = ""
    offset: int = 0
    data: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteBackupResponse:
    """`WriteBackupResponse` of the protocol."""

    bytes_received: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyBackupRequest:
    """Opens the copy with its own keyring and reads every page and row. The secret may be absent while the store
    is open with the same master key. A file in which any byte was changed is BACKUP_DAMAGED, without a report.
    Answers: progress, then backup_report.
    """

    name: str = ""
    secret: Secret | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupReport:
    """`BackupReport` of the protocol."""

    # False if no byte of the file was changed but its content is inconsistent, because the store was damaged when the
    # backup was made. Restoring it is BACKUP_DAMAGED.
    is_clean: bool = False
    # The inconsistencies, at most 100 lines, without content.
    findings: tuple[str, ...] = ()
    statistics: Statistics | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreBackupRequest:
    """Verifies the backup, then replaces the store with it. The previous store is kept and listed as a backup of
    kind BACKUP_KIND_REPLACED_STORE, until it is deleted or the next restore replaces it. Answers: progress,
    then restore_backup.
    """

    name: str = ""
    secret: Secret | None = None
    # Must be true if a store exists.
    replace_existing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreBackupResponse:
    """`RestoreBackupResponse` of the protocol."""

    statistics: Statistics | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteBackupRequest:
    """Deletes a backup. Answer: delete_backup, or NOT_FOUND BACKUP_NOT_FOUND."""

    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteBackupResponse:
    """`DeleteBackupResponse` of the protocol."""


describe(
    Backup,
    Field(1, "name", Kind.STRING),
    Field(2, "bytes", Kind.UINT64),
    Field(3, "created_at_microseconds", Kind.INT64),
    Field(4, "revision", Kind.UINT64),
    Field(5, "is_complete", Kind.BOOL),
    Field(6, "kind", Kind.ENUM, BackupKind),
    Field(7, "number", Kind.UINT64),
)
describe(CreateBackupRequest)
describe(ListBackupsRequest)
describe(
    ListBackupsResponse,
    Field(1, "backups", Kind.MESSAGE, Backup, is_repeated=True),
)
describe(
    ReadBackupRequest,
    Field(1, "name", Kind.STRING),
    Field(2, "offset", Kind.UINT64),
    Field(3, "length", Kind.UINT32),
)
describe(
    ReadBackupResponse,
    Field(1, "data", Kind.BYTES),
    Field(2, "total_bytes", Kind.UINT64),
)
describe(
    BeginBackupUploadRequest,
    Field(1, "total_bytes", Kind.UINT64),
)
describe(
    BeginBackupUploadResponse,
    Field(1, "name", Kind.STRING),
)
describe(
    WriteBackupRequest,
    Field(1, "name", Kind.STRING),
    Field(2, "offset", Kind.UINT64),
    Field(3, "data", Kind.BYTES),
)
describe(
    WriteBackupResponse,
    Field(1, "bytes_received", Kind.UINT64),
)
describe(
    VerifyBackupRequest,
    Field(1, "name", Kind.STRING),
    Field(2, "secret", Kind.MESSAGE, Secret, has_presence=True),
)
describe(
    BackupReport,
    Field(1, "is_clean", Kind.BOOL),
    Field(2, "findings", Kind.STRING, is_repeated=True),
    Field(3, "statistics", Kind.MESSAGE, Statistics, has_presence=True),
)
describe(
    RestoreBackupRequest,
    Field(1, "name", Kind.STRING),
    Field(2, "secret", Kind.MESSAGE, Secret, has_presence=True),
    Field(3, "replace_existing", Kind.BOOL),
)
describe(
    RestoreBackupResponse,
    Field(1, "statistics", Kind.MESSAGE, Statistics, has_presence=True),
)
describe(
    DeleteBackupRequest,
    Field(1, "name", Kind.STRING),
)
describe(DeleteBackupResponse)
