# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/replication.proto."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..wire import Field, Kind, describe
from ._enums import OpenEnum
from .keys import Secret


class ReplicaState(OpenEnum):
    """The values of `ReplicaState`."""

    UNSPECIFIED = 0
    # Asked to be let in.
    JOINING = 1
    # Was let in, and receives what the others hold.
    RECEIVING = 2
    MEMBER = 3
    # Another device has removed this one.
    REMOVED = 4
    # A backup took the store's place: it is not the device any more that it was. It leaves and joins anew.
    CHANGED = 5


class ReplicaOutcome(OpenEnum):
    """The values of `ReplicaOutcome`."""

    UNSPECIFIED = 0
    # What it says is in the store, or was before.
    MERGED = 1
    # To be handed in again later, behind others.
    WAITS = 2
    # Never to be handed in again.
    REFUSED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateReplicaGroupRequest:
    """Makes a group of which this store is the first device. What the store holds takes part, as far as a rule
    names it. Answer: replica_device, or ALREADY_EXISTS where the store belongs to a group.
    """

    # For people: 1 to 64 bytes of UTF-8 without control characters.
    device_name: str = ""
    # What takes part, on all devices, for as long as the group exists: 1 to 64 rules, each an area (contacts,
    # conversations, scenes, files, logs) or AREA:PATTERN, such as "scenes:notes.*". Patterns are those of access
    # rules, over session ids, names of scenes and logs, and paths.
    selection: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaDeviceResponse:
    """The number of this store's device in its group."""

    # Written as 16 lower-case hexadecimal digits, also in channels.
    device: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class InviteReplicaDeviceRequest:
    """Makes a code with which one other store joins the group. Answer: replica_invitation."""

    # 60 to 604,800; 0 means 3,600.
    valid_seconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class InviteReplicaDeviceResponse:
    """`InviteReplicaDeviceResponse` of the protocol."""

    # Printable ASCII as a recovery code, shown once. Whoever has it until its end gets everything that takes part.
    code: bytes | bytearray = field(default=b"", repr=False)
    expires_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinReplicaGroupRequest:
    """Asks to be let into the group that a code was made for. What this store holds is merged with what the group
    holds, as soon as messages are brought over. Answer: replica_device, or ALREADY_EXISTS where the store
    belongs to a group.
    """

    # Of the kind KEY_SLOT_KIND_RECOVERY_CODE.
    code: Secret | None = None
    # As in create_replica_group.
    device_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveReplicaDeviceRequest:
    """Removes another device: the group merges nothing that it makes later, and it can read nothing that the group
    makes later. Answer: replica_device_removed, or REPLICA_DEVICE_NOT_FOUND.
    """

    device: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveReplicaDeviceResponse:
    """`RemoveReplicaDeviceResponse` of the protocol."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveReplicaGroupRequest:
    """The store keeps what it holds, and forgets the group with all of its keys. The other devices do not learn of
    it: one of them removes this one. Answer: replica_group_left.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveReplicaGroupResponse:
    """`LeaveReplicaGroupResponse` of the protocol."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GetReplicaStatusRequest:
    """What the store knows of its group. Answer: replica_status, or REPLICA_GROUP_ABSENT."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaStatus:
    """`ReplicaStatus` of the protocol."""

    # 16 bytes; zeros while the group is not known yet.
    group_id: bytes = b""
    state: ReplicaState = ReplicaState.UNSPECIFIED
    # This store's.
    device: int = 0
    device_name: str = ""
    # The rules of what takes part.
    selection: tuple[str, ...] = ()
    # The last message that was made here of this device's channel, and the last that the group's log has.
    last_sequence: int = 0
    stored_through: int = 0
    # Messages that wait to be taken to the group's log, in all channels, and their bytes.
    waiting_count: int = 0
    waiting_bytes: int = 0
    # Of changes that are in no message yet.
    uncollected_revisions: int = 0
    # The others, also such as were removed, by their numbers.
    devices: tuple[ReplicaDevice, ...] = ()
    # Ends of invitations that nobody has used.
    invitation_expiries_microseconds: tuple[int, ...] = ()
    # What is taken from here, each with the place up to which the group's log has it.
    outgoing: tuple[ReplicaPlace, ...] = ()
    # What is handed in here, each with the place up to which it is merged.
    followed: tuple[ReplicaPlace, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaDevice:
    """Another device of the group."""

    device: int = 0
    name: str = ""
    # Up to which of its messages all are merged here.
    merged_sequence: int = 0
    # When the last one was merged, by this daemon's clock; 0 for none.
    merged_at_microseconds: int = 0
    is_removed: bool = False
    # Of a device that was removed: the last of its messages that counts.
    removed_through: int = 0
    # Why no more of its messages are taken, in the words of hand_in_replica_message; empty: they are.
    fault: str = ""
    # Milliseconds by which its clock is ahead of this daemon's, if that is more than ten minutes; else 0. Known from
    # the welcome of the device that let this one in, and from each message of a device.
    ahead_milliseconds: int = 0
    # Up to which of this store's messages it has merged all, as it told last, and when that came; 0 where it has not
    # told.
    held_sequence: int = 0
    held_at_microseconds: int = 0
    # Milliseconds by which this daemon's clock is ahead of the clock that the device last reported, if that is more
    # than ten minutes; else 0. Messages that are kept for a time stay that much longer here.
    behind_milliseconds: int = 0
    # The sequence of its last message that is known here; at least merged_sequence.
    known_sequence: int = 0
    # Since when messages of the device up to known_sequence have been known to be missing here: the group's log has
    # lost them, or has not brought them for ten minutes. 0 if none is missing.
    missing_since_microseconds: int = 0
    # If messages of the device are missing: the device that was asked last for them; 0 if none was asked yet.
    asked_device: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaPlace:
    """A channel of the group's log: messages of one kind and maker, in an order of their own."""

    # device.DEVICE, snapshot.ID, join.ID.request or join.ID.welcome, with hexadecimal digits in lower case.
    channel: str = ""
    sequence: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeReplicaMessagesRequest:
    """The messages of a channel behind those that the group's log has. They are the same bytes however often they
    are taken, until the log has them. Takes no idempotency key. Answer: replica_messages.
    """

    # One of ReplicaStatus.outgoing.
    channel: str = ""
    # The group's log has the messages up to this one, durably: the store forgets them.
    stored_through: int = 0
    # 1 to 8 MiB; 0 means 1 MiB. Messages are added as long as they fit; the first always does.
    bytes_max: int = 0
    # When there is nothing to take: answer as soon as there is, or without messages after so many milliseconds, at
    # most 60,000. Such a request does not wait for the writes sent before it on its connection, and holds up nothing.
    wait_milliseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeReplicaMessagesResponse:
    """`TakeReplicaMessagesResponse` of the protocol."""

    # In order.
    messages: tuple[ReplicaMessage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaMessage:
    """`ReplicaMessage` of the protocol."""

    # From 1 on, without gaps.
    sequence: int = 0
    # At most 1 MiB.
    message: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandInReplicaMessageRequest:
    """Hands in a message of the group's log. The answer is sent when what it says is on disk; the same message may
    be handed in at any time again. Takes no idempotency key. Answer: replica_handed_in.
    """

    # The one that the log has it in.
    channel: str = ""
    # 1 byte to 1 MiB.
    message: bytes = b""
    # The log has no message of the channel that is older.
    is_oldest_kept: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HandInReplicaMessageResponse:
    """`HandInReplicaMessageResponse` of the protocol."""

    outcome: ReplicaOutcome = ReplicaOutcome.UNSPECIFIED
    # Of one that waits: DEVICE_UNKNOWN, EPOCH_UNKNOWN, EARLIER_MESSAGE_MISSING, SNAPSHOT_AWAITED, LATER_VERSION,
    # NOT_A_MEMBER, TIME_AHEAD. Of one that was refused: MALFORMED, FORGED, OTHER_GROUP, OTHER_CHANNEL, FORKED,
    # NOT_OPENED, DEVICE_REMOVED, INVITATION_OVER, NOT_AWAITED. Words are added within v1.
    reason: str = ""
    # Of one that was merged, and with EARLIER_MESSAGE_MISSING: the sequence that the channel goes on with. Else 0.
    next_sequence: int = 0


describe(
    CreateReplicaGroupRequest,
    Field(1, "device_name", Kind.STRING),
    Field(2, "selection", Kind.STRING, is_repeated=True),
)
describe(
    ReplicaDeviceResponse,
    Field(1, "device", Kind.UINT64),
)
describe(
    InviteReplicaDeviceRequest,
    Field(1, "valid_seconds", Kind.UINT32),
)
describe(
    InviteReplicaDeviceResponse,
    Field(1, "code", Kind.SECRET),
    Field(2, "expires_at_microseconds", Kind.INT64),
)
describe(
    JoinReplicaGroupRequest,
    Field(1, "code", Kind.MESSAGE, Secret, has_presence=True),
    Field(2, "device_name", Kind.STRING),
)
describe(
    RemoveReplicaDeviceRequest,
    Field(1, "device", Kind.UINT64),
)
describe(RemoveReplicaDeviceResponse)
describe(LeaveReplicaGroupRequest)
describe(LeaveReplicaGroupResponse)
describe(GetReplicaStatusRequest)
describe(
    ReplicaStatus,
    Field(1, "group_id", Kind.BYTES),
    Field(2, "state", Kind.ENUM, ReplicaState),
    Field(3, "device", Kind.UINT64),
    Field(4, "device_name", Kind.STRING),
    Field(5, "selection", Kind.STRING, is_repeated=True),
    Field(6, "last_sequence", Kind.UINT64),
    Field(7, "stored_through", Kind.UINT64),
    Field(8, "waiting_count", Kind.UINT64),
    Field(9, "waiting_bytes", Kind.UINT64),
    Field(10, "uncollected_revisions", Kind.UINT64),
    Field(11, "devices", Kind.MESSAGE, ReplicaDevice, is_repeated=True),
    Field(12, "invitation_expiries_microseconds", Kind.INT64, is_repeated=True),
    Field(13, "outgoing", Kind.MESSAGE, ReplicaPlace, is_repeated=True),
    Field(14, "followed", Kind.MESSAGE, ReplicaPlace, is_repeated=True),
)
describe(
    ReplicaDevice,
    Field(1, "device", Kind.UINT64),
    Field(2, "name", Kind.STRING),
    Field(3, "merged_sequence", Kind.UINT64),
    Field(4, "merged_at_microseconds", Kind.INT64),
    Field(5, "is_removed", Kind.BOOL),
    Field(6, "removed_through", Kind.UINT64),
    Field(7, "fault", Kind.STRING),
    Field(8, "ahead_milliseconds", Kind.UINT64),
    Field(9, "held_sequence", Kind.UINT64),
    Field(10, "held_at_microseconds", Kind.INT64),
    Field(11, "behind_milliseconds", Kind.UINT64),
    Field(12, "known_sequence", Kind.UINT64),
    Field(13, "missing_since_microseconds", Kind.INT64),
    Field(14, "asked_device", Kind.UINT64),
)
describe(
    ReplicaPlace,
    Field(1, "channel", Kind.STRING),
    Field(2, "sequence", Kind.UINT64),
)
describe(
    TakeReplicaMessagesRequest,
    Field(1, "channel", Kind.STRING),
    Field(2, "stored_through", Kind.UINT64),
    Field(3, "bytes_max", Kind.UINT32),
    Field(4, "wait_milliseconds", Kind.UINT32),
)
describe(
    TakeReplicaMessagesResponse,
    Field(1, "messages", Kind.MESSAGE, ReplicaMessage, is_repeated=True),
)
describe(
    ReplicaMessage,
    Field(1, "sequence", Kind.UINT64),
    Field(2, "message", Kind.BYTES),
)
describe(
    HandInReplicaMessageRequest,
    Field(1, "channel", Kind.STRING),
    Field(2, "message", Kind.BYTES),
    Field(3, "is_oldest_kept", Kind.BOOL),
)
describe(
    HandInReplicaMessageResponse,
    Field(1, "outcome", Kind.ENUM, ReplicaOutcome),
    Field(2, "reason", Kind.STRING),
    Field(3, "next_sequence", Kind.UINT64),
)
