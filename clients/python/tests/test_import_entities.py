"""Conversations, members and contacts: the source adds to them, and what the user set stays."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from daemon import Daemon
from importing_help import run_records

from ghoststore import ConversationMember, Store
from ghoststore.importing import Conversation, Member, Message, Person, Record

START = 1_600_000_000_000_000


@pytest.fixture
def store(shared_daemon: Daemon) -> Iterator[Store]:
    with Store(shared_daemon.socket) as store:
        store.clear_all_data("clear all data")
        yield store


def group(*members: Member, **metadata: object) -> Conversation:
    return Conversation(key="all", title="All", kind="group", members=members, metadata=metadata)


def members_of(store: Store) -> list[tuple[str, str, str]]:
    found = store.list_conversation_members("test:all", limit=1000).members
    return [(one.session_id, one.name, one.role) for one in found]


def test_kind_and_metadata_are_saved_and_follow_the_source(shared_daemon: Daemon, store: Store) -> None:
    records: list[Record] = [group(topic="cats"), Person(id="ann", metadata={"phone": "+49"})]
    for _ in range(2):
        report = run_records(shared_daemon, records)
    assert (report.conversations.known, report.contacts.known) == (1, 1)
    chat, contact = store.get_conversation("test:all"), store.get_contact("test:ann")
    assert chat.kind == "group" and chat.metadata is not None and json.loads(chat.metadata.data) == {"topic": "cats"}
    assert contact.metadata is not None and json.loads(contact.metadata.data) == {"phone": "+49"}
    store.update_conversation("test:all", kind="mine", display_name="Mine")
    report = run_records(shared_daemon, [group(topic="dogs"), group(year=2026)])
    assert report.conversations.changed == 1
    chat = store.get_conversation("test:all")
    assert (chat.kind, chat.display_name) == ("mine", "Mine")
    assert chat.metadata is not None and json.loads(chat.metadata.data) == {"topic": "dogs", "year": 2026}


def test_a_file_without_metadata_leaves_it(shared_daemon: Daemon, store: Store) -> None:
    run_records(shared_daemon, [group(topic="cats"), Person(id="ann", name="Ann", metadata={"phone": "+49"})])
    message = Message(conversation="all", time_microseconds=START, source_id="1", sender="ann", sender_name="Ann")
    report = run_records(shared_daemon, [message])
    assert (report.conversations.known, report.contacts.known) == (1, 1)
    assert store.get_conversation("test:all").metadata is not None


def test_members_are_added_and_replaced(shared_daemon: Daemon, store: Store) -> None:
    ann, bob = Member(id="ann", name="Ann", role="admin"), Member(id="bob", name="Bob")
    expected = run_records(shared_daemon, [group(ann, bob)], is_dry_run=True)
    assert expected.members.new == 2
    for _ in range(2):
        report = run_records(shared_daemon, [group(ann), group(bob)])
    assert (report.members.known, report.members.new) == (2, 0)
    assert members_of(store) == [("test:ann", "Ann", "admin"), ("test:bob", "Bob", "")]
    report = run_records(shared_daemon, [group(Member(id="bob", role="guest"), Member(id="eve"))])
    assert (report.members.new, report.members.changed, report.members.known) == (1, 1, 0)
    assert members_of(store) == [("test:ann", "Ann", "admin"), ("test:bob", "Bob", "guest"), ("test:eve", "", "")]


def test_a_name_and_a_role_that_a_person_set_stay(shared_daemon: Daemon, store: Store) -> None:
    records: list[Record] = [group(Member(id="ann", name="Ann"), Member(id="bob"))]
    run_records(shared_daemon, records)
    mine = (ConversationMember(session_id="test:ann", name="Annie", role="admin"),
            ConversationMember(session_id="test:bob", name="Bobby"))  # fmt: skip
    store.set_conversation_members("test:all", mine)
    for is_dry_run in (True, False):
        report = run_records(shared_daemon, records, is_dry_run=is_dry_run)
        assert (report.members.changed, report.members.known) == (0, 2)
    assert members_of(store) == [("test:ann", "Annie", "admin"), ("test:bob", "Bobby", "")]
    run_records(shared_daemon, [group(Member(id="ann", name="Ann", role="owner"), Member(id="bob", name="Bob"))])
    assert members_of(store) == [("test:ann", "Annie", "owner"), ("test:bob", "Bobby", "")]


def test_the_report_names_the_first_conversations(shared_daemon: Daemon, store: Store) -> None:
    for is_dry_run in (True, False):
        report = run_records(shared_daemon, [group()], is_dry_run=is_dry_run)
        assert report.as_json()["session_ids"] == ["test:all"]
        assert "\nConversations:\n  test:all" in report.as_text() and "more" not in report.as_text()
    report = run_records(shared_daemon, [Conversation(key=f"{number}\x1b[2J") for number in range(7)])
    assert report.as_json()["session_ids"] == [f"test:{number}\x1b[2J" for number in range(5)]
    assert "  test:4\ufffd[2J\n  and 2 more" in report.as_text()


def test_senders_are_the_members_of_a_group_without_a_list(shared_daemon: Daemon, store: Store) -> None:
    message = Message(conversation="all", time_microseconds=START, sender="ann", sender_name="Ann")
    others = [replace(message, sender="bob", sender_name=""), replace(message, sender="all")]
    for _ in range(2):
        report = run_records(shared_daemon, [group(), message, *others])
    assert (report.members.new, report.members.changed, report.members.known) == (0, 0, 2)
    assert members_of(store) == [("test:ann", "Ann", ""), ("test:bob", "", "")]
    store.clear_all_data("clear all data")
    run_records(shared_daemon, [group(Member(id="eve")), message])
    assert members_of(store) == [("test:eve", "", "")]
    run_records(shared_daemon, [Conversation(key="all", kind="direct"), message])
    assert members_of(store) == [("test:eve", "", "")]


def test_a_conversation_without_a_name_has_the_name_of_its_person(shared_daemon: Daemon, store: Store) -> None:
    chat, message = Conversation(key="ann", kind="direct"), Message(conversation="ann", time_microseconds=START)
    run_records(shared_daemon, [chat, replace(message, sender="ann", sender_name="Ann")])
    assert store.get_conversation("test:ann").display_name == "Ann"
    run_records(shared_daemon, [chat, Person(id="ann", name="Other"), message])
    assert store.get_conversation("test:ann").display_name == "Ann"


def test_a_group_with_too_many_members_keeps_the_first(shared_daemon: Daemon, store: Store) -> None:
    crowd = tuple(Member(id=f"{number:05}", name="x" * 2000, role="r" * 100) for number in range(8200))
    report = run_records(shared_daemon, [group(*crowd)])
    assert (report.members.new, report.notes.skipped["member after the 8,192th of a conversation"].count) == (8192, 8)
    report = run_records(shared_daemon, [group(*crowd)])
    assert (report.members.new, report.members.known) == (0, 8192)
