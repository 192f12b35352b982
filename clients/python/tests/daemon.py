"""The built daemon with its own store."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from ghoststore import Store

REPOSITORY = Path(__file__).resolve().parents[3]


def program() -> Path:
    """Returns the path of the daemon: $GHOSTSTORED, or the last build of the repository."""
    named = os.environ.get("GHOSTSTORED")
    built = [REPOSITORY / folder / "release/ghoststored" for folder in (".build-tests", ".build")]
    candidates = [Path(named)] if named else built
    for candidate in candidates:
        if candidate.exists():
            return candidate
    raise FileNotFoundError("there is no ghoststored; hint: make test-build, or name one in GHOSTSTORED")


class Daemon:
    """A daemon that can be killed and started again. Without a key file its store starts absent, then locked."""

    def __init__(self, *, has_key_file: bool = True, **settings: str) -> None:
        # The folder is in memory if possible, because the daemon syncs every write. Its path is short, because the path
        # of a socket may have at most 107 bytes.
        place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else "/tmp"
        self.folder = Path(tempfile.mkdtemp(prefix="gs", dir=place))
        self.socket = self.folder / "socket"
        self._settings = {"ALLOW_LOW_COST_KEYS": "true", "LOG_LEVEL": "error", "TRUSTED_GROUP": "", **settings}
        self._settings["STATE_DIRECTORY"] = str(self.folder / "store")
        if has_key_file:
            key = self.folder / "key"
            subprocess.run([program(), "generate-key-file", key], check=True, stdout=subprocess.DEVNULL)
            self._settings |= {"KEY_FILE": str(key), "CREATE_STORE": "true"}
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Starts the daemon and waits until it answers."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GHOSTSTORE_")}
        environment |= {f"GHOSTSTORE_{name}": value for name, value in self._settings.items()}
        self._process = subprocess.Popen([program(), "--socket", str(self.socket)], env=environment)
        deadline = time.monotonic() + 20
        while True:
            try:
                with Store(self.socket):
                    return
            except Exception:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)

    @property
    def process_id(self) -> int:
        """The process id of the running daemon."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """Kills the daemon, as a crash would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Stops the daemon in order."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(30)
            self._process = None

    def remove(self) -> None:
        """Kills the daemon and removes its files."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
