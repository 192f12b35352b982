"""The use of a store by a program, through both halves and with the real daemon."""

from __future__ import annotations

import os
from datetime import datetime, timezone
from typing import Any

import pytest
from daemon import Daemon

from ghoststore import (
    Aborted,
    AlreadyExists,
    ConversationMember,
    EntityKind,
    FileArea,
    FilePath,
    InvalidArgument,
    MessageOrder,
    MessageStatus,
    Metadata,
    NewAttachment,
    NewMessage,
    NotFound,
    Options,
    PermissionDenied,
    Reason,
    SceneCondition,
    SearchOrder,
    SingleFloat,
    Store,
    Url,
    by_id,
    by_session,
    model,
    new_key,
)


def said(text: str, session: str = "alice", **fields: Any) -> NewMessage:
    return NewMessage(conversation=by_session(session), text=text, **fields)


def test_messages_are_listed_in_either_order_and_page_by_page(store: Any) -> None:
    commit = store.save_messages([said(f"text {number}", timestamp_microseconds=number + 1) for number in range(7)])
    assert commit.created_count == 7 and len(commit.ids) == 7
    texts = [message.text for message in store.messages("alice", page_size=2)]
    assert texts == [f"text {number}" for number in reversed(range(7))]
    oldest = [message.text for message in store.messages("alice", order=MessageOrder.OLDEST_FIRST, page_size=3)]
    assert oldest == list(reversed(texts))
    assert [m.text for m in store.messages("alice", from_microseconds=3, until_microseconds=5)] == ["text 3", "text 2"]


def test_a_message_is_saved_changed_and_deleted(store: Any) -> None:
    [message_id] = store.save_message(said("first", is_outgoing=True)).ids
    store.update_message_status([message_id], MessageStatus.DELIVERED)
    store.edit_message(message_id, "second")
    store.add_reaction(message_id, "🦊", "bob")
    message = store.get_message(message_id)
    assert (message.text, message.status) == ("second", MessageStatus.DELIVERED)
    assert message.edited_at_microseconds is not None
    assert [(one.emoji, one.count) for one in message.reactions] == [("🦊", 1)]
    assert [one.author_session_id for one in store.reactions(message_id)] == ["bob"]
    store.remove_reaction(message_id, "🦊", "bob")
    store.delete_messages([message_id])
    with pytest.raises(NotFound) as refused:
        store.get_message(message_id)
    assert refused.value.reason is Reason.MESSAGE_NOT_FOUND


def test_conversations_are_created_found_changed_and_deleted(store: Any) -> None:
    made = store.get_or_create_conversation("alice", display_name="Alice")
    assert made.is_new and made.conversation.display_name == "Alice"
    assert not store.get_or_create_conversation("alice").is_new
    store.update_conversation("alice", is_pinned=True, avatar=b"\x01\x02", keep_count=5)
    kept = store.get_conversation(by_id(made.conversation.id), include_avatar=True)
    assert kept.is_pinned and kept.avatar == b"\x01\x02" and kept.retention.keep_count == 5
    store.save_message(said("hello"))
    assert [one.unread_count for one in store.conversations(has_unread=True)] == [1]
    assert store.mark_conversation_read("alice").updated_count == 1
    assert [one.session_id for one in store.conversations_named("ali")] == ["alice"]
    store.delete_conversation("alice")
    assert list(store.conversations()) == []


def test_kinds_names_of_senders_and_metadata_are_kept_and_selected(store: Any) -> None:
    metadata = Metadata(data=b"\x00\xff", type="application/json")
    revision = store.get_statistics().revision
    for kind in ("notice", ""):
        store.save_message(
            NewMessage(conversation=by_session("kinds"), text="x", kind=kind, sender_name="Ann", metadata=metadata)
        )
    assert [(one.sender_name, one.metadata) for one in store.messages("kinds", kind="notice")] == [("Ann", metadata)]
    assert [one.kind for one in store.messages("kinds", kind="")] == [""]
    assert [one.message.kind for one in store.search("x", kind="notice")] == ["notice"]
    store.update_conversation("kinds", kind="group", metadata=metadata)
    assert [one.metadata for one in store.conversations(kind="group")] == [metadata]
    assert [one.kind_name for one in store.changes(revision, kind_name="notice")] == ["notice"]
    store.update_conversation("kinds", metadata=Metadata())
    assert store.get_conversation("kinds").metadata is None
    store.save_contact("ann", metadata=metadata)
    assert store.get_contact("ann").metadata == metadata


def test_members_of_a_conversation_are_set_listed_and_removed(store: Any) -> None:
    store.get_or_create_conversation("group")
    members = [ConversationMember(session_id=f"m{number}", name="M", role="guest") for number in range(3)]
    assert store.set_conversation_members("group", members).created_count == 3
    assert list(store.members("group", page_size=2)) == members
    assert store.remove_conversation_members("group", ["m0", "m1", "none"]).deleted_count == 2
    assert [one.session_id for one in store.members("group")] == ["m2"]
    with pytest.raises(NotFound):
        list(store.members("nowhere"))


def test_a_dry_run_of_a_rule_counts_what_it_would_delete(store: Any) -> None:
    for number in range(1, 5):
        store.save_message(
            NewMessage(id=f"rule{number}", conversation=by_session("rule"), text="x", timestamp_microseconds=number)
        )
    preview = store.update_conversation("rule", keep_count=1, dry_run=True)
    assert (preview.updated_count, preview.deleted_count) == (1, 3)
    assert store.get_conversation("rule").retention is None
    assert store.update_conversation("rule", keep_for_milliseconds=1_000, dry_run=True).deleted_count == 4
    assert [message.id for message in store.messages("rule")] == ["rule4", "rule3", "rule2", "rule1"]


def test_contacts_drafts_and_statistics(store: Any) -> None:
    store.save_contact("bob", display_name="Bob", notes="n")
    store.set_contact_blocked("eve", True)
    assert [one.session_id for one in store.contacts(page_size=1)] == ["bob", "eve"]
    assert [one.session_id for one in store.contacts_named("bo")] == ["bob"]
    assert store.get_contact("bob").notes == "n"
    store.delete_contact("eve")
    store.save_draft("alice", "not sent yet")
    assert store.get_draft("alice").draft.text == "not sent yet"
    assert [one.text for one in store.drafts()] == ["not sent yet"]
    store.save_message(said("sent"), clear_draft=True)
    assert store.get_draft("alice").draft is None
    statistics = store.get_statistics()
    assert (statistics.conversation_count, statistics.message_count, statistics.contact_count) == (1, 1, 1)


def test_search_finds_words_and_their_places(store: Any) -> None:
    store.save_messages([said("the red fish"), said("a blue bird"), said("fish and fish again")])
    found = list(store.search("fish", page_size=1))
    assert [one.message.text for one in found] == ["fish and fish again", "the red fish"]
    first = found[0]
    cut = [first.snippet.encode()[m.offset : m.offset + m.count] for m in first.matches]
    assert cut == [b"fish", b"fish"]
    best = list(store.search("fish", order=SearchOrder.BEST_FIRST, conversation="alice"))
    assert len(best) == 2
    assert not list(store.search("NOT bird"))
    with pytest.raises(InvalidArgument):
        list(store.search(""))


def test_scene_values_are_read_as_they_were_set(store: Any) -> None:
    values = {
        "text": "ä",
        "number": -(1 << 63),
        "flag": True,
        "double": -0.0,
        "single": SingleFloat(0.5),
        "url": Url("https://example.org/"),
        "data": b"\x00\xff",
        "date": datetime(2026, 11, 23, 16, 0, 0, 1, tzinfo=timezone.utc),
        "list": [1, ["two", {}], False],
        "dictionary": {"a": {"b": [b""]}},
    }
    store.set_scene("window", values)
    kept = store.scene("window")
    assert kept == values
    assert {name: type(value) for name, value in kept.items()} == {name: type(value) for name, value in values.items()}
    assert str(kept["double"]) == "-0.0"
    store.set_scene("window", {"text": None})
    assert store.scene("window", ["text", "flag"]) == {"flag": True}
    assert store.scene(None)["flag"] is True
    assert [one.scene for one in store.scenes()] == ["window"]
    assert store.remove_scene("window").deleted_count == len(values) - 1


def test_a_scene_condition_that_is_not_met_changes_nothing(store: Any) -> None:
    commit = store.set_scene("counter", {"n": 1})
    condition = SceneCondition(key="n", revision=commit.value_revisions[0])
    store.set_scene("counter", {"n": 2}, conditions=[condition])
    with pytest.raises(Aborted) as refused:
        store.set_scene("counter", {"n": 3}, conditions=[condition])
    assert refused.value.reason is Reason.SCENE_CONDITION_FAILED
    assert store.scene("counter") == {"n": 2}
    assert [one.tier for one in store.scene_entries("counter", keys_only=True)] == [model.SceneTier.SCENE]


def test_logs_are_appended_to_read_and_bounded(store: Any) -> None:
    assert store.open_log("events", 1 << 20).is_new
    appended = store.append_log("events", [b"one", b"two", b"three"])
    assert (appended.first_sequence, appended.last_sequence) == (1, 3)
    assert [one.data for one in store.log_entries("events", page_size=1)] == [b"one", b"two", b"three"]
    assert [one.sequence for one in store.log_entries("events", after_sequence=2)] == [3]
    assert [one.name for one in store.logs()] == ["events"]
    assert store.get_log("events").last_sequence == 3
    metadata = Metadata(data=b"\x00\xff", type="application/json")
    store.append_log("events", [b"four", b"five"], metadata=[metadata, Metadata()])
    assert [one.metadata for one in store.log_entries("events", after_sequence=2)] == [None, metadata, None]
    with pytest.raises(InvalidArgument):
        store.append_log("events", [b"six", b"seven"], metadata=[metadata])
    assert store.get_log("events").last_sequence == 5
    store.open_log("small", 64 + 4 + 3)
    store.append_log("small", [b"abc"])
    with pytest.raises(Exception) as refused:
        store.append_log("small", [b"d"])
    assert getattr(refused.value, "reason") is Reason.LOG_FULL
    store.delete_log("events")
    with pytest.raises(NotFound):
        store.read_log("events")


def test_changes_are_delivered_in_order(store: Any) -> None:
    before = store.get_statistics().revision
    store.save_message(said("hello"))
    store.set_scene("window", {"k": 1})
    kinds = [change.kind for change in store.changes(before, page_size=1)]
    expected = [EntityKind.CONVERSATION, EntityKind.MESSAGE, EntityKind.SCENE_VALUE, EntityKind.SCENE_VALUE]
    assert kinds == expected
    only = [change.kind for change in store.changes(before, kinds=[EntityKind.MESSAGE])]
    assert only == [EntityKind.MESSAGE]
    assert store.compact_changes(before).compacted_through_revision == before


def test_small_files_and_directories(store: Any) -> None:
    store.save_file("document/notes/one.txt", b"first", creates_parents=True)
    store.append_file("document/notes/one.txt", b", second")
    path = FilePath(area=FileArea.DOCUMENT, path="notes/one.txt")
    assert store.read_file_bytes(path) == b"first, second"
    assert b"".join(store.file_pieces(path, offset=7)) == b"second"
    store.copy_file(path, "library/copy")
    store.move_file("library/copy", "temporary/moved")
    assert [one.name for one in store.files("temporary")] == ["moved"]
    assert store.get_file("temporary/moved").byte_count == 13
    usage = {one.area: one.byte_count for one in store.get_file_usage().areas}
    assert usage[FileArea.DOCUMENT] == 13 and usage[FileArea.TEMPORARY] == 13
    with pytest.raises(AlreadyExists):
        store.create_directory("document/notes")
    store.delete_file("temporary/moved")
    store.remove_directory("document", with_children=True)
    assert list(store.files("document")) == []
    with pytest.raises(ValueError, match="area"):
        store.get_file("/etc/passwd")


def test_attachments_come_with_their_messages(store: Any) -> None:
    metadata = Metadata(data=b"\x00", type="application/json")
    attached = NewAttachment(
        data=b"hello", name="hello.txt", mime_type="text/plain", thumbnail=b"t", metadata=metadata
    )
    [message_id] = store.save_message(said("look", attachments=(attached,))).ids
    assert store.read_attachment_bytes(message_id, 0) == b"hello"
    [listed] = store.attachments(conversation="alice", with_thumbnails=True)
    assert (listed.attachment.name, listed.thumbnail, listed.attachment.is_stored) == ("hello.txt", b"t", True)
    assert listed.attachment.metadata == metadata
    assert [one.position for one in store.attachments(message_id=message_id)] == [0]
    assert store.get_attachment_usage().content_count == 1
    with pytest.raises(NotFound) as refused:
        store.read_attachment_bytes(message_id, 1)
    assert refused.value.reason is Reason.ATTACHMENT_NOT_FOUND


def test_lists_without_a_conversation_reach_over_all_of_them(store: Any) -> None:
    for number, name in enumerate(["alice", "bob", "alice", "carl"]):
        data = NewAttachment(data=b"x" * (3 - number), mime_type="text/plain")
        attachments = (data,) if number < 3 else ()
        store.save_message(
            NewMessage(
                id=f"m{number}",
                conversation=by_session(name),
                text="x",
                timestamp_microseconds=number + 1,
                attachments=attachments,
            )
        )
    assert [one.id for one in store.messages(page_size=1)] == ["m3", "m2", "m1", "m0"]
    oldest = store.messages(order=MessageOrder.OLDEST_FIRST, from_microseconds=2, page_size=2)
    assert [one.id for one in oldest] == ["m1", "m2", "m3"]
    assert [one.id for one in store.list_messages(limit=2).messages] == ["m3", "m2"]
    assert [one.id for one in store.list_messages("alice", limit=1).messages] == ["m2"]
    listed = list(store.attachments(page_size=1))
    assert [(one.message_id, one.attachment.byte_count) for one in listed] == [("m0", 3), ("m1", 2), ("m2", 1)]
    assert [one.conversation_id for one in listed] == [store.get_message(f"m{n}").conversation_id for n in range(3)]


def test_a_callers_own_key_belongs_to_one_request(store: Any) -> None:
    options = Options(idempotency_key=new_key())
    first = store.save_message(said("once", id="m1", timestamp_microseconds=1), options=options)
    second = store.save_message(said("once", id="m1", timestamp_microseconds=1), options=options)
    assert not first.is_replayed and second.is_replayed and first.ids == second.ids
    with pytest.raises(AlreadyExists) as refused:
        store.save_message(said("other", id="m1"), options=options)
    assert refused.value.reason is Reason.IDEMPOTENCY_KEY_REUSED
    with pytest.raises(ValueError, match="takes no idempotency key"):
        store.get_message("m1", options=options)


def test_a_request_with_another_history_is_an_error(store: Any) -> None:
    with pytest.raises(Exception) as refused:
        store.get_statistics(options=Options(history_id=bytes(16)))
    assert getattr(refused.value, "reason") is Reason.HISTORY_CHANGED


def test_many_calls_go_out_before_the_first_answer(store: Any) -> None:
    from ghoststore.protocol import calls

    messages = (said(f"{number}", id=f"m{number}") for number in range(200))
    requests = ((calls.SAVE_MESSAGE, model.SaveMessageRequest(message=message)) for message in messages)
    commits = list(store.pipeline(requests, ahead=50))
    assert [commit.ids for commit in commits] == [(f"m{number}",) for number in range(200)]
    assert store.get_statistics().message_count == 200


def test_the_status_and_the_metrics(store: Any) -> None:
    status = store.get_status()
    assert status.store_state == model.StoreState.OPEN and status.protocol_version == 1
    assert "ghoststore_" in store.get_metrics().text
    assert store.get_metrics(format=model.MetricsFormat.OPENMETRICS).text.endswith("# EOF\n")
    store.ping()
    assert store.hello(client_name="test").frame_bytes_max == 16 * 1024 * 1024


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_caller_without_the_right_gets_an_error_that_names_it(shared_daemon: Daemon) -> None:
    shared_daemon.folder.chmod(0o755)
    child = os.fork()
    if child == 0:
        # The child does only this and prints nothing, because pytest's output belongs to the parent.
        result = 1
        try:
            os.setgroups([])
            os.setresgid(65534, 65534, 65534)
            os.setresuid(65534, 65534, 65534)
            store = Store(shared_daemon.socket)
            assert store.open().history_id == b"" and store.get_status().revision == 0
            store.save_message(said("t"))
        except PermissionDenied as refused:
            result = 0 if refused.reason is Reason.PERMISSION_DENIED and "messages:write" in refused.hint else 2
        finally:
            os._exit(result)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def test_one_store_serves_many_threads(shared_daemon: Daemon) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with Store(shared_daemon.socket) as store, ThreadPoolExecutor(16) as pool:
        store.clear_all_data("clear all data")
        commits = list(pool.map(lambda number: store.save_message(said(f"{number}")), range(200)))
        assert len({commit.ids for commit in commits}) == 200
        assert store.get_statistics().message_count == 200
