"""Rooms of Matrix become conversations, people, messages and events."""

from __future__ import annotations

from pathlib import Path

import pytest
from daemon import Daemon
from importing_help import read_all, run_import
from importing_matrix import (
    ANN,
    JIRI,
    ROOM,
    SAMPLE,
    START,
    YUKI,
    element,
    event,
    member,
    messages_of,
    of,
    related,
    text,
    write,
    write_lines,
)

from ghoststore import Store
from ghoststore.importing import (
    Conversation,
    Deletion,
    Edit,
    Message,
    Person,
    ReactionEvent,
    Receipt,
    Source,
    SourceError,
)
from ghoststore.importing.formats import format_named
from ghoststore.importing.notes import Notes


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
        19: "sticker", 20: "poll", 21: "poll-vote", 22: "call", 24: "service", 26: "service", 29: "voice",
        30: "deleted",
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
            "unread_notifications": {"highlight_count": 0},
            "hologram": {},
        }}},
        "to_device": {"events": []},
    }
    notes = Notes()
    records = read_all("matrix", write_lines(tmp_path / "sync.jsonl", [sync]), self_ids=frozenset({JIRI}), notes=notes)
    assert [(one.source_id, one.is_read, one.is_delivered) for one in of(records, Receipt)] == [
        ("$e4", True, True), ("$e4", False, True),
    ]
    assert of(records, Conversation)[0].kind == "direct"
    assert set(notes.skipped) == {"settings of an account", "typing notice", "presence, or keys of a device"}
    assert set(notes.unknown) == {"field hologram around the events"}
    whole = read_all("matrix", write(tmp_path / "sync.json", sync), self_ids=frozenset({JIRI}))
    assert [type(record) for record in whole] == [type(record) for record in records]


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


def test_an_event_without_a_time_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="line 1: the origin_server_ts is missing"):
        read_all("matrix", write_lines(tmp_path / "a.jsonl", [{**text(1, ANN, "a"), "origin_server_ts": None}]))


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
        stored = list(store.messages(f"matrix:{ROOM}"))
        names = {contact.display_name for contact in store.contacts()}
    texts = [message.text for message in stored]
    assert {"Hello!", "čtyři", "Dobrý den"} <= set(texts)
    assert [message.text for message in stored if message.kind == "deleted"] == ["", ""]
    [poll] = [message for message in stored if message.kind == "poll"]
    assert poll.metadata is not None and b"org.matrix.msc3381.poll.start" in poll.metadata.data
    assert not {"Forged", "tři", "Hello, **world**"} & set(texts)
    assert names == {"Ann 🌻", "Jiří", "雪"}


def test_only_this_format_is_detected(sample: Path, tmp_path: Path) -> None:
    detect = format_named("matrix").detect
    assert detect is not None
    assert detect(Source(sample)) and detect(Source(write_lines(tmp_path / "a.jsonl", SAMPLE)))
    others = [{"messages": [], "name": "Telegram"}, {"envelope": {}}, [1], {"type": "personal_chat", "id": 1}]
    assert not any(detect(Source(write(tmp_path / "other.json", other))) for other in others)
