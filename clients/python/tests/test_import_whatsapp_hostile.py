"""Imports of damaged and hostile chats of WhatsApp: records or an error with a place, in little time and memory."""

from __future__ import annotations

import random
import time
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from importing_help import read_all

from ghoststore.importing import Message, Reading, Record, Source, SourceError
from ghoststore.importing.formats.whatsapp import FORMAT
from ghoststore.importing.notes import Notes

LRM, RLM = "\u200e", "\u200f"
SAMPLE = f"""[3/18/22, 2:56:01\u202fPM] Grüppe: {LRM}Messages and calls are end-to-end encrypted. WhatsApp
[3/27/22, 9:41:35\u202fPM] Änne: Hallo
zweite Zeile
{LRM}[3/27/22, 9:41:55\u202fPM] ليلى: {LRM}<attached: 00000001-PHOTO-2022-03-27-21-41-55.jpg>
[3/27/22, 9:42:00\u202fPM] 田中: 編集 {LRM}<This message was edited>
[3/27/22, 9:42:00\u202fPM] 田中: {LRM}POLL:\nWhen?\n{LRM}OPTION: A ({LRM}2 votes)\n{LRM}OPTION: B ({LRM}0 votes)
[3/27/22, 9:56:45\u202fPM] Änne: {LRM}Location: https://maps.google.com/?q=51.5021456,-0.127397
"""


def read(tmp_path: Path, data: bytes, notes: Notes | None = None) -> list[Record]:
    """Reads the bytes of a chat."""
    path = tmp_path / "WhatsApp Chat with X.txt"
    path.write_bytes(data)
    return read_all("whatsapp", path, notes=notes)


def read_or_refused(tmp_path: Path, data: bytes) -> list[Record]:
    """Reads the bytes of a chat. If they are refused, checks the error and returns no records."""
    try:
        return read(tmp_path, data)
    except SourceError as error:
        assert error.place.startswith("WhatsApp Chat with X.txt") and error.message[0].islower()
        return []


def test_cut_anywhere(tmp_path: Path) -> None:
    data = SAMPLE.encode()
    whole = [one for one in read(tmp_path, data) if isinstance(one, Message)]
    counts = set()
    for end in range(len(data)):
        found = [one for one in read_or_refused(tmp_path, data[:end]) if isinstance(one, Message)]
        # All messages except the last one are as in the whole file.
        assert [one.text for one in found[:-1]] == [one.text for one in whole[: max(0, len(found) - 1)]]
        counts.add(len(found))
    assert counts == set(range(len(whole) + 1))


@pytest.mark.parametrize("encoding", ["utf-16", "cp1256", "cp932", "latin-1", "utf-7", "utf-32"])
def test_other_encodings(tmp_path: Path, encoding: str) -> None:
    found = read_or_refused(tmp_path, SAMPLE.encode(encoding, "ignore"))
    # UTF-16 is recognized by its byte order mark.
    if encoding == "utf-16":
        assert sum(isinstance(one, Message) for one in found) == 6


def test_any_character_may_be_replaced(tmp_path: Path) -> None:
    odd = ["\u202e", "\u2066", "\0", "[", "]", ":", "<", "9" * 30, "\n", "٣", "²", "\ud7ff", "../", "\x1b", " " * 500]
    random.seed(40)
    for _ in range(500):
        at, width = random.randrange(len(SAMPLE)), random.choice((0, 1, 1, 5))
        read_or_refused(tmp_path, (SAMPLE[:at] + random.choice(odd) + SAMPLE[at + width :]).encode())


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "C:\\x.txt", "../..", "a/b.jpg", "a\0.jpg"])
@pytest.mark.parametrize("form", [LRM + "<attached: {}>", "{}.jpg (file attached)"])
def test_paths_are_only_text(tmp_path: Path, name: str, form: str) -> None:
    body = form.format(name)
    found = read(tmp_path, f"[27.03.22, 21:41:35] X: {body}\n".encode(), notes := Notes())
    messages = [one for one in found if isinstance(one, Message)]
    assert len(messages) == 1 and all(one.content is None for one in messages[0].attachments)
    assert list(notes.skipped) == ["file whose name is a path"]


def test_a_link_in_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").symlink_to("/etc/passwd")
    with pytest.raises(SourceError, match=r"a\.jpg"):
        read(tmp_path, f"[27.03.22, 21:41:35] X: {LRM}<attached: a.jpg>\n".encode())


def test_a_zip_bomb_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "WhatsApp Chat - X.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("_chat.txt", SAMPLE)
        file.writestr("00000001-PHOTO-2022-03-27-21-41-55.jpg", bytes(50_000_000))
    with pytest.raises(SourceError, match="00000001-PHOTO"):
        read_all("whatsapp", path)


@pytest.mark.parametrize("data", [b"", b"\n\n", b"hello", b"{}", bytes(1000), b"[27.03.22] X: no time"])
def test_a_file_without_messages_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(SourceError, match="has no message as WhatsApp writes it"):
        read(tmp_path, data)


def test_an_islamic_date_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="Islamic calendar") as caught:
        read(tmp_path, "24/8/1443, 21:41 - X: a\n".encode())
    assert caught.value.place == "WhatsApp Chat with X.txt: line 1"


def test_a_message_without_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="too long"):
        read(tmp_path, b"27.03.22, 21:41 - X: a\n" + (b"x" * 999 + b"\n") * 9000)


@pytest.mark.parametrize(
    "body",
    ["<This message was edited> " * 30_000, LRM * 500_000, "<a: " * 200_000, "x.jpg (" * 100_000, " " * 900_000,
     f"{LRM}POLL:\n" + "OPTION: a (" * 90_000, "1/1/22, " * 100_000, ": " * 400_000, "\u0301" * 300_000],
    ids="edits marks brackets files spaces polls dates colons accents".split(),
)  # fmt: skip
def test_long_lines_take_little_time(tmp_path: Path, body: str) -> None:
    started = time.monotonic()
    lines = [f"27.03.22, 21:41 - X: {body}", body, f"27.03.22, 21:42 - {body}", f"27.03.22 {body}", f"{body}27.03.22"]
    text = "\n".join(lines)
    read_or_refused(tmp_path, text.encode())
    assert time.monotonic() - started < 5


def test_a_million_senders_take_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "WhatsApp Chat with X.txt"
    with path.open("w") as file:
        for number in range(3000):
            file.write(f"27.03.22, {number % 24:02}:41 - sender {number}: text\n" + "more\n" * 5)
    source = Source(path)
    tracemalloc.start()
    try:
        count = sum(isinstance(one, Message) for one in FORMAT.read(Reading(source=source)))
        assert count == 3000 and tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()
        source.close()
