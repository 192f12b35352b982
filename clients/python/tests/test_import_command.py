"""The command ghoststore-import: exit statuses, reports, Ctrl-C, lost daemons, and files that are cut off."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from daemon import REPOSITORY, Daemon
from importing_help import assert_round_trip

from ghoststore import Store
from ghoststore.importing.formats import all_formats

PACKAGE = REPOSITORY / "clients" / "python"
HEADER = "conversation,time,id,sender,sender_name,text,attachment\n"


def arguments(daemon: Daemon | None, *words: object) -> list[str]:
    socket = [] if daemon is None else ["--socket", str(daemon.socket)]
    return [sys.executable, "-m", "ghoststore.importing", *map(str, words), *socket]


def environment() -> dict[str, str]:
    names = {name: value for name, value in os.environ.items() if not name.startswith("GHOSTSTORE_")}
    return names | {"PYTHONPATH": str(PACKAGE / "src"), "TZ": "Europe/Berlin", "PYTHONDONTWRITEBYTECODE": "1"}


def run(daemon: Daemon | None, *words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(arguments(daemon, *words), capture_output=True, text=True, env=environment(), timeout=120)


def write_export(folder: Path, count: int, *, every: int = 10, size: int = 1000) -> Path:
    """Writes a CSV file of `count` messages. Every `every`-th message has an attachment of `size` bytes."""
    (folder / "media").mkdir(parents=True)
    with open(folder / "chat.csv", "w") as file:
        file.write(HEADER)
        for number in range(count):
            name = f"media/{number}.bin" if number % every == 0 else ""
            if name:
                (folder / name).write_bytes(number.to_bytes(4) * (size // 4))
            time = 1_600_000_000 + number // 3
            file.write(f"c{number % 7},{time},{number},p{number % 5},Person,text {number},{name}\n")
    return folder / "chat.csv"


@pytest.fixture
def store(shared_daemon: Daemon) -> Iterator[Store]:
    with Store(shared_daemon.socket) as store:
        store.clear_all_data("clear all data")
        yield store


def is_complete(store: Store, count: int, *, every: int = 10, size: int = 1000) -> bool:
    """Checks that every message in the store has its attachment, and returns true if all messages are there."""
    found = 0
    for conversation in store.conversations():
        for message in store.messages(conversation.session_id, page_size=1000):
            found += 1
            number = int(message.text.split()[1])
            assert [one.byte_count for one in message.attachments] == ([size] if number % every == 0 else [])
    return found == count


def test_a_dry_run_reports_and_saves_nothing(shared_daemon: Daemon, store: Store, tmp_path: Path) -> None:
    file = write_export(tmp_path, 30)
    expected = run(shared_daemon, "csv", file, "--dry-run")
    assert (expected.returncode, expected.stderr) == (0, "")
    assert re.search(r"^messages +30 +0 +0$", expected.stdout, re.MULTILINE)
    assert expected.stdout.endswith("\ndry run: nothing was saved\n")
    assert list(store.conversations()) == []
    done = run(shared_daemon, "csv", file, "--json")
    report = json.loads(done.stdout)
    assert report["messages"] == {"new": 30, "changed": 0, "known": 0}
    assert report["attachments_saved"] == 3 and report["skipped"] == []
    assert is_complete(store, 30)
    assert run(shared_daemon, "csv", file, "--quiet").stdout == ""


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ((), 64, "name a format and a file"),
        (("csv",), 64, "name a format and a file"),
        (("nothing", "FILE"), 64, "there is no such format"),
        (("csv", "FILE", "--zone", "Mars"), 64, "there is no time zone"),
        (("csv", "FILE", "--option", "color=Red"), 64, "there is no option 'color'; hint: conversation=…"),
        (("csv", "FILE", "--what"), 64, "unrecognized arguments"),
        (("auto", "OTHER"), 64, "no format is recognized"),
        (("csv", "/nonexistent"), 66, "nonexistent: no such file"),
        (("mail", "OTHER"), 64, "other.txt: mail does not say whose mailbox it is; hint: --self"),
        (("csv", "FILE", "--self", "Zoe"), 64, "chat.csv: no message is from the sender of --self Zoe; hint: "),
        (("csv", "FILE", "--self", "Zoe", "--dry-run"), 64, "chat.csv: no message is from the sender of --self Zoe"),
        (("whatsapp", "CHAT2", "--option", "date-order=foo"), 64, "--option date-order is none of dmy"),
        (("whatsapp", "CHAT", "--self", "Ann"), 65, "which conversation it is; hint: --option conversation=NAME\n"),
        (("csv", "EMPTY"), 65, "empty: line 1: is empty; hint: the first line has the names"),
        (("signal", "EMPTY"), 65, "empty: is empty; hint: signal-cli --output=json receive"),
        (("signal", "OTHER"), 65, "column 1: not JSON: expecting value; hint: does the file have lines of a log"),
        (("csv", "TRICK"), 65, "cod\ufffdfdp.csv: line 2: the conversation is missing"),
        (("csv", "WRONG"), 65, "wrong.csv: line 2: has 1 fields"),
        (("csv", "FILE", "--socket", "/nonexistent", "--timeout", "1"), 69, "nonexistent"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else "",
)
def test_failures_have_a_message_and_a_status(
    shared_daemon: Daemon, store: Store, tmp_path: Path, words: tuple[str, ...], status: int, message: str
) -> None:
    file = write_export(tmp_path / "export", 3)
    (tmp_path / "wrong.csv").write_text(HEADER + "ann\n")
    # A name that would clear a terminal, and whose end a terminal would show reversed, as "codvsc.pdf".
    trick = tmp_path / "\x1b[2Jcod\u202efdp.csv"
    trick.write_text(HEADER + ",1,,,,,\n")
    (tmp_path / "other.txt").write_text("hello\n")
    (tmp_path / "empty").write_text("")
    files = {"OTHER": "other.txt", "EMPTY": "empty", "CHAT": "_chat.txt", "CHAT2": "WhatsApp Chat with Ann.txt"}
    for name in (files["CHAT"], files["CHAT2"]):
        (tmp_path / name).write_text("[24.12.20, 18:30:00] Ann: hello\n")
    files = {word: str(tmp_path / name) for word, name in files.items()}
    files |= {"FILE": str(file), "WRONG": str(tmp_path / "wrong.csv"), "TRICK": str(trick)}
    named = [files.get(word, word) for word in words]
    daemon = None if "--socket" in words else shared_daemon
    failed = run(daemon, *named)
    assert failed.returncode == status
    assert re.fullmatch(r"ghoststore-import: .*\n", failed.stderr) and message in failed.stderr, failed.stderr
    assert failed.stdout == ""
    told = json.loads(run(daemon, *named, "--json").stderr)["error"]
    assert told["exit_status"] == status and message.strip() in told["message"]
    assert list(store.conversations()) == []


def test_a_locked_store_is_a_failure(locked_daemon: Daemon, tmp_path: Path) -> None:
    failed = run(locked_daemon, "csv", write_export(tmp_path, 1))
    assert failed.returncode == 3 and failed.stderr.endswith("[FAILED_PRECONDITION STORE_ABSENT]\n")


def test_local_times_have_the_zone(shared_daemon: Daemon, store: Store, tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("conversation,time,id,text\nann,2020-07-01T00:00:00,1,x\n")
    for words, hours in (((), 2), (("--zone", "America/New_York"), -4), (("--zone", "+05:30"), 5.5)):
        run(shared_daemon, "csv", file, *words)
        [message] = store.messages("csv:ann")
        assert message.timestamp_microseconds == (1_593_561_600 - hours * 3600) * 1_000_000


def test_a_file_that_is_cut_anywhere_leaves_nothing_half_done(
    shared_daemon: Daemon, store: Store, tmp_path: Path
) -> None:
    file = write_export(tmp_path, 40)
    whole = file.read_bytes()
    for length in range(len(HEADER) + 1, len(whole), 401):
        file.write_bytes(whole[:length])
        cut = run(shared_daemon, "csv", file, "--json")
        if cut.returncode == 0:
            # A whole file could also end here, so the import succeeds.
            store.clear_all_data("clear all data")
            continue
        assert cut.returncode == 65 and "chat.csv: " in json.loads(cut.stderr)["error"]["message"]
        assert list(store.conversations()) == [] and list(store.contacts()) == []


def start_import(daemon: Daemon, file: Path, store: Store, at_least: int, timeout: int = 30) -> subprocess.Popen[str]:
    """Starts an import and waits until the store has some of its messages."""
    words = arguments(daemon, "csv", file, "--timeout", timeout)
    process = subprocess.Popen(words, stdout=-1, stderr=-1, text=True, env=environment())
    deadline = time.monotonic() + 30
    while store.get_statistics().message_count < at_least:
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.005)
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_import_that_was_ended_continues(
    shared_daemon: Daemon, store: Store, tmp_path: Path, number: signal.Signals
) -> None:
    count, size = 6000, 100_000
    file = write_export(tmp_path, count, every=20, size=size)
    process = start_import(shared_daemon, file, store, 500)
    process.send_signal(number)
    _, errors = process.communicate(timeout=30)
    assert not is_complete(store, count, every=20, size=size)
    saved = store.get_statistics().message_count
    if number == signal.SIGINT:
        assert process.returncode == 130
        assert errors == (
            f"ghoststore-import: interrupted ({saved:,} new messages are in the store; the same command continues)\n"
        )
    report = json.loads(run(shared_daemon, "csv", file, "--json").stdout)
    assert report["messages"] == {"new": count - saved, "changed": 0, "known": saved}
    assert is_complete(store, count, every=20, size=size)


def test_an_import_survives_a_restart_of_the_daemon_and_continues_after_a_longer_loss(
    daemon: Daemon, tmp_path: Path
) -> None:
    count = 8000
    file = write_export(tmp_path, count)
    with Store(daemon.socket) as store:
        process = start_import(daemon, file, store, 500)
        daemon.kill()
        daemon.start()
        _, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (0, "")
        assert is_complete(store, count)
        store.clear_all_data("clear all data")
        process = start_import(daemon, file, store, 500, timeout=2)
        daemon.kill()
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 69 and "the same command continues" in errors
        daemon.start()
        assert run(daemon, "csv", file).returncode == 0
        assert is_complete(store, count)


def test_a_damaged_attachment_keeps_what_comes_before_it_and_can_be_left_out(
    shared_daemon: Daemon, store: Store, tmp_path: Path
) -> None:
    rows = "a,1,1,p,P,text,\na,2,2,p,P,text,good\na,3,3,p,P,text,bad\na,4,4,p,P,text,\nb,5,5,p,P,text,\n"
    file, whole = tmp_path / "a.zip", tmp_path / "whole.zip"
    with zipfile.ZipFile(whole, "w") as target:
        for name, data in (("chat.csv", HEADER + rows), ("good", "good content"), ("bad", "bad content")):
            target.writestr(name, data)
    file.write_bytes(whole.read_bytes().replace(b"bad content", b"BAD content"))
    for words, saved in (("--dry-run",), ""), ((), r" \(2 new messages are in the store; .*\)"), ((), ""):
        failed = run(shared_daemon, "csv", file, *words)
        cause = f"a.zip: bad: the entry of the zip is damaged{saved}; hint: export it again, or use --skip-damaged\n"
        assert failed.returncode == 65 and re.fullmatch(f"ghoststore-import: {cause}", failed.stderr), failed.stderr
        found = [(one.session_id, one.message_count) for one in store.conversations()]
        assert found == ([] if words else [("csv:a", 2)])
    for words in (("--dry-run",), ()):
        report = json.loads(run(shared_daemon, "csv", file, "--skip-damaged", "--json", *words).stdout)
        assert report["messages"] == {"new": 3, "changed": 0, "known": 2}
        assert [(one["what"], one["count"]) for one in report["skipped"]] == [("attachment that is damaged", 1)]
    [damaged] = [one for one in store.messages("csv:a") if one.timestamp_microseconds == 3_000_000]
    assert damaged.metadata is not None and json.loads(damaged.metadata.data)["attachments"][0]["is_damaged"]
    for export, changed in ((file, 0), (whole, 1), (file, 0)):
        report = json.loads(run(shared_daemon, "csv", export, "--skip-damaged", "--json").stdout)
        assert report["messages"] == {"new": 0, "changed": changed, "known": 5 - changed}


def test_an_export_of_the_store_has_everything(
    shared_daemon: Daemon, store: Store, daemon: Daemon, tmp_path: Path
) -> None:
    file = write_export(tmp_path, 200)
    assert_round_trip(shared_daemon, daemon, "csv", file, tmp_path / "archive")


def test_help_fits_a_terminal_and_the_manual_page_has_every_option() -> None:
    help = run(None, "--help")
    assert help.returncode == 0 and max(map(len, help.stdout.splitlines())) <= 80
    page = (PACKAGE / "ghoststore-import.1").read_text()
    options = set(re.findall(r"--[a-z-]+", help.stdout)) - {"--help"}
    assert {option for option in options if f"Fl -{option[2:]}" not in page} == set()


SAMPLES = {
    "csv": ("a.csv", "text;time;conversation\r\nhello;1;ann\r\n"),
    "discord": ("a.json", '{"guild": {"id": "0"}, "channel": {"id": "1", "type": "DirectTextChat"}, "messages": []}'),
    "mail": ("a.mbox", "From a Thu Jan  1 00:00:00 2026\nFrom: bob@example.org\nDate: x\n\nhello\n"),
    "matrix": (
        "events.jsonl",
        '{"type": "m.room.message", "event_id": "$1", "origin_server_ts": 1, "room_id": "!a:b", "sender": "@a:b",'
        ' "content": {"msgtype": "m.text", "body": "hello"}}\n',
    ),
    "signal": ("a.jsonl", '{"envelope": {"source": "+49", "timestamp": 1, "dataMessage": {"message": "hello"}}}\n'),
    "sms": ("sms-1.xml", "<smses count='1'><sms protocol='0' address='+49' date='1' type='1' body='x'/></smses>"),
    "telegram": ("result.json", '{"name": "Ann", "type": "personal_chat", "id": 1, "messages": []}'),
    "whatsapp": ("WhatsApp Chat with Bob.txt", "24.12.20, 18:30 - Ann: hello\n24.12.20, 18:31 - Bob: hello\n"),
}


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_auto_finds_the_format(shared_daemon: Daemon, tmp_path: Path, name: str) -> None:
    (tmp_path / SAMPLES[name][0]).write_text(SAMPLES[name][1])
    named = ("--self", "bob@example.org") if name == "mail" else ()
    found = run(shared_daemon, "auto", tmp_path / SAMPLES[name][0], "--json", "--dry-run", *named)
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)["format"] == name


def test_formats_are_listed() -> None:
    listed = run(None, "--list-formats").stdout
    for one in all_formats().values():
        assert f"{one.name:<12} {one.title}\n" in listed
        assert re.fullmatch("[a-z0-9]{1,12}", one.name) and len(one.title) <= 60
