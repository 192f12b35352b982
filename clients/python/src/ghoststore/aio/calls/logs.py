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
        """Creates a log, or finds the existing log with this name. An existing log keeps its configuration: the
        answer has this configuration, and append_log with another configuration gets LOG_NOT_WRITABLE. An
        existing log becomes replicated when a client first opens it with `is_replicated` and with the log's own
        configuration.

        Args:
            name: 1 to 256 bytes of UTF-8 without NUL.
            maximum_bytes: 64 to 2^40. A header uses 64 of these bytes, and each message uses its own length and
                four bytes. A message with metadata also uses the length of the serialized Metadata and four
                more bytes.
            overwrites_oldest: True if new messages replace the oldest messages when the log is full. False if
                the daemon refuses new messages then.
            is_replicated: Replicates existing and future entries of the log in the store's replica group. If
                the store belongs to no group, replication begins when the store joins a group.

        Returns:
            OpenLogResponse, with the log, and whether it is new.
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
        metadata: Sequence[wire.Metadata] = (),
        options: Options | None = None,
    ) -> wire.AppendLogResponse:
        """Appends all messages or none. An append is not a change: list_changes and watch do not show it. Use
        read_log to follow a log.

        Args:
            name: The name of the log.
            messages: 1 to 256 messages, each of 1 byte to 8 MiB.
            maximum_bytes: The configuration with which the writer opened the log. If maximum_bytes is 0, the
                daemon accepts any configuration, and `overwrites_oldest` has no effect.
            metadata: The metadata of the messages, in their order: one for each message, or none at all. An
                element without data stands for a message without metadata.

        Returns:
            AppendLogResponse, with the numbers of the first and the last message.

        Raises:
            NotFound: LOG_NOT_FOUND. The append log does not exist, or was deleted and another log now has its
                name.
            FailedPrecondition: LOG_NOT_WRITABLE. The configuration of the log differs from the configuration in
                the request.
            FailedPrecondition: LOG_FULL. The log does not overwrite its old messages and has no room for the
                new ones.
            InvalidArgument: LOG_MESSAGE_TOO_LARGE. A message would not fit even if the log were empty.
        """
        request = wire.AppendLogRequest(
            name=name,
            messages=tuple(messages),
            maximum_bytes=maximum_bytes,
            overwrites_oldest=overwrites_oldest,
            metadata=tuple(metadata),
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
        """Reads messages that were appended to this store, oldest first. If the first message has a greater number
        than after_sequence + 1, the messages in between were overwritten. With all_devices, reads the messages
        that any device of the group has appended, as far as they have arrived, in the order of the times at
        which they were appended. A message that arrives late comes after the messages that the client has
        already read.

        `log_entries` is simpler: it requests one page after another.

        Args:
            name: The name of the log.
            after_sequence: 0 starts at the oldest message that still exists.
            limit: 1 to 1,000; 0 means 100. A page ends earlier if its messages and their metadata need 1 MiB.
            wait_milliseconds: If the log has no entry to read, the daemon waits this many milliseconds, at most
                60,000, for one. It answers as soon as there is an entry, or without entries. Such a read does
                not wait for the writes sent before it on its connection, and no other request waits for it.
            created_revision: Reads only the log created at this revision (Log.created_revision). If another log
                has the name now, the answer is LOG_NOT_FOUND. 0 reads any log with the name.
            all_devices: Reads the entries of all devices, after `place` instead of after_sequence.
            place: Only with all_devices: the `place` in the answer with the previous page; empty starts at the
                oldest messages that still exist. If the log was deleted since that page, the answer is
                LOG_NOT_FOUND.

        Returns:
            ReadLogResponse, with one page of the list.

        Raises:
            NotFound: LOG_NOT_FOUND. The append log does not exist, or was deleted and another log now has its
                name.
            ResourceExhausted: TOO_MANY_WATCHES with `wait_milliseconds`.
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
        """Returns a log.

        Args:
            name: The name of the log.

        Returns:
            Log, as it is now.

        Raises:
            NotFound: LOG_NOT_FOUND. The append log does not exist, or was deleted and another log now has its
                name.
        """
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
        """Lists logs, ordered by the bytes of their names.

        `logs` is simpler: it requests one page after another.

        Args:
            limit: 1 to 1,000; 0 means 100.
            cursor: next_cursor of the previous page; empty starts at the top.

        Returns:
            ListLogsResponse, with one page of the list.
        """
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
        """Deletes a log and its messages. A log that is created later with this name starts at sequence number 1
        again. A replicated log is deleted on all devices, with everything that was appended before the
        deletion. If a device appends something later, the log exists again, without the earlier entries.

        Args:
            name: The name of the log.

        Returns:
            Commit, with the log's name.

        Raises:
            NotFound: LOG_NOT_FOUND. The append log does not exist, or was deleted and another log now has its
                name.
        """
        request = wire.DeleteLogRequest(
            name=name,
        )
        return await self.call(calls.DELETE_LOG, request, options)
