# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/backups.proto."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..wire import Field, Kind, Model, describe
from ._enums import OpenEnum
from .keys import Secret
from .maintenance import Statistics


class BackupKind(OpenEnum):
    """The origin of a backup.

    Attributes:
        MADE: Made by create_backup.
        UPLOADED: Sent with begin_backup_upload and write_backup.
        REPLACED_STORE: Not a backup, but the store that existed before the last restore. It uses disk space
            until you delete it; no other call accepts it.
    """

    UNSPECIFIED = 0
    MADE = 1
    UPLOADED = 2
    REPLACED_STORE = 3


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Backup(Model):
    """A backup that the daemon keeps: an encrypted copy of the store with its keyring.

    Attributes:
        name (str): The name that the daemon gave the backup. The replaced store is always named "replaced".
        bytes (int): The size of the file; for an incomplete upload, the bytes received so far.
        created_at_microseconds (int): When the backup was made. For the replaced store: when it was replaced.
        revision (int): The revision of the store in the backup; 0 if it is not known.
        is_complete (bool): False for an incomplete upload, and for a backup made by the daemon whose end is
            missing or damaged.
        kind (BackupKind): The origin of the backup.
        number (int): The number that the daemon gave the backup when it made the backup: later backups of this
            store have greater numbers, even if the clock was wrong. 0 if the number is not known.
    """

    name: str = ""
    bytes: int = 0
    created_at_microseconds: int = 0
    revision: int = 0
    is_complete: bool = False
    kind: BackupKind = BackupKind.UNSPECIFIED
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CreateBackupRequest(Model):
    """The request of `create_backup`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListBackupsRequest(Model):
    """The request of `list_backups`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListBackupsResponse(Model):
    """`ListBackupsResponse` of the protocol.

    Attributes:
        backups (tuple[Backup, ...]): The backups by name, the oldest first, and the replaced store last.
    """

    backups: tuple[Backup, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReadBackupRequest(Model):
    """The request of `read_backup`.

    Attributes:
        name (str): The name of the backup, as list_backups returns it.
        offset (int): The offset at which the piece begins. At the end of the file, the answer has no data; an
            offset beyond the end gets INVALID_ARGUMENT.
        length (int): The number of bytes to read: 1 to 1,048,576.
    """

    name: str = ""
    offset: int = 0
    length: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReadBackupResponse(Model):
    """A part of a backup file.

    Attributes:
        data (bytes): The bytes; fewer than requested at the end of the file.
        total_bytes (int): The size of the whole backup.
    """

    data: bytes = b""
    total_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BeginBackupUploadRequest(Model):
    """The request of `begin_backup_upload`.

    Attributes:
        total_bytes (int): The size of the whole file. The daemon refuses pieces that go beyond this size.
    """

    total_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BeginBackupUploadResponse(Model):
    """`BeginBackupUploadResponse` of the protocol.

    Attributes:
        name (str): The name of the upload, for write_backup.
    """

    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WriteBackupRequest(Model):
    """The request of `write_backup`.

    Attributes:
        name (str): The name of the upload, as begin_backup_upload returned it.
        offset (int): The number of bytes that were sent before this piece.
        data (bytes): 1 to 1,048,576 bytes.
    """

    name: str = ""
    offset: int = 0
    data: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WriteBackupResponse(Model):
    """`WriteBackupResponse` of the protocol.

    Attributes:
        bytes_received (int): The number of bytes of the upload that the daemon has received.
    """

    bytes_received: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class VerifyBackupRequest(Model):
    """The request of `verify_backup`.

    Attributes:
        name (str): The name of the backup, as list_backups returns it.
        secret (Secret | None): A secret that opens a key slot of the backup.
    """

    name: str = ""
    secret: Secret | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BackupReport(Model):
    """The result of reading every page and row of a backup.

    Attributes:
        is_clean (bool): False if the content of the backup is inconsistent although no byte of the file was
            changed: the store was already damaged when the backup was made. A request to restore such a backup
            gets BACKUP_DAMAGED.
        findings (tuple[str, ...]): The inconsistencies, at most 100 lines, without content.
        statistics (Statistics): The counts of the store in the backup.
    """

    is_clean: bool = False
    findings: tuple[str, ...] = ()
    statistics: Statistics = field(default_factory=lambda: Statistics())


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RestoreBackupRequest(Model):
    """The request of `restore_backup`.

    Attributes:
        name (str): The name of the backup, as list_backups returns it.
        secret (Secret | None): A secret that opens a key slot of the backup. May be absent while the store is
            open with the same master key.
        replace_existing (bool): Must be true if a store exists.
    """

    name: str = ""
    secret: Secret | None = None
    replace_existing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RestoreBackupResponse(Model):
    """`RestoreBackupResponse` of the protocol.

    Attributes:
        statistics (Statistics): The counts of the restored store.
    """

    statistics: Statistics = field(default_factory=lambda: Statistics())


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DeleteBackupRequest(Model):
    """The request of `delete_backup`.

    Attributes:
        name (str): The name of a backup, an upload or the replaced store, as list_backups returns it.
    """

    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DeleteBackupResponse(Model):
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
