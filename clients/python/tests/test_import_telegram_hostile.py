"""Telegram Desktop's result.json, hostile: each form ends with records or with an error that names the place."""

from __future__ import annotations

import io
import json
import random
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

import pytest

import telegram_samples as samples
from ghoststore.importing import Reading, Source
from ghoststore.importing.formats import format_named
from ghoststore.importing.formats._telegram_json import repaired
from importing_hostile import check, cuts, replacements


def test_a_file_that_is_cut_anywhere_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    for data in cuts(samples.exported(samples.PERSONAL), 19):
        path.write_bytes(data)
        assert not check("telegram", path), f"{len(data)} bytes were accepted"


def _replacements() -> Iterator[tuple[str, Any]]:
    """Yields replacements in each part of the samples. The exports are small, so that all of them take little time."""
    chats = {"about": "", "list": [{**samples.PERSONAL, "messages": samples.PERSONAL["messages"][:1]}]}
    seen: set[tuple[Any, ...]] = set()
    yield from replacements({**samples.ACCOUNT, "chats": chats}, seen)
    for chat in (samples.PERSONAL, samples.GROUP):
        for message in chat["messages"]:
            yield from replacements({**chat, "messages": [message]}, seen, "messages", 0)


def test_every_value_may_be_of_another_type(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    outcomes = {True: 0, False: 0}
    for what, value in _replacements():
        path.write_bytes(samples.exported(value))
        try:
            outcomes[check("telegram", path)] += 1
        except Exception as error:
            pytest.fail(f"{what}: {error!r}")
    assert outcomes[True] > 500 and outcomes[False] > 500


def test_changed_bytes_end_with_records_or_an_error(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    data = samples.exported(samples.PERSONAL)
    generator = random.Random(40)
    for _ in range(400):
        changed = bytearray(data)
        for _ in range(generator.randint(1, 4)):
            changed[generator.randrange(len(data))] = generator.choice(b'\\"x0{}[],:\n\xff\x00\xe2')
        path.write_bytes(changed)
        check("telegram", path)


class _Slow(io.RawIOBase):
    """A stream that gives a few bytes with each read, as a zip may."""

    def __init__(self, data: bytes, count: int) -> None:
        self._data, self._count = io.BytesIO(data), count

    def read(self, size: int = -1) -> bytes:
        return self._data.read(self._count)


@pytest.mark.parametrize("count", range(1, 20))
def test_escapes_are_repaired_wherever_a_read_ends(count: int) -> None:
    text = "a\u000b\\x0b\\\\\u2028\"\\u2028\u2029\\" * 3 + "\\" * 50 + "\u0001" * 5
    data = samples.exported({"text": text})
    repaired_data = repaired(cast(IO[bytes], _Slow(data, count))).read()
    assert json.loads(repaired_data) == {"text": text}
    # The reads also give the same result if the file ends anywhere, even inside an escape.
    for end in range(len(data)):
        assert repaired(cast(IO[bytes], _Slow(data[:end], count))).read() == repaired(io.BytesIO(data[:end])).read()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "latin-1", "utf-8-sig", "cp1251"])
def test_other_encodings_end_with_records_or_an_error(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "result.json"
    text = samples.exported({**samples.PERSONAL, "messages": samples.PERSONAL["messages"][:1]}).decode()
    path.write_bytes(text.encode(encoding, "replace"))
    check("telegram", path)
    path.write_bytes(samples.exported(samples.PERSONAL).replace(b"\xd0", b"\xff"))
    assert not check("telegram", path)


def test_deep_values_end_with_records_or_an_error(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    data = samples.exported({**samples.PERSONAL, "messages": [samples.message(1, poll=0, reactions=0)]})
    for depth in (100, 900, 970, 985, 5000):
        for name in (b"poll", b"reactions"):
            path.write_bytes(data.replace(b'"%s": 0' % name, b'"%s": %s%s' % (name, b"[" * depth, b"]" * depth)))
            check("telegram", path)


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    peaks = []
    for count in (2_000, 8_000):
        path = tmp_path / f"{count}.json"
        with open(path, "wb") as file:
            file.write(b'{"name": "x", "type": "private_supergroup", "id": 5, "messages": [')
            for id in range(count):
                sender = {"from": f"Name {id}", "from_id": f"user{id}"}
                file.write(b"," * (id > 0) + samples.exported(samples.message(id, "hi", **sender)))
            file.write(b"]}")
        tracemalloc.start()
        total = sum(1 for _ in format_named("telegram").read(Reading(source=Source(path))))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert total == count + 1
    assert peaks[1] < peaks[0] * 1.5
