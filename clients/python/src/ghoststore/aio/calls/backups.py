# Written by tools/generate.py from proto-docs; do not edit.
"""Calls of ghoststore/v1/backups.proto."""

from __future__ import annotations

from collections.abc import Callable

from ... import model as wire
from ...protocol import calls
from ...protocol.options import Options
from ..caller import AsyncCaller


class AsyncBackupsCalls(AsyncCaller):
    """The calls of ghoststore/v1/backups.proto."""

    async def create_backup(
        self,
        *,
        on_progress: Callable[[wire.Progress], None] | None = None,
        options: Options | None = None,
    ) -> wire.Backup:
        """Makes a consistent, encrypted copy of the store with its keyring, under the daemon's state directory.

        Args:
            on_progress: Is called with the progress of the work.

        Returns:
            Backup, with the name of the copy.

        Raises:
            ResourceExhausted: TOO_MANY_BACKUPS. The daemon keeps its maximum number of backups.
            ResourceExhausted: DISK_FULL. The disk is full.
        """
        request = wire.CreateBackupRequest()
        return await self.call(calls.CREATE_BACKUP, request, options, on_progress)

    async def list_backups(
        self,
        *,
        options: Options | None = None,
    ) -> wire.ListBackupsResponse:
        """Lists the backups by name, the oldest first, and the replaced store last.

        Returns:
            ListBackupsResponse, all in one answer.
        """
        request = wire.ListBackupsRequest()
        return await self.call(calls.LIST_BACKUPS, request, options)

    async def read_backup(
        self,
        name: str,
        offset: int,
        length: int,
        *,
        options: Options | None = None,
    ) -> wire.ReadBackupResponse:
        """Reads one piece of a backup file. At most 32 requests of administration can wait, and a request for a
        piece counts as one of them. So request only a few pieces at a time; otherwise some requests get
        QUEUE_FULL.

        `download_backup` is simpler: it makes all calls of the transfer.

        Args:
            name: The name of the backup, as list_backups returns it.
            offset: The offset at which the piece begins. At the end of the file, the answer has no data; an
                offset beyond the end gets INVALID_ARGUMENT.
            length: The number of bytes to read: 1 to 1,048,576.

        Returns:
            ReadBackupResponse, with the piece and the size of the whole file.

        Raises:
            NotFound: BACKUP_NOT_FOUND. The backup does not exist.
            FailedPrecondition: BACKUP_INCOMPLETE. The upload of the backup is not complete.
        """
        request = wire.ReadBackupRequest(
            name=name,
            offset=offset,
            length=length,
        )
        return await self.call(calls.READ_BACKUP, request, options)

    async def begin_backup_upload(
        self,
        total_bytes: int,
        *,
        options: Options | None = None,
    ) -> wire.BeginBackupUploadResponse:
        """Begins to send a backup file to the daemon, for verify_backup or restore_backup. Continue with
        write_backup.

        `upload_backup` is simpler: it makes all calls of the transfer.

        Args:
            total_bytes: The size of the whole file. The daemon refuses pieces that go beyond this size.

        Returns:
            BeginBackupUploadResponse, with the name of the new backup.

        Raises:
            ResourceExhausted: TOO_MANY_BACKUPS. The daemon keeps its maximum number of backups.
            ResourceExhausted: DISK_FULL if there is no space for the whole file.
        """
        request = wire.BeginBackupUploadRequest(
            total_bytes=total_bytes,
        )
        return await self.call(calls.BEGIN_BACKUP_UPLOAD, request, options)

    async def write_backup(
        self,
        name: str,
        offset: int,
        data: bytes,
        *,
        options: Options | None = None,
    ) -> wire.WriteBackupResponse:
        """Sends the next piece, of 1 to 1,048,576 bytes, at the offset where the previous piece ended. The upload
        is complete when all announced bytes have arrived. A piece that the daemon refuses does not change the
        upload. The request waits in the same queue as requests of read_backup.

        Args:
            name: The name of the upload, as begin_backup_upload returned it.
            offset: The number of bytes that were sent before this piece.
            data: 1 to 1,048,576 bytes.

        Returns:
            WriteBackupResponse, with the number of bytes received so far.

        Raises:
            NotFound: BACKUP_NOT_FOUND. The backup does not exist.
            InvalidArgument: INVALID_ARGUMENT if the piece is out of order, or longer than was announced.
            ResourceExhausted: DISK_FULL. The disk is full.
        """
        request = wire.WriteBackupRequest(
            name=name,
            offset=offset,
            data=data,
        )
        return await self.call(calls.WRITE_BACKUP, request, options)

    async def verify_backup(
        self,
        name: str,
        *,
        secret: wire.Secret | None = None,
        on_progress: Callable[[wire.Progress], None] | None = None,
        options: Options | None = None,
    ) -> wire.BackupReport:
        """Opens a backup with its own keyring and reads every page and row. The secret may be absent while the
        store is open with the same master key. If any byte of the file was changed, the answer is
        BACKUP_DAMAGED, without a report.

        Args:
            name: The name of the backup, as list_backups returns it.
            secret: A secret that opens a key slot of the backup.
            on_progress: Is called with the progress of the work.

        Returns:
            BackupReport, with the problems that were found.

        Raises:
            NotFound: BACKUP_NOT_FOUND. The backup does not exist.
            FailedPrecondition: BACKUP_INCOMPLETE. The upload of the backup is not complete.
            DataLoss: BACKUP_DAMAGED if any byte of the file was changed.
            FailedPrecondition: BACKUP_KEY_MISSING if no secret is given and the open store has another master
                key.
            PermissionDenied: WRONG_KEY. The secret opens no slot of the keyring.
            ResourceExhausted: UNLOCK_THROTTLED after three wrong passphrases.
            FailedPrecondition: NEWER_SCHEMA. A newer daemon wrote the store.
        """
        request = wire.VerifyBackupRequest(
            name=name,
            secret=secret,
        )
        return await self.call(calls.VERIFY_BACKUP, request, options, on_progress)

    async def restore_backup(
        self,
        name: str,
        *,
        secret: wire.Secret | None = None,
        replace_existing: bool = False,
        on_progress: Callable[[wire.Progress], None] | None = None,
        options: Options | None = None,
    ) -> wire.RestoreBackupResponse:
        """Verifies a backup, then replaces the store with it. The daemon keeps the previous store and lists it as
        a backup of kind BACKUP_KIND_REPLACED_STORE, until a caller deletes it, or until the next restore keeps
        another previous store instead. If the answer is an error, the call has changed nothing.

        Args:
            name: The name of the backup, as list_backups returns it.
            secret: A secret that opens a key slot of the backup. May be absent while the store is open with the
                same master key.
            replace_existing: Must be true if a store exists.
            on_progress: Is called with the progress of the work.

        Returns:
            RestoreBackupResponse, with the counts of the restored store.

        Raises:
            NotFound: BACKUP_NOT_FOUND. The backup does not exist.
            FailedPrecondition: BACKUP_INCOMPLETE. The upload of the backup is not complete.
            DataLoss: BACKUP_DAMAGED also if its content is inconsistent.
            FailedPrecondition: BACKUP_KEY_MISSING if no secret is given and the open store has another master
                key.
            PermissionDenied: WRONG_KEY. The secret opens no slot of the keyring.
            ResourceExhausted: UNLOCK_THROTTLED after three wrong passphrases.
            FailedPrecondition: NEWER_SCHEMA. A newer daemon wrote the store.
            FailedPrecondition: STORE_EXISTS if there is a store and `replace_existing` is not set.
            ResourceExhausted: DISK_FULL. The disk is full.
        """
        request = wire.RestoreBackupRequest(
            name=name,
            secret=secret,
            replace_existing=replace_existing,
        )
        return await self.call(calls.RESTORE_BACKUP, request, options, on_progress)

    async def delete_backup(
        self,
        name: str,
        *,
        options: Options | None = None,
    ) -> None:
        """Deletes a backup.

        Args:
            name: The name of a backup, an upload or the replaced store, as list_backups returns it.

        Raises:
            NotFound: BACKUP_NOT_FOUND. The backup does not exist.
        """
        request = wire.DeleteBackupRequest(
            name=name,
        )
        await self.call(calls.DELETE_BACKUP, request, options)
