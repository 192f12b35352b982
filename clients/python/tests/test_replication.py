"""A replica group of two stores, whose messages the test itself carries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from daemon import Daemon
from ghoststore import AlreadyExists, FailedPrecondition, InvalidArgument, NotFound, Reason, Store, secrets
from ghoststore.model import NewMessage, ReplicaOutcome, ReplicaState
from ghoststore import by_session

Connect = Callable[[Daemon], Any]


@pytest.fixture
def daemons() -> Iterator[tuple[Daemon, Daemon]]:
    """Two daemons with empty stores."""
    pair = Daemon(), Daemon()
    yield pair
    for daemon in pair:
        daemon.remove()


class Relay:
    """The streams of a group and the agents of its devices, in one object and without a network."""

    def __init__(self, *stores: Any) -> None:
        self.stores = stores
        self.log: dict[str, list[bytes]] = {}
        self.refusals: list[tuple[str, str]] = []

    def run(self) -> None:
        """Carries messages until no store has any left."""
        while any([self._take(store) for store in self.stores] + [self._hand_in(store) for store in self.stores]):
            pass

    def _take(self, store: Any) -> bool:
        moved = False
        for place in store.get_replica_status().outgoing:
            kept = self.log.setdefault(place.channel, [])
            stored = len(kept)
            while messages := store.take_replica_messages(channel=place.channel, stored_through=stored).messages:
                for message in messages:
                    assert message.sequence == len(kept) + 1
                    kept.append(message.message)
                stored, moved = messages[-1].sequence, True
        return moved

    def _hand_in(self, store: Any) -> bool:
        moved = False
        for place in store.get_replica_status().followed:
            for message in self.log.get(place.channel, [])[place.sequence :]:
                answer = store.hand_in_replica_message(channel=place.channel, message=message)
                # A message may be handed in again at any time.
                assert store.hand_in_replica_message(channel=place.channel, message=message).outcome is not None
                if answer.outcome is ReplicaOutcome.REFUSED:
                    self.refusals.append((place.channel, answer.reason))
                if answer.outcome is not ReplicaOutcome.MERGED:
                    break
                moved = True
        return moved


def contents(store: Any) -> list[tuple[str, list[tuple[str, str]]]]:
    """Returns the messages of each conversation, in their order."""
    conversations = store.list_conversations().conversations
    return sorted(
        (one.session_id, [(message.id, message.text) for message in store.messages(one.session_id)])
        for one in conversations
    )


def test_two_stores_join_a_group_and_leave_it(daemons: tuple[Daemon, Daemon], connect: Connect) -> None:
    desk, lap = (connect(daemon) for daemon in daemons)
    desk.save_message(NewMessage(id="d1", conversation=by_session("alice"), text="from the desk"))
    lap.save_message(NewMessage(id="l1", conversation=by_session("alice"), text="from the lap"))
    with pytest.raises(FailedPrecondition) as absent:
        desk.get_replica_status()
    assert absent.value.reason is Reason.REPLICA_GROUP_ABSENT
    first = desk.create_replica_group(device_name="desk", selection=["conversations", "contacts"]).device
    invitation = desk.invite_replica_device(valid_seconds=600)
    assert len(invitation.code) == 39 and "code" not in repr(invitation)
    second = lap.join_replica_group(code=secrets.recovery_code(bytes(invitation.code)), device_name="lap").device
    assert lap.get_replica_status().state is ReplicaState.JOINING
    relay = Relay(desk, lap)
    relay.run()
    assert [store.get_replica_status().state for store in (desk, lap)] == [ReplicaState.MEMBER] * 2
    assert [[(one.device, one.name) for one in store.get_replica_status().devices] for store in (desk, lap)] == [
        [(second, "lap")],
        [(first, "desk")],
    ]
    lap.save_message(NewMessage(id="l2", conversation=by_session("bob"), text="later"))
    desk.edit_message(id="d1", text="edited")
    relay.run()
    assert contents(desk) == contents(lap)
    assert dict(dict(contents(lap))["alice"]) == {"d1": "edited", "l1": "from the lap"}
    assert not relay.refusals
    assert all(store.get_replica_status().waiting_count == 0 for store in (desk, lap))
    with pytest.raises(AlreadyExists):
        lap.join_replica_group(code=secrets.recovery_code(bytes(invitation.code)), device_name="lap")
    desk.remove_replica_device(device=second)
    relay.run()
    assert lap.get_replica_status().state is ReplicaState.REMOVED
    desk.save_message(NewMessage(id="d2", conversation=by_session("alice"), text="not for the lap"))
    lap.save_message(NewMessage(id="l3", conversation=by_session("alice"), text="not for the desk"))
    relay.run()
    assert ("alice", ["d1", "l1", "l3"]) in [(name, sorted(id for id, _ in rows)) for name, rows in contents(lap)]
    assert ("alice", ["d1", "d2", "l1"]) in [(name, sorted(id for id, _ in rows)) for name, rows in contents(desk)]
    lap.leave_replica_group()
    with pytest.raises(FailedPrecondition):
        lap.leave_replica_group()


def test_what_two_stores_append_to_a_log_is_read_as_one(daemons: tuple[Daemon, Daemon], connect: Connect) -> None:
    desk, lap = (connect(daemon) for daemon in daemons)
    desk.create_replica_group(device_name="desk", selection=["logs:shared.*"])
    code = bytes(desk.invite_replica_device(valid_seconds=600).code)
    second = lap.join_replica_group(code=secrets.recovery_code(code), device_name="lap").device
    relay = Relay(desk, lap)
    relay.run()
    assert desk.open_log("shared.events", 1000, is_replicated=True).log.is_replicated
    desk.open_log("events", 1000, is_replicated=True)
    desk.append_log("shared.events", [b"from the desk"])
    relay.run()
    assert [log.name for log in lap.list_logs().logs] == ["shared.events"]
    lap.append_log("shared.events", [b"from the lap", b"again"])
    relay.run()
    first = desk.read_log("shared.events", all_devices=True, limit=2)
    rest = desk.read_log("shared.events", all_devices=True, place=first.place)
    assert [(entry.device, entry.sequence, entry.data) for entry in first.entries + rest.entries] == [
        (0, 1, b"from the desk"),
        (second, 1, b"from the lap"),
        (second, 2, b"again"),
    ]
    assert first.has_more and not rest.has_more
    assert [entry.data for entry in desk.read_log("shared.events").entries] == [b"from the desk"]
    with pytest.raises(InvalidArgument):
        desk.read_log("shared.events", all_devices=True, place=b"nowhere")
    lap.delete_log("shared.events")
    relay.run()
    assert [log.name for log in desk.list_logs().logs] == ["events"]


def test_wrong_arguments_of_replication_calls_are_errors(daemon: Daemon, connect: Connect) -> None:
    store = connect(daemon)
    with pytest.raises(InvalidArgument):
        store.join_replica_group(code=secrets.recovery_code(b"no code"), device_name="lap")
    with pytest.raises(InvalidArgument):
        store.create_replica_group(device_name="desk", selection=["drawers"])
    device = store.create_replica_group(device_name="desk", selection=["contacts"]).device
    with pytest.raises(NotFound) as unknown:
        store.remove_replica_device(device=device + 1)
    assert unknown.value.reason is Reason.REPLICA_DEVICE_NOT_FOUND
    answer = store.hand_in_replica_message(channel=f"device.{device ^ 1:016x}", message=b"no message")
    assert (answer.outcome, answer.reason) == (ReplicaOutcome.REFUSED, "MALFORMED")
    waited = store.take_replica_messages(channel=f"device.{device:016x}", wait_milliseconds=20)
    assert waited.messages == ()


def test_clearing_a_store_of_a_group_needs_leave_replica_group(daemon: Daemon, connect: Connect) -> None:
    store = connect(daemon)
    store.create_replica_group(device_name="desk", selection=["conversations"])
    store.save_message(NewMessage(id="kept", conversation=by_session("alice"), text="text"))
    with pytest.raises(FailedPrecondition) as refused:
        store.clear_all_data("clear all data")
    assert refused.value.reason is Reason.STORE_IN_REPLICA_GROUP
    assert store.get_message("kept").id == "kept" and store.get_replica_status().state is ReplicaState.MEMBER
    assert store.clear_all_data("clear all data", leave_replica_group=True).left_replica_group
    with pytest.raises(FailedPrecondition):
        store.get_replica_status()
    assert not store.clear_all_data("clear all data", leave_replica_group=True).left_replica_group


class Holes:
    """Streams that have lost messages after acknowledging them, and an agent that handles the loss."""

    def __init__(self, founder: Any) -> None:
        self.stores = [founder]
        self.log: dict[str, list[bytes | None]] = {}
        founder.create_replica_group(device_name="0", selection=["conversations"])

    def join(self, store: Any) -> None:
        """Admits another store to the group."""
        code = bytes(self.stores[0].invite_replica_device(valid_seconds=600).code)
        store.join_replica_group(code=secrets.recovery_code(code), device_name=str(len(self.stores)))
        self.stores.append(store)
        self.run()

    def lose(self, store: Any) -> None:
        """Acknowledges the messages of a store, and loses them."""
        channel = f"device.{store.get_replica_status().device:016x}"
        self._take(store, channel)
        self.log[channel] = [None] * len(self.log[channel])

    def run(self, rounds: int = 400) -> None:
        """Carries messages until no store has any left."""
        for _ in range(rounds):
            taken = [
                self._take(store, place.channel)
                for store in self.stores
                for place in store.get_replica_status().outgoing
            ]
            if not any([self._hand_in(store) for store in self.stores] + taken):
                return
        raise AssertionError("the devices never stop")

    def _take(self, store: Any, channel: str) -> bool:
        kept = self.log.setdefault(channel, [])
        before = len(kept)
        while messages := store.take_replica_messages(channel=channel, stored_through=len(kept)).messages:
            kept += [message.message for message in messages]
        return len(kept) > before

    def _hand_in(self, store: Any) -> bool:
        moved = False
        for place in store.get_replica_status().followed:
            kept = self.log.get(place.channel, [])
            waiting = [(at, one) for at, one in enumerate(kept) if at >= place.sequence and one is not None]
            for at, message in waiting:
                oldest = all(one is None for one in kept[:at])
                answer = store.hand_in_replica_message(
                    channel=place.channel, message=message, is_oldest_kept=oldest and at > place.sequence
                )
                if answer.outcome is not ReplicaOutcome.MERGED:
                    store.hand_in_replica_message(channel=place.channel, message=waiting[-1][1])
                    break
                moved = True
        return moved


@pytest.mark.parametrize("losing", [1, 2])
@pytest.mark.parametrize("count", [2, 3, 4])
def test_messages_that_the_log_has_lost_come_as_snapshots(count: int, losing: int) -> None:
    daemons = [Daemon() for _ in range(count)]
    try:
        stores = [Store(daemon.socket) for daemon in daemons]
        group = Holes(stores[0])
        for store in stores[1:]:
            group.join(store)
        for number, store in enumerate(stores[:losing]):
            store.save_message(NewMessage(id=f"lost{number}", conversation=by_session("alice"), text="lost"))
            group.lose(store)
        # All stores make another change before they learn of each other's.
        for number, store in enumerate(stores):
            store.save_message(NewMessage(id=f"m{number}", conversation=by_session("alice"), text="text"))
        group.run()
        ids = {f"lost{number}" for number in range(losing)} | {f"m{number}" for number in range(count)}
        for store in stores:
            assert {message.id for message in store.messages("alice")} == ids
            assert all(one.missing_since_microseconds == 0 for one in store.get_replica_status().devices)
        for store in stores:
            store.close()
    finally:
        for daemon in daemons:
            daemon.remove()
