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
        Answers: progress, then backup.
        """
        request = wire.CreateBackupRequest()
        return await self.call(calls.CREATE_BACKUP, request, options, on_progress)

    async def list_backups(
        self,
        *,
        options: Options | None = None,
    ) -> wire.ListBackupsResponse:
        """Lists the backups by name, the oldest first, and the replaced store last. Answer: backups."""
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
        """Reads one piece of a backup file. At most 32 requests of administration can wait, and this request is
        one of them. So request only a few pieces at a time, or the answer is QUEUE_FULL. Answer: backup_data,
        or BACKUP_NOT_FOUND, BACKUP_INCOMPLETE.
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
        """Begins to send a backup file to the daemon, for verify or restore. Answer: begin_backup_upload."""
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
        """Sends the next piece, of 1 to 1,048,576 bytes, at the offset where the previous one ended. The upload is
        complete when all announced bytes have arrived. A piece that is refused leaves the upload as it is. The
        request waits in the same queue as read_backup. Answer: write_backup.
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
        """Opens the copy with its own keyring and reads every page and row. The secret may be absent while the
        store is open with the same master key. A file in which any byte was changed is BACKUP_DAMAGED, without
        a report. Answers: progress, then backup_report.
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
        """Verifies the backup, then replaces the store with it. The previous store is kept and listed as a backup
        of kind BACKUP_KIND_REPLACED_STORE, until it is deleted or the next restore replaces it. Answers:
        progress, then restore_backup.
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
        """Deletes a backup. Answer: delete_backup, or NOT_FOUND BACKUP_NOT_FOUND."""
        request = wire.DeleteBackupRequest(
            name=name,
        )
        await self.call(calls.DELETE_BACKUP, request, options)
