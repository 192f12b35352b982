"""Derived ids never change: stores have them, and a later version must find what an earlier version saved."""

from __future__ import annotations

from ghoststore.importing.identity import clean, content_id, content_key, message_id, session_id

MOMENT = 1_600_000_000_000_000


def test_ids_are_the_same_in_every_version() -> None:
    assert message_id("telegram", "user1", "5") == "telegram-4d07202ef5361d622bb311ded412c555"
    key = content_key("Ann", MOMENT, "Ann", "hé\ud800")
    assert content_id("whatsapp", key, 1) == "whatsapp-ee98756638dd8f02ee22fc54e7d9e6a9"
    assert session_id("signal", "+49") == "signal:+49"
    assert session_id("signal", "x" * 300) == "signal:fedbdeb06ea7a38db0a8c5d73ab0b992"


def test_different_things_have_different_ids() -> None:
    ids = {
        message_id("a", "b", "cd"),
        message_id("a", "bc", "d"),
        message_id("ab", "c", "d"),
        *(content_id("a", content_key("b", MOMENT + n // 2, "d", "e"), n % 2) for n in range(4)),
        content_id("a", content_key("b", MOMENT, "de", ""), 0),
        *(session_id("a", key) for key in ("x" * 300, "x" * 301, "x\0", "x")),
    }
    assert len(ids) == 12
    assert all(len(id.encode()) <= 256 and "\0" not in id for id in ids)


def test_texts_can_be_encoded() -> None:
    assert clean("\ud83d\ude00 \ud83d \ude00 ä") == "\U0001f600 \ufffd \ufffd ä"
