# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/replication.proto."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..wire import Field, Kind, Model, describe
from ._enums import OpenEnum
from .keys import Secret


class ReplicaState(OpenEnum):
    """The membership of a store in its group.

    Attributes:
        JOINING: The store has asked to join.
        RECEIVING: The store has joined the group, and is receiving the data of the other devices.
        MEMBER: The store is a member and sends and receives changes.
        REMOVED: Another device has removed this one.
        CHANGED: A backup replaced the store, so the store is another device now. It must leave the group and
            join it again.
    """

    UNSPECIFIED = 0
    JOINING = 1
    RECEIVING = 2
    MEMBER = 3
    REMOVED = 4
    CHANGED = 5


class ReplicaOutcome(OpenEnum):
    """The result of handing in a message of the stream.

    Attributes:
        MERGED: The content of the message is in the store now, or was there before.
        WAITS: Pass the message again later, after other messages.
        REFUSED: Do not pass this message again.
    """

    UNSPECIFIED = 0
    MERGED = 1
    WAITS = 2
    REFUSED = 3


class LostEditPlace(OpenEnum):
    """The text that an edit has changed.

    Attributes:
        MESSAGE: The text of a message.
        CONTACT_NOTES: The notes of a contact.
        DRAFT: The text of a draft.
    """

    UNSPECIFIED = 0
    MESSAGE = 1
    CONTACT_NOTES = 2
    DRAFT = 3


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CreateReplicaGroupRequest(Model):
    """The request of `create_replica_group`.

    Attributes:
        device_name (str): A name of this device, for people: 1 to 64 bytes of UTF-8 without control characters.
        selection (tuple[str, ...]): The rules that select the data to replicate. They apply to all devices and
            cannot be changed later. 1 to 64 rules; each is an area (contacts, conversations, scenes, files,
            logs) or AREA:PATTERN, such as "scenes:notes.*". Patterns are written as in access rules, and are
            compared with session ids, names of scenes and logs, and paths.
    """

    device_name: str = ""
    selection: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReplicaDeviceResponse(Model):
    """The number of this store's device in its group.

    Attributes:
        device (int): The number of this store's device. It is written as 16 lower-case hexadecimal digits, for
            example in channels.
    """

    device: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class InviteReplicaDeviceRequest(Model):
    """The request of `invite_replica_device`.

    Attributes:
        valid_seconds (int): The number of seconds after which the code expires: 60 to 604,800; 0 means 3,600.
    """

    valid_seconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class InviteReplicaDeviceResponse(Model):
    """`InviteReplicaDeviceResponse` of the protocol.

    Attributes:
        code (bytes | bytearray): Printable ASCII in the form of a recovery code, shown once. Until the code
            expires, any person with the code can get all replicated data.
        expires_at_microseconds (int): When the code expires, by the daemon's clock.
    """

    code: bytes | bytearray = field(default=b"", repr=False)
    expires_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class JoinReplicaGroupRequest(Model):
    """The request of `join_replica_group`.

    Attributes:
        code (Secret | None): The code, as a secret of the kind KEY_SLOT_KIND_RECOVERY_CODE.
        device_name (str): As in create_replica_group.
    """

    code: Secret | None = None
    device_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RemoveReplicaDeviceRequest(Model):
    """The request of `remove_replica_device`.

    Attributes:
        device (int): The number of the device.
    """

    device: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RemoveReplicaDeviceResponse(Model):
    """`RemoveReplicaDeviceResponse` of the protocol."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LeaveReplicaGroupRequest(Model):
    """The request of `leave_replica_group`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LeaveReplicaGroupResponse(Model):
    """`LeaveReplicaGroupResponse` of the protocol."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetReplicaStatusRequest(Model):
    """The request of `get_replica_status`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReplicaStatus(Model):
    """The state of a store's group, as far as the store knows it.

    Attributes:
        group_id (bytes): The id of the group: 16 bytes; zeros while the store does not know it yet.
        state (ReplicaState): The membership of the store.
        device (int): The number of this store's device.
        device_name (str): The name of this store's device, chosen by the person.
        selection (tuple[str, ...]): The rules that select the replicated data.
        last_sequence (int): The sequence of the last message that this store made in its device's channel.
        stored_through (int): The sequence of the last of these messages that the stream has.
        waiting_count (int): The number of messages, in all channels, that are not in the stream yet.
        waiting_bytes (int): The bytes of these messages.
        uncollected_revisions (int): The number of revisions whose changes are not in a message yet.
        devices (tuple[ReplicaDevice, ...]): The other devices, including removed ones, by their numbers.
        invitation_expiries_microseconds (tuple[int, ...]): The times at which the unused invitations expire.
        outgoing (tuple[ReplicaPlace, ...]): The channels to which the agent publishes messages of this store,
            each with the last sequence that the stream has.
        followed (tuple[ReplicaPlace, ...]): The channels whose messages the agent passes to this store, each
            with the last sequence that this store has merged.
        lost_edit_count (int): The number of edits in list_lost_edits.
        last_change_sequence (int): The sequence of the last message of this device with changes. A device whose
            held_sequence is at least this has all changes that this store has published.
    """

    group_id: bytes = b""
    state: ReplicaState = ReplicaState.UNSPECIFIED
    device: int = 0
    device_name: str = ""
    selection: tuple[str, ...] = ()
    last_sequence: int = 0
    stored_through: int = 0
    waiting_count: int = 0
    waiting_bytes: int = 0
    uncollected_revisions: int = 0
    devices: tuple[ReplicaDevice, ...] = ()
    invitation_expiries_microseconds: tuple[int, ...] = ()
    outgoing: tuple[ReplicaPlace, ...] = ()
    followed: tuple[ReplicaPlace, ...] = ()
    lost_edit_count: int = 0
    last_change_sequence: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReplicaDevice(Model):
    """Another device of the group.

    Attributes:
        device (int): The number of the device.
        name (str): The name of the device, chosen by the person.
        merged_sequence (int): The sequence of the last message of the device that this store has merged.
        merged_at_microseconds (int): When this store merged the last message of the device, by this daemon's
            clock; 0 if it has merged none.
        is_removed (bool): True if the device was removed from the group.
        removed_through (int): For a removed device: the sequence of the last of its messages that the group
            still merges.
        fault (str): The reason why this store accepts no more messages of the device, one of the words of
            hand_in_replica_message; empty if the store accepts them.
        ahead_milliseconds (int): The milliseconds by which the device's clock is ahead of this daemon's clock,
            if it is ahead by more than ten minutes; otherwise 0. The daemon learns the clocks of other devices
            from their messages, and from the welcome with which this device joined.
        held_sequence (int): The sequence of the last message of this store that the device has merged, as the
            device last reported; 0 if it has not reported yet.
        held_at_microseconds (int): When this report came, by this daemon's clock; 0 if the device has not
            reported yet.
        behind_milliseconds (int): The milliseconds by which this daemon's clock is ahead of the clock that the
            device last reported, if it is ahead by more than ten minutes; otherwise 0. The retention keep_for
            deletes messages that much later on this device.
        known_sequence (int): The highest sequence of a message of the device that this store knows to exist; at
            least merged_sequence.
        missing_since_microseconds (int): If messages of the device up to known_sequence are missing here,
            because the stream has lost them or has not delivered them for ten minutes: the time at which this
            store noticed this. 0 if no message is missing.
        asked_device (int): If messages of the device are missing: the device that this store last asked for
            these messages; 0 if this store has asked no device yet.
    """

    device: int = 0
    name: str = ""
    merged_sequence: int = 0
    merged_at_microseconds: int = 0
    is_removed: bool = False
    removed_through: int = 0
    fault: str = ""
    ahead_milliseconds: int = 0
    held_sequence: int = 0
    held_at_microseconds: int = 0
    behind_milliseconds: int = 0
    known_sequence: int = 0
    missing_since_microseconds: int = 0
    asked_device: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReplicaPlace(Model):
    """A position in a channel of the stream. A channel has messages of one kind from one device, numbered from 1.

    Attributes:
        channel (str): The channel: device.DEVICE, snapshot.ID, join.ID.request or join.ID.welcome, with
            hexadecimal digits in lower case.
        sequence (int): The last sequence that the stream has (in `outgoing`), or that this store has merged (in
            `followed`).
    """

    channel: str = ""
    sequence: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TakeReplicaMessagesRequest(Model):
    """The request of `take_replica_messages`.

    Attributes:
        channel (str): A channel in ReplicaStatus.outgoing.
        stored_through (int): The sequence of the last message that the stream has durably stored. The store
            removes the messages up to this one.
        bytes_max (int): The maximum number of bytes of the messages: 1 to 8 MiB; 0 means 1 MiB. The answer has
            as many messages as fit, and always the first message.
        wait_milliseconds (int): If there is no message, the daemon waits this many milliseconds, at most
            60,000, for one. It answers as soon as there is a message, or without messages. Such a request does
            not wait for the writes sent before it on its connection, and no other request waits for it.
    """

    channel: str = ""
    stored_through: int = 0
    bytes_max: int = 0
    wait_milliseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TakeReplicaMessagesResponse(Model):
    """`TakeReplicaMessagesResponse` of the protocol.

    Attributes:
        messages (tuple[ReplicaMessage, ...]): The messages in their order.
    """

    messages: tuple[ReplicaMessage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReplicaMessage(Model):
    """A message for the stream, sealed.

    Attributes:
        sequence (int): The number of the message in its channel: from 1 on, without gaps.
        message (bytes): The sealed bytes: at most 1 MiB.
    """

    sequence: int = 0
    message: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HandInReplicaMessageRequest(Model):
    """The request of `hand_in_replica_message`.

    Attributes:
        channel (str): The channel in which the stream has the message.
        message (bytes): 1 byte to 1 MiB.
        is_oldest_kept (bool): True if the stream has no older message of the channel than this message.
    """

    channel: str = ""
    message: bytes = b""
    is_oldest_kept: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HandInReplicaMessageResponse(Model):
    """The result of handing in a message of the stream.

    Attributes:
        outcome (ReplicaOutcome): The outcome: the message is merged, waits or was refused.
        reason (str): The reason, if the message was not merged. A message waits because of DEVICE_UNKNOWN,
            EPOCH_UNKNOWN, EARLIER_MESSAGE_MISSING, OTHER_BATCH_MISSING, SNAPSHOT_AWAITED, LATER_VERSION,
            NOT_A_MEMBER or TIME_AHEAD. A message was refused because of MALFORMED, FORGED, OTHER_GROUP,
            OTHER_CHANNEL, FORKED, NOT_OPENED, DEVICE_REMOVED, INVITATION_OVER or NOT_AWAITED. ERRORS.md
            explains these words. Later versions of v1 may add words.
        next_sequence (int): The sequence of the message of the channel that the store needs next, if the
            message was merged or waits because of EARLIER_MESSAGE_MISSING. Otherwise 0.
    """

    outcome: ReplicaOutcome = ReplicaOutcome.UNSPECIFIED
    reason: str = ""
    next_sequence: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LostEdit(Model):
    """An edit of a text that lost: another device changed the same text at the same time, and its change was the
    later one. The store keeps the lost text until it is dismissed, or until the message, contact or
    conversation is deleted.

    Attributes:
        id (int): Names the edit in this store.
        place (LostEditPlace): What the edit has changed.
        name (str): The id of the message, or the session id of the contact or of the conversation with the
            draft.
        text (str): The lost text.
        device (int): The number of the device that made the edit; 0 if the edit is from before its store joined
            a group.
        changed_at_microseconds (int): When the edit was made.
    """

    id: int = 0
    place: LostEditPlace = LostEditPlace.UNSPECIFIED
    name: str = ""
    text: str = ""
    device: int = 0
    changed_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListLostEditsRequest(Model):
    """The request of `list_lost_edits`.

    Attributes:
        limit (int): 1 to 1,000; 0 means 100. A page ends earlier if its edits need 4 MiB.
        cursor (str): next_cursor of the previous page; empty starts at the top.
    """

    limit: int = 0
    cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListLostEditsResponse(Model):
    """A page of lost edits.

    Attributes:
        edits (tuple[LostEdit, ...]): The edits.
        next_cursor (str): The cursor of the next page; empty on the last page.
    """

    edits: tuple[LostEdit, ...] = ()
    next_cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DismissLostEditRequest(Model):
    """The request of `dismiss_lost_edit`.

    Attributes:
        id (int): The id of the edit.
    """

    id: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DismissLostEditResponse(Model):
    """`DismissLostEditResponse` of the protocol."""


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
    Field(15, "lost_edit_count", Kind.UINT64),
    Field(16, "last_change_sequence", Kind.UINT64),
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
describe(
    LostEdit,
    Field(1, "id", Kind.UINT64),
    Field(2, "place", Kind.ENUM, LostEditPlace),
    Field(3, "name", Kind.STRING),
    Field(4, "text", Kind.STRING),
    Field(5, "device", Kind.UINT64),
    Field(6, "changed_at_microseconds", Kind.INT64),
)
describe(
    ListLostEditsRequest,
    Field(1, "limit", Kind.UINT32),
    Field(2, "cursor", Kind.STRING),
)
describe(
    ListLostEditsResponse,
    Field(1, "edits", Kind.MESSAGE, LostEdit, is_repeated=True),
    Field(2, "next_cursor", Kind.STRING),
)
describe(
    DismissLostEditRequest,
    Field(1, "id", Kind.UINT64),
)
describe(DismissLostEditResponse)
