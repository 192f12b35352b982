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
    # The store has asked to join.
    JOINING = 1
    # The store has joined the group, and is receiving the data of the other devices.
    RECEIVING = 2
    MEMBER = 3
    # Another device has removed this one.
    REMOVED = 4
    # A backup replaced the store, so the store is another device now. It must leave the group and join it again.
    CHANGED = 5


class ReplicaOutcome(OpenEnum):
    """The values of `ReplicaOutcome`."""

    UNSPECIFIED = 0
    # The content of the message is in the store now, or was there before.
    MERGED = 1
    # Pass the message again later, after other messages.
    WAITS = 2
    # Do not pass this message again.
    REFUSED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateReplicaGroupRequest:
    """Creates a group with this store as its first device. Only data that a rule names is replicated. Answer:
    replica_device, or ALREADY_EXISTS if the store belongs to a group.
    """

    # For people: 1 to 64 bytes of UTF-8 without control characters.
    device_name: str = ""
    # The data that is replicated, on all devices, for as long as the group exists. 1 to 64 rules, each an area
    # (contacts, conversations, scenes, files, logs) or AREA:PATTERN, such as "scenes:notes.*". Patterns are written
    # as in access rules. They match session ids, names of scenes and logs, and paths.
    selection: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaDeviceResponse:
    """The number of this store's device in its group."""

    # Written as 16 lower-case hexadecimal digits, also in channels.
    device: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class InviteReplicaDeviceRequest:
    """Creates a code with which one other store can join the group. Answer: replica_invitation."""

    # 60 to 604,800; 0 means 3,600.
    valid_seconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class InviteReplicaDeviceResponse:
    """`InviteReplicaDeviceResponse` of the protocol."""

    # Printable ASCII in the form of a recovery code, shown once. Until the code expires, any person with the code can
    # get all replicated data.
    code: bytes | bytearray = field(default=b"", repr=False)
    expires_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinReplicaGroupRequest:
    """Asks to join the group that the code was created for. The content of this store is merged with the content
    of the group, as soon as messages are transferred. Answer: replica_device, or ALREADY_EXISTS if the store
    belongs to a group.
    """

    # A secret of the kind KEY_SLOT_KIND_RECOVERY_CODE.
    code: Secret | None = None
    # As in create_replica_group.
    device_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveReplicaDeviceRequest:
    """Removes another device. The group merges no later change of that device, and the device cannot read later
    changes of the group. Answer: replica_device_removed, or REPLICA_DEVICE_NOT_FOUND.
    """

    device: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveReplicaDeviceResponse:
    """`RemoveReplicaDeviceResponse` of the protocol."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveReplicaGroupRequest:
    """Leaves the group. The store keeps its content, and removes the group with all its keys. The other devices
    are not notified that this device left: remove it on one of them. Answer: replica_group_left.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveReplicaGroupResponse:
    """`LeaveReplicaGroupResponse` of the protocol."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GetReplicaStatusRequest:
    """Returns what the store knows about its group. Answer: replica_status, or REPLICA_GROUP_ABSENT."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaStatus:
    """`ReplicaStatus` of the protocol."""

    # 16 bytes; zeros while the group is not known yet.
    group_id: bytes = b""
    state: ReplicaState = ReplicaState.UNSPECIFIED
    # The number of this store's device.
    device: int = 0
    device_name: str = ""
    # The rules that select the replicated data.
    selection: tuple[str, ...] = ()
    # last_sequence: the last message that this store made in its device's channel. stored_through: the last of these
    # messages that the stream has.
    last_sequence: int = 0
    stored_through: int = 0
    # The number of messages, in all channels, that are not in the stream yet, and their bytes.
    waiting_count: int = 0
    waiting_bytes: int = 0
    # The number of revisions whose changes are not in a message yet.
    uncollected_revisions: int = 0
    # The other devices, including removed ones, by their numbers.
    devices: tuple[ReplicaDevice, ...] = ()
    # When the unused invitations expire.
    invitation_expiries_microseconds: tuple[int, ...] = ()
    # The channels that the agent publishes for this store, each with the last sequence that the stream has.
    outgoing: tuple[ReplicaPlace, ...] = ()
    # The channels whose messages the agent passes to this store, each with the last sequence that is merged.
    followed: tuple[ReplicaPlace, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaDevice:
    """Another device of the group."""

    device: int = 0
    name: str = ""
    # All messages of the device up to this one are merged here.
    merged_sequence: int = 0
    # When its last message was merged, by this daemon's clock; 0 if none was.
    merged_at_microseconds: int = 0
    is_removed: bool = False
    # For a removed device: the last of its messages that is still merged.
    removed_through: int = 0
    # Why this store accepts no more messages of the device, in the words of hand_in_replica_message; empty if it
    # accepts them.
    fault: str = ""
    # The milliseconds by which the device's clock is ahead of this daemon's clock, if these are more than ten
    # minutes; otherwise 0. Known from the welcome of the device that admitted this one, and from each message of a
    # device.
    ahead_milliseconds: int = 0
    # The device last reported, at held_at_microseconds, that it has merged all messages of this store up to
    # held_sequence. Both are 0 if it has not reported yet.
    held_sequence: int = 0
    held_at_microseconds: int = 0
    # The milliseconds by which this daemon's clock is ahead of the clock that the device last reported, if these are
    # more than ten minutes; otherwise 0. The retention keep_for deletes messages that much later here.
    behind_milliseconds: int = 0
    # The sequence of the last message of the device that this store knows of; at least merged_sequence.
    known_sequence: int = 0
    # The time since when this store has known that messages of the device up to known_sequence are missing here: the
    # stream has lost them, or has not delivered them for ten minutes. 0 if none is missing.
    missing_since_microseconds: int = 0
    # If messages of the device are missing: the device that was last asked for them; 0 if none was asked yet.
    asked_device: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaPlace:
    """A position in a channel of the stream. A channel has messages of one kind from one device, which are
    numbered from 1.
    """

    # device.DEVICE, snapshot.ID, join.ID.request or join.ID.welcome, with hexadecimal digits in lower case.
    channel: str = ""
    sequence: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeReplicaMessagesRequest:
    """Returns the messages of a channel that the stream does not have yet. Until the stream has a message, each
    answer contains it with the same bytes. Accepts no idempotency key. Answer: replica_messages.
    """

    # A channel in ReplicaStatus.outgoing.
    channel: str = ""
    # The stream has durably stored the messages up to this one: the store removes them.
    stored_through: int = 0
    # 1 to 8 MiB; 0 means 1 MiB. Messages are added while they fit; the first one always fits.
    bytes_max: int = 0
    # If there is no message, the daemon waits this many milliseconds, at most 60,000, for one. It answers as soon as
    # there is a message, or without messages. Such a request does not wait for the writes sent before it on its
    # connection, and no other request waits for it.
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
    """Passes a message of the stream to the store. The answer comes when the content of the message is on disk. A
    message can be passed again at any time. Accepts no idempotency key. Answer: replica_handed_in.
    """

    # The channel in which the stream has the message.
    channel: str = ""
    # 1 byte to 1 MiB.
    message: bytes = b""
    # True if the stream has no older message of the channel.
    is_oldest_kept: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HandInReplicaMessageResponse:
    """`HandInReplicaMessageResponse` of the protocol."""

    outcome: ReplicaOutcome = ReplicaOutcome.UNSPECIFIED
    # A message that waits: DEVICE_UNKNOWN, EPOCH_UNKNOWN, EARLIER_MESSAGE_MISSING, SNAPSHOT_AWAITED, LATER_VERSION,
    # NOT_A_MEMBER, TIME_AHEAD. A message that was refused: MALFORMED, FORGED, OTHER_GROUP, OTHER_CHANNEL, FORKED,
    # NOT_OPENED, DEVICE_REMOVED, INVITATION_OVER, NOT_AWAITED. Later versions of v1 may add words.
    reason: str = ""
    # If the message was merged, and with EARLIER_MESSAGE_MISSING: the sequence with which the channel continues.
    # Otherwise 0.
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
