# Written by tools/generate.py from the module of the same name in aio; do not edit.
"""Transfers of backup files from and to the daemon."""

from __future__ import annotations

from collections.abc import Generator

from .. import model as wire
from ..protocol import calls
from ..protocol.options import Options
from ..streams import PIECE_BYTES, PieceReader, Source, Target
from .pieces import Pieces, without_key
from .transport import in_thread


class Backups(Pieces):
    """Backups as files of the host. A backup is encrypted."""

    def download_backup(self, name: str, target: Target, *, options: Options | None = None) -> int:
        """Reads a backup to a path of the host or into a file object. Returns its number of bytes.

        Raises:
            NotFound: BACKUP_NOT_FOUND. The backup does not exist.
            FailedPrecondition: BACKUP_INCOMPLETE. The upload of the backup is not complete.
            OSError: The target cannot be written.
        """
        return self._receive(lambda: self._backup_pieces(name, options), target)

    def upload_backup(self, source: Source, *, options: Options | None = None) -> str:
        """Sends a backup file to the daemon and returns its name there, for verify_backup and restore_backup.

        The size of the source must be known: pass bytes, a path of the host, or a file object that can seek. After a
        lost connection the upload continues, even if the daemon was restarted.

        Raises:
            ResourceExhausted: TOO_MANY_BACKUPS. The daemon keeps as many backups as allowed; delete one.
            ResourceExhausted: DISK_FULL. There is no space for the whole file.
            SourceChanged: The source became longer or shorter.
            ValueError: The size of the source is not known.
            OSError: The source cannot be read.
        """
        reader = in_thread(PieceReader, source)
        try:
            total_bytes = in_thread(reader.announce)
            if total_bytes is None:
                raise ValueError("an upload needs its size; hint: a path, or a file object that seeks")
            begin = wire.BeginBackupUploadRequest(total_bytes=total_bytes)
            name = (self.call(calls.BEGIN_BACKUP_UPLOAD, begin, without_key(options))).name
            self._send_ahead(
                calls.WRITE_BACKUP,
                lambda offset, data: wire.WriteBackupRequest(name=name, offset=offset, data=data),
                reader,
                options,
                lambda: self._bytes_received(name, options),
            )
            return name
        finally:
            in_thread(reader.close)

    def _bytes_received(self, name: str, options: Options | None) -> int:
        """Returns the number of bytes that the daemon has of an upload; 0 if the upload was deleted."""
        answer = self.call(calls.LIST_BACKUPS, wire.ListBackupsRequest(), without_key(options))
        return sum(backup.bytes for backup in answer.backups if backup.name == name)

    def _backup_pieces(self, name: str, options: Options | None) -> Generator[bytes, None, None]:
        offset = 0
        while True:
            request = wire.ReadBackupRequest(name=name, offset=offset, length=PIECE_BYTES)
            answer = self.call(calls.READ_BACKUP, request, options)
            offset += len(answer.data)
            if answer.data:
                yield answer.data
            if not answer.data or offset >= answer.total_bytes:
                return
