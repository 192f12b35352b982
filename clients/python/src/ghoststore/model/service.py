# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/service.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, describe


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A mutation's result. When it arrives, the change is on disk and survives power loss."""

    # The store's revision after this mutation. Equal to the revision before it when nothing had to change.
    revision: int = 0
    # Ids of the entities that the call is about, in request order (given by the client or made by the daemon), also
    # of those that had not to change. One for each message of save_messages, so that they can be told apart by their
    # place; elsewhere each id once. The id of a file is its path with the area before it: document/notes/one.txt.
    # Empty for mark_conversation_read, clear_all_data and scenes.
    ids: tuple[str, ...] = ()
    # How many of these were created, updated and deleted; 0 for what was there already. What comes along is not
    # counted: a conversation that saving a message makes, the draft that goes with it, the messages of a deleted
    # conversation. Calls on files count every entry of the tree that they make or remove: missing parents, the root
    # of the area for the first entry in it, and what a copied directory holds. A move is one update, a removed
    # directory one deletion.
    created_count: int = 0
    updated_count: int = 0
    deleted_count: int = 0
    # True when an idempotency key made this the repetition of an earlier answer.
    is_replayed: bool = False
    # Of set_scene_values alone: for each of its changes, in order, the revision of the key's value behind it, as
    # SceneEntry and SceneCondition have it; 0 where there is none. Of the scene's own value; with `global`, of the
    # global one.
    value_revisions: tuple[int, ...] = ()
    # Only of clear_all_data: the store belonged to a replica group and has left it. The other devices keep everything
    # and do not learn that it left, so remove this device on one of them.
    left_replica_group: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """`Progress` of the protocol."""

    done: int = 0
    # 0 when not known.
    total: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HelloRequest:
    """Optional first request of a connection. Answer: hello."""

    # For logs and status, at most 64 bytes: "myapp/1.2".
    client_name: str = ""
    # The highest protocol version the client knows.
    protocol_version: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HelloResponse:
    """`HelloResponse` of the protocol."""

    protocol_version: int = 0
    server_version: str = ""
    # Largest payload this daemon takes and sends, in bytes.
    frame_bytes_max: int = 0
    # The caller as the kernel told it.
    uid: int = 0
    # Names the history of the open store, as Status has it. Empty while no store is open, and to a caller without any
    # right.
    history_id: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class PingRequest:
    """Answer: ping."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PingResponse:
    """`PingResponse` of the protocol."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelRequest:
    """Ends a watch of this connection (its last answer has more = false) or a read_log that waits (it is answered
    at once). No effect on other requests. Answer: cancel, also when there is nothing of this id.
    """

    request_id: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelResponse:
    """`CancelResponse` of the protocol."""


describe(
    Commit,
    Field(1, "revision", Kind.UINT64),
    Field(2, "ids", Kind.STRING, is_repeated=True),
    Field(3, "created_count", Kind.UINT32),
    Field(4, "updated_count", Kind.UINT32),
    Field(5, "deleted_count", Kind.UINT32),
    Field(6, "is_replayed", Kind.BOOL),
    Field(7, "value_revisions", Kind.UINT64, is_repeated=True),
    Field(8, "left_replica_group", Kind.BOOL),
)
describe(
    Progress,
    Field(1, "done", Kind.UINT64),
    Field(2, "total", Kind.UINT64),
)
describe(
    HelloRequest,
    Field(1, "client_name", Kind.STRING),
    Field(2, "protocol_version", Kind.UINT32),
)
describe(
    HelloResponse,
    Field(1, "protocol_version", Kind.UINT32),
    Field(2, "server_version", Kind.STRING),
    Field(3, "frame_bytes_max", Kind.UINT32),
    Field(4, "uid", Kind.UINT32),
    Field(5, "history_id", Kind.BYTES),
)
describe(PingRequest)
describe(PingResponse)
describe(
    CancelRequest,
    Field(1, "request_id", Kind.UINT64),
)
describe(CancelResponse)
