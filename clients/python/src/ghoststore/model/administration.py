# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/administration.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, describe
from ._enums import OpenEnum
from .files import FileAreaUsage


class StoreState(OpenEnum):
    """The values of `StoreState`."""

    UNSPECIFIED = 0
    # The state directory has no store yet.
    ABSENT = 1
    LOCKED = 2
    OPEN = 3
    # Open, but the disk is full: reads and deletes work.
    READ_ONLY = 4
    # The configured key does not open the keyring.
    WRONG_KEY = 5
    # The configured key is missing.
    KEY_MISSING = 6
    KEYRING_DAMAGED = 7
    DATABASE_DAMAGED = 8
    # A newer ghoststored wrote the store.
    NEWER_SCHEMA = 9
    # The operating system refused a file operation (disk, permission).
    STORAGE_FAILED = 10
    # The journal is damaged or incomplete, so acknowledged changes are missing. Unlock with accept_loss to continue
    # without them.
    JOURNAL_DAMAGED = 11
    # The database is older than the acknowledged changes, or belongs to another journal. Unlock with accept_loss to
    # continue without the missing changes.
    ROLLED_BACK = 12


class MetricsFormat(OpenEnum):
    """The values of `MetricsFormat`."""

    # As METRICS_FORMAT_PROMETHEUS.
    UNSPECIFIED = 0
    # Text exposition format 0.0.4: for node exporter's textfile collector.
    PROMETHEUS = 1
    # OpenMetrics 1.0.
    OPENMETRICS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class GetStatusRequest:
    """Returns the state of the daemon and the store; works in every state of the store. Answer: status."""

    # Also list the open connections, in `clients`.
    with_clients: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectedClient:
    """An open connection."""

    # The user and the process that connected, as the kernel reported them. The process may have ended since, and
    # another process may have its number.
    uid: int = 0
    process_id: int = 0
    # The name that the client gave itself in hello; empty if it gave none.
    client_name: str = ""
    connected_at_microseconds: int = 0
    # Requests that the daemon began on this connection.
    request_count: int = 0
    # Watches that run on this connection now.
    watch_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """`Status` of the protocol."""

    # Every caller gets these four fields.
    server_version: str = ""
    protocol_version: int = 0
    store_state: StoreState = StoreState.UNSPECIFIED
    # If the state is not OPEN, the reason: lower case, first the cause, then a hint.
    store_state_message: str = ""
    # A caller with any right gets the remaining fields; for other callers they are 0 or empty.
    sqlcipher_version: str = ""
    sqlite_version: str = ""
    libsodium_version: str = ""
    schema_version: int = 0
    # False if the system refused to lock key memory (RLIMIT_MEMLOCK).
    is_memory_locked: bool = False
    uptime_milliseconds: int = 0
    connection_count: int = 0
    # 0 while no store is open.
    revision: int = 0
    database_bytes: int = 0
    wal_bytes: int = 0
    resident_bytes: int = 0
    process_id: int = 0
    # The bytes of the journal's segments.
    journal_bytes: int = 0
    # The id of the open store's history: 16 random bytes, created with the store. Locking, restarts and rotation do
    # not change it. The store gets a new one when revisions may be used a second time: after a restore, and after an
    # opening that accepted a loss. Empty while no store is open.
    history_id: bytes = b""
    # The number of acknowledged revisions that the last opening with accept_loss dropped, as far as it is known. 0
    # while no store is open.
    revisions_missing: int = 0
    # Changes with a greater revision are still kept, so list_changes and watch can begin here. 0 while no store is
    # open.
    compacted_through_revision: int = 0
    # As in get_file_usage, after the last commit. Only for callers with the right to read all files. Empty while no
    # store is open.
    file_areas: tuple[FileAreaUsage, ...] = ()
    # The absolute path of the directory that holds the store; empty except for root and the daemon's own user. For
    # these two, `store_state_message` also names a key file that cannot be used.
    state_directory: str = ""
    # With `with_clients`: the connections, the oldest first. A caller with the right to administration gets all of
    # them, any other caller the connections of its own user.
    clients: tuple[ConnectedClient, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GetMetricsRequest:
    """Returns the daemon's metrics. The names of all metrics begin with ghoststore_. Answer: metrics."""

    format: MetricsFormat = MetricsFormat.UNSPECIFIED


@dataclass(frozen=True, slots=True, kw_only=True)
class GetMetricsResponse:
    """`GetMetricsResponse` of the protocol."""

    text: str = ""


describe(
    GetStatusRequest,
    Field(1, "with_clients", Kind.BOOL),
)
describe(
    ConnectedClient,
    Field(1, "uid", Kind.UINT32),
    Field(2, "process_id", Kind.UINT32),
    Field(3, "client_name", Kind.STRING),
    Field(4, "connected_at_microseconds", Kind.INT64),
    Field(5, "request_count", Kind.UINT64),
    Field(6, "watch_count", Kind.UINT32),
)
describe(
    Status,
    Field(1, "server_version", Kind.STRING),
    Field(2, "protocol_version", Kind.UINT32),
    Field(3, "store_state", Kind.ENUM, StoreState),
    Field(4, "store_state_message", Kind.STRING),
    Field(5, "sqlcipher_version", Kind.STRING),
    Field(6, "sqlite_version", Kind.STRING),
    Field(7, "libsodium_version", Kind.STRING),
    Field(8, "schema_version", Kind.UINT32),
    Field(9, "is_memory_locked", Kind.BOOL),
    Field(10, "uptime_milliseconds", Kind.UINT64),
    Field(11, "connection_count", Kind.UINT32),
    Field(12, "revision", Kind.UINT64),
    Field(13, "database_bytes", Kind.UINT64),
    Field(14, "wal_bytes", Kind.UINT64),
    Field(15, "resident_bytes", Kind.UINT64),
    Field(16, "process_id", Kind.UINT32),
    Field(17, "journal_bytes", Kind.UINT64),
    Field(18, "history_id", Kind.BYTES),
    Field(19, "revisions_missing", Kind.UINT64),
    Field(21, "compacted_through_revision", Kind.UINT64),
    Field(22, "file_areas", Kind.MESSAGE, FileAreaUsage, is_repeated=True),
    Field(23, "state_directory", Kind.STRING),
    Field(24, "clients", Kind.MESSAGE, ConnectedClient, is_repeated=True),
)
describe(
    GetMetricsRequest,
    Field(1, "format", Kind.ENUM, MetricsFormat),
)
describe(
    GetMetricsResponse,
    Field(1, "text", Kind.STRING),
)
