# Written by tools/generate.py from proto-docs; do not edit.
"""Calls of ghoststore/v1/archives.proto."""

from __future__ import annotations

from collections.abc import Sequence

from ... import model as wire
from ...protocol import calls
from ...protocol.options import Options
from ..caller import AsyncCaller


class AsyncArchivesCalls(AsyncCaller):
    """The calls of ghoststore/v1/archives.proto."""

    async def begin_archive(
        self,
        *,
        passphrase: wire.Secret | None = None,
        recipient_public_keys: Sequence[bytes] = (),
        low_cost: bool = False,
        since_revision: int = 0,
        options: Options | None = None,
    ) -> wire.BeginArchiveResponse:
        """Begins an archive of the store as it is at this moment. Needs administration and the right to read every
        area. Accepts at most one of passphrase and recipient_public_keys; without both, the archive is plain
        text. Answer: archive.
        """
        request = wire.BeginArchiveRequest(
            passphrase=passphrase,
            recipient_public_keys=tuple(recipient_public_keys),
            low_cost=low_cost,
            since_revision=since_revision,
        )
        return await self.call(calls.BEGIN_ARCHIVE, request, options)

    async def read_archive(
        self,
        session: int,
        offset: int,
        *,
        options: Options | None = None,
    ) -> wire.ReadArchiveResponse:
        """Reads the next piece of the file. Answer: archive_piece."""
        request = wire.ReadArchiveRequest(
            session=session,
            offset=offset,
        )
        return await self.call(calls.READ_ARCHIVE, request, options)

    async def begin_archive_restore(
        self,
        aim: wire.ArchiveAim,
        *,
        dry_run: bool = False,
        secret: wire.Secret | None = None,
        without_digest: bool = False,
        options: Options | None = None,
    ) -> wire.BeginArchiveRestoreResponse:
        """Begins a restore. Send the file twice: first as a dry run, which reads and checks all of it and changes
        nothing, then again. Needs administration and the right to write every area, even for a dry run, because
        a dry run reveals what exists. Answer: archive_restore.
        """
        request = wire.BeginArchiveRestoreRequest(
            aim=aim,
            dry_run=dry_run,
            secret=secret,
            without_digest=without_digest,
        )
        return await self.call(calls.BEGIN_ARCHIVE_RESTORE, request, options)

    async def write_archive_restore(
        self,
        session: int,
        offset: int,
        data: bytes,
        *,
        options: Options | None = None,
    ) -> wire.WriteArchiveRestoreResponse:
        """Sends the next piece of the file. The records that it completes are restored in steps of at most 256
        records or about 1 MiB. Answer: archive_restore_progress, or INVALID_ARGUMENT ARCHIVE_DAMAGED naming the
        byte.
        """
        request = wire.WriteArchiveRestoreRequest(
            session=session,
            offset=offset,
            data=data,
        )
        return await self.call(calls.WRITE_ARCHIVE_RESTORE, request, options)

    async def finish_archive_restore(
        self,
        session: int,
        *,
        options: Options | None = None,
    ) -> wire.ArchiveRestoreReport:
        """Declares the end of the file. Answer: archive_restore_report, or INVALID_ARGUMENT ARCHIVE_DAMAGED if the
        file is not complete. The records that were restored stay; to continue where it ended, restore the
        archive again as a merge.
        """
        request = wire.FinishArchiveRestoreRequest(
            session=session,
        )
        return await self.call(calls.FINISH_ARCHIVE_RESTORE, request, options)

    async def end_archive_session(
        self,
        session: int,
        *,
        options: Options | None = None,
    ) -> None:
        """Ends an archive or a restore early. Restored records stay. Answer: archive_session_ended, even if the
        session does not exist any more.
        """
        request = wire.EndArchiveSessionRequest(
            session=session,
        )
        await self.call(calls.END_ARCHIVE_SESSION, request, options)
