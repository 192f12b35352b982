"""An import saves what the store lacks, and nothing twice."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from daemon import Daemon
from importing_help import run_records

from ghoststore import Message as StoredMessage
from ghoststore import MessageOrder, MessageStatus, NewMessage, NotFound, Store
from ghoststore.importing import (
    Attachment,
    Content,
    Conversation,
    Deletion,
    Edit,
    Message,
    Person,
    Reaction,
    ReactionEvent,
    Receipt,
    Record,
    SourceError,
    spool,
)
from ghoststore.importing.report import Report

MINUTE = 60_000_000
START = 1_600_000_000_000_000

Import = Callable[..., Report]


def message(number: int = 1, **fields: Any) -> Message:
    """Returns a message with an id."""
    plain = Message(
        conversation="ann",
        time_microseconds=START + number * MINUTE,
        source_id=str(number),
        sender="ann",
        sender_name="Ann",
        text=f"text {number}",
        place=f"message {number}",
    )
    return replace(plain, **fields)


def bytes_of(data: bytes, *, is_sized: bool = True) -> Content:
    return Content(place="here", open=lambda: io.BytesIO(data), byte_count=len(data) if is_sized else None)


@pytest.fixture
def store(shared_daemon: Daemon) -> Iterator[Store]:
    with Store(shared_daemon.socket) as store:
        store.clear_all_data("clear all data")
        yield store


@pytest.fixture
def run(shared_daemon: Daemon, store: Store) -> Import:
    """Returns a function that imports records."""
    return lambda *records, **options: run_records(shared_daemon, list(records), **options)


def only(store: Store) -> StoredMessage:
    [found] = store.messages("test:ann")
    return found


def counts(report: Report) -> tuple[int, int, int]:
    return report.messages.new, report.messages.changed, report.messages.known


def test_a_second_import_writes_nothing(run: Import, store: Store) -> None:
    records: list[Record] = [
        Conversation(key="ann", title="Ann"),
        Person(id="ann", name="Ann"),
        message(1, attachments=(Attachment(content=bytes_of(b"small"), name="a.txt"),)),
        message(2, attachments=(Attachment(content=bytes_of(b"x" * 200_000), name="b.bin"),)),
        message(3, reactions=(Reaction(author="bob", emoji="👍"), Reaction(author="ann", emoji="👍"))),
        message(4, source_id=None),
        message(4, source_id=None),
        message(5, edited_microseconds=START + 9 * MINUTE, reply_to="1"),
    ]
    expected = run(*records, is_dry_run=True)
    assert counts(expected) == (6, 0, 0)
    assert list(store.conversations()) == []
    first = run(*records)
    assert counts(first) == (6, 0, 0)
    assert (first.attachments_saved, first.reactions_added) == (2, 2)
    assert (expected.attachments_saved, expected.reactions_added) == (2, 2)
    revision = store.get_status().revision
    for is_dry_run in (True, False):
        second = run(*records, is_dry_run=is_dry_run)
        assert counts(second) == (0, 0, 6)
        assert (second.conversations.known, second.contacts.known) == (1, 1)
    assert store.get_status().revision == revision
    found = {one.text: one for one in store.messages("test:ann")}
    assert found["text 5"].reply_to_message_id == found["text 1"].id
    assert found["text 5"].edited_at_microseconds == START + 9 * MINUTE
    assert store.read_attachment_bytes(found["text 2"].id, 0) == b"x" * 200_000
    assert found["text 2"].attachments[0].mime_type == "application/octet-stream"
    assert {one.author_session_id for one in store.reactions(found["text 3"].id)} == {"test:bob", "test:ann"}


def test_a_longer_export_adds_only_what_is_new(run: Import, store: Store) -> None:
    earlier = [message(number, source_id=None, text="ok", time_microseconds=START) for number in range(3)]
    run(*earlier)
    ids = [one.id for one in store.messages("test:ann")]
    longer = [*earlier, message(4, source_id=None, text="ok", time_microseconds=START), message(5, source_id=None)]
    assert counts(run(*longer)) == (2, 0, 3)
    # Messages also get the same ids if an export begins later.
    report = run(*longer[2:])
    assert report.messages.new == 0
    assert set(ids) < {one.id for one in store.messages("test:ann")}
    assert len(list(store.messages("test:ann"))) == 5


def test_messages_of_one_minute_keep_their_order(run: Import, store: Store) -> None:
    run(*[message(1, source_id=None, text=f"line {number}") for number in range(300)])
    texts = [one.text for one in store.messages("test:ann", order=MessageOrder.OLDEST_FIRST)]
    assert texts == [f"line {number}" for number in range(300)]


def test_a_changed_message_is_saved_again(run: Import, store: Store) -> None:
    run(message(1), message(2))
    assert counts(run(message(1), message(2, text="other"))) == (0, 1, 1)
    assert {one.text for one in store.messages("test:ann")} == {"text 1", "other"}


def test_what_the_user_did_in_the_store_stays(run: Import, store: Store) -> None:
    records = [
        Conversation(key="ann", title="Ann"),
        Person(id="ann", name="Ann"),
        message(1, is_read=False, edited_microseconds=START, is_outgoing=True, status=MessageStatus.SENT),
    ]
    run(*records)
    found = only(store)
    store.edit_message(found.id, "mine")
    store.update_message_status([found.id], MessageStatus.DELIVERED)
    store.add_reaction(found.id, "❤️", "me")
    store.save_contact("test:bob", display_name="Robert")
    store.update_conversation("test:ann", display_name="My Ann")
    revision = store.get_status().revision
    report = run(*records, Person(id="bob", name="Bob"))
    assert counts(report) == (0, 0, 1)
    assert store.get_status().revision == revision
    assert store.get_contact("test:bob").display_name == "Robert"
    assert store.get_conversation("test:ann").display_name == "My Ann"
    # A message that changes in another way keeps its text, status and reactions as well.
    assert counts(run(message(1, is_outgoing=True, edited_microseconds=START, reply_to="9"))) == (0, 1, 0)
    after = only(store)
    assert (after.text, after.status) == ("mine", MessageStatus.DELIVERED)
    assert [one.emoji for one in after.reactions] == ["❤️"]


def test_a_read_mark_never_goes_back(run: Import, store: Store) -> None:
    run(message(1, is_read=False))
    assert not only(store).is_read
    store.mark_messages_read([only(store).id])
    assert counts(run(message(1, is_read=False))) == (0, 0, 1)
    store.clear_all_data("clear all data")
    run(message(1, is_read=False))
    assert counts(run(message(1, is_read=True))) == (0, 1, 0)
    assert only(store).is_read


def test_events_meet_their_message_in_any_order(run: Import, store: Store) -> None:
    about: dict[str, Any] = {"conversation": "ann", "source_id": "1"}
    records: list[Record] = [
        Edit(**about, time_microseconds=START + 8 * MINUTE, text="last"),
        ReactionEvent(**about, time_microseconds=START + 3 * MINUTE, author="bob", emoji="👍"),
        message(1, is_outgoing=True, is_read=True),
        Edit(**about, time_microseconds=START + 7 * MINUTE, text="middle"),
        Edit(**about, time_microseconds=START + 9 * MINUTE, text="not mine", author="eve"),
        ReactionEvent(**about, time_microseconds=START + 4 * MINUTE, author="bob", emoji="👎", replaces=True),
        ReactionEvent(**about, time_microseconds=START + 4 * MINUTE, author="ann", emoji="👍"),
        ReactionEvent(**about, time_microseconds=START + 5 * MINUTE, author="ann", emoji="👍", is_removed=True),
        Receipt(conversation="", source_id="1", time_microseconds=START + 5 * MINUTE, is_delivered=True),
    ]
    report = run(*records)
    assert list(report.notes.skipped) == ["edit by a person who did not send the message"]
    found = only(store)
    assert (found.text, found.edited_at_microseconds) == ("last", START + 8 * MINUTE)
    assert [(one.author_session_id, one.emoji) for one in store.reactions(found.id)] == [("test:bob", "👎")]
    assert found.status == MessageStatus.DELIVERED
    assert counts(run(*records)) == (0, 0, 1)


def test_a_reaction_that_the_source_removed_is_removed(run: Import, store: Store) -> None:
    event = ReactionEvent(conversation="ann", source_id="1", time_microseconds=START, author="bob", emoji="👍")
    run(message(1), event)
    store.add_reaction(only(store).id, "🎉", "me")
    report = run(message(1), event, replace(event, is_removed=True, time_microseconds=START + 1))
    assert counts(report) == (0, 1, 0)
    assert [one.emoji for one in store.reactions(only(store).id)] == ["🎉"]


@pytest.mark.parametrize("emoji", ["", "a\0", "mxc://example.org/picture", "👍" * 40, "\ud83d"])
def test_a_reaction_that_is_no_emoji_is_reported(run: Import, store: Store, emoji: str) -> None:
    added = ReactionEvent(conversation="ann", source_id="1", time_microseconds=START, author="bob", emoji=emoji)
    removed = replace(added, is_removed=True, time_microseconds=START + 1)
    files: list[list[Record]] = [[message(1)], [message(1), added], [message(1), added, removed], [added], [removed]]
    for records in files:
        run(*records)
    run(message(1, reactions=(Reaction(author="bob", emoji="👍"),)), added, removed)
    assert [one.emoji for one in only(store).reactions][:1] == ["👍"]


def test_an_event_in_a_later_file_reaches_its_message(run: Import, store: Store) -> None:
    run(message(1, is_outgoing=True), message(2))
    about: dict[str, Any] = {"conversation": "ann", "source_id": "1", "time_microseconds": START + 9 * MINUTE}
    later: list[Record] = [
        Edit(**about, text="later"),
        ReactionEvent(**about, author="bob", emoji="👍"),
        Receipt(**about, is_delivered=True),
        Edit(conversation="ann", source_id="7", time_microseconds=START, text="no message", place="event 4"),
    ]
    report = run(*later)
    assert report.notes.skipped["edit of a message that is not in the file"].first_place == "event 4"
    found = [one for one in store.messages("test:ann") if one.is_outgoing][0]
    assert (found.text, found.status) == ("later", MessageStatus.DELIVERED)
    assert [one.count for one in found.reactions] == [1]
    revision = store.get_status().revision
    run(*later)
    # Another import of the first file does not undo the changes of the second file.
    assert counts(run(message(1, is_outgoing=True), message(2))) == (0, 0, 2)
    assert store.get_status().revision == revision


def test_a_file_that_is_missing_in_one_export_comes_with_another(run: Import, store: Store) -> None:
    def photo(content: Content | None) -> Message:
        return message(1, attachments=(Attachment(content=content, name="photos/1.jpg"),))

    report = run(photo(None))
    assert report.notes.skipped["attachment that is not in the export"].count == 1
    assert counts(run(photo(bytes_of(b"photo")))) == (0, 1, 0)
    assert [(one.name, one.mime_type) for one in only(store).attachments] == [("1.jpg", "image/jpeg")]
    assert counts(run(photo(None))) == (0, 0, 1)
    assert counts(run(photo(bytes_of(b"other")))) == (0, 1, 0)
    assert store.read_attachment_bytes(only(store).id, 0) == b"other"


def test_limits_of_the_store_are_kept(run: Import, store: Store) -> None:
    long = "ä" * 700_000
    records: list[Record] = [
        Conversation(key="k" * 5000, title="t" * 5000),
        Person(id="p" * 5000, name="n" * 5000),
        message(1, text=long),
        message(2, attachments=tuple(Attachment(content=bytes_of(b"%d" % n), name="n" * 500) for n in range(40))),
        message(3, conversation="k" * 5000, sender="p" * 5000, text="lone \ud800 and \ud83d\ude00 pair"),
        message(4, metadata={"large": "x" * 100_000, "small": 1}, kind="k" * 100, sender_name="n\0" * 500),
        message(5, reactions=(Reaction(author="bob", emoji="thumbsup"), Reaction(author="bob", emoji="👍"))),
        message(6, time_microseconds=0, text=""),
        message(7, attachments=(Attachment(content=bytes_of(b"y" * 100_000, is_sized=False), name="../../passwd"),)),
    ]
    report = run(*records)
    assert counts(report) == (7, 0, 0)
    found = {one.text[:6]: one for one in store.messages("test:ann")}
    assert len(found["ä" * 6].text.encode()) == 1_048_576
    assert store.read_attachment_bytes(found["ä" * 6].id, 0).decode() == long
    assert len(found["text 2"].attachments) == 32
    assert found["text 7"].attachments[0].name == "passwd"
    assert store.read_attachment_bytes(found["text 7"].id, 0) == b"y" * 100_000
    assert [one.emoji for one in store.reactions(found["text 5"].id)] == ["👍"]
    assert {what.partition(":")[0]: note.count for what, note in report.notes.skipped.items()} == {
        "end of a text of more than 1 MiB, which is in the attachment message.txt": 1,
        "attachment after the 32nd of a message": 8,
        "metadata large that makes more than 64 KiB": 1,
        "reaction or edit that the daemon refused": 1,
    }
    [other] = [one for one in store.conversations() if one.session_id != "test:ann"]
    assert other.last_message is not None and other.last_message.text == "lone \ufffd and \U0001f600 pair"
    assert counts(run(*records)) == (0, 0, 7)


def test_many_messages_with_attachments_fit_into_requests(run: Import, store: Store) -> None:
    def photos(number: int) -> tuple[Attachment, ...]:
        return tuple(Attachment(content=bytes_of(b"%d" % number * 9000), name=f"{n}.png") for n in range(10))

    records = [message(number, text="x" * 50_000, attachments=photos(number)) for number in range(100)]
    assert counts(run(*records)) == (100, 0, 0)
    assert all(len(one.attachments) == 10 for one in store.messages("test:ann"))


def test_a_source_that_fails_at_its_end_leaves_nothing(shared_daemon: Daemon, store: Store) -> None:
    with pytest.raises(SourceError):
        run_records(shared_daemon, [Person(id="ann", name="Ann"), message(1), message(2, conversation="")])
    assert list(store.conversations()) == [] and list(store.contacts()) == []


def test_a_file_with_too_many_people_is_refused_with_its_place(
    run: Import, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "ENTITIES_MAX", 1500)
    for field in ("sender", "conversation"):
        records = [message(number, **{field: f"x{number}"}) for number in range(20_000)]
        with pytest.raises(SourceError, match=r"^message \d+: the file has more than 1,500"):
            run(*records)
    assert counts(run(*[message(number, sender=f"x{number % 1500}") for number in range(5000)])) == (5000, 0, 0)
    assert len(list(store.contacts())) == 1500


def test_senders_become_contacts_and_the_user_does_not(run: Import, store: Store) -> None:
    run(message(1), message(2, sender="me", sender_name="Me"), self_ids=frozenset(["me"]))
    assert [one.display_name for one in store.contacts()] == ["Ann"]
    assert [one.is_outgoing for one in store.messages("test:ann")] == [True, False]
    with pytest.raises(NotFound):
        store.get_contact("test:me")


def test_the_report_says_if_the_user_is_not_among_the_senders(run: Import) -> None:
    report = run(message(), is_dry_run=True, self_ids=frozenset(("bob", "Ann")))
    hint = "no message is from the sender of --self bob"
    assert [one["what"] for one in report.as_json()["hints"]] == [hint]
    assert f"Hints:\n  1 × {hint}" in report.as_text()
    [hint] = run(message(), is_dry_run=True).notes.hints
    assert hint == "the export does not say who you are, so all messages are incoming: use --self"
    assert run(message(is_outgoing=False), is_dry_run=True).notes.hints == {}


def test_an_import_without_self_leaves_the_direction(run: Import, store: Store) -> None:
    run(message(), self_ids=frozenset(("ann",)))
    assert counts(run(message())) == (0, 0, 1)
    assert counts(run(message(text="other"))) == (0, 1, 0) and only(store).is_outgoing
    bob = message(2, sender="bob", sender_name="")
    assert counts(run(message(text="other"), bob, self_ids=frozenset(("bob",)))) == (1, 1, 0)
    assert [one.is_outgoing for one in store.messages("test:ann")] == [True, False]


def test_messages_of_applications_are_left_alone(run: Import, store: Store) -> None:
    store.save_message(NewMessage(id="own", conversation="test:ann", text="own", timestamp_microseconds=START))
    assert counts(run(message(1))) == (1, 0, 0)
    assert store.get_message("own").text == "own"


def test_a_deleted_message_stays_without_its_text(run: Import, store: Store) -> None:
    photo = (Attachment(content=bytes_of(b"photo"), name="1.jpg"),)
    deletion = Deletion(conversation="ann", source_id="1", time_microseconds=START)
    run(message(1, attachments=photo))
    assert counts(run(message(1, attachments=photo), deletion)) == (0, 1, 0)
    found = only(store)
    assert (found.text, found.attachments, found.kind) == ("", (), "deleted")
    # An import of an export from before the deletion does not restore the message.
    assert counts(run(message(1, attachments=photo))) == (0, 0, 1)


def test_what_has_no_field_is_kept_as_metadata(run: Import, store: Store) -> None:
    fields = {"forwarded_from": "Bob", "nested": {"b": [1, None], "a": "ä\ud800"}}
    photo = Attachment(content=bytes_of(b"photo"), name="1.jpg", metadata={"width": 5})
    missing = Attachment(content=None, name="2.mp4", source="https://example.org/2")
    edit = Edit(conversation="ann", source_id="1", time_microseconds=START + 9 * MINUTE, text="new")
    records = [message(1, kind="note", metadata=fields, attachments=(photo, missing)), edit]
    run(*records)
    found = only(store)
    assert (found.kind, found.sender_name) == ("note", "Ann")
    assert found.metadata is not None and found.metadata.type == "application/json"
    assert json.loads(found.metadata.data) == {
        "forwarded_from": "Bob",
        "nested": {"b": [1, None], "a": "ä\ufffd"},
        "versions": [{"text": "text 1", "time_microseconds": START + MINUTE}],
        "attachments": [
            {"name": "1.jpg", "mime_type": "image/jpeg", "width": 5},
            {"name": "2.mp4", "mime_type": "video/mp4", "is_missing": True, "source": "https://example.org/2"},
        ],
    }
    assert counts(run(*records)) == (0, 0, 1)
    assert counts(run(replace(records[0], metadata={"forwarded_from": "Eve"}), edit)) == (0, 0, 1)
    complete = replace(records[0], metadata={"forwarded_from": "Eve"}, attachments=(photo,))
    assert counts(run(complete, edit)) == (0, 1, 0)
