"""The records that an import makes of Slack's exports, also of damaged and hostile ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import slack_samples as samples
from daemon import Daemon
from ghoststore import Store
from ghoststore.importing import (
    Attachment,
    Conversation,
    Deletion,
    Edit,
    Message,
    Person,
    Record,
    Source,
    SourceError,
)
from ghoststore.importing.formats import format_named
from ghoststore.importing.formats._slack_emoji import emoji
from ghoststore.importing.formats._slack_text import Names
from ghoststore.importing.notes import Notes
from importing_help import read_all, run_import
from importing_hostile import check, cuts, replacements

SELF = frozenset({"joerg@example.org"})


@pytest.fixture(name="export")
def _export(tmp_path: Path) -> tuple[list[Record], Notes]:
    notes = Notes()
    folder = _write_folder(tmp_path / "export", samples.export())
    for name, data in samples.FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return read_all("slack", folder, self_ids=SELF, notes=notes), notes


def _messages(records: list[Record]) -> dict[str, Message]:
    return {one.source_id: one for one in records if isinstance(one, Message) and one.source_id is not None}


def _read(tmp_path: Path, files: dict[str, Any], notes: Notes | None = None) -> list[Record]:
    return read_all("slack", samples.write_zip(tmp_path / "other.zip", files), notes=notes)


def _bytes(attachment: Attachment) -> bytes:
    assert attachment.content is not None
    with attachment.content.open() as stream:
        return stream.read()


def _write_folder(folder: Path, files: dict[str, Any]) -> Path:
    for name, value in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))
    return folder


def test_people_and_conversations_arrive(export: tuple[list[Record], Notes]) -> None:
    records, _ = export
    people = {one.id: one for one in records if isinstance(one, Person)}
    assert [people[id].name for id in ("U1", "U2", "U3")] == ["Jörg", "Анна Каренина", "花子"]
    assert people["U1"].metadata["profile"]["email"] == "joerg@example.org"
    chats = {one.key: one for one in records if isinstance(one, Conversation)}
    assert {key: chat.kind for key, chat in chats.items()} == {
        "C1": "channel", "G1": "private channel", "G9": "group", "U2": "direct", "U1": "direct",
    }
    assert chats["U2"].title == "Анна Каренина"
    assert chats["G9"].title == "Анна Каренина, 花子"
    assert [one.name for one in chats["C1"].members] == ["Jörg", "Анна Каренина", "花子"]
    assert chats["C1"].metadata["topic"]["value"] == "Überblick"
    assert chats["C1"].metadata["pins"][0]["id"] == "1700000000.000100"


def test_a_text_has_names_and_no_marks(export: tuple[list[Record], Notes]) -> None:
    message = _messages(export[0])["1700000000.000100"]
    assert message.text == (
        "Hallo @Анна Каренина & @hana, wichtig: siehe die Seite <https://example.org/a_b_c> 🎉 a_b_ <3"
    )
    assert message.metadata["mrkdwn"].startswith("Hallo <@U2>")
    assert (message.sender, message.sender_name, message.is_outgoing) == ("U1", "Jörgi", True)
    assert message.time_microseconds == 1700000000_000100
    assert message.edited_microseconds == 1700000050_000000
    assert message.reply_to is None


def test_threads_reactions_and_files_arrive(export: tuple[list[Record], Notes]) -> None:
    messages = _messages(export[0])
    first, reply = messages["1700000000.000100"], messages["1700000100.000200"]
    assert reply.reply_to == "1700000000.000100"
    assert reply.text == "Привет @channel, см. #allgemein и #другой"
    assert [(one.author, one.emoji) for one in first.reactions] == [("U2", "👍🏼"), ("U3", "👍🏼"), ("U3", "👀")]
    assert first.metadata["reactions"] == [{"name": "party_parrot", "users": ["U3"], "count": 1}]
    photo, gone = messages["1700000200.000300"].attachments
    assert _bytes(photo) == b"photo"
    assert (photo.name, photo.mime_type) == ("写真.png", "image/png")
    assert photo.source == "https://files.slack.com/files-pri/T1-F1/download?t=xoxe-1"
    assert photo.metadata["original_w"] == 640
    assert gone.content is None and gone.metadata["mode"] == "tombstone"
    assert _bytes(messages["1500000000.000100"].attachments[0]) == b"old"
    assert messages["1500000001.000100"].sender == "U2"


def test_kinds_edits_and_deletions_arrive(export: tuple[list[Record], Notes]) -> None:
    records, _ = export
    messages = _messages(records)
    kinds = {id: message.kind for id, message in messages.items() if message.kind}
    assert kinds == {
        "1700090000.000100": "service", "1700090001.000100": "action", "1700090003.000100": "deleted",
        "1700090005.000100": "call", "1700090008.000100": "deleted", "1700090010.000100": "hologram",
    }
    assert messages["1700090000.000100"].text == "@花子 has joined the channel"
    assert messages["1700090004.000100"].reply_to == "1700090003.000100"
    assert messages["1700090005.000100"].metadata["room"]["id"] == "R1"
    [edit] = [one for one in records if isinstance(one, Edit)]
    assert (edit.source_id, edit.text) == ("1700090001.000100", "поёт")
    [deletion] = [one for one in records if isinstance(one, Deletion)]
    assert deletion.source_id == "1700090008.000100" and deletion.time_microseconds == 1700090009_000100


def test_texts_of_apps_arrive(export: tuple[list[Record], Notes]) -> None:
    messages = _messages(export[0])
    bot = messages["1700090002.000100"]
    assert (bot.sender, bot.sender_name, bot.text) == ("B1", "Wetterfrosch", "Wetter\nRegen & Wind\nOrt\nKöln")
    assert bot.metadata["message_attachments"][0]["fallback"] == "Regen"
    assert messages["1700000300.000100"].text == "Отчёт\nВсего\n5\nдля @花子🎉"
    assert messages["1700000300.000100"].conversation == "U2"


def test_what_is_unknown_or_left_out_is_counted(export: tuple[list[Record], Notes]) -> None:
    _, notes = export
    assert {text: note.count for text, note in notes.unknown.items()} == {
        "message of subtype hologram": 1, "field depth of message": 1,
    }
    assert {text: note.count for text, note in notes.skipped.items()} == {
        "reaction of a person that the export does not name": 2, "list integration_logs.json of the export": 1,
    }


def test_without_self_a_direct_conversation_has_the_id_of_slack(tmp_path: Path) -> None:
    records = _read(tmp_path, samples.export())
    assert {one.key for one in records if isinstance(one, Conversation)} == {"C1", "G1", "G9", "D1", "D2"}
    assert all(one.is_outgoing is None for one in records if isinstance(one, Message))


def test_read_marks_of_slackdump(tmp_path: Path) -> None:
    channel = {**samples.CHANNELS[0], "last_read": "1700000100.000200"}
    records = _read(tmp_path, {**samples.export(), "channels.json": [channel]})
    marks = {id: message.is_read for id, message in _messages(records).items() if message.conversation == "C1"}
    assert marks["1700000100.000200"] and not marks["1700000200.000300"]


def test_slackdump_names_the_other_person(tmp_path: Path) -> None:
    records = _read(tmp_path, {**samples.export(), "dms.json": [{**samples.DMS[0], "user": "U2"}]})
    assert _messages(records)["1700000300.000100"].conversation == "U2"


def test_a_folder_that_no_list_names_becomes_a_conversation(tmp_path: Path) -> None:
    notes = Notes()
    files = {"users.json": [], "channels.json": [], "FC:F1:Plan/2024-01-01.json": samples.FIRST_DAY}
    records = _read(tmp_path, files, notes)
    assert {one.conversation for one in records if isinstance(one, Message)} == {"FC:F1:Plan"}
    assert "folder of a conversation that no list names" in notes.unknown


def test_an_export_inside_of_a_folder_and_a_folder_are_read(tmp_path: Path) -> None:
    whole = _read(tmp_path, samples.export())
    inner = {f"Acme export/{name}": value for name, value in samples.export().items()}
    assert len(_read(tmp_path, inner)) == len(whole)
    folder = _write_folder(tmp_path / "folder", samples.export())
    assert len(read_all("slack", folder)) == len(whole)


def test_detection(tmp_path: Path) -> None:
    detect = format_named("slack").detect
    assert detect is not None
    assert detect(Source(samples.write_zip(tmp_path / "a.zip", samples.export())))
    assert not detect(Source(samples.write_zip(tmp_path / "b.zip", {"users.json": []})))
    (tmp_path / "users.json").write_text("[]")
    assert not detect(Source(tmp_path / "users.json"))


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<!date^1392734382^Posted {date}^https://example.org|18. Feb>", "18. Feb"),
        ("<!subteam^S1|@team> <!subteam^S2> <!here>", "@team @S2 @here"),
        ("<mailto:a@example.org|a@example.org> <https://example.org>", "a@example.org https://example.org"),
        ("*fett* _kursiv_ ~weg~ snake_case_name 2*3*4", "fett kursiv weg snake_case_name 2*3*4"),
        ("*<https://example.org/_a_|hier>*", "hier <https://example.org/_a_>"),
        ("```*code* :tada:\n```", "*code* :tada:\n"),
        ("&lt;@U1&gt; &amp;amp;", "<@U1> &amp;"),
        (":flag-de: :fire: :my_own: 10:30:00", "🇩🇪 🔥 :my_own: 10:30:00"),
        ("\0" + "7\0 \u202eabc", "7 \u202eabc"),
        ("<@U1", "<@U1"),
    ],
)
def test_mrkdwn(markup: str, text: str) -> None:
    assert Names().plain(markup) == text


def test_names_of_emoji() -> None:
    assert [emoji(name) for name in ("wave::skin-tone-6", "heart", "man-shrugging", "turtle", "-1")] == [
        "👋🏿", "❤️", "🤷‍♂️", "🐢", "👎",
    ]
    assert [emoji(name) for name in ("", "a", "latin_small_letter_a", "tada::skin-tone-9", "flag-1x")] == [""] * 5


def test_long_texts_of_marks_are_read_quickly() -> None:
    for text in ("*a " * 300_000, "_" * 500_000, "<" * 500_000, "`" * 500_000, ":a" * 300_000, "*_~" * 200_000):
        assert Names().plain(text)


def test_every_cut_and_every_changed_value_is_read_or_refused(tmp_path: Path) -> None:
    outcomes = set()
    seen: dict[str, set[tuple[Any, ...]]] = {name: set() for name in ("users.json", "channels.json", "dms.json")}
    seen_in_messages: set[tuple[Any, ...]] = set()
    files = {
        "users.json": samples.USERS[:1],
        "channels.json": samples.CHANNELS,
        "dms.json": samples.DMS[:1],
        "allgemein/1.json": samples.FIRST_DAY,
        "allgemein/2.json": samples.SECOND_DAY,
        "D1/1.json": samples.BLOCKS,
        "C1/1.json": samples.OLD_FILE,
    }
    for number, (name, value) in enumerate(files.items()):
        lists = {"users.json": samples.USERS[:1], "channels.json": samples.CHANNELS}
        folder = _write_folder(tmp_path / str(number), {**lists, name: value})
        path = folder / name
        whole = path.read_bytes()
        for data in cuts(whole, 11):
            path.write_bytes(data)
            assert not check("slack", folder)
        for place, changed in replacements(value, seen[name] if name in seen else seen_in_messages):
            path.write_text(json.dumps(changed))
            try:
                outcomes.add(check("slack", folder))
            except Exception as error:
                raise AssertionError(f"{name}: {place}") from error
    assert outcomes == {True, False}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("../../etc/passwd", "leads out"),
        ("/etc/passwd", "leads out"),
    ],
)
def test_names_that_lead_out_are_refused(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        _read(tmp_path, {**samples.export(), name: []})


def test_a_file_whose_name_leads_out_is_only_a_link(tmp_path: Path) -> None:
    for name in ("../users.json", "..", "a/b", "a\\b", "\0", "\u202e", "x" * 5000):
        message = {"type": "message", "ts": "1.0", "files": [{"id": "F1", "name": name}]}
        [found] = _messages(_read(tmp_path, {"users.json": [], "C/1.json": [message]})).values()
        assert found.attachments[0].content is None


def test_one_file_of_an_export_is_refused_with_a_hint(tmp_path: Path) -> None:
    path = tmp_path / "2024-01-01.json"
    path.write_text("[]")
    with pytest.raises(SourceError, match="hint: name the zip"):
        read_all("slack", path)


def test_a_workspace_of_very_many_people_needs_bounded_memory(tmp_path: Path) -> None:
    names = Names()
    for number in range(200_000):
        names.add(f"U{number}", "x" * 100)
    assert names.get("U1") == "x" * 80 and not names.get("U150000")


def test_an_import_saves_everything_once(daemon: Daemon, tmp_path: Path) -> None:
    path = samples.write_zip(tmp_path / "export.zip", samples.export())
    first = run_import(daemon, "slack", path, self_ids=SELF)
    assert (first.messages.new, first.attachments_saved) == (14, 3)
    again = run_import(daemon, "slack", path, self_ids=SELF)
    assert (again.messages.new, again.messages.changed, again.messages.known) == (0, 0, 14)
    later = {**samples.export(), "allgemein/2023-11-16.json": [{"type": "message", "user": "U2", "ts": "1700190000.1",
                                                                "text": "до завтра"}]}
    third = run_import(daemon, "slack", samples.write_zip(tmp_path / "later.zip", later), self_ids=SELF)
    assert (third.messages.new, third.messages.changed, third.messages.known) == (1, 0, 14)
    with Store(daemon.socket) as store:
        assert [one.message.text for one in store.search_messages("завтра").messages] == ["до завтра"]
