"""Large imports: the time, and memory that does not grow with the file.

GHOSTSTORE_IMPORT_MESSAGES sets the number of messages; `make import-long` sets 100,000.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from daemon import Daemon
from test_import_command import arguments, environment, is_complete, write_export

from ghoststore import Store

COUNT = int(os.environ.get("GHOSTSTORE_IMPORT_MESSAGES", "4000"))
# One message in twenty has a file: 5,000 files for 100,000 messages.
EVERY, SIZE = 20, 20_000
# The limit is 60 seconds for 100,000 messages. The other 10 seconds are for the start of Python and the connection.
SECONDS = 60 * COUNT / 100_000 + 10
MEBIBYTE = 1024 * 1024


def measured(words: list[str]) -> tuple[dict[str, Any], float, int]:
    """Runs an import, and returns its report, its seconds, and its greatest memory in bytes."""
    script = (
        "import resource, subprocess, sys; code = subprocess.run(sys.argv[1:]).returncode;"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr); sys.exit(code)"
    )
    start = time.monotonic()
    done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, env=environment())
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), time.monotonic() - start, int(done.stderr.split()[-1]) * 1024


def test_many_messages_with_files_are_imported_in_time(daemon: Daemon, tmp_path: Path) -> None:
    file = write_export(tmp_path, COUNT, every=EVERY, size=SIZE)
    words = arguments(daemon, "csv", file, "--json")
    report, seconds, first_bytes = measured(words)
    assert report["messages"] == {"new": COUNT, "changed": 0, "known": 0}
    report, again, second_bytes = measured(words)
    assert report["messages"] == {"new": 0, "changed": 0, "known": COUNT}
    with Store(daemon.socket) as store:
        assert is_complete(store, COUNT, every=EVERY, size=SIZE)
    mebibytes = max(first_bytes, second_bytes) // MEBIBYTE
    print(f"{COUNT} messages: {seconds:.1f} s, again {again:.1f} s, {mebibytes} MiB")
    assert seconds < SECONDS and again < SECONDS


def test_memory_does_not_grow_with_the_file(daemon: Daemon, tmp_path: Path) -> None:
    sizes = []
    for factor in (1, 10):
        count = COUNT // 8 * factor
        folder = tmp_path / str(factor)
        folder.mkdir()
        with open(folder / "chat.csv", "w") as file:
            file.write("conversation,time,sender,sender_name,text\n")
            for number in range(count):
                file.write(f"c{number},{number},p{number},Person {number},{'text ' * 40}\n")
        words = arguments(daemon, "csv", folder / "chat.csv", "--json", "--dry-run")
        report, _, byte_count = measured(words)
        assert report["conversations"]["new"] == count
        sizes.append(byte_count)
    assert sizes[1] - sizes[0] < 48 * MEBIBYTE, sizes
