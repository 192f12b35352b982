"""Large imports: the time, and memory that does not grow with the file.

GHOSTSTORE_IMPORT_MESSAGES sets the number of messages of each export; `make import-long` sets 100,000.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest
from daemon import Daemon
from importing_help import same_content
from importing_many import EVERY, EXPORTS, SIZE, Said, content_of
from test_import_command import arguments, environment

from ghoststore import ArchiveAim, Store

COUNT = int(os.environ.get("GHOSTSTORE_IMPORT_MESSAGES", "1000"))
# The limit is 60 seconds for 100,000 messages. The other 10 seconds are for the start of Python and the connection.
SECONDS = 60 * COUNT / 100_000 + 10
MEBIBYTE = 1024 * 1024
BYTES_MAX = 80 * MEBIBYTE


@dataclass(frozen=True)
class Measure:
    """An import: its report, its time, its processor time, and its greatest memory."""

    report: dict[str, Any]
    seconds: float
    processor_seconds: float
    byte_count: int

    def __str__(self) -> str:
        mebibytes = self.byte_count // MEBIBYTE
        return f"{self.seconds:.1f} s, {self.processor_seconds:.1f} s of processor time, {mebibytes} MiB"


def measured(words: list[str]) -> Measure:
    """Runs an import and measures it."""
    script = (
        "import resource, subprocess, sys; code = subprocess.run(sys.argv[1:]).returncode;"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN);"
        "print(used.ru_utime + used.ru_stime, used.ru_maxrss, file=sys.stderr); sys.exit(code)"
    )
    start = time.monotonic()
    done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, env=environment())
    assert done.returncode == 0, done.stderr
    processor_seconds, kibibytes = done.stderr.split()[-2:]
    seconds = time.monotonic() - start
    return Measure(json.loads(done.stdout), seconds, float(processor_seconds), int(kibibytes) * 1024)


def processor_seconds(process_id: int) -> float:
    """Returns the processor time of a running process."""
    fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def check_store(store: Store, *, has_replies: bool) -> None:
    """Checks that every message is in the store once, with its sender, its reply and its file."""
    numbers = set()
    for conversation in store.conversations():
        for message in store.messages(conversation.session_id, page_size=1000):
            if message.kind == "service":
                continue
            found = re.search(r"Message (\d+)", message.text)
            assert found is not None, message
            said = Said(int(found[1]))
            numbers.add(said.number)
            assert message.is_outgoing == (said.sender == 0) and message.sender_name in ("", said.name), message
            assert bool(message.reply_to_message_id) == (has_replies and said.reply_to is not None), message
            digests = [blake2b(content_of(said.number), digest_size=32).digest()] if said.has_file else []
            assert [one.digest for one in message.attachments] == digests, message
    assert numbers == set(range(COUNT))


@pytest.mark.parametrize("name", EXPORTS)
def test_many_messages_with_files_are_imported_in_time(daemon: Daemon, tmp_path: Path, name: str) -> None:
    export = EXPORTS[name]
    command = arguments(daemon, export.words[0], export.write(tmp_path, COUNT), *export.words[1:], "--json")
    count = COUNT + export.service_count
    first = measured(command)
    daemon_seconds = processor_seconds(daemon.process_id)
    print(f"\n{name}, {COUNT} messages: {first}, daemon {daemon_seconds:.1f} s of processor time")
    assert first.report["messages"] == {"new": count, "changed": 0, "known": 0}
    assert first.report["attachments_saved"] == -(-COUNT // EVERY)
    second = measured(command)
    print(f"again: {second}, daemon {processor_seconds(daemon.process_id) - daemon_seconds:.1f} s of processor time")
    assert second.report["messages"] == {"new": 0, "changed": 0, "known": count}
    assert not any(one.report["skipped"] or one.report["unknown"] for one in (first, second))
    with Store(daemon.socket) as store:
        check_store(store, has_replies=export.has_replies)
    assert max(first.seconds, second.seconds) < SECONDS
    assert max(first.byte_count, second.byte_count) < BYTES_MAX


@pytest.mark.parametrize("name", EXPORTS)
def test_an_archive_of_an_import_gives_an_equal_store(
    shared_daemon: Daemon, daemon: Daemon, tmp_path: Path, name: str
) -> None:
    export = EXPORTS[name]
    folder = tmp_path / "export"
    folder.mkdir()
    count = 100
    file = export.write(folder, count)
    words = (export.words[0], file, *export.words[1:], "--json")
    with Store(shared_daemon.socket) as store, Store(daemon.socket) as restored:
        store.clear_all_data("clear all data")
        measured(arguments(shared_daemon, *words))
        store.create_archive(tmp_path / "archive")
        restored.restore_archive(tmp_path / "archive", ArchiveAim.FILL_EMPTY)
        revision = restored.get_status().revision
        report = measured(arguments(daemon, *words)).report
        assert report["messages"] == {"new": 0, "changed": 0, "known": count + export.service_count}
        assert restored.get_status().revision == revision
        assert same_content(store, restored)


def test_memory_does_not_grow_with_the_file(daemon: Daemon, tmp_path: Path) -> None:
    sizes = []
    for factor in (1, 10):
        count = min(COUNT // 2, 12_500) * factor
        folder = tmp_path / str(factor)
        folder.mkdir()
        with open(folder / "chat.csv", "w") as file:
            file.write("conversation,time,sender,sender_name,text\n")
            for number in range(count):
                file.write(f"c{number},{number},p{number},Person {number},{'text ' * 40}\n")
        words = arguments(daemon, "csv", folder / "chat.csv", "--json", "--dry-run")
        measure = measured(words)
        assert measure.report["conversations"]["new"] == count
        sizes.append(measure.byte_count)
    assert sizes[1] - sizes[0] < 48 * MEBIBYTE, sizes
