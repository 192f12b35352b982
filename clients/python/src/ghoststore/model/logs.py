# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/logs.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, describe


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """`Log` of the protocol."""

    name: str = ""
    # Both are fixed for the life of the log.
    maximum_bytes: int = 0
    overwrites_oldest: bool = False
    created_at_microseconds: int = 0
    # The sequence numbers of the oldest and the newest message in the log; both 0 if it has none. Numbers start at 1,
    # have no gaps and are never used again.
    first_sequence: int = 0
    last_sequence: int = 0
    # The bytes that the messages use, each with four bytes for its length, of the maximum_bytes - 64 that they can
    # use.
    used_bytes: int = 0
    # The store's revision at which the log was created. Within one history of the store, it distinguishes the log
    # from earlier and later logs with the same name.
    created_revision: int = 0
    # The log is replicated in the store's replica group, if the rules of the group include its name: other devices
    # get the entries of this device, and their entries can be read here. This lasts as long as the log exists.
    is_replicated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLogRequest:
    """Creates the log, or finds the existing one. An existing log keeps its configuration: the answer has it, and
    append_log with another configuration is LOG_NOT_WRITABLE. An existing log becomes replicated when open_log
    first asks for it with the log's own configuration. Answer: open_log.
    """

    # 1 to 256 bytes of UTF-8 without NUL.
    name: str = ""
    # 64 to 2^40: a header of 64 bytes, then each message with four bytes of length.
    maximum_bytes: int = 0
    # For a full log: true lets new messages replace the oldest ones, false refuses new messages.
    overwrites_oldest: bool = False
    # Replicates existing and future entries of the log in the store's replica group, also if the store joins a group
    # later.
    is_replicated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLogResponse:
    """`OpenLogResponse` of the protocol."""

    # As it was found or created. Without the right to read it: only its name and configuration.
    log: Log | None = None
    # True if this request created the log.
    is_new: bool = False
    # True if this is the stored answer to an earlier request with the same idempotency key.
    is_replayed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AppendLogRequest:
    """Appends all messages or none. An append is not a change: list_changes and watch do not show it. Use read_log
    to follow a log. Answer: append_log, or LOG_NOT_FOUND, LOG_NOT_WRITABLE, LOG_FULL, LOG_MESSAGE_TOO_LARGE.
    """

    name: str = ""
    # The configuration with which the writer opened the log. If this is 0, any configuration is accepted, and
    # `overwrites_oldest` has no effect.
    maximum_bytes: int = 0
    overwrites_oldest: bool = False
    # 1 to 256 messages, each of 1 byte to 8 MiB.
    messages: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AppendLogResponse:
    """The messages are on disk and survive a loss of power."""

    first_sequence: int = 0
    last_sequence: int = 0
    # True if this is the stored answer to an earlier request with the same idempotency key.
    is_replayed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLogRequest:
    """Reads messages that were appended to this store, oldest first. If the first one has a greater number than
    after_sequence + 1, the messages between were overwritten. With all_devices, reads the messages that any
    device of the group has appended, as far as they have arrived, in the order of the times at which they were
    appended; a message that arrives late comes after the messages that were already read. Answer: log_entries,
    or LOG_NOT_FOUND.
    """

    name: str = ""
    # 0 starts at the oldest message that still exists.
    after_sequence: int = 0
    # 1 to 1,000; 0 means 100. A page ends earlier if its messages need 1 MiB.
    limit: int = 0
    # If the log has no entry to read, the daemon waits this many milliseconds, at most 60,000, for one. It answers as
    # soon as there is an entry, or without entries. Such a read does not wait for the writes sent before it on its
    # connection, and no other request waits for it.
    wait_milliseconds: int = 0
    # Reads only the log created at this revision (Log.created_revision). If another log has the name now, the answer
    # is LOG_NOT_FOUND. 0 reads any log with the name.
    created_revision: int = 0
    # Reads the entries of all devices, after `place` instead of after_sequence.
    all_devices: bool = False
    # The value in the previous page; empty starts at the oldest messages that still exist. If the log was deleted
    # since, the answer is LOG_NOT_FOUND.
    place: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLogResponse:
    """`ReadLogResponse` of the protocol."""

    entries: tuple[LogEntry, ...] = ()
    # True if more messages can be read after the last one.
    has_more: bool = False
    # The log at the same moment.
    log: Log | None = None
    # The history that the log's numbers belong to. Send it (Request.history_id) with after_sequence to continue.
    history_id: bytes = b""
    # With all_devices: where the next page begins, even after a page without entries. It contains the number of the
    # last message that was read of each device.
    place: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEntry:
    """A message with its position in the log."""

    # Each device counts its own entries.
    sequence: int = 0
    data: bytes = b""
    # With all_devices: the device of the group that appended the entry; 0: this store.
    device: int = 0
    # With all_devices, and in a log that is replicated: when the entry was appended, by the clock of that device; 0
    # if it is not known.
    appended_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class GetLogRequest:
    """Returns a log. Answer: log, or LOG_NOT_FOUND."""

    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListLogsRequest:
    """Lists logs by the bytes of their names. Answer: logs."""

    # 1 to 1,000; 0 means 100.
    limit: int = 0
    cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListLogsResponse:
    """`ListLogsResponse` of the protocol."""

    logs: tuple[Log, ...] = ()
    # Empty on the last page.
    next_cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteLogRequest:
    """Deletes the log and its messages. A log that is created later under this name starts at sequence number 1
    again. A replicated log is deleted on all devices, with everything that was appended before. If a device
    appends something later, the log exists again, without the earlier entries. Answer: commit, or
    LOG_NOT_FOUND.
    """

    name: str = ""


describe(
    Log,
    Field(1, "name", Kind.STRING),
    Field(2, "maximum_bytes", Kind.UINT64),
    Field(3, "overwrites_oldest", Kind.BOOL),
    Field(4, "created_at_microseconds", Kind.INT64),
    Field(5, "first_sequence", Kind.UINT64),
    Field(6, "last_sequence", Kind.UINT64),
    Field(7, "used_bytes", Kind.UINT64),
    Field(8, "created_revision", Kind.UINT64),
    Field(9, "is_replicated", Kind.BOOL),
)
describe(
    OpenLogRequest,
    Field(1, "name", Kind.STRING),
    Field(2, "maximum_bytes", Kind.UINT64),
    Field(3, "overwrites_oldest", Kind.BOOL),
    Field(4, "is_replicated", Kind.BOOL),
)
describe(
    OpenLogResponse,
    Field(1, "log", Kind.MESSAGE, Log, has_presence=True),
    Field(2, "is_new", Kind.BOOL),
    Field(3, "is_replayed", Kind.BOOL),
)
describe(
    AppendLogRequest,
    Field(1, "name", Kind.STRING),
    Field(2, "maximum_bytes", Kind.UINT64),
    Field(3, "overwrites_oldest", Kind.BOOL),
    Field(4, "messages", Kind.BYTES, is_repeated=True),
)
describe(
    AppendLogResponse,
    Field(1, "first_sequence", Kind.UINT64),
    Field(2, "last_sequence", Kind.UINT64),
    Field(3, "is_replayed", Kind.BOOL),
)
describe(
    ReadLogRequest,
    Field(1, "name", Kind.STRING),
    Field(2, "after_sequence", Kind.UINT64),
    Field(3, "limit", Kind.UINT32),
    Field(4, "wait_milliseconds", Kind.UINT32),
    Field(5, "created_revision", Kind.UINT64),
    Field(6, "all_devices", Kind.BOOL),
    Field(7, "place", Kind.BYTES),
)
describe(
    ReadLogResponse,
    Field(1, "entries", Kind.MESSAGE, LogEntry, is_repeated=True),
    Field(2, "has_more", Kind.BOOL),
    Field(3, "log", Kind.MESSAGE, Log, has_presence=True),
    Field(4, "history_id", Kind.BYTES),
    Field(5, "place", Kind.BYTES),
)
describe(
    LogEntry,
    Field(1, "sequence", Kind.UINT64),
    Field(2, "data", Kind.BYTES),
    Field(3, "device", Kind.UINT64),
    Field(4, "appended_at_microseconds", Kind.INT64),
)
describe(
    GetLogRequest,
    Field(1, "name", Kind.STRING),
)
describe(
    ListLogsRequest,
    Field(1, "limit", Kind.UINT32),
    Field(2, "cursor", Kind.STRING),
)
describe(
    ListLogsResponse,
    Field(1, "logs", Kind.MESSAGE, Log, is_repeated=True),
    Field(2, "next_cursor", Kind.STRING),
)
describe(
    DeleteLogRequest,
    Field(1, "name", Kind.STRING),
)
