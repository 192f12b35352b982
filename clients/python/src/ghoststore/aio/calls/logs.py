# Written by tools/generate.py from proto-docs; do not edit.
"""Calls of ghoststore/v1/logs.proto."""

from __future__ import annotations

from collections.abc import Sequence

from ... import model as wire
from ...protocol import calls
from ...protocol.options import Options
from ..caller import AsyncCaller


class AsyncLogsCalls(AsyncCaller):
    """The calls of ghoststore/v1/logs.proto."""

    async def open_log(
        self,
        name: str,
        maximum_bytes: int,
        *,
        overwrites_oldest: bool = False,
        is_replicated: bool = False,
        options: Options | None = None,
    ) -> wire.OpenLogResponse:
        """Creates the log, or finds the existing one. An existing log keeps its configuration: the answer has it,
        and append_log with another configuration is LOG_NOT_WRITABLE. An existing log becomes replicated when
        open_log first asks for it with the log's own configuration. Answer: open_log.
        """
        request = wire.OpenLogRequest(
            name=name,
            maximum_bytes=maximum_bytes,
            overwrites_oldest=overwrites_oldest,
            is_replicated=is_replicated,
        )
        return await self.call(calls.OPEN_LOG, request, options)

    async def append_log(
        self,
        name: str,
        messages: Sequence[bytes],
        *,
        maximum_bytes: int = 0,
        overwrites_oldest: bool = False,
        options: Options | None = None,
    ) -> wire.AppendLogResponse:
        """Appends all messages or none. An append is not a change: list_changes and watch do not show it. Use
        read_log to follow a log. Answer: append_log, or LOG_NOT_FOUND, LOG_NOT_WRITABLE, LOG_FULL,
        LOG_MESSAGE_TOO_LARGE.
        """
        request = wire.AppendLogRequest(
            name=name,
            messages=tuple(messages),
            maximum_bytes=maximum_bytes,
            overwrites_oldest=overwrites_oldest,
        )
        return await self.call(calls.APPEND_LOG, request, options)

    async def read_log(
        self,
        name: str,
        *,
        after_sequence: int = 0,
        limit: int = 0,
        wait_milliseconds: int = 0,
        created_revision: int = 0,
        all_devices: bool = False,
        place: bytes = b"",
        options: Options | None = None,
    ) -> wire.ReadLogResponse:
        """Reads messages that were appended to this store, oldest first. If the first one has a greater number
        than after_sequence + 1, the messages between were overwritten. With all_devices, reads the messages
        that any device of the group has appended, as far as they have arrived, in the order of the times at
        which they were appended; a message that arrives late comes after the messages that were already read.
        Answer: log_entries, or LOG_NOT_FOUND.
        """
        request = wire.ReadLogRequest(
            name=name,
            after_sequence=after_sequence,
            limit=limit,
            wait_milliseconds=wait_milliseconds,
            created_revision=created_revision,
            all_devices=all_devices,
            place=place,
        )
        return await self.call(calls.READ_LOG, request, options)

    async def get_log(
        self,
        name: str,
        *,
        options: Options | None = None,
    ) -> wire.Log:
        """Returns a log. Answer: log, or LOG_NOT_FOUND."""
        request = wire.GetLogRequest(
            name=name,
        )
        return await self.call(calls.GET_LOG, request, options)

    async def list_logs(
        self,
        *,
        limit: int = 0,
        cursor: str = "",
        options: Options | None = None,
    ) -> wire.ListLogsResponse:
        """Lists logs by the bytes of their names. Answer: logs."""
        request = wire.ListLogsRequest(
            limit=limit,
            cursor=cursor,
        )
        return await self.call(calls.LIST_LOGS, request, options)

    async def delete_log(
        self,
        name: str,
        *,
        options: Options | None = None,
    ) -> wire.Commit:
        """Deletes the log and its messages. A log that is created later under this name starts at sequence number
        1 again. A replicated log is deleted on all devices, with everything that was appended before. If a
        device appends something later, the log exists again, without the earlier entries. Answer: commit, or
        LOG_NOT_FOUND.
        """
        request = wire.DeleteLogRequest(
            name=name,
        )
        return await self.call(calls.DELETE_LOG, request, options)
