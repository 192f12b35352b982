"""The records that an import makes of Telegram Desktop's result.json."""

from __future__ import annotations

import json
import zipfile
from datetime import timezone
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

import telegram_samples as samples
from ghoststore.importing import Conversation, Message, Person, Record, Source, SourceError
from ghoststore.importing.formats import format_named
from ghoststore.importing.notes import Notes
from importing_help import read_all


def _messages(records: list[Record], conversation: str) -> dict[str, Message]:
    return {
        one.source_id: one
        for one in records
        if isinstance(one, Message) and one.conversation == conversation and one.source_id is not None
    }


def _people(records: list[Record]) -> dict[str, Person]:
    """Returns the people by id, each from its first record. Later records of a person have only the name."""
    return {one.id: one for one in reversed(records) if isinstance(one, Person)}


def _conversations(records: list[Record]) -> dict[str, Conversation]:
    return {one.key: one for one in records if isinstance(one, Conversation)}


def _chat(*messages: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {**samples.PERSONAL, **members, "messages": list(messages)}


@pytest.fixture(name="account")
def _account(tmp_path: Path) -> tuple[list[Record], Notes]:
    notes = Notes()
    return read_all("telegram", samples.write(tmp_path, samples.ACCOUNT, samples.MEDIA), notes=notes), notes


def test_people_and_conversations_arrive(account: tuple[list[Record], Notes]) -> None:
    records, _ = account
    people = _people(records)
    assert people["user7000000001"].name == "Bob"
    assert people["user7000000001"].metadata["bio"] == "Grüße aus Köln"
    assert people["+49 170 1"].name == "Hans Müller"
    assert people["user100"].name == "Анна К."
    chats = _conversations(records)
    assert set(chats) == {"user100", "channel1234567890", "channel9"}
    assert (chats["user100"].kind, chats["user100"].title) == ("direct", "Анна Каренина")
    assert {one.id for one in chats["user100"].members} == {"user100", "user7000000001"}
    assert (chats["channel1234567890"].kind, chats["channel1234567890"].title) == ("group", "Клуб любителей книг")
    assert chats["channel9"].metadata == {"type": "public_channel", "is_left": True}


def test_texts_replies_and_edits_arrive(account: tuple[list[Record], Notes]) -> None:
    messages = _messages(account[0], "user100")
    assert [messages[id].text for id in ("1", "2", "3", "8")] == [
        "Привет!",
        "Guten Tag, wie geht’s?",
        "See this page👍",
        "شكرا",
    ]
    assert messages["1"].time_microseconds == 1705053601_000_000
    assert (messages["1"].is_outgoing, messages["2"].is_outgoing) == (False, True)
    assert (messages["1"].sender, messages["1"].sender_name) == ("user100", "Анна Каренина")
    assert (messages["1"].recipient, messages["2"].recipient) == ("", "user100")
    assert (messages["2"].reply_to, messages["2"].reply_conversation) == ("1", "")
    assert messages["3"].edited_microseconds == 1705057200_000_000
    assert messages["3"].metadata["text_entities"][3]["href"] == "https://example.org/"
    assert "text_entities" not in messages["1"].metadata
    assert messages["12"].text == "one\u000btwo\u2028three\u2029four \\x41 \"end\"\\"
    assert messages["12"].metadata == {"forwarded_from": "News", "via_bot": "@helper"}


def test_files_arrive_with_names_and_types(account: tuple[list[Record], Notes]) -> None:
    messages = _messages(account[0], "user100")
    [photo] = messages["4"].attachments
    assert photo.content is not None and photo.mime_type == "image/jpeg"
    assert photo.name == "photo@12-01-2024_10-00-05.jpg"
    with photo.content.open() as stream:
        assert stream.read() == b"\xff\xd8 photo"
    assert photo.metadata == {"photo_file_size": 8, "width": 640, "height": 480}
    [voice] = messages["5"].attachments
    assert voice.mime_type == "audio/ogg" and voice.metadata["media_type"] == "voice_message"
    [sticker] = messages["6"].attachments
    assert messages["6"].kind == "sticker" and sticker.mime_type == "image/webp"
    assert sticker.metadata["sticker_emoji"] == "🙂"
    [missing] = messages["7"].attachments
    assert missing.content is None
    assert (missing.name, missing.mime_type, missing.metadata["skip_reason"]) == (
        "отчёт.pdf",
        "application/pdf",
        "file_size",
    )
    [card] = messages["10"].attachments
    assert card.mime_type == "text/vcard" and messages["10"].kind == "contact"


def test_reactions_locations_polls_and_service_messages_arrive(account: tuple[list[Record], Notes]) -> None:
    messages = _messages(account[0], "user100")
    [heart] = messages["8"].reactions
    assert (heart.author, heart.emoji) == ("user7000000001", "❤")
    assert [one["count"] for one in messages["8"].metadata["reactions"]] == [2, 1]
    assert messages["9"].kind == "location"
    assert messages["9"].metadata["location_information"]["latitude"] == 55.7558
    assert messages["11"].kind == "poll" and messages["11"].metadata["poll"]["question"] == "お昼は？"
    assert messages["13"].kind == "call" and messages["13"].metadata["duration_seconds"] == 62
    assert messages["14"].kind == "service" and messages["14"].metadata["message_id"] == 3
    assert messages["14"].sender == "user100"


def test_groups_arrive(account: tuple[list[Record], Notes]) -> None:
    messages = _messages(account[0], "channel1234567890")
    assert messages["-999999998"].metadata["members"] == ["Bob", None]
    assert (messages["1"].sender, messages["1"].sender_name, messages["1"].text) == ("user555", "", "やあ")
    assert (messages["2"].reply_to, messages["2"].reply_conversation) == ("8", "user100")
    assert (messages["2"].is_outgoing, messages["3"].is_outgoing) == (False, True)
    assert messages["3"].text == "Заголовок\neins\nzwei"
    assert len(messages["3"].attachments) == 1 and messages["3"].attachments[0].content is not None


def test_what_is_left_out_is_reported(account: tuple[list[Record], Notes]) -> None:
    notes = account[1]
    assert {name: note.count for name, note in notes.skipped.items()} == {
        "profile picture": 1,
        "contact without an id and a number": 1,
        "entry of the frequent contacts": 1,
        "session of the account": 1,
        "other data of the account": 2,
        "picture of a custom emoji": 2,
        "thumbnail of a file, which is derived from it": 1,
        "message that Telegram Desktop could not export, without a date": 1,
    }
    assert notes.unknown == {}


def test_unknown_elements_are_reported_and_kept(tmp_path: Path) -> None:
    notes = Notes()
    value = _chat(
        {**samples.message(1, "hi"), "hologram": {"depth": 3}},
        {**samples.message(2, "hi"), "type": "whisper"},
        samples.message(3, reactions=[{"type": "smell", "count": 1}]),
        future=1,
        type="metaverse",
    )
    records = read_all("telegram", samples.write(tmp_path, value), notes=notes)
    messages = _messages(records, "peer100")
    assert messages["1"].metadata == {"hologram": {"depth": 3}}
    assert messages["2"].text == "hi"
    assert set(notes.unknown) == {
        "field hologram of message",
        "message of type whisper",
        "reaction of type smell",
        "chat of type metaverse",
        "section future",
    }


def test_one_chat_shows_who_is_the_user(tmp_path: Path) -> None:
    messages = _messages(read_all("telegram", samples.write(tmp_path, samples.PERSONAL)), "user100")
    assert (messages["1"].is_outgoing, messages["2"].is_outgoing) == (False, True)
    saved = samples.write(tmp_path / "saved", {"type": "saved_messages", "id": 100, "messages": [samples.message(1)]})
    records = read_all("telegram", saved)
    assert _messages(records, "user100")["1"].is_outgoing is True
    assert _conversations(records)["user100"].kind == "saved_messages"
    group = read_all("telegram", samples.write(tmp_path / "group", samples.GROUP))
    assert _messages(group, "channel1234567890")["2"].is_outgoing is None


def test_old_exports_have_numbers_and_local_times(tmp_path: Path) -> None:
    old = {
        "about": "Here is the data you requested.",
        "chats": {
            "list": [
                {
                    "name": "Юлия",
                    "type": "personal_chat",
                    "id": (1 << 32) + 352786456,
                    "messages": [
                        {
                            "id": 2,
                            "type": "message",
                            "date": "2017-11-14T20:42:15",
                            "edited": "1970-01-01T01:00:00",
                            "from": "Юлия",
                            "from_id": 352786456,
                            "text": ["Hey ", {"type": "link", "text": "t.me"}],
                        },
                        {
                            "id": 3,
                            "type": "message",
                            "date": "2017-11-14T20:43:15",
                            "edited": "2017-11-14T20:44:15",
                            "from": "Bob",
                            "from_id": 1234,
                            "text": "",
                            "file": "clip.mp4 (File not included. Change data exporting settings to download.)",
                        },
                    ],
                },
                {
                    "name": "Gruppe",
                    "type": "private_supergroup",
                    "id": (2 << 32) + 77,
                    "messages": [
                        {
                            "id": 1,
                            "type": "message",
                            "date": "2020-11-14T20:42:15",
                            "from": "Gruppe",
                            "from_id": (2 << 32) + 77,
                            "text": "anonym",
                        }
                    ],
                },
            ]
        },
    }
    records = read_all("telegram", samples.write(tmp_path, old), zone=ZoneInfo("Europe/Berlin"))
    messages = _messages(records, "user352786456")
    assert messages["2"].text == "Hey t.me"
    assert messages["2"].metadata["text_entities"] == ["Hey ", {"type": "link", "text": "t.me"}]
    assert messages["2"].edited_microseconds is None
    assert messages["2"].time_microseconds == 1510688535_000_000
    assert (messages["2"].is_outgoing, messages["3"].is_outgoing) == (False, True)
    assert messages["3"].edited_microseconds == 1510688655_000_000
    assert messages["3"].attachments[0].name == "clip.mp4"
    assert _messages(records, "channel77")["1"].sender == "channel77"


def test_longer_exports_keep_ids_and_give_only_more(tmp_path: Path) -> None:
    whole = samples.write(tmp_path / "new", samples.ACCOUNT, samples.MEDIA)
    shorter = {**samples.PERSONAL, "messages": samples.PERSONAL["messages"][:8]}
    account = {**samples.ACCOUNT, "chats": {"about": "", "list": [shorter]}}
    before = _messages(read_all("telegram", samples.write(tmp_path / "old", account, samples.MEDIA)), "user100")
    after = _messages(read_all("telegram", whole), "user100")
    assert set(before) < set(after)
    for id, old in before.items():
        assert (old.text, old.time_microseconds, old.sender) == (
            after[id].text,
            after[id].time_microseconds,
            after[id].sender,
        )


def test_a_zip_a_folder_of_exports_and_a_file_give_the_same(tmp_path: Path) -> None:
    folder = samples.write(tmp_path / "a" / "ChatExport_2024-01-12", samples.ACCOUNT, samples.MEDIA)
    samples.write(tmp_path / "a" / "ChatExport_2024-01-13", samples.GROUP, samples.MEDIA)
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        for path in sorted(folder.rglob("*")):
            archive.write(path, path.relative_to(folder))
    expected = _messages(read_all("telegram", folder), "user100")
    for path in (folder / "result.json", tmp_path / "export.zip", tmp_path / "a"):
        found = _messages(read_all("telegram", path), "user100")
        assert {id: one.text for id, one in found.items()} == {id: one.text for id, one in expected.items()}
        assert all(one.content is not None for one in found["4"].attachments)


def test_a_file_with_the_name_of_an_export_is_an_attachment(tmp_path: Path) -> None:
    media = {"chats/chat_1/files/result.json": b'{"a": 1}', "chats/result.json": b"no JSON"}
    folder = samples.write(tmp_path, _chat(samples.message(1, file="chats/chat_1/files/result.json")), media)
    [attachment] = _messages(read_all("telegram", folder), "user100")["1"].attachments
    assert attachment.content is not None and attachment.name == "result.json"
    assert (detect := format_named("telegram").detect) is not None and detect(Source(folder))


def test_detection_is_exact(tmp_path: Path) -> None:
    detect = format_named("telegram").detect
    assert detect is not None
    for name, value in (("account", samples.ACCOUNT), ("chat", samples.PERSONAL), ("group", samples.GROUP)):
        assert detect(Source(samples.write(tmp_path / name, value))), name
    others = (("slack", [{"type": "message"}]), ("other", {"id": 1, "messages": []}), ("none", {"about": ""}))
    for name, other in others:
        assert not detect(Source(samples.write(tmp_path / name, other))), name


def test_times_without_a_zone_use_the_given_one(tmp_path: Path) -> None:
    value = _chat({**samples.message(1), "date_unixtime": None})
    folder = samples.write(tmp_path, value)
    utc = _messages(read_all("telegram", folder, zone=timezone.utc), "user100")["1"].time_microseconds
    tokyo = _messages(read_all("telegram", folder, zone=ZoneInfo("Asia/Tokyo")), "user100")["1"].time_microseconds
    assert utc - tokyo == 9 * 3600 * 1_000_000


@pytest.mark.parametrize(
    ("value", "place", "cause"),
    [
        ({"messages": [], "id": 1, "type": "personal_chat"}, "messages", "come before the id and type"),
        ({"about": "x"}, "result.json", "no export of Telegram Desktop"),
        (_chat({**samples.message(1), "date": None, "date_unixtime": None}), "messages[0]", "the date is missing"),
        (_chat(samples.message(1, photo="../../.ssh/id_ed25519")), "messages[0]", "leads out of the export"),
        (_chat(samples.message(1, photo="/etc/passwd")), "messages[0]", "leads out of the export"),
        (_chat(samples.message(1), id="100"), "messages", "the id of a chat is not a whole number"),
        (_chat(samples.message(1), samples.message(2, [{"type": "bold"}])), "messages[1]", "has no text"),
    ],
)
def test_errors_name_the_place(tmp_path: Path, value: Any, place: str, cause: str) -> None:
    with pytest.raises(SourceError) as raised:
        read_all("telegram", samples.write(tmp_path, value))
    assert place in raised.value.place and cause in raised.value.message


def test_samples_are_as_the_exporter_writes_them() -> None:
    data = samples.exported(samples.PERSONAL)
    assert b"one\\x0Btwo\\u2028\x80\xa8three\\u2029\x80\xa9four \\\\x41" in data
    with pytest.raises(ValueError):
        json.loads(data)
