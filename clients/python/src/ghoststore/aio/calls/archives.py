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
        """Begins an archive of the store as it is at this moment. Continue with read_archive. Needs the rights to
        administration and to read every area except metrics. Accepts a passphrase or recipient_public_keys, not
        both; without them, the archive is not encrypted.

        `create_archive` is simpler: it makes all calls of the transfer.

        Args:
            passphrase: Seals the archive with a passphrase (kind KEY_SLOT_KIND_PASSPHRASE).
            recipient_public_keys: Seals the archive for the owners of these X25519 keys: up to 16 keys of 32
                bytes each. The secret key of any of them opens the archive.
            low_cost: Cheap key derivation of the passphrase, for tests. The daemon's configuration must allow
                it.
            since_revision: 0 makes an archive of everything. Any other value makes an archive of changes:
                everything that was created, changed or removed after this revision of the store's history
                (Request.history_id). If the store no longer keeps all of these changes, the answer is
                CHANGES_COMPACTED: make a full archive. If the store has not reached the revision, the answer is
                REVISION_AHEAD.

        Returns:
            BeginArchiveResponse, with the number of the session and the revision that the archive shows.

        Raises:
            OutOfRange: CHANGES_COMPACTED if the store no longer keeps all changes since `since_revision`: make
                a full archive.
            OutOfRange: REVISION_AHEAD if the store has not reached `since_revision`.
            FailedPrecondition: LOW_COST_REFUSED. The daemon's configuration does not allow the low-cost key
                derivation that the request asked for.
            ResourceExhausted: TOO_MANY_BLOB_SESSIONS. The maximum number of exports, imports, archives and
                restores is running.
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
        """Reads the next piece of the file.

        Args:
            session: The session that begin_archive returned.
            offset: The end of the previous piece; 0 for the first piece.

        Returns:
            ReadArchiveResponse, with the bytes.

        Raises:
            NotFound: BLOB_SESSION_NOT_FOUND. No export or import with this id is in progress.
            InvalidArgument: INVALID_ARGUMENT if the offset is not the end of the previous piece.
        """
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
        """Begins a restore. Continue with write_archive_restore and finish_archive_restore. Send the file twice:
        first as a dry run, which reads and checks the whole file and changes nothing, then without `dry_run`.
        Needs the rights to administration and to write every area except metrics, even for a dry run, because a
        dry run reveals what exists.

        `restore_archive` is simpler: it makes all calls of the transfer.

        Args:
            aim: The aim of the restore: only to check the archive, to fill an empty store, or to merge.
            dry_run: Reports what the restore would do, and changes nothing.
            secret: The secret that opens a sealed archive, of kind KEY_SLOT_KIND_PASSPHRASE, or of kind
                KEY_SLOT_KIND_KEY_FILE with the 32 bytes of a recipient's secret key. Absent for an archive that
                is not sealed.
            without_digest: Accepts a footer without a digest, as in an archive made by hand; the report's
                content_id is then the digest of the bytes sent. If this is false, a footer without a digest is
                damage.

        Returns:
            BeginArchiveRestoreResponse, with the number of the session.

        Raises:
            FailedPrecondition: STORE_NOT_EMPTY with ARCHIVE_AIM_FILL_EMPTY.
            ResourceExhausted: TOO_MANY_BLOB_SESSIONS. The maximum number of exports, imports, archives and
                restores is running.
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
        """Sends the next piece of the file. The daemon restores the records that are complete with this piece, in
        steps of at most 256 records or about 1 MiB.

        Args:
            session: The session that begin_archive_restore returned.
            offset: The end of the previous piece; 0 for the first piece.
            data: At most 1,048,576 bytes. The first piece must have at least 16 bytes.

        Returns:
            WriteArchiveRestoreResponse, with the number of bytes received so far.

        Raises:
            NotFound: BLOB_SESSION_NOT_FOUND. No export or import with this id is in progress.
            InvalidArgument: ARCHIVE_DAMAGED, with the offset of the damage in the message of the error.
            PermissionDenied: ARCHIVE_SECRET_WRONG. The sealed archive needs a secret, another secret, or a
                secret of another kind.
            ResourceExhausted: UNLOCK_THROTTLED after three wrong passphrases.
            InvalidArgument: INVALID_ARGUMENT if the offset is not the end of the previous piece.
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
        """Declares the end of the file. If the file is not complete, the records that were already restored stay;
        to restore the other records, restore the complete archive as a merge.

        Args:
            session: The session that begin_archive_restore returned.

        Returns:
            ArchiveRestoreReport, with what the archive contains and what the daemon restored.

        Raises:
            NotFound: BLOB_SESSION_NOT_FOUND. No export or import with this id is in progress.
            InvalidArgument: ARCHIVE_DAMAGED if the file is not complete.
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
        """Ends an archive or a restore early. Records that were already restored stay. Has no effect if the
        session does not exist any more.

        Args:
            session: The session of an archive or a restore.
        """
        request = wire.EndArchiveSessionRequest(
            session=session,
        )
        await self.call(calls.END_ARCHIVE_SESSION, request, options)
