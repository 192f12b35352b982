"""Files of a Matrix export are found, and hostile exports are refused with a place."""

from __future__ import annotations

import io
import json
import tracemalloc
import zipfile
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from importing_help import read_all
from importing_hostile import check, cuts, replacements
from importing_matrix import JIRI, ROOM, SAMPLE, START, element, media, member, messages_of, text, write

from ghoststore.importing import Reading, Source, SourceError
from ghoststore.importing.formats import format_named

# Names of files as Element makes them in languages with different dates, clocks and digits.
NAMES = {
    "en-US": "photo-10-30-2022 at 3-04-32 PM.jpg",
    "en-GB": "photo-30-10-2022 at 15-04-32.jpg",
    "de": "photo-30.10.2022 um 15-04-32.jpg",
    "cs": "photo-30. 10. 2022 v 15-04-32.jpg",
    "ja": "photo-2022-10-30 の 15-04-32.jpg",
    "ar-EG": "photo-\u200f٣٠\u200f-١٠\u200f-٢٠٢٢ في ٣-٠٤-٣٢ م.jpg",
    "fa": "photo-۱۴۰۱-۸-۸ در ۱۵-۰۴-۳۲.jpg",
    "India, seen from elsewhere": "photo-30-10-2022 at 8-34-32 pm.jpg",
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_files_are_found_in_all_languages(tmp_path: Path, name: str) -> None:
    photo = media(27, "m.image", "photo.jpg", "image/jpeg", size=99)
    folder = tmp_path / "images"
    folder.mkdir()
    for other in ("photo-10-30-2022 at 3-04-33 PM.jpg", "photo-10-29-2022 at 3-05-32 PM.jpg", "photo.jpg"):
        (folder / other).write_bytes(b"other")
    (folder / name).write_bytes(b"own")
    for path in (write(tmp_path / "export.json", element([photo])), tmp_path, zipped(tmp_path)):
        content = messages_of(read_all("matrix", path))["$e27"].attachments[0].content
        assert content is not None and content.byte_count == len(b"own")


def zipped(folder: Path) -> Path:
    """Returns a zip as Element makes it, with a folder that has the name of the zip."""
    path = folder.parent / f"{folder.name}.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for one in sorted(folder.rglob("*")):
            if one.is_file():
                file.write(one, f"Element - Zahrada - Chat Export - 2022-10-30T15-04-05.000Z/{one.relative_to(folder)}")
    return path


def test_equal_names_are_told_apart_by_time_zone_and_size(tmp_path: Path) -> None:
    pictures = [media(number, "m.image", "image.png", "image/png", size) for number, size in ((0, 3), (3600, 3))]
    (tmp_path / "images").mkdir()
    for hour, content in ((5, b"one"), (6, b"two")):
        (tmp_path / "images" / f"image-10-30-2022 at {hour}-04-05 PM.png").write_bytes(content)
    path = write(tmp_path / "export.json", element(pictures))
    messages = messages_of(read_all("matrix", path, zone=ZoneInfo("Europe/Helsinki")))
    found = [message.attachments[0].content for message in messages.values()]
    first, second = [content.place for content in found if content is not None]
    assert "5-04-05" in first and "6-04-05" in second


def test_thousands_of_pictures_with_one_name_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    pictures = []
    for number in range(0, 3000):
        moment = datetime.fromtimestamp(START / 1000 + number * 61, timezone.utc)
        name = f"image-{moment.month}-{moment.day}-{moment.year} at {moment.hour}-{moment:%M-%S}.png"
        (tmp_path / "images" / name).write_bytes(b"")
        pictures.append(media(number * 61, "m.image", "image.png", "image/png"))
    found = messages_of(read_all("matrix", write(tmp_path / "export.json", element(pictures))))
    contents = [message.attachments[0].content for message in found.values()]
    assert len({content.place for content in contents if content is not None}) == 3000


def test_missing_files_keep_the_message(tmp_path: Path) -> None:
    photo = messages_of(read_all("matrix", write(tmp_path / "export.json", element(SAMPLE))))["$e27"].attachments[0]
    assert (photo.content, photo.name, photo.source) == (None, "photo.jpg", "mxc://example.org/AbC123")


def test_files_never_come_from_outside(tmp_path: Path) -> None:
    (tmp_path / "secret-10-30-2022 at 3-04-32 PM.jpg").write_bytes(b"secret")
    for name in ("../../secret.jpg", "/etc/secret.jpg", "..", "\\..\\secret.jpg", "\0", "-", ""):
        path = write(tmp_path / "export" / "export.json", element([media(27, "m.image", name, "image/jpeg")]))
        assert messages_of(read_all("matrix", path))["$e27"].attachments[0].content is None


def test_files_cut_anywhere_give_records_or_an_error(tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    compact = json.dumps(element(SAMPLE), ensure_ascii=False).encode()
    lines = "".join(json.dumps(one) + "\n" for one in SAMPLE[:9]).encode()
    for whole in (compact, lines):
        for part in cuts(whole, 19):
            path.write_bytes(part)
            check("matrix", path)


def test_values_of_other_types_give_records_or_an_error(tmp_path: Path) -> None:
    path = tmp_path / "mangled.json"
    seen: set[tuple[Any, ...]] = set()
    for one in SAMPLE:
        for _, variant in replacements(one, seen):
            path.write_text(json.dumps(variant) + "\n")
            check("matrix", path)
    sync = {"next_batch": "s", "rooms": {"join": {ROOM: {"timeline": {"events": SAMPLE[4:5]}}}},
            "account_data": {"events": [{"type": "m.direct", "content": {JIRI: [ROOM]}}]}}
    receipt = {"rooms": {"join": {ROOM: {"ephemeral": {"events": [
        {"type": "m.receipt", "content": {"$e4": {"m.read": {JIRI: {"ts": START}}}}}]}}}}}
    for around in (element(SAMPLE[4:6]), sync, receipt, {"chunk": SAMPLE[4:5]}):
        for _, variant in replacements(around, seen):
            path.write_text(json.dumps(variant))
            check("matrix", path)


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\xff\xfe\x00", b"\x80\x81\n", b"{}\n" + b"\xe4" * 100, b"[" * 100_000, b'{"messages":' * 99, b'"' * 9,
        b"7",
    ],
    ids=["empty", "half a character", "no UTF-8", "Latin-1", "deep", "deep objects", "quotes", "number"],
)
def test_bytes_that_are_no_events_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bytes.json"
    path.write_bytes(content)
    assert not check("matrix", path)


def test_keys_of_a_file_do_not_reach_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "keys.jsonl"
    for value in ({"rooms": {"join\n\x1b": {"!a\n\x1b[2J": 7}}}, {"account_data": {"events": [{"type": "m.direct",
                  "content": {"\x1b\n": 7}}]}}, {"rooms": {"join": {ROOM: {"ephemeral": {"events": [
                      {"type": "m.receipt", "content": {"\x1b\n": {"\x1b\n": 7}}}]}}}}}):
        path.write_text(json.dumps(value))
        try:
            read_all("matrix", path)
        except SourceError as error:
            assert str(error).isprintable()


def test_many_senders_need_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "senders.json"
    with path.open("w") as file:
        file.write('{"room_name": "x", "exported_by": "x", "messages": [')
        for number in range(10_000):
            user = f"@user{number}:example.org"
            events = member(2 * number, user, f"name {number}"), text(2 * number + 1, user, "x" * 500)
            file.write(",".join(json.dumps(one) for one in events) + ("," if number < 9999 else "]}"))
    tracemalloc.start()
    try:
        count = sum(1 for _ in format_named("matrix").read(Reading(source=Source(path))))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 20_000 + 10_000 + 1 + 20
    assert peak < 8_000_000


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("export.json", b'{"messages": [' + b" " * 100_000_000)
    (tmp_path / "bomb.zip").write_bytes(data.getvalue())
    with pytest.raises(SourceError, match="zip bomb"):
        read_all("matrix", tmp_path / "bomb.zip")
