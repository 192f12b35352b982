"""The readers of JSON, text and XML, which stream and name the place of an error."""

from __future__ import annotations

import io
import itertools
import json
import random
from collections.abc import Callable
from datetime import timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from ghoststore.importing import (
    Element,
    JsonReader,
    Reading,
    Source,
    SourceError,
    from_iso,
    from_milliseconds,
    from_seconds,
    json_lines,
    lines,
    xml_elements,
)
from ghoststore.importing.notes import Notes
from ghoststore.importing.zones import zone_named


class Drops(io.BytesIO):
    """A stream that returns a few bytes at a time."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self._sizes = itertools.cycle([4, 1, 3, 2, 7])

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(size or 0, next(self._sizes)))


# ---- JSON ----


def decoded(reader: JsonReader) -> Any:
    kind = reader.kind()
    if kind == "{":
        return {key: decoded(reader) for key in reader.members()}
    if kind == "[":
        return [decoded(reader) for _ in reader.elements()]
    return reader.value()


def random_value(source: random.Random, depth: int = 0) -> Any:
    kind = source.randrange(8 if depth < 4 else 6)
    if kind < 6:
        return [None, True, source.randrange(-(10**9), 10**9), source.random(), 'a"\\\u2028', "ä😀" * kind][kind]
    if kind == 6:
        return [random_value(source, depth + 1) for _ in range(source.randrange(4))]
    return {f"k{n}": random_value(source, depth + 1) for n in range(source.randrange(4))}


def test_json_in_pieces_is_what_json_says() -> None:
    source = random.Random(40)
    for _ in range(300):
        value = random_value(source)
        text = json.dumps(value, ensure_ascii=source.random() < 0.5, indent=source.choice([None, 1]))
        reader = JsonReader(Drops(text.encode(source.choice(["utf-8", "utf-8-sig"]))), "a.json")
        assert decoded(reader) == value
        reader.end()


def test_json_that_is_cut_anywhere_is_an_error() -> None:
    text = json.dumps({"a": [{"b": "ä\\", "c": [1.5, {}]}, None, True], "z": {"n": -1}}).encode()
    for length in range(len(text)):
        with pytest.raises(SourceError, match="^a.json.*: (the file ends|the text is not UTF-8|not JSON: a comma)"):
            decoded(JsonReader(Drops(text[:length]), "a.json"))


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (b'{"a": [1, {"b": nul}]}', r"a.json: a\[1\].b: character 17: not JSON"),
        (b'{"a": [1, 2 3]}', r"a.json: a\[1\]: character 13: not JSON: a comma is missing"),
        (b'{"a": "\xff"}', "a.json: character .*: the text is not UTF-8"),
        (b'{"a": {"b":' + b"[" * 100_000, "too deep"),
        (b'{"a": ' * 500 + b"1" + b"}" * 500, "too deep"),
        (b'{"a": NaN}', "not JSON"),
        (b'{"a": 1e999}', "too large"),
        (b'{"a": ' + b"9" * 5000 + b"}", "too large"),
        (b'{"a": 1} x', "more data follows"),
        (b'["a"]', "an object was expected"),
        (b"", "the file ends too early"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_wrong_json_is_an_error_with_its_place(text: bytes, error: str) -> None:
    with pytest.raises(SourceError, match=error):
        reader = JsonReader(io.BytesIO(text), "a.json")
        for _ in reader.members():
            reader.value() if reader.kind() != "[" else decoded(reader)
        reader.end()


def test_values_that_are_not_read_are_left_out() -> None:
    reader = JsonReader(io.BytesIO(b'{"a": [1, {"b": 2}], "c": {"d": []}, "e": 3}'), "a.json")
    assert [key for key in reader.members()] == ["a", "c", "e"]
    reader.end()


def test_a_value_without_end_is_not_held() -> None:
    class Endless(io.BytesIO):
        byte_count = 0

        def read(self, size: int | None = -1) -> bytes:
            start = b"x" if self.byte_count else b'"'
            self.byte_count += size or 0
            return start + b"x" * ((size or 0) - 1)

    stream = Endless()
    reader = JsonReader(stream, "a")
    with pytest.raises(SourceError, match="a value has more than 32 million characters"):
        reader.value()
    assert stream.byte_count < 100_000_000


def test_json_lines_name_the_line() -> None:
    assert [value for _, value in json_lines(Drops(b'{"a": 1}\r\n\n[2]'), "a")] == [{"a": 1}, [2]]
    for text in (b'{}\n{"a":', b"{}\n" + b"[" * 5000, b"{}\n\xff", b"{}\n" + b'{"a":' * 200 + b"1" + b"}" * 200):
        with pytest.raises(SourceError, match="^a: line 2"):
            list(json_lines(Drops(text), "a"))


# ---- Text and XML ----


def test_lines_end_only_at_line_feeds() -> None:
    text = "\ufeffone\r\ntwo\u2028\x85\rstill two\n\nfour"
    assert list(lines(Drops(text.encode()), "a")) == [(1, "one"), (2, "two\u2028\x85\rstill two"), (3, ""), (4, "four")]
    assert list(lines(Drops("\ufefföne\nzwei".encode("utf-16-le")), "a")) == [(1, "öne"), (2, "zwei")]


def test_wrong_bytes_name_their_line() -> None:
    with pytest.raises(SourceError, match="^a: line 3: the text is not UTF-8"):
        list(lines(io.BytesIO(b"one\ntwo\n\xc3(\n"), "a"))
    with pytest.raises(SourceError, match="^a: line 2: the text is not UTF-8"):
        list(lines(io.BytesIO(b"one\ntwo\xc3"), "a"))


def test_xml_is_read_element_by_element() -> None:
    text = '<?xml version="1.0"?><all n="2"><a t="&#55357;&#56832;&#228;"><b>x</b></a><c/>  </all>'
    found = list(xml_elements(Drops(text.encode()), "a.xml"))
    assert [(place, one.tag, dict(one.attrib)) for place, one in found] == [
        ("a.xml", "all", {"n": "2"}),
        ("a.xml: line 1", "a", {"t": "😀ä"}),
        ("a.xml: line 1", "c", {}),
    ]
    assert found[1][1][0].text == "x"
    for length in range(len(text)):
        with pytest.raises(SourceError, match="^a.xml: line 1: not XML"):
            list(xml_elements(Drops(text[:length].encode()), "a.xml"))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("&#xD83D;&#xDE00;", "😀"),
        ("a&#55357;", "a\ufffd"),
        ("&#56832;&#55357;x", "\ufffd\ufffdx"),
        ("&#0;&#x1;&#9;", "\ufffd\ufffd\t"),
        ("&#55357;&#55357;&#56832;", "\ufffd😀"),
    ],
)
def test_references_that_xml_forbids_are_replaced(written: str, read: str) -> None:
    for pad in range(8):
        text = f'<all><a t="{"-" * pad}{written}"/></all>'
        _, (_, element) = xml_elements(Drops(text.encode()), "a.xml")
        assert element.attrib["t"] == "-" * pad + read


def test_xml_with_entities_of_its_own_is_refused() -> None:
    text = b'<!DOCTYPE a [<!ENTITY x "xxxxxxxx"><!ENTITY y "&x;&x;&x;">]><a>&y;</a>'
    with pytest.raises(SourceError, match="document type"):
        list(xml_elements(io.BytesIO(text), "a.xml"))
    with pytest.raises(SourceError, match="too deep"):
        list(xml_elements(io.BytesIO(b"<a>" * 1000), "a.xml"))


# ---- Members and times ----


def test_members_are_checked_and_the_others_are_kept(tmp_path: Path) -> None:
    notes = Notes()
    (tmp_path / "a").write_text("")
    reading = Reading(source=Source(tmp_path), notes=notes)
    element = Element({"id": "12", "text": "hi", "new": {"a": 0}, "width": 0, "none": None, "no": False}, "message 1")
    assert (element.number("id"), element.text("text"), element.text("absent", "-")) == (12, "hi", "-")
    assert element.rest(reading, "message", "width") == {"new": {"a": 0}, "width": 0}
    assert list(notes.unknown) == ["field new of message", "field none of message", "field no of message"]
    wrong: list[Callable[[], object]] = [
        lambda: element.number("text"),
        lambda: element.text("width"),
        lambda: element.array("text"),
        lambda: element.element("text"),
        lambda: Element([], "message 1"),
    ]
    for call in wrong:
        with pytest.raises(SourceError, match="^message 1"):
            call()


def test_notes_are_bounded_and_printable() -> None:
    notes = Notes()
    for number in range(10_000):
        notes.add_unknown(f"field \x1b[31m\u202e{number}" + "x" * 1000, "here")
    assert len(notes.unknown) <= 201
    assert sum(note.count for note in notes.unknown.values()) == 10_000
    assert all(what.isprintable() and len(what) < 120 for what in notes.unknown)


def test_times_are_exact() -> None:
    assert from_seconds("1600000000.123456", "") == 1_600_000_000_123_456
    assert from_seconds(1_600_000_000, "") == from_milliseconds("1600000000000", "") == 1_600_000_000_000_000
    assert from_seconds("-1.5", "") == -1_500_000
    assert from_iso("2020-09-13T12:26:40Z", timezone.utc, "") == 1_600_000_000_000_000
    assert from_iso("2020-09-13 14:26:40", zone_named("+02:00"), "") == 1_600_000_000_000_000
    assert from_iso("2020-07-01T00:00:00", zone_named("Europe/Berlin"), "") == 1_593_554_400_000_000
    assert zone_named("-0330").utcoffset(None) == timedelta(hours=-3.5)


@pytest.mark.parametrize("value", [None, True, "x", "", "--1", "1e5", 1e308, 10**30, "9" * 39, [], "١"])
def test_times_that_are_none_are_errors(value: object) -> None:
    for convert in (from_seconds, from_milliseconds):
        with pytest.raises(SourceError, match="^here: a time"):
            convert(value, "here")
    if isinstance(value, str):
        with pytest.raises(SourceError):
            from_iso(value, timezone.utc, "here")


