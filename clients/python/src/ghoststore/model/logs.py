# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/logs.proto."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..wire import Field, Kind, Model, describe
from .metadata import Metadata


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Log(Model):
    """An append log.

    Attributes:
        name (str): 1 to 256 bytes.
        maximum_bytes (int): The maximum number of bytes that the log uses: 64 to 2^40. Fixed as long as the log
            exists.
        overwrites_oldest (bool): True if new messages replace the oldest messages when the log is full. Fixed
            as long as the log exists.
        created_at_microseconds (int): When the log was created, by the daemon's clock.
        first_sequence (int): The sequence numbers of the oldest and the newest message in the log; both 0 if
            the log has no messages. Numbers start at 1, have no gaps and are never used again.
        last_sequence (int)
        used_bytes (int): The bytes that the messages and their metadata use, including four bytes for the
            length of each message and four for the length of each metadata. They can use at most maximum_bytes
            - 64.
        created_revision (int): The store's revision at which the log was created. Within one history of the
            store, it distinguishes the log from earlier and later logs with the same name.
        is_replicated (bool): True if the log is replicated in the store's replica group, provided that the
            rules of the group include its name. Other devices then get the entries of this device, and clients
            can read the entries of other devices here. Replication ends only when the log is deleted.
    """

    name: str = ""
    maximum_bytes: int = 0
    overwrites_oldest: bool = False
    created_at_microseconds: int = 0
    first_sequence: int = 0
    last_sequence: int = 0
    used_bytes: int = 0
    created_revision: int = 0
    is_replicated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OpenLogRequest(Model):
    """The request of `open_log`.

    Attributes:
        name (str): 1 to 256 bytes of UTF-8 without NUL.
        maximum_bytes (int): 64 to 2^40. A header uses 64 of these bytes, and each message uses its own length
            and four bytes. A message with metadata also uses the length of the serialized Metadata and four
            more bytes.
        overwrites_oldest (bool): True if new messages replace the oldest messages when the log is full. False
            if the daemon refuses new messages then.
        is_replicated (bool): Replicates existing and future entries of the log in the store's replica group. If
            the store belongs to no group, replication begins when the store joins a group.
    """

    name: str = ""
    maximum_bytes: int = 0
    overwrites_oldest: bool = False
    is_replicated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OpenLogResponse(Model):
    """`OpenLogResponse` of the protocol.

    Attributes:
        log (Log): The log as it was found or created. A caller without the right to read the log gets only its
            name and configuration.
        is_new (bool): True if this request created the log.
        is_replayed (bool): True if this is the stored answer to an earlier request with the same idempotency
            key.
    """

    log: Log = field(default_factory=lambda: Log())
    is_new: bool = False
    is_replayed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AppendLogRequest(Model):
    """The request of `append_log`.

    Attributes:
        name (str): The name of the log.
        maximum_bytes (int): The configuration with which the writer opened the log. If maximum_bytes is 0, the
            daemon accepts any configuration, and `overwrites_oldest` has no effect.
        overwrites_oldest (bool)
        messages (tuple[bytes, ...]): 1 to 256 messages, each of 1 byte to 8 MiB.
        metadata (tuple[Metadata, ...]): The metadata of the messages, in their order: one for each message, or
            none at all. An element without data stands for a message without metadata.
    """

    name: str = ""
    maximum_bytes: int = 0
    overwrites_oldest: bool = False
    messages: tuple[bytes, ...] = ()
    metadata: tuple[Metadata, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AppendLogResponse(Model):
    """The numbers of the appended messages. When this answer arrives, the messages are on disk and survive a loss
    of power.

    Attributes:
        first_sequence (int)
        last_sequence (int)
        is_replayed (bool): True if this is the stored answer to an earlier request with the same idempotency
            key.
    """

    first_sequence: int = 0
    last_sequence: int = 0
    is_replayed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReadLogRequest(Model):
    """The request of `read_log`.

    Attributes:
        name (str): The name of the log.
        after_sequence (int): 0 starts at the oldest message that still exists.
        limit (int): 1 to 1,000; 0 means 100. A page ends earlier if its messages and their metadata need 1 MiB.
        wait_milliseconds (int): If the log has no entry to read, the daemon waits this many milliseconds, at
            most 60,000, for one. It answers as soon as there is an entry, or without entries. Such a read does
            not wait for the writes sent before it on its connection, and no other request waits for it.
        created_revision (int): Reads only the log created at this revision (Log.created_revision). If another
            log has the name now, the answer is LOG_NOT_FOUND. 0 reads any log with the name.
        all_devices (bool): Reads the entries of all devices, after `place` instead of after_sequence.
        place (bytes): Only with all_devices: the `place` in the answer with the previous page; empty starts at
            the oldest messages that still exist. If the log was deleted since that page, the answer is
            LOG_NOT_FOUND.
    """

    name: str = ""
    after_sequence: int = 0
    limit: int = 0
    wait_milliseconds: int = 0
    created_revision: int = 0
    all_devices: bool = False
    place: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReadLogResponse(Model):
    """`ReadLogResponse` of the protocol.

    Attributes:
        entries (tuple[LogEntry, ...])
        has_more (bool): True if more messages can be read after the last one.
        log (Log): The log at the moment of the read.
        history_id (bytes): The history to which the log's numbers belong. To continue, send this id as
            Request.history_id, with after_sequence.
        place (bytes): With all_devices: where the next page begins, even after a page without entries. It
            contains for each device the number of the last message that was read.
    """

    entries: tuple[LogEntry, ...] = ()
    has_more: bool = False
    log: Log = field(default_factory=lambda: Log())
    history_id: bytes = b""
    place: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LogEntry(Model):
    """A message with its number in the log.

    Attributes:
        sequence (int): The number of the entry. Each device numbers its own entries.
        data (bytes): The message: 1 byte to 8 MiB.
        device (int): With all_devices: the device of the group that appended the entry; 0 means this store.
        appended_at_microseconds (int): Only with all_devices, or in a replicated log: when the entry was
            appended, by the clock of the device that appended it; 0 if this time is not known.
        metadata (Metadata | None): The metadata of the message; absent if it has none.
    """

    sequence: int = 0
    data: bytes = b""
    device: int = 0
    appended_at_microseconds: int = 0
    metadata: Metadata | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetLogRequest(Model):
    """The request of `get_log`.

    Attributes:
        name (str): The name of the log.
    """

    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListLogsRequest(Model):
    """The request of `list_logs`.

    Attributes:
        limit (int): 1 to 1,000; 0 means 100.
        cursor (str): next_cursor of the previous page; empty starts at the top.
    """

    limit: int = 0
    cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListLogsResponse(Model):
    """A page of logs, ordered by the bytes of their names.

    Attributes:
        logs (tuple[Log, ...]): At most as many as requested.
        next_cursor (str): Empty on the last page.
    """

    logs: tuple[Log, ...] = ()
    next_cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DeleteLogRequest(Model):
    """The request of `delete_log`.

    Attributes:
        name (str): The name of the log.
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
    Field(5, "metadata", Kind.MESSAGE, Metadata, is_repeated=True),
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
    Field(5, "metadata", Kind.MESSAGE, Metadata, has_presence=True),
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
