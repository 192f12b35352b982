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
        """Creates a group with this store as its first device. Only data that a rule names is replicated. Answer:
        replica_device, or ALREADY_EXISTS if the store belongs to a group.
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
        """Creates a code with which one other store can join the group. Answer: replica_invitation."""
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
        """Asks to join the group that the code was created for. The content of this store is merged with the
        content of the group, as soon as messages are transferred. Answer: replica_device, or ALREADY_EXISTS if
        the store belongs to a group.
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
        """Removes another device. The group merges no later change of that device, and the device cannot read
        later changes of the group. Answer: replica_device_removed, or REPLICA_DEVICE_NOT_FOUND.
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
        """Leaves the group. The store keeps its content, and removes the group with all its keys. The other
        devices are not notified that this device left: remove it on one of them. Answer: replica_group_left.
        """
        request = wire.LeaveReplicaGroupRequest()
        await self.call(calls.LEAVE_REPLICA_GROUP, request, options)

    async def get_replica_status(
        self,
        *,
        options: Options | None = None,
    ) -> wire.ReplicaStatus:
        """Returns what the store knows about its group. Answer: replica_status, or REPLICA_GROUP_ABSENT."""
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
        each answer contains it with the same bytes. Accepts no idempotency key. Answer: replica_messages.
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
        """Passes a message of the stream to the store. The answer comes when the content of the message is on
        disk. A message can be passed again at any time. Accepts no idempotency key. Answer: replica_handed_in.
        """
        request = wire.HandInReplicaMessageRequest(
            channel=channel,
            message=message,
            is_oldest_kept=is_oldest_kept,
        )
        return await self.call(calls.HAND_IN_REPLICA_MESSAGE, request, options)
