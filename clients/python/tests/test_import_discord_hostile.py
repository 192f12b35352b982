"""DiscordChatExporter's JSON, hostile: each form ends with records or with an error that names the place."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import discord_samples as samples
from ghoststore.importing import Reading, Source
from ghoststore.importing.formats import format_named
from importing_hostile import check, cuts, replacements


def test_a_file_that_is_cut_anywhere_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for data in cuts(samples.exported(samples.CHANNEL), 17):
        path.write_bytes(data)
        assert not check("discord", path), f"{len(data)} bytes were accepted"


def test_a_cut_file_in_a_folder_is_an_error_or_skipped(tmp_path: Path) -> None:
    for data in cuts(samples.exported(samples.CHANNEL), 501):
        (tmp_path / "a.json").write_bytes(data)
        assert not check("discord", tmp_path)


def _replacements() -> Iterator[tuple[str, Any]]:
    seen: set[tuple[Any, ...]] = set()
    yield from replacements({**samples.CHANNEL, "messages": []}, seen)
    for message in samples.MESSAGES:
        yield from replacements({**samples.CHANNEL, "messages": [message]}, seen, "messages", 0)


def test_every_value_may_be_of_another_type(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    outcomes = {True: 0, False: 0}
    for what, value in _replacements():
        path.write_bytes(samples.exported(value))
        try:
            outcomes[check("discord", path)] += 1
        except Exception as error:
            pytest.fail(f"{what}: {error!r}")
    assert outcomes[True] > 500 and outcomes[False] > 500


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "latin-1", "utf-8-sig", "cp949"])
def test_other_encodings_end_with_records_or_an_error(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(samples.exported(samples.DIRECT).decode().encode(encoding, "replace"))
    check("discord", path)


def test_long_runs_of_mentions_are_fast(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for text in ("<@" * 1_000_000, "<a:" * 1_000_000, "<:" + "a" * 3_000_000, "<@102>" * 500_000):
        message = samples.message(1, text, mentions=[samples.MINSU])
        path.write_bytes(samples.exported({**samples.CHANNEL, "messages": [message]}))
        assert check("discord", path)


def test_memory_does_not_grow_with_the_number_of_people(tmp_path: Path) -> None:
    peaks = []
    for count in (2_500, 5_000):
        path = tmp_path / f"{count}.json"
        messages = [samples.message(id, "hi", samples.user(id, f"n{id}", f"Name {id}")) for id in range(1, count + 1)]
        path.write_bytes(samples.exported({**samples.CHANNEL, "messages": messages}))
        del messages
        tracemalloc.start()
        total = sum(1 for _ in format_named("discord").read(Reading(source=Source(path))))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert total == 1 + 3 * count
    assert peaks[1] < peaks[0] * 1.5
