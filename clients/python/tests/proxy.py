"""A proxy between client and daemon that ends connections after a number of bytes."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

# A little more than the answer to hello. A connection that is cut after this many bytes loses the answer to its first
# call.
HELLO_ANSWER_BYTES = 50


class Proxy:
    """Forwards bytes. A connection with a budget ends when the budget is used up."""

    def __init__(self, folder: Path, daemon: Path) -> None:
        self.socket = folder / "proxy"
        self.daemon = daemon
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.socket))
        self._listener.listen()
        # The numbers of bytes that the next connections may forward in each direction. Later connections have no limit.
        self.request_budgets: list[int] = []
        self.answer_budgets: list[int] = []
        self.connections = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Stops accepting connections."""
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            daemon = socket.socket(socket.AF_UNIX)
            try:
                daemon.connect(str(self.daemon))
            except OSError:
                client.close()
                daemon.close()
                continue
            pair = (client, daemon)
            requests = self.request_budgets.pop(0) if self.request_budgets else -1
            answers = self.answer_budgets.pop(0) if self.answer_budgets else -1
            left = threading.Semaphore(1)
            for source, target, budget in ((client, daemon, requests), (daemon, client, answers)):
                threading.Thread(target=_pass_on, args=(source, target, budget, pair, left), daemon=True).start()


def _pass_on(
    source: socket.socket,
    target: socket.socket,
    budget: int,
    pair: tuple[socket.socket, socket.socket],
    left: threading.Semaphore,
) -> None:
    try:
        while data := source.recv(1 << 16):
            if 0 <= budget < len(data):
                target.sendall(data[:budget])
                break
            budget = budget - len(data) if budget >= 0 else -1
            target.sendall(data)
    except OSError:
        pass
    for one in pair:
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
    # The second of the two threads to end closes both sockets.
    if not left.acquire(blocking=False):
        for one in pair:
            one.close()
