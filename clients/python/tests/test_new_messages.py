"""New messages with their text, over lost connections and locks."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from conftest import Connect
from daemon import Daemon
from fake import HELLO, FakeDaemon, refusal

from ghoststore import (
    AsyncStore,
    FailedPrecondition,
    GhoststoreError,
    InternalError,
    Message,
    NewMessage,
    NotFound,
    Reason,
    Store,
    by_id,
    by_session,
    model,
    secrets,
)
from ghoststore.protocol import calls


def said(text: str, to: str = "alice") -> NewMessage:
    return NewMessage(id=text, conversation=by_session(to), text=text)


def texts(watch: Any, count: int) -> list[str]:
    return [watch.next_within(10).text for _ in range(count)]


@pytest.mark.parametrize("name", ["a string", "a session", "an id"])
def test_messages_of_a_conversation_come_with_their_text(store: Any, name: str) -> None:
    conversation = store.get_or_create_conversation("alice").conversation
    reference = {"a string": "alice", "a session": by_session("alice"), "an id": by_id(conversation.id)}[name]
    watch = store.new_messages(reference)
    assert watch.revision is None
    # The watch delivers the messages that are saved after the daemon has confirmed the watch.
    while watch.revision is None:
        assert watch.next_within(0.1) is None
    for text, to in (("one", "alice"), ("not this", "bob"), ("two", "alice")):
        store.save_message(said(text, to))
    assert texts(watch, 2) == ["one", "two"]
    assert watch.next_within(0.1) is None
    watch.close()
    assert list(watch) == []


def test_edited_messages_are_not_new_and_deleted_ones_are_left_out(store: Any) -> None:
    revision = store.get_statistics().revision
    store.save_messages([said("gone"), said("kept")])
    store.edit_message("kept", "edited")
    store.delete_messages(["gone"])
    store.save_message(said("last"))
    watch = store.new_messages(after_revision=revision)
    assert texts(watch, 2) == ["edited", "last"]
    watch.close()


def test_another_watch_continues_at_the_revision(store: Any) -> None:
    revision = store.get_statistics().revision
    store.save_messages([said(text) for text in "abc"])
    first = store.new_messages(after_revision=revision)
    assert texts(first, 1) == ["a"]
    kept = (first.revision, first.history_id)
    first.close()
    second = store.new_messages(after_revision=kept[0], history_id=kept[1])
    assert texts(second, 2) == ["b", "c"]
    second.close()


def test_a_conversation_that_does_not_exist_is_an_error(store: Any) -> None:
    for watch in (store.new_messages("nobody"), store.watch(conversation="nobody")):
        with pytest.raises(NotFound) as ended:
            watch.next_within(5)
        assert ended.value.reason is Reason.CONVERSATION_NOT_FOUND
        assert list(watch) == []


def test_changes_and_watches_accept_names_of_conversations(store: Any) -> None:
    revision = store.get_statistics().revision
    store.save_messages([said("one"), said("two", "bob")])
    conversation = store.get_conversation("alice")
    for reference in ("alice", by_id(conversation.id)):
        assert [change.id for change in store.changes(revision, conversation=reference)] == [conversation.id, "one"]
        watch = store.watch(revision, conversation=reference)
        assert [watch.next_within(5).id for _ in range(2)] == [conversation.id, "one"]
        watch.close()


def test_a_killed_daemon_loses_no_message(daemon: Daemon, connect: Connect) -> None:
    store = connect(daemon)
    watch = store.new_messages(after_revision=0)
    numbers = [str(number) for number in range(12)]
    seen: list[str] = []
    for start in range(0, 12, 4):
        store.save_messages([said(text) for text in numbers[start : start + 4]])
        # The watch has received all changes, but it reads the other messages only after the kill.
        seen += texts(watch, 2)
        daemon.kill()
        daemon.start()
    assert seen + texts(watch, 6) == numbers
    watch.close()


def test_a_close_by_another_thread_ends_the_watch(shared_daemon: Daemon) -> None:
    with Store(shared_daemon.socket) as store, store.new_messages() as watch:
        threading.Timer(0.1, watch.close).start()
        assert list(watch) == []


def test_the_watch_waits_while_the_store_is_locked_even_with_unread_messages(locked_daemon: Daemon) -> None:
    passphrase = bytearray(b"correct horse battery")

    async def main() -> None:
        async with AsyncStore(locked_daemon.socket) as store:
            await store.initialize_store(secrets.passphrase(passphrase), low_cost=True)
            await store.save_messages([said("one"), said("two")])
            watch = store.new_messages(after_revision=0)
            impatient = store.new_messages(after_revision=0, waits_while_locked=False)
            for one in (watch, impatient):
                assert (await anext(one)).text == "one"
            for end in (None, locked_daemon.kill):
                if end is None:
                    await store.lock()
                else:
                    await asyncio.to_thread(end)
                    await asyncio.to_thread(locked_daemon.start)
                following = asyncio.ensure_future(anext(watch))
                await asyncio.sleep(1.5)
                assert not following.done()
                if end is None:
                    with pytest.raises(FailedPrecondition) as locked:
                        await anext(impatient)
                    assert locked.value.reason is Reason.STORE_LOCKED
                await store.unlock(secrets.passphrase(passphrase))
                await store.save_message(said(f"after {end}"))
                assert (await asyncio.wait_for(following, 10)).text == ("two" if end is None else "after None")
            # No message was lost through the error.
            assert (await anext(impatient)).text == "two"
            await watch.close()
            await impatient.close()

    asyncio.run(main())


CREATED = model.ChangeOperation.CREATED
MESSAGE = model.EntityKind.MESSAGE
EVENT = model.WatchEvent(
    changes=tuple(model.Change(revision=number, kind=MESSAGE, operation=CREATED, id=str(number)) for number in (5, 6)),
    revision=8,
    history_id=b"h" * 16,
)


def answers_in_turn(reads: list[Any]) -> Any:
    """Returns a handler for a daemon with two new messages. Reads of messages get these answers in turn."""

    def handle(call: Any, request: Any) -> Any:
        if call is calls.HELLO:
            return HELLO
        return EVENT if call is calls.WATCH else reads.pop(0)

    return handle


@pytest.mark.parametrize("reason", [Reason.MEMORY_EXHAUSTED, Reason.QUEUE_FULL, Reason.SHUTTING_DOWN])
def test_a_read_is_repeated_if_the_daemon_lacks_resources(tmp_path: Path, connect: Connect, reason: Reason) -> None:
    reads = [refusal(reason), refusal(reason), Message(text="five"), None, Message(text="six")]
    with FakeDaemon(tmp_path, answers_in_turn(reads)) as fake:
        watch = connect(fake).new_messages()  # type: ignore[arg-type]
        assert texts(watch, 2) == ["five", "six"] and reads == []
        watch.close()


def test_an_error_is_raised_and_the_same_message_is_read_again(tmp_path: Path, connect: Connect) -> None:
    reads = [Message(text="five"), refusal(Reason.INTERNAL), refusal(Reason.INTERNAL), Message(text="six")]
    with FakeDaemon(tmp_path, answers_in_turn(reads)) as fake:
        watch = connect(fake).new_messages()  # type: ignore[arg-type]
        assert texts(watch, 1) == ["five"] and watch.revision == 5
        for _ in range(2):
            with pytest.raises(InternalError):
                watch.next_within(5)
            assert watch.revision == 5 and watch.history_id == b"h" * 16
        assert texts(watch, 1) == ["six"] and watch.revision == 6
        watch.close()


def test_a_read_that_is_never_answered_ends_next_within(tmp_path: Path, connect: Connect) -> None:
    with FakeDaemon(tmp_path, answers_in_turn([[], Message(text="five")])) as fake:
        watch = connect(fake).new_messages()  # type: ignore[arg-type]
        assert watch.next_within(0.3) is None and watch.revision == 4
        assert texts(watch, 1) == ["five"]
        watch.close()


def test_patience_with_an_absent_daemon_ends(daemon: Daemon, connect: Connect) -> None:
    store = connect(daemon)
    store.save_messages([said("one"), said("two")])
    watch = store.new_messages(after_revision=0, patience_seconds=0.5)
    assert texts(watch, 1) == ["one"]
    daemon.kill()
    with pytest.raises(GhoststoreError) as ended:
        list(watch)
    assert type(ended.value).__name__ == "ConnectFailed"
    daemon.start()
    # The watch itself is still connected: only the read failed.
    assert texts(watch, 1) == ["two"]
    watch.close()
