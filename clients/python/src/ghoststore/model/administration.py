# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/administration.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, Model, describe
from ._enums import OpenEnum
from .files import FileAreaUsage


class StoreState(OpenEnum):
    """The state of the store, and the reason if it cannot be used.

    Attributes:
        ABSENT: The state directory has no store yet.
        LOCKED: The store exists and is closed: neither the daemon nor a client has opened it since the daemon
            started or last locked it.
        OPEN: Reads and writes work.
        READ_ONLY: The store is open, but the disk is full: only reads and deletes work.
        WRONG_KEY: The configured key does not open the keyring.
        KEY_MISSING: The configured key is missing.
        KEYRING_DAMAGED: The file with the key slots cannot be read.
        DATABASE_DAMAGED: Pages of the database are damaged or missing.
        NEWER_SCHEMA: A newer ghoststored wrote the store.
        STORAGE_FAILED: The operating system refused a file operation (disk, permission).
        JOURNAL_DAMAGED: The journal is damaged or incomplete, so acknowledged changes are missing. Unlock with
            accept_loss to continue although they are missing.
        ROLLED_BACK: The database is older than the acknowledged changes, or belongs to another journal. Unlock
            with accept_loss to continue although these changes are missing.
    """

    UNSPECIFIED = 0
    ABSENT = 1
    LOCKED = 2
    OPEN = 3
    READ_ONLY = 4
    WRONG_KEY = 5
    KEY_MISSING = 6
    KEYRING_DAMAGED = 7
    DATABASE_DAMAGED = 8
    NEWER_SCHEMA = 9
    STORAGE_FAILED = 10
    JOURNAL_DAMAGED = 11
    ROLLED_BACK = 12


class MetricsFormat(OpenEnum):
    """The text format of metrics.

    Attributes:
        UNSPECIFIED: As METRICS_FORMAT_PROMETHEUS.
        PROMETHEUS: Text exposition format 0.0.4: for node exporter's textfile collector.
        OPENMETRICS: OpenMetrics 1.0.
    """

    UNSPECIFIED = 0
    PROMETHEUS = 1
    OPENMETRICS = 2


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetStatusRequest(Model):
    """The request of `get_status`.

    Attributes:
        with_clients (bool): Also lists the open connections, in `clients`.
    """

    with_clients: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ConnectedClient(Model):
    """An open connection.

    Attributes:
        uid (int): The id of the user that connected, as the kernel reported it.
        process_id (int): The id of the process that connected, as the kernel reported it. This process may have
            ended since, and another process may have its id now.
        client_name (str): The name that the client gave itself in hello; empty if it gave none.
        connected_at_microseconds (int): When the client connected, by the daemon's clock.
        request_count (int): The number of requests that the daemon has begun for this connection.
        watch_count (int): The number of watches that run on this connection now.
    """

    uid: int = 0
    process_id: int = 0
    client_name: str = ""
    connected_at_microseconds: int = 0
    request_count: int = 0
    watch_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Status(Model):
    """The daemon and its store at this moment.

    Attributes:
        server_version (str): The version of the daemon. Every caller gets this field and the next three fields.
        protocol_version (int): The version of the protocol that the daemon speaks: 1.
        store_state (StoreState): The state of the store.
        store_state_message (str): If the state is not OPEN, the reason, in lower case: first the cause, then a
            hint.
        sqlcipher_version (str): The version of SQLCipher. A caller with any right gets this field and the
            following fields. For other callers these fields are 0 or empty.
        sqlite_version (str): The version of SQLite, such as 3.44.2.
        libsodium_version (str): The version of libsodium, such as 1.0.18.
        schema_version (int): The version of the open store's schema; 0 while no store is open.
        is_memory_locked (bool): False if the system refused to lock key memory (RLIMIT_MEMLOCK).
        uptime_milliseconds (int): The time since the daemon started, in milliseconds.
        connection_count (int): The number of connections that are open now, including this connection.
        revision (int): The revision of the store; 0 while no store is open.
        database_bytes (int): The size of the database file; 0 while no store is open.
        wal_bytes (int): The size in bytes of the database's write-ahead log.
        resident_bytes (int): The memory that the daemon uses (RSS).
        process_id (int): The id of the daemon's process.
        journal_bytes (int): The bytes of all files of the journal.
        history_id (bytes): The id of the open store's history: 16 random bytes, created with the store.
            Locking, restarts and rotation do not change it. The store gets a new id when revisions may be used
            a second time: after a restore, and after unlock with accept_loss opened it without some changes.
            Empty while no store is open.
        revisions_missing (int): The number of acknowledged revisions that were lost when the store was last
            opened with accept_loss, as far as this number is known. 0 while no store is open.
        compacted_through_revision (int): The store still keeps all changes with a greater revision, so
            list_changes and watch can begin after this revision. 0 while no store is open.
        file_areas (tuple[FileAreaUsage, ...]): The usage of the file areas after the last commit, as
            get_file_usage returns it. Only for callers with the right to read all files. Empty while no store
            is open.
        state_directory (str): The absolute path of the state directory. Only root and the daemon's own user get
            this path; for other callers it is empty. For these two users, `store_state_message` also names a
            key file that the daemon cannot use.
        clients (tuple[ConnectedClient, ...]): With `with_clients`: the connections, the oldest first. A caller
            with the right to administration gets all of them, any other caller the connections of its own user.
    """

    server_version: str = ""
    protocol_version: int = 0
    store_state: StoreState = StoreState.UNSPECIFIED
    store_state_message: str = ""
    sqlcipher_version: str = ""
    sqlite_version: str = ""
    libsodium_version: str = ""
    schema_version: int = 0
    is_memory_locked: bool = False
    uptime_milliseconds: int = 0
    connection_count: int = 0
    revision: int = 0
    database_bytes: int = 0
    wal_bytes: int = 0
    resident_bytes: int = 0
    process_id: int = 0
    journal_bytes: int = 0
    history_id: bytes = b""
    revisions_missing: int = 0
    compacted_through_revision: int = 0
    file_areas: tuple[FileAreaUsage, ...] = ()
    state_directory: str = ""
    clients: tuple[ConnectedClient, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetMetricsRequest(Model):
    """The request of `get_metrics`.

    Attributes:
        format (MetricsFormat): The text format.
    """

    format: MetricsFormat = MetricsFormat.UNSPECIFIED


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetMetricsResponse(Model):
    """`GetMetricsResponse` of the protocol.

    Attributes:
        text (str): The metrics in the requested format.
    """

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
