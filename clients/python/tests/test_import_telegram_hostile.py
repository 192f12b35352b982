"""Telegram Desktop's result.json, hostile: each form ends with records or with an error that names the place."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import telegram_samples as samples
from ghoststore.importing import Reading, Source
from ghoststore.importing.formats import format_named
from importing_hostile import check, cuts, replacements


def test_a_file_that_is_cut_anywhere_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    for data in cuts(samples.exported(samples.PERSONAL), 7):
        path.write_bytes(data)
        assert not check("telegram", path), f"{len(data)} bytes were accepted"


def _replacements() -> Iterator[tuple[str, Any]]:
    """Yields replacements in each part of the samples, in a small export so that the many are fast."""
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
