"""Element's export of a room, as its JSONExport writes it, and events of Matrix as the specification has them."""

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
from daemon import Daemon
from importing_help import read_all, run_import
from importing_hostile import check, cuts
from importing_variants import variants

from ghoststore import Store
from ghoststore.importing import (
    Conversation,
    Deletion,
    Edit,
    Message,
    Person,
    ReactionEvent,
    Reading,
    Receipt,
    Record,
    Source,
    SourceError,
)
from ghoststore.importing.formats import format_named
from ghoststore.importing.notes import Notes

ROOM = "!abcdefgh:example.org"
ANN, JIRI, YUKI = "@ann:example.org", "@jiri:example.cz", "@yuki:example.jp"
START = int(datetime(2022, 10, 30, 15, 4, 5, tzinfo=timezone.utc).timestamp() * 1000)


def event(number: int, sender: str, type: str, content: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {
        "type": type, "sender": sender, "content": content, "origin_server_ts": START + number * 1000,
        "unsigned": {"age": 1000 - number}, "event_id": f"$e{number}", "room_id": ROOM, **members,
    }


def text(number: int, sender: str, body: str, **content: Any) -> dict[str, Any]:
    return event(number, sender, "m.room.message", {"msgtype": "m.text", "body": body, **content})


def member(number: int, user: str, name: str | None, membership: str = "join", **content: Any) -> dict[str, Any]:
    found = {"membership": membership, **({"displayname": name} if name else {}), **content}
    return event(number, user, "m.room.member", found, state_key=user)


def media(number: int, kind: str, name: str, mime_type: str, size: int = 3, **content: Any) -> dict[str, Any]:
    info = {"mimetype": mime_type, "size": size}
    url = {"url": "mxc://example.org/AbC123"}
    return event(number, ANN, "m.room.message", {"msgtype": kind, "body": name, "info": info, **url, **content})


def related(type: str, target: int, **members: Any) -> dict[str, Any]:
    return {"m.relates_to": {"rel_type": type, "event_id": f"$e{target}", **members}}


VOICE: dict[str, Any] = {"org.matrix.msc3245.voice": {}}
REPLY = {"m.relates_to": {"m.in_reply_to": {"event_id": "$e4"}}}
THREAD = related("m.thread", 4, is_falling_back=True, **{"m.in_reply_to": {"event_id": "$e5"}})
POLL = {
    "org.matrix.msc3381.poll.start": {
        "question": {"org.matrix.msc1767.text": "Kdy?", "body": "Kdy?", "msgtype": "m.text"},
        "kind": "org.matrix.msc3381.poll.disclosed", "max_selections": 1,
        "answers": [{"id": "1", "org.matrix.msc1767.text": "Dnes"}],
    },
    "org.matrix.msc1767.text": "Kdy?\n1. Dnes",
}
REDACTED = {"redacted_because": event(31, JIRI, "m.room.redaction", {"reason": "omyl"}, redacts="$e30")}
BUNDLED = {"m.relations": {
    "m.replace": text(41, ANN, "* čtyři", **{"m.new_content": {"msgtype": "m.text", "body": "čtyři"}},
                      **related("m.replace", 40)),
}}
SAMPLE = [
    event(0, ANN, "m.room.create", {"room_version": "10", "creator": ANN}, state_key=""),
    member(1, ANN, "Ann 🌻"),
    member(2, JIRI, "Jiří"),
    member(3, YUKI, "雪", avatar_url="mxc://example.jp/yuki"),
    text(4, ANN, "Hello, **world**", format="org.matrix.custom.html", formatted_body="Hello, <b>world</b>"),
    text(5, JIRI, f"> <{ANN}> Hello, **world**\n\nDobrý den", **REPLY),
    text(6, YUKI, "こんにちは\n世界", **{"m.mentions": {"user_ids": [ANN]}}),
    text(7, ANN, "ve vlákně", **THREAD),
    event(8, YUKI, "m.reaction", related("m.annotation", 4, key="👍️")),
    text(9, ANN, "* Hello!", **{"m.new_content": {"msgtype": "m.text", "body": "Hello!"}}, **related("m.replace", 4)),
    text(10, JIRI, "* Forged", **{"m.new_content": {"msgtype": "m.text", "body": "Forged"}},
         **related("m.replace", 4)),
    event(11, ANN, "m.room.redaction", {"reason": "spam"}, redacts="$e6"),
    event(12, ANN, "m.room.redaction", {"redacts": "$e13"}),
    event(13, JIRI, "m.reaction", related("m.annotation", 5, key="👎")),
    event(14, JIRI, "m.room.message", {"msgtype": "m.emote", "body": "se směje"}),
    event(15, JIRI, "m.room.message", {"msgtype": "m.notice", "body": "発表"}),
    event(16, YUKI, "m.room.message", {"msgtype": "m.location", "body": "東京", "geo_uri": "geo:35.68,139.69"}),
    event(17, YUKI, "m.room.message", {"msgtype": "m.bad.encrypted", "body": "** Unable to decrypt **"}),
    event(18, YUKI, "m.room.encrypted", {"algorithm": "m.megolm.v1.aes-sha2", "ciphertext": "AwgA"}),
    event(19, ANN, "m.sticker", {"body": "Kočka", "url": "mxc://example.org/cat", "info": {"mimetype": "image/png"}}),
    event(20, ANN, "org.matrix.msc3381.poll.start", POLL),
    event(21, JIRI, "org.matrix.msc3381.poll.response", {
        "org.matrix.msc3381.poll.response": {"answers": ["1"]}, **related("m.reference", 20)}),
    event(22, ANN, "m.call.invite", {"call_id": "c1", "version": "1", "lifetime": 60000, "offer": {"type": "offer"}}),
    event(23, ANN, "m.call.candidates", {"call_id": "c1", "candidates": []}),
    event(24, ANN, "m.room.name", {"name": "Zahrada 庭"}, state_key=""),
    event(25, ANN, "m.room.topic", {"topic": "All about plants"}, state_key=""),
    member(26, YUKI, None, "leave"),
    media(27, "m.image", "photo.jpg", "image/jpeg", filename="photo.jpg"),
    media(28, "m.file", "Popis zahrady", "application/pdf", filename="plán.pdf"),
    media(29, "m.audio", "Voice message", "audio/ogg", **VOICE),
    {**event(30, JIRI, "m.room.message", {}), "unsigned": REDACTED},
    {**text(40, ANN, "tři"), "unsigned": BUNDLED},
]


def element(messages: list[Any]) -> dict[str, Any]:
    return {
        "room_name": "Zahrada", "room_creator": "Ann 🌻", "topic": "All about plants", "export_date": "2022/10/30",
        "exported_by": "Jiří", "messages": messages,
    }


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(json.dumps(value, indent=2, ensure_ascii=False).encode("utf-8", "replace"))
    return path


def write_lines(path: Path, values: list[Any]) -> Path:
    path.write_text("".join(json.dumps(value) + "\n" for value in values))
    return path


def of(records: list[Record], kind: type[Any]) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


def messages_of(records: list[Record]) -> dict[str | None, Message]:
    return {message.source_id: message for message in of(records, Message)}


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return write(tmp_path / "export.json", element(SAMPLE))


def test_messages_have_sender_time_and_text(sample: Path) -> None:
    messages = messages_of(read_all("matrix", sample))
    first = messages["$e4"]
    assert (first.conversation, first.sender, first.text) == (ROOM, ANN, "Hello, **world**")
    assert first.time_microseconds == (START + 4000) * 1000
    assert first.metadata["formatted_body"] == "Hello, <b>world</b>"
    assert first.is_outgoing is None and first.kind == ""
    assert (messages["$e5"].text, messages["$e5"].reply_to) == ("Dobrý den", "$e4")
    assert messages["$e6"].text == "こんにちは\n世界" and messages["$e6"].metadata["m.mentions"] == {"user_ids": [ANN]}
    assert messages["$e7"].reply_to == "$e4"


def test_rooms_and_people_have_names(sample: Path) -> None:
    records = read_all("matrix", sample)
    assert {person.id: person.name for person in of(records, Person)} == {ANN: "Ann 🌻", JIRI: "Jiří", YUKI: "雪"}
    room, members = of(records, Conversation)
    assert (room.key, room.title, room.kind) == (ROOM, "Zahrada 庭", "group")
    assert room.metadata == {"topic": "All about plants", "room_creator": "Ann 🌻"}
    assert {one.id: (one.name, one.role) for one in members.members} == {
        ANN: ("Ann 🌻", "join"), JIRI: ("Jiří", "join"), YUKI: ("雪", "leave"),
    }


def test_edits_reactions_and_redactions_are_events(sample: Path) -> None:
    records = read_all("matrix", sample)
    edits = {(edit.source_id, edit.text, edit.author) for edit in of(records, Edit)}
    assert edits == {("$e4", "Hello!", ANN), ("$e4", "Forged", JIRI), ("$e40", "čtyři", ANN)}
    first, second = of(records, ReactionEvent)
    assert (first.source_id, first.emoji, first.author, first.is_removed) == ("$e4", "👍️", YUKI, False)
    assert (second.source_id, second.emoji, second.is_removed) == ("$e5", "👎", True)
    spam, mistake = of(records, Deletion)
    assert (spam.source_id, spam.metadata) == ("$e6", {"deleted_by": ANN, "reason": "spam"})
    assert (mistake.source_id, mistake.metadata) == ("$e30", {"deleted_by": JIRI, "reason": "omyl"})
    assert mistake.time_microseconds == (START + 31_000) * 1000


def test_other_kinds_keep_their_data(sample: Path) -> None:
    messages = messages_of(read_all("matrix", sample))
    kinds = {f"$e{number}": kind for number, kind in {
        0: "service", 1: "service", 14: "emote", 15: "notice", 16: "location", 17: "encrypted", 18: "encrypted",
        19: "sticker", 20: "poll", 21: "poll-vote", 22: "call", 24: "service", 26: "service", 29: "voice", 30: "deleted",
    }.items()}
    assert {id: messages[id].kind for id in kinds} == kinds
    assert messages["$e16"].text == "東京" and messages["$e16"].metadata["geo_uri"] == "geo:35.68,139.69"
    assert messages["$e17"].text == ""
    assert messages["$e18"].metadata["content"]["ciphertext"] == "AwgA"
    assert messages["$e19"].text == "Kočka" and messages["$e19"].attachments[0].source == "mxc://example.org/cat"
    assert messages["$e20"].text == "Kdy?" and messages["$e21"].reply_to == "$e20"
    assert messages["$e24"].metadata["content"] == {"name": "Zahrada 庭"}
    assert messages["$e28"].text == "Popis zahrady" and messages["$e28"].attachments[0].name == "plán.pdf"
    assert messages["$e27"].text == "" and messages["$e27"].attachments[0].mime_type == "image/jpeg"
    assert not {"$e8", "$e9", "$e11", "$e23"} & set(messages)


def test_what_is_left_out_is_counted(sample: Path) -> None:
    notes = Notes()
    read_all("matrix", sample, notes=notes)
    assert not notes.unknown
    assert {name: note.count for name, note in notes.skipped.items()} == {"connection data of a call": 1}


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
    assert ["5-04-05" in found[0].place, "6-04-05" in found[1].place] == [True, True]


def test_missing_files_keep_the_message(sample: Path) -> None:
    photo = messages_of(read_all("matrix", sample))["$e27"].attachments[0]
    assert (photo.content, photo.name, photo.source) == (None, "photo.jpg", "mxc://example.org/AbC123")


def test_files_never_come_from_outside(tmp_path: Path) -> None:
    (tmp_path / "secret-10-30-2022 at 3-04-32 PM.jpg").write_bytes(b"secret")
    for name in ("../../secret.jpg", "/etc/secret.jpg", "..", "\\..\\secret.jpg", "\0", "-", ""):
        path = write(tmp_path / "export" / "export.json", element([media(27, "m.image", name, "image/jpeg")]))
        assert messages_of(read_all("matrix", path))["$e27"].attachments[0].content is None


def test_raw_events_and_responses_are_the_same(sample: Path, tmp_path: Path) -> None:
    expected = {id: (one.text, one.kind, one.metadata) for id, one in messages_of(read_all("matrix", sample)).items()}
    without_room = [{name: value for name, value in one.items() if name != "room_id"} for one in SAMPLE]
    backwards = list(reversed(SAMPLE))
    pages = [{"chunk": backwards[:20], "start": "a", "end": "b", "state": SAMPLE[1:4]}, {"chunk": backwards[20:]}]
    sync = {"next_batch": "s1", "rooms": {"join": {ROOM: {"timeline": {"events": without_room}}}}}
    forms = {
        "lines.jsonl": write_lines(tmp_path / "lines.jsonl", SAMPLE),
        "pages.jsonl": write_lines(tmp_path / "pages.jsonl", pages),
        "sync.jsonl": write_lines(tmp_path / "sync.jsonl", [sync, {"next_batch": "s2"}]),
        "array.json": write(tmp_path / "array.json", SAMPLE),
        "page.json": write(tmp_path / "page.json", {"start": "t", "chunk": SAMPLE}),
        "sync.json": write(tmp_path / "sync.json", sync),
        "one-line.json": write_lines(tmp_path / "one-line.json", [element(SAMPLE)]),
    }
    for name, path in forms.items():
        records = read_all("matrix", path)
        found = {id: (one.text, one.kind, one.metadata) for id, one in messages_of(records).items()}
        assert found == expected, name
        room = of(records, Conversation)[0]
        assert room.title == "Zahrada 庭", name
        assert {person.id: person.name for person in of(records, Person)}[YUKI] == "雪", name
        reactions = [(one.emoji, one.is_removed) for one in of(records, ReactionEvent)]
        assert sorted(reactions) == [("👍️", False), ("👎", True)], name


def test_a_sync_has_read_marks_and_direct_rooms(tmp_path: Path) -> None:
    receipts = {"type": "m.receipt", "content": {"$e4": {"m.read": {JIRI: {"ts": START + 9}, ANN: {"ts": START}}}}}
    sync = {
        "account_data": {"events": [{"type": "m.direct", "content": {JIRI: [ROOM]}}, {"type": "m.push_rules"}]},
        "rooms": {"join": {ROOM: {
            "state": {"events": [member(1, JIRI, "Jiří")]},
            "timeline": {"events": [text(4, ANN, "Ahoj")]},
            "ephemeral": {"events": [receipts, {"type": "m.typing", "content": {"user_ids": []}}]},
        }}},
    }
    notes = Notes()
    records = read_all("matrix", write_lines(tmp_path / "sync.jsonl", [sync]), self_ids=frozenset({JIRI}), notes=notes)
    assert [(one.source_id, one.is_read, one.is_delivered) for one in of(records, Receipt)] == [
        ("$e4", True, True), ("$e4", False, True),
    ]
    assert of(records, Conversation)[0].kind == "direct"
    assert set(notes.skipped) == {"settings of an account", "typing notice"}


def test_an_edit_that_was_removed_is_no_edit(tmp_path: Path) -> None:
    edit = text(2, ANN, "* b", **{"m.new_content": {"msgtype": "m.text", "body": "b"}}, **related("m.replace", 1))
    redaction = event(3, ANN, "m.room.redaction", {}, redacts="$e2")
    records = read_all("matrix", write_lines(tmp_path / "a.jsonl", [redaction, edit, text(1, ANN, "a")]))
    assert [type(record) for record in records if not isinstance(record, Conversation)] == [Message]


def test_decrypted_events_of_old_exports_are_read(tmp_path: Path) -> None:
    pair = {"decrypted": text(1, ANN, "Tajné"), "encrypted": event(1, ANN, "m.room.encrypted", {})}
    [message] = of(read_all("matrix", write(tmp_path / "a.json", element([pair]))), Message)
    assert (message.text, message.source_id) == ("Tajné", "$e1")


def test_unknown_things_are_counted_and_kept(tmp_path: Path) -> None:
    notes = Notes()
    events = [
        event(1, ANN, "m.room.message", {"msgtype": "org.example.dance", "body": "dances", "steps": 3}),
        event(2, ANN, "org.example.party", {"body": "party", "guests": 9}),
        event(3, ANN, "org.example.setting", {"a": 1}, state_key="", colour="red"),
    ]
    messages = messages_of(read_all("matrix", write_lines(tmp_path / "a.jsonl", events), notes=notes))
    assert (messages["$e1"].text, messages["$e1"].metadata["steps"]) == ("dances", 3)
    assert (messages["$e2"].kind, messages["$e2"].metadata["content"]["guests"]) == ("unknown", 9)
    assert messages["$e3"].kind == "service" and messages["$e3"].metadata["colour"] == "red"
    assert set(notes.unknown) == {
        "message of type org.example.dance", "field steps of content of a message", "event of type org.example.party",
        "state of type org.example.setting", "field colour of event",
    }


def test_events_without_a_room_need_an_option(tmp_path: Path) -> None:
    one = text(1, ANN, "a")
    del one["room_id"]
    path = write_lines(tmp_path / "a.jsonl", [one])
    with pytest.raises(SourceError, match="line 1: the room_id is missing"):
        read_all("matrix", path)
    [message] = of(read_all("matrix", path, options={"room": ROOM}), Message)
    assert message.conversation == ROOM
    [message] = of(read_all("matrix", write(tmp_path / "b.json", element([one]))), Message)
    assert message.conversation == "Zahrada"


def test_the_store_gets_everything_once(daemon: Daemon, sample: Path, tmp_path: Path) -> None:
    part = run_import(daemon, "matrix", write(tmp_path / "part" / "export.json", element(SAMPLE[:6])))
    assert part.messages.new == 6
    whole = run_import(daemon, "matrix", sample)
    expected = len(of(read_all("matrix", sample), Message))
    assert (whole.messages.new, whole.messages.total) == (expected - 6, expected)
    assert whole.reactions_added == 1
    assert "edit by a person who did not send the message" in whole.notes.skipped
    again = run_import(daemon, "matrix", sample, self_ids=frozenset())
    assert (again.messages.known, again.messages.new, again.messages.changed) == (expected, 0, 0)
    with Store(daemon.socket) as store:
        texts = [message.text for message in store.messages(f"matrix:{ROOM}")]
        names = {contact.display_name for contact in store.contacts()}
    assert {"Hello!", "čtyři", "Dobrý den"} <= set(texts)
    assert not {"Forged", "tři", "Hello, **world**"} & set(texts)
    assert names == {"Ann 🌻", "Jiří", "雪"}


def test_only_this_format_is_detected(sample: Path, tmp_path: Path) -> None:
    detect = format_named("matrix").detect
    assert detect is not None
    assert detect(Source(sample)) and detect(Source(write_lines(tmp_path / "a.jsonl", SAMPLE)))
    others = [{"messages": [], "name": "Telegram"}, {"envelope": {}}, [1], {"type": "personal_chat", "id": 1}]
    assert not any(detect(Source(write(tmp_path / "other.json", other))) for other in others)


def test_files_cut_anywhere_give_records_or_an_error(tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    compact = json.dumps(element(SAMPLE), ensure_ascii=False).encode()
    lines = "".join(json.dumps(one) + "\n" for one in SAMPLE[:9]).encode()
    for whole in (compact, lines):
        for part in cuts(whole, 7):
            path.write_bytes(part)
            check("matrix", path)


def test_values_of_other_types_give_records_or_an_error(tmp_path: Path) -> None:
    path = tmp_path / "mangled.json"
    for variant in variants(*SAMPLE):
        path.write_text(json.dumps(variant) + "\n")
        check("matrix", path)
    sync = {"next_batch": "s", "rooms": {"join": {ROOM: {"timeline": {"events": SAMPLE[4:5]}}}},
            "account_data": {"events": [{"type": "m.direct", "content": {JIRI: [ROOM]}}]}}
    receipt = {"rooms": {"join": {ROOM: {"ephemeral": {"events": [
        {"type": "m.receipt", "content": {"$e4": {"m.read": {JIRI: {"ts": START}}}}}]}}}}}
    for variant in variants(element(SAMPLE[4:6]), sync, receipt, {"chunk": SAMPLE[4:5]}):
        path.write_text(json.dumps(variant))
        check("matrix", path)


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe\x00", b"\x80\x81\n", b"{}\n" + b"\xe4" * 100, b"[" * 100_000, b'{"messages":' * 99, b'"' * 9, b"7"],
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
