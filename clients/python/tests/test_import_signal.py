"""signal-cli's JSON lines, as its classes JsonMessageEnvelope, JsonDataMessage and JsonSyncMessage write them."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from daemon import Daemon
from importing_help import read_all, run_import
from importing_hostile import check, cuts, replacements

from ghoststore import MessageStatus, Store
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

ME, MY_NUMBER = "11111111-1111-4111-8111-111111111111", "+491700000001"
ANNA, ANNA_NUMBER = "22222222-2222-4222-8222-222222222222", "+33123456789"
OMAR, OMAR_NUMBER = "33333333-3333-4333-8333-333333333333", "+201000000003"
GROUP = "Pmpi+EfPWmsxiomLe9Nx2XF9HOE483p6iKiFj65iMwI="
PEOPLE = {ANNA: (ANNA_NUMBER, "Анна Кузнецова"), OMAR: (OMAR_NUMBER, "عمر"), ME: (MY_NUMBER, "Jürgen")}
START = 1_631_458_508_784


def line(sender: str, time: int, **parts: Any) -> dict[str, Any]:
    """Returns a line as `signal-cli --output=json receive` prints it."""
    number, name = PEOPLE[sender]
    return {
        "envelope": {
            "source": number, "sourceNumber": number, "sourceUuid": sender, "sourceName": name, "sourceDevice": 1,
            "timestamp": time, "serverReceivedTimestamp": time + 5, "serverDeliveredTimestamp": time + 9, **parts,
        },
        "account": MY_NUMBER,
    }


def data(time: int, text: str | None = None, **members: Any) -> dict[str, Any]:
    return {"timestamp": time, "message": text, "expiresInSeconds": 0, "viewOnce": False, **members}


def received(sender: str, time: int, text: str | None = None, **members: Any) -> dict[str, Any]:
    return line(sender, time, dataMessage=data(time, text, **members))


def sent(time: int, text: str | None = None, to: str | None = ANNA, **members: Any) -> dict[str, Any]:
    """Returns a message that another device of the user sent."""
    number = PEOPLE[to][0] if to else None
    destination = {"destination": number, "destinationNumber": number, "destinationUuid": to}
    return line(ME, time, syncMessage={"sentMessage": {**destination, **data(time, text, **members)}})


def group(kind: str = "DELIVER") -> dict[str, Any]:
    return {"groupId": GROUP, "groupName": "家族 👪", "revision": 3, "type": kind}


def target(author: str, time: int, name: str = "targetAuthor", at: str = "targetSentTimestamp") -> dict[str, Any]:
    number = PEOPLE[author][0]
    return {name: number, f"{name}Number": number, f"{name}Uuid": author, at: time}


def attachment(**members: Any) -> dict[str, Any]:
    return {
        "contentType": "image/jpeg", "filename": "Фото.jpg", "id": "Abc-1_2.jpg", "size": 4, "width": 2, "height": 2,
        "caption": None, "uploadTimestamp": START, **members,
    }


QUOTE = {**target(ME, START + 1000, "author", "id"), "text": "Grüße", "attachments": []}
MENTIONS = [{"name": OMAR_NUMBER, "number": OMAR_NUMBER, "uuid": OMAR, "start": 3, "length": 1}]
SAMPLE = [
    received(ANNA, START, "Привет, мир"),
    sent(START + 1000, "Grüße aus München"),
    received(ANNA, START + 2000, "да", quote=QUOTE),
    received(ANNA, START + 3000, "👍 \ufffc", groupInfo=group(), mentions=MENTIONS),
    received(OMAR, START + 4000, None, groupInfo=group(), attachments=[attachment()]),
    sent(START + 5000, "日本語のメッセージ", to=None, groupInfo=group()),
    received(OMAR, START + 6000, reaction={**target(ME, START + 5000), "emoji": "❤️", "isRemove": False},
             groupInfo=group()),
    sent(START + 6500, reaction={**target(ANNA, START), "emoji": "😂", "isRemove": True}),
    line(ANNA, START + 7000, editMessage={
        "targetSentTimestamp": START, "dataMessage": data(START + 7000, "Привет!"),
    }),
    line(ME, START + 7500, syncMessage={"sentMessage": {
        "destination": ANNA_NUMBER, "destinationNumber": ANNA_NUMBER, "destinationUuid": ANNA,
        "editMessage": {"targetSentTimestamp": START + 1000, "dataMessage": data(START + 7500, "Grüße aus Köln")},
    }}),
    received(ANNA, START + 8000, remoteDelete={"timestamp": START + 2000}),
    received(ANNA, START + 8500, adminDelete=target(OMAR, START + 4000), groupInfo=group()),
    line(ANNA, START + 9000, receiptMessage={
        "when": START + 9000, "isDelivery": False, "isRead": True, "isViewed": False,
        "timestamps": [START + 1000, START + 5000],
    }),
    line(ME, START + 9500, syncMessage={"readMessages": [target(ANNA, START, "sender", "timestamp")]}),
    line(ANNA, START + 9600, typingMessage={"action": "STARTED", "timestamp": START + 9600}),
    line(ANNA, START + 9700, callMessage={"offerMessage": {"id": 42, "type": "VIDEO_CALL", "opaque": "AAAA"}}),
    received(ANNA, START + 9800, sticker={"packId": "ab12", "stickerId": 3}),
    received(OMAR, START + 9900, pollCreate={"question": "متى؟", "allowMultiple": False, "options": ["١", "٢"]},
             groupInfo=group()),
    received(ANNA, START + 9910, groupInfo=group(),
             pollVote={**target(OMAR, START + 9900, "author"), "optionIndexes": [1], "voteCount": 1}),
    received(OMAR, START + 9920, groupInfo=group("UPDATE")),
    received(ANNA, START + 9930, isExpirationUpdate=True, expiresInSeconds=604800),
    received(ANNA, START + 9940, contacts=[{
        "name": {"display": "Олег", "given": "Олег"}, "organization": None,
        "phone": [{"value": "+7900", "type": "MOBILE", "label": None}],
        "avatar": {"attachment": attachment(id="avatar1", filename=None), "isProfile": False},
    }]),
    received(ANNA, START + 9950, "https://example.org", previews=[
        {"url": "https://example.org", "title": "例", "description": "", "image": attachment(id="p1")},
    ]),
    line(ANNA, START + 9960, storyMessage={"allowsReplies": True, "textAttachment": {"text": "Моя история"}}),
    line(ANNA, START + 9970, dataMessage=data(START + 9970)),
    {"exception": {"message": "secret", "type": "ProtocolInvalidMessageException"}, **line(ANNA, START + 9980)},
]


def write(path: Path, lines: list[Any]) -> Path:
    # signal-cli writes UTF-8 without escapes. Lone surrogates only come from the tests of hostile values.
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines)
    path.write_bytes(text.encode("utf-8", "replace"))
    return path


def of(records: list[Record], kind: type[Any]) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    folder = tmp_path / "attachments"
    folder.mkdir()
    (folder / "Abc-1_2.jpg").write_bytes(b"jpeg")
    return write(tmp_path / "messages.jsonl", SAMPLE)


def test_messages_have_sender_time_direction_and_text(sample: Path) -> None:
    messages = of(read_all("signal", sample), Message)
    first, second, third, fourth, fifth, sixth = messages[:6]
    assert (first.conversation, first.sender, first.sender_name) == (ANNA, ANNA, "Анна Кузнецова")
    assert (first.text, first.time_microseconds, first.is_outgoing) == ("Привет, мир", START * 1000, False)
    assert (second.conversation, second.sender, second.recipient, second.is_outgoing) == (ANNA, ME, ANNA, True)
    assert second.text == "Grüße aus München"
    assert third.reply_to == second.source_id
    assert third.metadata["quote"]["text"] == "Grüße"
    assert (fourth.conversation, fourth.text) == (GROUP, f"👍 @{OMAR_NUMBER}")
    assert fourth.metadata["message"] == "👍 \ufffc"
    assert (sixth.conversation, sixth.text, sixth.recipient) == (GROUP, "日本語のメッセージ", "")
    [photo] = fifth.attachments
    assert (photo.name, photo.mime_type, photo.metadata["size"]) == ("Фото.jpg", "image/jpeg", 4)
    with photo.content.open() as stream:
        assert stream.read() == b"jpeg"
    assert len({message.source_id for message in messages}) == len(messages)


def test_people_and_conversations_have_names(sample: Path) -> None:
    records = read_all("signal", sample)
    people = {person.id: person for person in of(records, Person)}
    assert people[ANNA].name == "Анна Кузнецова" and people[ANNA].metadata == {"number": ANNA_NUMBER}
    assert people[OMAR].name == "عمر"
    chats = {chat.key: chat for chat in of(records, Conversation)}
    assert (chats[GROUP].title, chats[GROUP].kind, chats[ANNA].kind) == ("家族 👪", "group", "direct")
    assert len(of(records, Person)) == 3 and len(of(records, Conversation)) == 2


def test_events_name_the_message_that_they_are_about(sample: Path) -> None:
    records = read_all("signal", sample)
    ids = {message.text or message.kind: message.source_id for message in of(records, Message)}
    photo = next(message for message in of(records, Message) if message.attachments).source_id
    heart, laughter = of(records, ReactionEvent)
    assert (heart.source_id, heart.author, heart.emoji) == (ids["日本語のメッセージ"], OMAR, "❤️")
    assert heart.replaces and not heart.is_removed
    assert (laughter.source_id, laughter.author, laughter.is_removed) == (ids["Привет, мир"], ME, True)
    theirs, mine = of(records, Edit)
    assert (theirs.source_id, theirs.text, theirs.conversation) == (ids["Привет, мир"], "Привет!", ANNA)
    assert (mine.source_id, mine.text) == (ids["Grüße aus München"], "Grüße aus Köln")
    deleted, by_admin = of(records, Deletion)
    assert (deleted.source_id, deleted.conversation) == (ids["да"], ANNA)
    assert (by_admin.source_id, by_admin.conversation) == (photo, GROUP)
    one, two, read = of(records, Receipt)
    assert {one.source_id, two.source_id} == {ids["Grüße aus München"], ids["日本語のメッセージ"]}
    assert one.is_read and one.is_delivered and (one.conversation, two.conversation) == (ANNA, GROUP)
    assert (read.source_id, read.is_read, read.is_delivered) == (ids["Привет, мир"], True, False)


def test_other_kinds_keep_their_data(sample: Path) -> None:
    kinds = {message.kind: message for message in of(read_all("signal", sample), Message) if message.kind}
    assert set(kinds) == {"call", "sticker", "poll", "poll-vote", "service", "contact", "story"}
    assert kinds["call"].metadata["event"] == "offer" and kinds["call"].metadata["type"] == "VIDEO_CALL"
    assert kinds["sticker"].metadata["sticker"] == {"packId": "ab12", "stickerId": 3}
    assert kinds["poll"].text == "متى؟" and kinds["poll"].metadata["pollCreate"]["options"] == ["١", "٢"]
    assert kinds["poll-vote"].reply_to == kinds["poll"].source_id
    assert kinds["service"].metadata["expiresInSeconds"] == 604800
    assert kinds["contact"].metadata["contacts"][0]["name"]["display"] == "Олег"
    assert kinds["contact"].attachments[0].name == "avatar1" and kinds["contact"].attachments[0].content is None
    assert kinds["story"].text == "Моя история"


def test_what_is_left_out_is_counted(sample: Path) -> None:
    notes = Notes()
    read_all("signal", sample, notes=notes)
    assert not notes.unknown
    assert {name: note.count for name, note in notes.skipped.items()} == {
        "typing notice": 1,
        "message without content, such as a new profile key": 1,
        "message that signal-cli could not decrypt": 1,
    }


def test_notifications_of_the_daemon_are_the_same(sample: Path, tmp_path: Path) -> None:
    plain = [{"jsonrpc": "2.0", "method": "receive", "params": one} for one in SAMPLE]
    subscribed = [
        {"jsonrpc": "2.0", "method": "receive", "params": {"subscription": 0, "result": one}} for one in SAMPLE
    ]
    expected = of(read_all("signal", sample), Message)
    for number, lines in enumerate((plain, subscribed)):
        notes = Notes()
        path = write(tmp_path / f"{number}.jsonl", [*lines, {"jsonrpc": "2.0", "result": {"timestamp": 9}, "id": 4}])
        found = of(read_all("signal", path, notes=notes), Message)
        assert [(one.source_id, one.text, one.metadata) for one in found] == [
            (one.source_id, one.text, one.metadata) for one in expected
        ]
        assert "request or response of JSON-RPC" in notes.skipped


def test_lines_of_old_versions_have_only_numbers(tmp_path: Path) -> None:
    lines = [
        {"envelope": {"source": ANNA_NUMBER, "sourceDevice": 1, "relay": None, "timestamp": START, "dataMessage": {
            "timestamp": START, "message": "Bonjour", "expiresInSeconds": 0, "attachments": [
                {"contentType": "image/png", "filename": None, "id": 8234798237498, "size": 3}],
            "groupInfo": {"groupId": "Z3JvdXA=", "type": "UPDATE", "name": "Amis", "members": [ANNA_NUMBER, MY_NUMBER]},
        }}},
        {"envelope": {"source": MY_NUMBER, "sourceDevice": 2, "timestamp": START + 1, "syncMessage": {
            "sentMessage": {"destination": ANNA_NUMBER, "timestamp": START + 1, "message": "Ça va ?"}}}},
        {"envelope": {"source": ANNA_NUMBER, "timestamp": START + 2, "receiptMessage": {
            "when": START + 2, "isDelivery": True, "isRead": False, "timestamps": [START + 1]}}},
    ]
    (tmp_path / "8234798237498").write_bytes(b"png")
    records = read_all("signal", write(tmp_path / "old.jsonl", lines))
    incoming, outgoing = of(records, Message)
    assert (incoming.conversation, incoming.sender, incoming.is_outgoing) == ("Z3JvdXA=", ANNA_NUMBER, False)
    assert incoming.attachments[0].content is not None
    assert (outgoing.conversation, outgoing.is_outgoing, outgoing.text) == (ANNA_NUMBER, True, "Ça va ?")
    [receipt] = of(records, Receipt)
    assert (receipt.source_id, receipt.is_delivered) == (outgoing.source_id, True)
    chat = next(chat for chat in of(records, Conversation) if chat.kind == "group")
    assert chat.title == "Amis" and {member.id for member in chat.members} == {ANNA_NUMBER, MY_NUMBER}


def test_what_names_an_edit_means_the_first_version(tmp_path: Path) -> None:
    edits = [
        line(ANNA, START + number, editMessage={
            "targetSentTimestamp": START + number - 1, "dataMessage": data(START + number, f"{number}")})
        for number in (1, 2, 3)
    ]
    reaction = sent(START + 9, reaction={**target(ANNA, START + 3), "emoji": "👍", "isRemove": False})
    records = read_all("signal", write(tmp_path / "edits.jsonl", [received(ANNA, START, "0"), *edits, reaction]))
    [message] = of(records, Message)
    assert {record.source_id for record in [*of(records, Edit), *of(records, ReactionEvent)]} == {message.source_id}


def test_a_longer_export_keeps_the_ids(sample: Path, tmp_path: Path) -> None:
    short = of(read_all("signal", write(tmp_path / "short.jsonl", SAMPLE[:6])), Message)
    assert [one.source_id for one in short] == [one.source_id for one in of(read_all("signal", sample), Message)][:6]


def test_the_store_gets_everything_once(daemon: Daemon, sample: Path, tmp_path: Path) -> None:
    part = run_import(daemon, "signal", write(tmp_path / "part.jsonl", SAMPLE[:4]))
    assert (part.messages.new, part.messages.known) == (4, 0)
    whole = run_import(daemon, "signal", sample)
    expected = len(of(read_all("signal", sample), Message))
    assert whole.messages.total == expected and whole.messages.new == expected - 4
    again = run_import(daemon, "signal", sample)
    assert (again.messages.known, again.messages.new, again.messages.changed) == (expected, 0, 0)
    assert (again.attachments_saved, again.reactions_added, again.contacts.new) == (0, 0, 0)
    with Store(daemon.socket) as store:
        stored = list(store.messages(f"signal:{ANNA}"))
        names = {contact.display_name for contact in store.contacts()}
    texts = [message.text for message in stored]
    [deleted] = [message for message in stored if message.kind == "deleted"]
    assert (deleted.text, deleted.sender_name) == ("", "Анна Кузнецова")
    assert "Привет!" in texts and "Grüße aus Köln" in texts and "Привет, мир" not in texts
    assert names == {"Анна Кузнецова", "عمر"}


def test_events_of_a_later_file_change_the_store(daemon: Daemon, sample: Path, tmp_path: Path) -> None:
    run_import(daemon, "signal", write(tmp_path / "first.jsonl", SAMPLE[:6]))
    for number, one in enumerate(SAMPLE[6:]):
        run_import(daemon, "signal", write(tmp_path / f"{number}.jsonl", [one]))
    with Store(daemon.socket) as store:
        messages = {message.text: message for message in store.messages(f"signal:{ANNA}")}
        grouped = {message.text: message for message in store.messages(f"signal:{GROUP}")}
        [heart] = store.reactions(grouped["日本語のメッセージ"].id)
    assert messages["Grüße aus Köln"].status is MessageStatus.DELIVERED
    assert "Привет!" in messages and "да" not in messages
    assert (heart.emoji, heart.author_session_id) == ("❤️", f"signal:{OMAR}")


def test_attachments_can_be_in_a_folder_of_their_own(sample: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (tmp_path / "attachments").rename(elsewhere)
    photos = [one for one in of(read_all("signal", sample), Message) if one.attachments]
    assert photos[0].attachments[0].content is None
    found = read_all("signal", sample, options={"attachments": str(elsewhere)})
    content = next(one for one in of(found, Message) if one.attachments).attachments[0].content
    assert content is not None and content.byte_count == 4


def test_unknown_members_are_counted_and_kept(tmp_path: Path) -> None:
    notes = Notes()
    records = read_all(
        "signal", write(tmp_path / "new.jsonl", [received(ANNA, START, None, hologram={"depth": 3})]), notes=notes
    )
    [message] = of(records, Message)
    assert message.metadata["hologram"] == {"depth": 3}
    assert notes.unknown["field hologram of message"].count == 1


def test_only_this_format_is_detected(sample: Path, tmp_path: Path) -> None:
    detect = format_named("signal").detect
    assert detect is not None and detect(Source(sample))
    other = write(tmp_path / "other.jsonl", [{"type": "m.room.message", "event_id": "$1"}, {"jsonrpc": "2.0"}, [1], 3])
    assert not detect(Source(other))


def test_files_cut_anywhere_give_records_or_an_error(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    whole = write(path, SAMPLE).read_bytes()
    for part in cuts(whole, 19):
        path.write_bytes(part)
        check("signal", path)


def test_values_of_other_types_give_records_or_an_error(tmp_path: Path) -> None:
    path = tmp_path / "mangled.jsonl"
    seen: set[tuple[Any, ...]] = set()
    for one in SAMPLE:
        for _, variant in replacements(one, seen):
            path.write_text(json.dumps(variant))
            check("signal", path)


@pytest.mark.parametrize(
    "content",
    [b"\xff\xfe\x00", b"\x80\x81\n", b"{}\n" + b"\xe4" * 100, b"[" * 100_000, b"\"" * 9],
    ids=["half a character", "no UTF-8", "Latin-1", "deep", "quotes"],
)
def test_bytes_that_are_no_messages_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bytes.jsonl"
    path.write_bytes(content)
    assert not check("signal", path)


def test_a_message_without_a_time_is_refused(tmp_path: Path) -> None:
    one = received(ANNA, 0, "x")
    with pytest.raises(SourceError, match="line 1: the timestamp is missing"):
        read_all("signal", write(tmp_path / "a.jsonl", [one]))


def test_attachments_never_come_from_outside(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    folder = tmp_path / "export"
    (folder / "attachments").mkdir(parents=True)
    (folder / "attachments" / "link").symlink_to(tmp_path / "secret")
    for id in ("../secret", "../../secret", str(tmp_path / "secret")):
        line = received(ANNA, START, "x", attachments=[attachment(id=id)])
        [message] = of(read_all("signal", write(folder / "a.jsonl", [line])), Message)
        assert message.attachments[0].content is None
    line = received(ANNA, START, "x", attachments=[attachment(id="link")])
    with pytest.raises(SourceError, match="leads over a link"):
        read_all("signal", write(folder / "a.jsonl", [line]))


def test_a_million_senders_need_no_memory(tmp_path: Path) -> None:
    with (path := tmp_path / "senders.jsonl").open("w") as file:
        for number in range(10_000):
            one = received(ANNA, START + number, "x")
            one["envelope"] |= {"sourceUuid": f"u{number}", "sourceName": f"name {number}"}
            file.write(json.dumps(one) + "\n")
    tracemalloc.start()
    try:
        count = sum(1 for _ in format_named("signal").read(Reading(source=Source(path))))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 30_000 and peak < 8_000_000
