# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/service.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, Model, describe


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Commit(Model):
    """The result of a write. When this answer arrives, the change is on disk and survives a loss of power.

    Attributes:
        revision (int): The store's revision after this write. If the write changed nothing, this is the store's
            current revision.
        ids (tuple[str, ...]): Ids of the entities that the call names, in the order of the request, including
            entities that did not change. The client gave these ids or the daemon created them. save_messages
            returns one id for each message, even if two messages have the same id, so that each position in
            `ids` belongs to one message; other calls return each id once. The id of a file is its path, which
            begins with the area: document/notes/one.txt. Empty for mark_conversation_read, clear_all_data and
            scenes.
        created_count (int): The number of these entities that the write created. This count and the next two do
            not include entities that did not change, or entities that the call does not name: for example a
            conversation that is created for a message, a draft that is deleted when its message is saved, or
            the messages of a deleted conversation. Calls on files count every entry that they create: missing
            parents, the root of the area with its first entry, and the content of a copied directory. A move
            counts as one update, and a removed directory as one deletion.
        updated_count (int): The number of these entities that the write updated.
        deleted_count (int): The number of these entities that the write deleted.
        is_replayed (bool): True if this is the stored answer to an earlier request with the same idempotency
            key.
        value_revisions (tuple[int, ...]): Only in the answer to set_scene_values. For each change of the
            request, in order: the revision of the key's value after the change, as in SceneEntry and
            SceneCondition; 0 if the key has no value. This is the revision of the scene's own value, or with
            `global` of the global value.
        left_replica_group (bool): Only in the answer to clear_all_data. True if the store belonged to a replica
            group and has left it. The other devices keep everything and are not notified that this device left,
            so remove this device on one of them.
    """

    revision: int = 0
    ids: tuple[str, ...] = ()
    created_count: int = 0
    updated_count: int = 0
    deleted_count: int = 0
    is_replayed: bool = False
    value_revisions: tuple[int, ...] = ()
    left_replica_group: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Progress(Model):
    """The progress of long work, in steps. The size of a step depends on the kind of work.

    Attributes:
        done (int): The number of steps that are done.
        total (int): The number of all steps; 0 if it is not known.
    """

    done: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HelloRequest(Model):
    """The request of `hello`.

    Attributes:
        client_name (str): The name of the client in logs and status, such as "myapp/1.2": at most 64 bytes.
        protocol_version (int): The highest protocol version that the client knows.
    """

    client_name: str = ""
    protocol_version: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HelloResponse(Model):
    """Facts about the daemon and about the caller.

    Attributes:
        protocol_version (int): The version of the protocol that the daemon speaks: 1.
        server_version (str): The version of the daemon.
        frame_bytes_max (int): The largest payload that this daemon accepts and sends, in bytes.
        uid (int): The caller's user id, as the kernel reports it.
        history_id (bytes): The id of the open store's history, as in Status. Empty while no store is open, and
            for a caller without any right.
    """

    protocol_version: int = 0
    server_version: str = ""
    frame_bytes_max: int = 0
    uid: int = 0
    history_id: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PingRequest(Model):
    """The request of `ping`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PingResponse(Model):
    """`PingResponse` of the protocol."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CancelRequest(Model):
    """The request of `cancel`.

    Attributes:
        request_id (int): Request.id of the watch or of the waiting request.
    """

    request_id: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CancelResponse(Model):
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
