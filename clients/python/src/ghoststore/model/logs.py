# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/logs.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, describe


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """`Log` of the protocol."""

    name: str = ""
    # Both fixed for the life of the log.
    maximum_bytes: int = 0
    overwrites_oldest: bool = False
    created_at_microseconds: int = 0
    # The sequence numbers of the oldest and the newest message it holds; both 0 when it holds none. Numbers start at
    # 1, have no gaps and are never used again.
    first_sequence: int = 0
    last_sequence: int = 0
    # What its messages take of maximum_bytes - 64, with four bytes of length each.
    used_bytes: int = 0
    # The store's revision at which it was made: tells it from a log of the same name that was deleted before or is
    # made later, within one history of the store.
    created_revision: int = 0
    # It takes part in the store's replica group, where the group is about it: what this device appends is told to the
    # others, and what they append can be read here. For as long as the log is there.
    is_replicated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLogRequest:
    """Creates the log, or finds the one of this name. A log that was made with another configuration stays as it
    is: the answer shows what it has, and append_log with another one is LOG_NOT_WRITABLE. One that was not
    replicated is from the first open_log on that asks for it with the configuration that the log has. Answer:
    open_log.
    """

    # 1 to 256 bytes of UTF-8 without NUL.
    name: str = ""
    # 64 to 2^40: a 64-byte header, then each message with four bytes of length.
    maximum_bytes: int = 0
    # Once the log is full: true lets new messages take the place of the oldest ones, false refuses them.
    overwrites_oldest: bool = False
    # What the log holds and gets takes part in the store's replica group, now or once it has one.
    is_replicated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLogResponse:
    """`OpenLogResponse` of the protocol."""

    # As it was found or made. Without the right to read it: its name and configuration alone.
    log: Log | None = None
    # True when this request made it.
    is_new: bool = False
    # True when an idempotency key made this the repetition of an earlier answer.
    is_replayed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AppendLogRequest:
    """Appends every message or none. Not a change: list_changes and watch do not show it; read_log follows a log.
    Answer: append_log, or LOG_NOT_FOUND, LOG_NOT_WRITABLE, LOG_FULL, LOG_MESSAGE_TOO_LARGE.
    """

    name: str = ""
    # As the writer opened it; 0 takes the log as it is, whatever `overwrites_oldest` says.
    maximum_bytes: int = 0
    overwrites_oldest: bool = False
    # 1 to 256, each 1 byte to 8 MiB.
    messages: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AppendLogResponse:
    """The messages are on disk and survive power loss."""

    first_sequence: int = 0
    last_sequence: int = 0
    # True when an idempotency key made this the repetition of an earlier answer.
    is_replayed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLogRequest:
    """The messages after one that were appended to this store, oldest first. When the first of them has a greater
    number than after_sequence + 1, those between were overwritten. With all_devices the messages that any
    device of the group has appended, as far as they are here, in the order of the times at which they were
    appended; what comes late from a device comes behind what was read. Answer: log_entries, or LOG_NOT_FOUND.
    """

    name: str = ""
    # 0 starts at the oldest message that is still there.
    after_sequence: int = 0
    # 1 to 1,000; 0 means 100. A page ends sooner when its messages take 1 MiB.
    limit: int = 0
    # When there is nothing to read: answer as soon as there is, or without entries after so many milliseconds, at
    # most 60,000. Such a read does not wait for the writes sent before it on its connection, and holds up nothing.
    wait_milliseconds: int = 0
    # Only of the log made at this revision (Log.created_revision): where the name is another log's by now it is
    # LOG_NOT_FOUND. 0: whichever log has the name.
    created_revision: int = 0
    # Reads what all devices have appended, behind `place` instead of after_sequence.
    all_devices: bool = False
    # As the page before gave it; empty starts at the oldest messages that are still there. Of a log that was deleted
    # since it is LOG_NOT_FOUND.
    place: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLogResponse:
    """`ReadLogResponse` of the protocol."""

    entries: tuple[LogEntry, ...] = ()
    # More messages can be read after the last one.
    has_more: bool = False
    # As of the same moment.
    log: Log | None = None
    # The history that the log's numbers are of: name it (Request.history_id) with after_sequence to go on.
    history_id: bytes = b""
    # With all_devices: where the next page begins, also of a page without entries. For each device the number of the
    # last message that was read of it.
    place: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEntry:
    """A message in its place in the log."""

    # Each device counts its own.
    sequence: int = 0
    data: bytes = b""
    # With all_devices: the device of the group that has appended it; 0: this store.
    device: int = 0
    # With all_devices, and in a log that is replicated: when it was appended, by that device's clock; 0 where nobody
    # knows.
    appended_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class GetLogRequest:
    """Answer: log, or LOG_NOT_FOUND."""

    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListLogsRequest:
    """By the bytes of their names. Answer: logs."""

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
    """Deletes the log and its messages. One made later under this name starts at sequence number 1 again. One that
    is replicated is deleted on all devices, with what was appended anywhere before; it is there again, without
    that, where a device appends something later. Answer: commit, or LOG_NOT_FOUND.
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
