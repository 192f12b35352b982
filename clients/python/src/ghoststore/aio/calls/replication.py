# Written by tools/generate.py from proto-docs; do not edit.
"""Calls of ghoststore/v1/replication.proto."""

from __future__ import annotations

from collections.abc import Sequence

from ... import model as wire
from ...protocol import calls
from ...protocol.options import Options
from ..caller import AsyncCaller


class AsyncReplicationCalls(AsyncCaller):
    """The calls of ghoststore/v1/replication.proto."""

    async def create_replica_group(
        self,
        *,
        device_name: str = "",
        selection: Sequence[str] = (),
        options: Options | None = None,
    ) -> wire.ReplicaDeviceResponse:
        """Creates a group with this store as its first device. Only data that a rule names is replicated.

        Args:
            device_name: A name of this device, for people: 1 to 64 bytes of UTF-8 without control characters.
            selection: The rules that select the data to replicate. They apply to all devices and cannot be
                changed later. 1 to 64 rules; each is an area (contacts, conversations, scenes, files, logs) or
                AREA:PATTERN, such as "scenes:notes.*". Patterns are written as in access rules, and are
                compared with session ids, names of scenes and logs, and paths.

        Returns:
            ReplicaDeviceResponse, with the number of this device.

        Raises:
            AlreadyExists: ALREADY_EXISTS if the store belongs to a group.
        """
        request = wire.CreateReplicaGroupRequest(
            device_name=device_name,
            selection=tuple(selection),
        )
        return await self.call(calls.CREATE_REPLICA_GROUP, request, options)

    async def invite_replica_device(
        self,
        *,
        valid_seconds: int = 0,
        options: Options | None = None,
    ) -> wire.InviteReplicaDeviceResponse:
        """Creates a code with which one other store can join the group.

        Args:
            valid_seconds: The number of seconds after which the code expires: 60 to 604,800; 0 means 3,600.

        Returns:
            InviteReplicaDeviceResponse, with the code and the time at which it expires.

        Raises:
            FailedPrecondition: REPLICA_GROUP_ABSENT. The store belongs to no group.
            FailedPrecondition: REPLICA_DEVICE_CHANGED. A backup replaced the store, so the store is a new
                device.
        """
        request = wire.InviteReplicaDeviceRequest(
            valid_seconds=valid_seconds,
        )
        return await self.call(calls.INVITE_REPLICA_DEVICE, request, options)

    async def join_replica_group(
        self,
        *,
        code: wire.Secret | None = None,
        device_name: str = "",
        options: Options | None = None,
    ) -> wire.ReplicaDeviceResponse:
        """Asks to join the group for which the code was created. As soon as the agent transfers messages, the
        content of this store is merged with the content of the group.

        Args:
            code: The code, as a secret of the kind KEY_SLOT_KIND_RECOVERY_CODE.
            device_name: As in create_replica_group.

        Returns:
            ReplicaDeviceResponse, with the number of this device.

        Raises:
            InvalidArgument: INVALID_ARGUMENT if the code is mistyped.
            AlreadyExists: ALREADY_EXISTS if the store belongs to a group.
        """
        request = wire.JoinReplicaGroupRequest(
            code=code,
            device_name=device_name,
        )
        return await self.call(calls.JOIN_REPLICA_GROUP, request, options)

    async def remove_replica_device(
        self,
        *,
        device: int = 0,
        options: Options | None = None,
    ) -> None:
        """Removes another device from the group. The group merges no later change of that device, and that device
        cannot read later changes of the group.

        Args:
            device: The number of the device.

        Raises:
            NotFound: REPLICA_DEVICE_NOT_FOUND. The device is not in the group, or was removed from it.
            FailedPrecondition: REPLICA_GROUP_ABSENT. The store belongs to no group.
            FailedPrecondition: REPLICA_DEVICE_CHANGED. A backup replaced the store, so the store is a new
                device.
            InvalidArgument: INVALID_ARGUMENT if this device has the given number.
        """
        request = wire.RemoveReplicaDeviceRequest(
            device=device,
        )
        await self.call(calls.REMOVE_REPLICA_DEVICE, request, options)

    async def leave_replica_group(
        self,
        *,
        options: Options | None = None,
    ) -> None:
        """Leaves the group. The store keeps its content, and removes everything about the group, with all keys.
        The other devices are not notified that this device left, so remove this device on one of them.

        Raises:
            FailedPrecondition: REPLICA_GROUP_ABSENT. The store belongs to no group.
        """
        request = wire.LeaveReplicaGroupRequest()
        await self.call(calls.LEAVE_REPLICA_GROUP, request, options)

    async def get_replica_status(
        self,
        *,
        options: Options | None = None,
    ) -> wire.ReplicaStatus:
        """Returns what the store knows about its group.

        Returns:
            ReplicaStatus, with all facts from one moment.

        Raises:
            FailedPrecondition: REPLICA_GROUP_ABSENT. The store belongs to no group.
        """
        request = wire.GetReplicaStatusRequest()
        return await self.call(calls.GET_REPLICA_STATUS, request, options)

    async def take_replica_messages(
        self,
        *,
        channel: str = "",
        stored_through: int = 0,
        bytes_max: int = 0,
        wait_milliseconds: int = 0,
        options: Options | None = None,
    ) -> wire.TakeReplicaMessagesResponse:
        """Returns the messages of a channel that the stream does not have yet. Until the stream has a message,
        each answer contains it with the same bytes. Accepts no idempotency key.

        Args:
            channel: A channel in ReplicaStatus.outgoing.
            stored_through: The sequence of the last message that the stream has durably stored. The store
                removes the messages up to this one.
            bytes_max: The maximum number of bytes of the messages: 1 to 8 MiB; 0 means 1 MiB. The answer has as
                many messages as fit, and always the first message.
            wait_milliseconds: If there is no message, the daemon waits this many milliseconds, at most 60,000,
                for one. It answers as soon as there is a message, or without messages. Such a request does not
                wait for the writes sent before it on its connection, and no other request waits for it.

        Returns:
            TakeReplicaMessagesResponse, in their order.

        Raises:
            FailedPrecondition: REPLICA_GROUP_ABSENT. The store belongs to no group.
            FailedPrecondition: REPLICA_DEVICE_CHANGED. A backup replaced the store, so the store is a new
                device.
            ResourceExhausted: TOO_MANY_WATCHES with `wait_milliseconds`.
        """
        request = wire.TakeReplicaMessagesRequest(
            channel=channel,
            stored_through=stored_through,
            bytes_max=bytes_max,
            wait_milliseconds=wait_milliseconds,
        )
        return await self.call(calls.TAKE_REPLICA_MESSAGES, request, options)

    async def hand_in_replica_message(
        self,
        *,
        channel: str = "",
        message: bytes = b"",
        is_oldest_kept: bool = False,
        options: Options | None = None,
    ) -> wire.HandInReplicaMessageResponse:
        """Passes a message of the stream to the store. If the answer is REPLICA_OUTCOME_MERGED, the content of the
        message is on disk. A client can pass a message again at any time. Accepts no idempotency key.

        Args:
            channel: The channel in which the stream has the message.
            message: 1 byte to 1 MiB.
            is_oldest_kept: True if the stream has no older message of the channel than this message.

        Returns:
            HandInReplicaMessageResponse, with the outcome: merged, waits or refused.

        Raises:
            FailedPrecondition: REPLICA_GROUP_ABSENT. The store belongs to no group.
            FailedPrecondition: REPLICA_DEVICE_CHANGED. A backup replaced the store, so the store is a new
                device.
        """
        request = wire.HandInReplicaMessageRequest(
            channel=channel,
            message=message,
            is_oldest_kept=is_oldest_kept,
        )
        return await self.call(calls.HAND_IN_REPLICA_MESSAGE, request, options)

    async def list_lost_edits(
        self,
        *,
        limit: int = 0,
        cursor: str = "",
        options: Options | None = None,
    ) -> wire.ListLostEditsResponse:
        """Lists the edits that lost against changes that other devices made at the same time. The list has at most
        1,000 edits, in no particular order. Of the edits of one text by one device it has only the last.

        Args:
            limit: 1 to 1,000; 0 means 100. A page ends earlier if its edits need 4 MiB.
            cursor: next_cursor of the previous page; empty starts at the top.

        Returns:
            ListLostEditsResponse, with one page of the list.
        """
        request = wire.ListLostEditsRequest(
            limit=limit,
            cursor=cursor,
        )
        return await self.call(calls.LIST_LOST_EDITS, request, options)

    async def dismiss_lost_edit(
        self,
        *,
        id: int = 0,
        options: Options | None = None,
    ) -> None:
        """Deletes a lost edit. Also succeeds if no edit has the id.

        Args:
            id: The id of the edit.
        """
        request = wire.DismissLostEditRequest(
            id=id,
        )
        await self.call(calls.DISMISS_LOST_EDIT, request, options)
