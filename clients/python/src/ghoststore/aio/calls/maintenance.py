# Written by tools/generate.py from proto-docs; do not edit.
"""Calls of ghoststore/v1/maintenance.proto."""

from __future__ import annotations

from collections.abc import Callable

from ... import model as wire
from ...protocol import calls
from ...protocol.options import Options
from ..caller import AsyncCaller


class AsyncMaintenanceCalls(AsyncCaller):
    """The calls of ghoststore/v1/maintenance.proto."""

    async def get_statistics(
        self,
        *,
        options: Options | None = None,
    ) -> wire.Statistics:
        """Returns the counts of the store.

        Returns:
            Statistics, with all counts from one moment.
        """
        request = wire.GetStatisticsRequest()
        return await self.call(calls.GET_STATISTICS, request, options)

    async def check_store(
        self,
        *,
        on_progress: Callable[[wire.Progress], None] | None = None,
        options: Options | None = None,
    ) -> wire.CheckReport:
        """Reads every page and row of the store. If the daemon finds damage, the answer is a report and not an
        error, and the store's state becomes DATABASE_DAMAGED.

        Args:
            on_progress: Is called with the progress of the work.

        Returns:
            CheckReport, with the problems that were found.

        Raises:
            Unavailable: STORE_BUSY if clients write more than 256 MiB to the store during one part of the
                check.
        """
        request = wire.CheckStoreRequest()
        return await self.call(calls.CHECK_STORE, request, options, on_progress)

    async def clear_all_data(
        self,
        confirmation: str,
        *,
        leave_replica_group: bool = False,
        options: Options | None = None,
    ) -> wire.Commit:
        """Deletes every conversation, message, draft, contact, scene, log and file, the changes that name them,
        and every idempotency key except the key of this request. The keys of the store and the backups stay.
        `confirmation` must be the words "clear all data".

        The call deletes nothing on the other devices of a replica group. If the store belongs to a group, the
        request must set leave_replica_group.

        Args:
            leave_replica_group: The store also leaves its group, as with the call leave_replica_group. Has no
                effect without a group.

        Returns:
            Commit; its `deleted_count` counts conversations, messages, drafts, contacts, values of scenes in
                both tiers, logs, files and directories.

        Raises:
            FailedPrecondition: STORE_IN_REPLICA_GROUP. `clear_all_data` would take the store out of its group.
        """
        request = wire.ClearAllDataRequest(
            confirmation=confirmation,
            leave_replica_group=leave_replica_group,
        )
        return await self.call(calls.CLEAR_ALL_DATA, request, options)
