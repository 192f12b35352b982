"""Examples/bridges/signal-cli loses nothing, whatever is killed."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from daemon import REPOSITORY, Daemon

from ghoststore import MessageStatus, NewAttachment, NewMessage, Store

BRIDGE = REPOSITORY / "Examples/bridges/signal-cli/bridge.py"
FAKE = Path(__file__).with_name("fake_signal_cli.py")
ANN = "9d1c5f0a-0000-4000-8000-000000000001"
GROUP = "Pmpi+EfPWmsxiomLe9Nx2XF9HOE483p6iKiFj65iMwI="


class Bridge:
    """The bridge and a fake signal-cli. Tests can kill both."""

    def __init__(self, daemon: Daemon, folder: Path) -> None:
        self.folder = folder
        (folder / "queue").mkdir()
        self._environment = os.environ | {
            "GHOSTSTORE_SOCKET": str(daemon.socket),
            "PYTHONPATH": str(REPOSITORY / "clients/python/src"),
            "HOME": str(folder),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        self.start()

    def start(self) -> None:
        words = [sys.executable, str(BRIDGE), str(self.folder / "bridge"), sys.executable, str(FAKE), str(self.folder)]
        self.process = subprocess.Popen(words, env=self._environment)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def kill_signal_cli(self) -> None:
        try:
            os.kill(int((self.folder / "process").read_text()), signal.SIGKILL)
        except (OSError, ValueError):
            pass

    def receive(self, number: int, **fields: Any) -> None:
        """Puts a message into the server's queue."""
        time = 1_600_000_000_000 + number
        data = {"timestamp": time, "message": f"in {number}"} | fields
        names = {"sourceUuid": ANN, "sourceName": "Ann", "timestamp": time}
        place = self.folder / f"{number:05}"
        place.write_text(json.dumps({"envelope": names | {"dataMessage": data}, "account": "+4912345"}))
        place.rename(self.folder / "queue" / place.name)

    def delivered(self) -> list[dict[str, Any]]:
        path = self.folder / "delivered"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture
def bridge(daemon: Daemon, tmp_path: Path) -> Iterator[Bridge]:
    bridge = Bridge(daemon, tmp_path)
    yield bridge
    bridge.kill()


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def texts(store: Store, session_id: str, **filters: Any) -> list[str]:
    return sorted(one.text for one in store.messages(session_id, page_size=1000, **filters))


def test_messages_go_both_ways(bridge: Bridge, daemon: Daemon) -> None:
    with Store(daemon.socket) as store:
        photo = NewAttachment(data=b"photo", name="my photo.jpg", mime_type="image/jpeg")
        waiting = NewMessage(conversation=f"signal:{ANN}", text="first", is_outgoing=True, attachments=(photo,))
        others = [
            NewMessage(conversation="signal:" + GROUP, text="to all", is_outgoing=True),
            NewMessage(conversation="signal:+49", text="refuse this", is_outgoing=True),
            NewMessage(conversation="other:+49", text="not Signal's", is_outgoing=True),
            NewMessage(conversation=f"signal:{ANN}", text="sent", is_outgoing=True, status=MessageStatus.SENT),
        ]
        store.save_messages([waiting, *others])
        bridge.receive(1)
        bridge.receive(2, groupInfo={"groupId": GROUP, "groupName": "All"})
        wait_until(lambda: len(bridge.delivered()) == 2 and len(list(store.contacts())) == 1)
        found = {one["message"]: one for one in bridge.delivered()}
        assert found["first"]["recipient"] == [ANN] and found["to all"]["groupId"] == GROUP
        assert found["first"]["attachments"] == ["data:image/jpeg;filename=my%20photo.jpg;base64,cGhvdG8="]
        wait_until(lambda: texts(store, "signal:+49", status=MessageStatus.FAILED) == ["refuse this"])
        wait_until(lambda: texts(store, f"signal:{ANN}", status=MessageStatus.SENT) == ["first", "sent"])
        wait_until(lambda: "in 2" in texts(store, "signal:" + GROUP))
        assert texts(store, f"signal:{ANN}", is_outgoing=False) == ["in 1"]
        assert texts(store, "other:+49", status=MessageStatus.PENDING) == ["not Signal's"]
        bridge.receive(1)
        bridge.receive(3, message=5)
        bridge.receive(4)
        wait_until(lambda: "in 4" in texts(store, f"signal:{ANN}"))
        assert texts(store, f"signal:{ANN}", is_outgoing=False) == ["in 1", "in 4"]
        assert len(bridge.delivered()) == 2


@pytest.mark.parametrize("seed", range(int(os.environ.get("GHOSTSTORE_BRIDGE_SEEDS", "2"))))
def test_nothing_is_lost_over_kills_of_either_side(bridge: Bridge, daemon: Daemon, seed: int) -> None:
    chance = random.Random(seed)
    count = 150
    with Store(daemon.socket) as store:
        for number in range(count):
            bridge.receive(number)
            store.save_message(NewMessage(conversation=f"signal:{ANN}", text=f"out {number}", is_outgoing=True))
            time.sleep(chance.random() * 0.02)
            kind = chance.randrange(40)
            if kind == 0:
                bridge.kill()
                bridge.start()
            elif kind == 1:
                bridge.kill_signal_cli()
            elif kind == 2:
                daemon.kill()
                daemon.start()
        out = sorted(f"out {number}" for number in range(count))
        wait_until(lambda: texts(store, f"signal:{ANN}", status=MessageStatus.SENT) == out)
        wait_until(lambda: len(texts(store, f"signal:{ANN}", is_outgoing=False)) == count)
        assert {one["message"] for one in bridge.delivered()} == set(out)
        assert not list((bridge.folder / "queue").iterdir())


def test_a_kill_of_the_bridge_sends_nothing_twice(bridge: Bridge, daemon: Daemon) -> None:
    with Store(daemon.socket) as store:
        for number in range(40):
            store.save_message(NewMessage(conversation="signal:+49", text=f"out {number}", is_outgoing=True))
            if number % 10 == 5:
                time.sleep(0.3)
                bridge.kill()
                bridge.start()
        wait_until(lambda: len(texts(store, "signal:+49", status=MessageStatus.SENT)) == 40)
        assert len(bridge.delivered()) == 40


def test_the_bridge_is_short() -> None:
    assert len(BRIDGE.read_text().splitlines()) <= 100
