"""A signal-cli for tests, with the behaviour of `signal-cli jsonRpc` that its manual and its source describe.

The folder `queue` contains the messages that the server has sent, one file each. A file is removed after its message
was written to standard output. Messages that a client sends are appended to the file `delivered`.

Usage: fake_signal_cli.py FOLDER
"""

from __future__ import annotations

import json
import os
import select
import sys
import time
from pathlib import Path


def write(line: bytes) -> None:
    # Two writes, so that a kill between them leaves half of a line.
    os.write(1, line[: len(line) // 2])
    time.sleep(0.002)
    os.write(1, line[len(line) // 2 :])


def receive(folder: Path) -> None:
    for path in sorted((folder / "queue").iterdir()):
        message = {"jsonrpc": "2.0", "method": "receive", "params": json.loads(path.read_text())}
        write(json.dumps(message).encode() + b"\n")
        path.unlink()
        return


def answer(folder: Path, line: bytes) -> None:
    try:
        request = json.loads(line)
    except ValueError:
        write(b'{"jsonrpc":"2.0","error":{"code":-32700,"message":"cannot parse","data":null},"id":null}\n')
        return
    reply = {"jsonrpc": "2.0", "result": {"timestamp": int(time.time() * 1000)}, "id": request["id"]}
    if "refuse" in request["params"]["message"]:
        reply = {"jsonrpc": "2.0", "error": {"code": -1, "message": "refused", "data": None}, "id": request["id"]}
    else:
        with open(folder / "delivered", "ab", 0) as file:
            file.write(json.dumps(request["params"]).encode() + b"\n")
    write(json.dumps(reply).encode() + b"\n")


def main() -> None:
    folder, rest = Path(sys.argv[1]), b""
    (folder / "process").write_text(str(os.getpid()))
    while True:
        if select.select([0], [], [], 0.005)[0]:
            data = os.read(0, 65536)
            if not data:
                return
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                answer(folder, line)
        receive(folder)


if __name__ == "__main__":
    main()
