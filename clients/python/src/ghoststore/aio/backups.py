"""Backup files, from and to the daemon."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from .. import model as wire
from ..errors import ConnectionLost
from ..protocol import calls
from ..protocol.options import Options
from ..streams import PIECE_BYTES, PieceReader, Source, Target
from .pieces import AsyncPieces, without_key
from .transport import in_thread


class AsyncBackups(AsyncPieces):
    """Backups as files of the host. They are encrypted as they are."""

    async def download_backup(self, name: str, target: Target, *, options: Options | None = None) -> int:
        """Reads a backup to a path of the host or into a file object; how many bytes it has."""
        return await self._receive(lambda: self._backup_pieces(name, options), target)

    async def upload_backup(self, source: Source, *, options: Options | None = None) -> str:
        """Sends a backup file to the daemon, for verify_backup and restore_backup; the name that it has there.

        Its size must be known: bytes, a path of the host, or a file object that seeks. After a lost connection it
        goes on where the daemon has it.
        """
        reader = await in_thread(PieceReader, source)
        try:
            total_bytes = await in_thread(lambda: reader.byte_count)
            if total_bytes is None:
                raise ValueError("an upload needs its size; hint: a path, or a file object that seeks")
            begin = wire.BeginBackupUploadRequest(total_bytes=total_bytes)
            name = (await self.call(calls.BEGIN_BACKUP_UPLOAD, begin, without_key(options))).name
            while reader.position < total_bytes:
                try:
                    await self._send_pieces(
                        calls.WRITE_BACKUP,
                        lambda offset, data: wire.WriteBackupRequest(name=name, offset=offset, data=data),
                        reader,
                        options,
                    )
                    break
                except ConnectionLost:
                    await in_thread(reader.rewind, await self._bytes_received(name, options))
            return name
        finally:
            await in_thread(reader.close)

    async def _bytes_received(self, name: str, options: Options | None) -> int:
        backups = await self.call(calls.LIST_BACKUPS, wire.ListBackupsRequest(), without_key(options))
        return next((backup.bytes for backup in backups.backups if backup.name == name), 0)

    async def _backup_pieces(self, name: str, options: Options | None) -> AsyncGenerator[bytes, None]:
        offset = 0
        while True:
            request = wire.ReadBackupRequest(name=name, offset=offset, length=PIECE_BYTES)
            answer = await self.call(calls.READ_BACKUP, request, options)
            offset += len(answer.data)
            if answer.data:
                yield answer.data
            if not answer.data or offset >= answer.total_bytes:
                return
