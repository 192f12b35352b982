"""The records that an import makes of DiscordChatExporter's JSON."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest

import discord_samples as samples
from ghoststore.importing import Conversation, Message, Person, Record, Source, SourceError
from ghoststore.importing.formats import format_named
from ghoststore.importing.notes import Notes
from importing_help import read_all

_FILE = "Serveur - Texte - général [500].json"


def _messages(records: list[Record]) -> dict[str, Message]:
    return {one.source_id: one for one in records if isinstance(one, Message) and one.source_id is not None}


def _channel(*messages: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {**samples.CHANNEL, "messages": list(messages), **members}


@pytest.fixture(name="channel")
def _read_channel(tmp_path: Path) -> tuple[list[Record], Notes]:
    notes = Notes()
    path = samples.write(tmp_path / _FILE, samples.CHANNEL, samples.MEDIA)
    return read_all("discord", path, notes=notes), notes


def test_people_and_conversations_arrive(channel: tuple[list[Record], Notes]) -> None:
    chats = [one for one in channel[0] if isinstance(one, Conversation)]
    assert {one.key for one in chats} == {"500"} and {one.kind for one in chats} == {"channel"}
    assert {one.title for one in chats} == {"Serveur / général"}
    assert chats[0].metadata["topic"] == "Tout et rien" and chats[0].metadata["guild"]["id"] == "400"
    members = {member.id: member for one in chats for member in one.members}
    assert (members["101"].name, members["101"].role) == ("Anne É.", "Modérateur")
    people = {one.id: one for one in reversed(channel[0]) if isinstance(one, Person)}
    assert {id: one.name for id, one in people.items()} == {"101": "Anne É.", "102": "민수", "103": "עוזר"}
    assert people["103"].metadata["isBot"] is True and people["101"].metadata["name"] == "anne"


def test_texts_replies_and_edits_arrive(channel: tuple[list[Record], Notes]) -> None:
    messages = _messages(channel[0])
    assert len(messages) == 11 and {one.conversation for one in messages.values()} == {"500"}
    assert [messages[id].text for id in ("1001", "1002", "1004")] == ["Bonjour à tous !", "안녕하세요 @Anne É.", "שלום"]
    assert messages["1001"].time_microseconds == 1684348903_063_000
    assert (messages["1001"].sender, messages["1001"].sender_name) == ("101", "Anne É.")
    assert (messages["1002"].reply_to, messages["1002"].reply_conversation) == ("1001", "")
    assert messages["1002"].edited_microseconds == 1684350000_000_000
    assert messages["1002"].metadata == {"mentions": {"101": "Anne É."}}
    assert messages["1001"].edited_microseconds is None and messages["1001"].is_outgoing is None


def test_raw_mentions_and_emoji_become_names(channel: tuple[list[Record], Notes]) -> None:
    message = _messages(channel[0])["1011"]
    assert message.text == "@민수 and @999 :LUL: :dance: **bold**"
    assert message.metadata["contentRaw"] == "<@102> and <@!999> <:LUL:555> <a:dance:556> **bold**"
    assert message.metadata["isPinned"] is True


def test_files_arrive_with_names_and_types(channel: tuple[list[Record], Notes]) -> None:
    messages = _messages(channel[0])
    photo, windows, film, elsewhere = messages["1003"].attachments
    for one in (photo, windows):
        assert one.content is not None
        with one.content.open() as stream:
            assert stream.read() == b"\x89PNG photo"
    assert photo.name == "photo été.png" and photo.metadata["description"] == "La plage"
    assert film.content is None and film.source == "https://cdn.discordapp.com/attachments/500/9003/film.mp4"
    assert elsewhere.content is None and elsewhere.source == "C:\\media\\x.bin"
    [sticker] = messages["1005"].attachments
    assert messages["1005"].kind == "sticker" and sticker.mime_type == "image/png" and sticker.content is not None
    [preview] = messages["1004"].attachments
    assert preview.content is not None and preview.source == "https://example.org/p.jpg"


def test_reactions_arrive(channel: tuple[list[Record], Notes]) -> None:
    message = _messages(channel[0])["1004"]
    assert [(one.author, one.emoji) for one in message.reactions] == [("102", "👍")]
    custom, counted = message.metadata["reactions"]
    assert (custom["emoji"]["name"], custom["count"], custom["users"]) == ("LUL", 3, ["102"])
    assert (counted["emoji"]["name"], counted["count"]) == ("❤️", 5)
    assert message.metadata["interaction"] == {"id": "1", "name": "ping", "user": "102"}
    assert message.metadata["embeds"][0]["title"] == "Page" and message.metadata["components"]


def test_service_messages_polls_and_forwards_arrive(channel: tuple[list[Record], Notes]) -> None:
    messages = _messages(channel[0])
    assert messages["1006"].kind == "service" and messages["1006"].reply_to is None
    assert messages["1006"].metadata["reference"]["messageId"] == "1001"
    assert messages["1007"].kind == "call"
    assert messages["1007"].metadata["callEndedTimestamp"] == "2023-05-17T22:00:00+02:00"
    assert messages["1008"].kind == "service" and messages["1008"].metadata["type"] == "8"
    assert messages["1009"].text == "Transféré" and len(messages["1009"].attachments) == 1
    assert messages["1009"].metadata["forwardedMessage"]["timestamp"] == "2023-05-16T20:00:00+02:00"
    assert messages["1010"].kind == "poll" and messages["1010"].metadata["poll"]["question"] == "점심은?"
    assert channel[1].unknown == {} and channel[1].skipped == {}


def test_the_user_is_named_or_follows_from_a_direct_channel(tmp_path: Path) -> None:
    path = samples.write(tmp_path / "direct.json", samples.DIRECT)
    messages = _messages(read_all("discord", path))
    assert (messages["2001"].is_outgoing, messages["2002"].is_outgoing) == (True, False)
    for name in ("101", "anne", "Anne É.", "anne#0000"):
        messages = _messages(read_all("discord", path, self_ids=frozenset((name,))))
        assert (messages["2001"].is_outgoing, messages["2002"].is_outgoing) == (True, False), name
    [chat] = {(one.kind, one.title) for one in read_all("discord", path) if isinstance(one, Conversation)}
    assert chat == ("direct", "민수")


def test_unknown_elements_are_reported_and_kept(tmp_path: Path) -> None:
    notes = Notes()
    value = _channel(
        samples.message(1, "x", hologram=3),
        samples.message(2, "y", type="Whisper"),
        samples.message(3, author={**samples.ANNE, "aura": "blue"}),
        samples.message(4, author=None),
        future=True,
        conversionData={"schemaVersion": 1},
        channel={**samples.CHANNEL["channel"], "type": "GuildMetaverse"},
    )
    messages = _messages(read_all("discord", samples.write(tmp_path / "a.json", value), notes=notes))
    assert messages["1"].metadata["hologram"] == 3 and messages["4"].sender == ""
    assert set(notes.unknown) == {
        "field hologram of a message",
        "message of type Whisper",
        "field aura of a user",
        "section future",
        "channel of type GuildMetaverse",
    }
    assert set(notes.skipped) == {"data for conversions by DiscordChatExporter"}


def test_pictures_of_people_and_emoji_are_reported(tmp_path: Path) -> None:
    notes = Notes()
    author = {**samples.ANNE, "avatarUrl": f"{samples.MEDIA_FOLDER}/a-11111.png"}
    reaction = {"emoji": {**samples.emoji("👍"), "imageUrl": f"{samples.MEDIA_FOLDER}/1f44d.svg"}, "count": 1}
    value = _channel(samples.message(1, "x", author, reactions=[reaction]), samples.message(2, "y", author))
    read_all("discord", samples.write(tmp_path / "a.json", value), notes=notes)
    assert {name: note.count for name, note in notes.skipped.items()} == {
        "picture of a person": 1,
        "picture of an emoji": 1,
    }


def test_exports_of_2021_arrive(tmp_path: Path) -> None:
    author = {"id": "101", "name": "anne", "discriminator": "1234", "nickname": "anne", "color": None, "isBot": False}
    old = {
        **samples.message(1, "Salut", author),
        "type": "19",
        "reactions": [{"emoji": {"id": "", "name": "🙂", "isAnimated": False, "imageUrl": "x"}, "count": 2}],
        "reference": {"messageId": "7", "channelId": "501", "guildId": "400"},
    }
    message = _messages(read_all("discord", samples.write(tmp_path / "a.json", _channel(old))))["1"]
    assert (message.reply_to, message.reply_conversation, message.kind) == ("7", "501", "")
    assert message.reactions == () and message.metadata["reactions"][0]["count"] == 2


def test_a_folder_and_a_zip_of_many_files_give_all_channels(tmp_path: Path) -> None:
    notes = Notes()
    folder = tmp_path / "export"
    samples.write(folder / _FILE, samples.CHANNEL, samples.MEDIA)
    part = _channel(samples.message(1100, "Suite"))
    samples.write(folder / "Serveur - Texte - général [500] [part 2].json", part)
    samples.write(folder / "direct.json", samples.DIRECT)
    (folder / "package.json").write_text('{"name": "something else"}')
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        for path in sorted(folder.rglob("*")):
            archive.write(path, path.relative_to(folder))
    for source in (folder, tmp_path / "export.zip"):
        messages = _messages(read_all("discord", source, notes=notes))
        assert len(messages) == 14 and messages["1100"].conversation == "500"
        assert messages["1003"].attachments[0].content is not None
    assert {name: note.count for name, note in notes.skipped.items()} == {
        "JSON file that DiscordChatExporter did not write": 2
    }
    (folder / "empty").mkdir()
    with pytest.raises(SourceError, match="has no file of DiscordChatExporter"):
        read_all("discord", folder / "empty")


def test_longer_exports_keep_ids_and_give_only_more(tmp_path: Path) -> None:
    before = _messages(read_all("discord", samples.write(tmp_path / "a.json", _channel(*samples.MESSAGES[:6]))))
    after = _messages(read_all("discord", samples.write(tmp_path / "b.json", samples.CHANNEL)))
    assert set(before) < set(after)
    for id, old in before.items():
        new = after[id]
        assert (old.text, old.time_microseconds, old.sender) == (new.text, new.time_microseconds, new.sender)


def test_detection_is_exact(tmp_path: Path) -> None:
    detect = format_named("discord").detect
    assert detect is not None
    samples.write(tmp_path / "folder" / _FILE, samples.CHANNEL, samples.MEDIA)
    assert detect(Source(tmp_path / "folder"))
    assert detect(Source(samples.write(tmp_path / "direct.json", samples.DIRECT)))
    for index, other in enumerate(([], {"guild": 1}, {"guild": {"id": 1}}, {"messages": []})):
        assert not detect(Source(samples.write(tmp_path / f"{index}.json", other)))


@pytest.mark.parametrize(
    ("value", "place", "cause"),
    [
        ({"messages": [], **samples.CHANNEL}, "messages", "the messages come before guild and channel"),
        ({"guild": {"id": "1"}, "channel": {"id": "2"}}, ".json", "it has no messages"),
        (_channel(samples.message(1), samples.message(2, timestamp=None)), "messages[1]", "timestamp of a message"),
        (_channel(samples.message(1, timestamp="yesterday")), "messages[0]", "not in the form of ISO 8601"),
        (
            _channel(samples.message(1, attachments=[{"url": "../../secret", "fileName": "x"}])),
            "messages[0].attachments[0]",
            "leads out of the export",
        ),
        (_channel(channel={"id": None, "type": "GuildTextChat"}), "channel", "the channel has no id"),
    ],
)
def test_errors_name_the_place(tmp_path: Path, value: Any, place: str, cause: str) -> None:
    with pytest.raises(SourceError) as raised:
        read_all("discord", samples.write(tmp_path / "a.json", value))
    assert place in raised.value.place and cause in raised.value.message
