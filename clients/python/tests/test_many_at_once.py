"""Two hundred callers make each call that writes at the same time, and every call succeeds."""

from __future__ import annotations

import asyncio
import io
import socket
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from daemon import Daemon

from ghoststore import (
    AsyncStore,
    FileWritePlace,
    GhoststoreError,
    NewMessage,
    Options,
    Reason,
    Store,
    TimedOut,
    by_session,
    model,
)
from ghoststore.protocol import calls
from ghoststore.protocol.connection import Event
from ghoststore.sync.transport import Channel, Reply

CALLERS = 200
LARGE = 66_000
# A daemon built for debugging needs long for the largest of these calls.
PATIENT = Options(timeout_seconds=120)

Write = Callable[[Any, int], Any]


def said(number: int, text: str = "t") -> NewMessage:
    return NewMessage(id=f"m{number}", conversation=by_session(f"c{number % 10}"), text=text)


def content(number: int) -> bytes:
    return number.to_bytes(4, "big") * (LARGE // 4)


# The order matters: a call changes or deletes what an earlier call has created. Archives come first, while they are
# small.
WRITES: dict[str, Write] = {
    "export_conversation": lambda s, n: s.export_conversation("kept", io.BytesIO()),
    "create_archive": lambda s, n: s.create_archive(io.BytesIO()),
    "get_or_create_conversation": lambda s, n: s.get_or_create_conversation(f"c{n % 10}"),
    "update_conversation": lambda s, n: s.update_conversation(f"c{n % 10}", display_name=str(n)),
    "set_conversation_members": lambda s, n: s.set_conversation_members(
        f"c{n % 10}", [model.ConversationMember(session_id=f"m{n}")]
    ),
    "remove_conversation_members": lambda s, n: s.remove_conversation_members(f"c{n % 10}", [f"m{n}"]),
    "save_draft": lambda s, n: s.save_draft(f"c{n % 10}", str(n)),
    "save_message": lambda s, n: s.save_message(said(n)),
    "save_messages": lambda s, n: s.save_messages([said(n, "second"), said(n + CALLERS, "t" * LARGE)]),
    "update_message_status": lambda s, n: s.update_message_status([f"m{n}"], model.MessageStatus.SENT),
    "mark_messages_read": lambda s, n: s.mark_messages_read([f"m{n}"]),
    "mark_conversation_read": lambda s, n: s.mark_conversation_read(f"c{n % 10}"),
    "edit_message": lambda s, n: s.edit_message(f"m{n}", "edited"),
    "add_reaction": lambda s, n: s.add_reaction(f"m{n}", "👍", "bob"),
    "remove_reaction": lambda s, n: s.remove_reaction(f"m{n}", "👍", "bob"),
    "delete_messages": lambda s, n: s.delete_messages([f"m{n}"]),
    "delete_draft": lambda s, n: s.delete_draft(f"c{n % 10}"),
    "delete_conversation": lambda s, n: s.delete_conversation(f"c{n % 10}"),
    "save_contact": lambda s, n: s.save_contact(f"p{n}", display_name="p"),
    "set_contact_blocked": lambda s, n: s.set_contact_blocked(f"p{n}", True),
    "delete_contact": lambda s, n: s.delete_contact(f"p{n}"),
    "set_scene": lambda s, n: s.set_scene(f"s{n % 10}", {f"k{n}": "v" * 1000}),
    "remove_scene": lambda s, n: s.remove_scene(f"s{n % 10}"),
    "open_log": lambda s, n: s.open_log(f"l{n % 10}", 1 << 20, overwrites_oldest=True),
    "append_log": lambda s, n: s.append_log(f"l{n % 10}", [b"x" * 10_000]),
    "delete_log": lambda s, n: s.delete_log(f"l{n % 10}"),
    "create_directory": lambda s, n: s.create_directory(f"document/d{n}"),
    "save_file": lambda s, n: s.save_file(f"document/d{n}/small", b"small"),
    "append_file": lambda s, n: s.append_file(f"document/small-{n % 3}", b"x"),
    "upload_file": lambda s, n: s.upload_file(f"document/d{n}/large", content(n)),
    "upload_file to one end": lambda s, n: s.upload_file(
        "document/appended", content(n), place=FileWritePlace.END, options=PATIENT
    ),
    "copy_file": lambda s, n: s.copy_file(f"document/d{n}/large", f"document/d{n}/copy"),
    "move_file": lambda s, n: s.move_file(f"document/d{n}/copy", f"document/d{n}/moved"),
    "delete_file": lambda s, n: s.delete_file(f"document/d{n}/moved"),
    "remove_directory": lambda s, n: s.remove_directory(f"document/d{n}", with_children=True),
    "upload_attachment": lambda s, n: s.upload_attachment(content(n)),
}
# The errors that some of the calls may get, because another caller has already deleted the object. No other error is
# expected.
GONE = {
    "delete_conversation": Reason.CONVERSATION_NOT_FOUND,
    "remove_scene": Reason.SCENE_NOT_FOUND,
    "delete_log": Reason.LOG_NOT_FOUND,
}
# Calls of the protocol that are tested through another method in the table above.
STANDS_FOR = {
    "set_scene_values": "set_scene",
    "begin_file_write": "upload_file",
    "finish_file_write": "upload_file",
    "begin_attachment_write": "upload_attachment",
    "begin_blob_export": "export_conversation",
    "begin_archive": "create_archive",
}
LEFT_OUT = {
    "clear_all_data": "it would end the test of all others",
    "compact_changes": "it changes what all others may watch",
    "begin_blob_import": "waits for its place as export_conversation does",
    "begin_archive_restore": "waits for its place as create_archive does",
    "begin_backup_upload": "there is one at a time by design",
}


def expect_all(name: str, outcomes: list[Any]) -> None:
    failed = [one for one in outcomes if isinstance(one, BaseException)]
    allowed = [one for one in failed if isinstance(one, GhoststoreError) and one.reason is GONE.get(name)]
    assert len(failed) == len(allowed), (name, failed[:3])
    assert len(allowed) < len(outcomes), name


def expect_contents(store: Store) -> None:
    appended = store.read_file_bytes("document/appended")
    parts = [appended[start : start + LARGE] for start in range(0, len(appended), LARGE)]
    assert sorted(parts) == sorted(content(number) for number in range(CALLERS))
    small = [store.get_file(f"document/small-{number}").byte_count for number in range(3)]
    assert sum(small) == CALLERS


def test_the_list_of_writes_is_complete() -> None:
    named = {one.name for one in calls.ALL.values() if one.takes_key or one.name.startswith("begin_")}
    assert named == (set(WRITES) | set(STANDS_FOR) | set(LEFT_OUT)) & named
    assert set(STANDS_FOR) | set(LEFT_OUT) <= named and set(STANDS_FOR.values()) <= set(WRITES)


def test_concurrent_tasks_all_succeed(daemon: Daemon) -> None:
    async def main() -> None:
        async with AsyncStore(daemon.socket) as store:
            await store.save_message(NewMessage(conversation=by_session("kept"), text="t"))
            for name, write in WRITES.items():
                made = [write(store, number) for number in range(CALLERS)]
                expect_all(name, await asyncio.gather(*made, return_exceptions=True))

    asyncio.run(main())
    with Store(daemon.socket) as store:
        expect_contents(store)


def test_concurrent_threads_all_succeed(daemon: Daemon) -> None:
    with Store(daemon.socket) as store, ThreadPoolExecutor(CALLERS) as threads:
        store.save_message(NewMessage(conversation=by_session("kept"), text="t"))
        for name, write in WRITES.items():
            made = [threads.submit(write, store, number) for number in range(CALLERS)]
            expect_all(name, [one.exception() for one in made])
        expect_contents(store)


def test_a_thread_does_not_wait_if_another_thread_has_read_its_answer() -> None:
    """One thread reads for all. This thread may read the answer of another thread that is just about to read itself."""

    class ComesBetween(deque[Event]):
        looks = 0

        def __bool__(self) -> bool:
            self.looks += 1
            return self.looks > 1

    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with theirs:
        channel = Channel(ours)
        reply = Reply(channel)
        reply.events = ComesBetween()
        began = time.monotonic()
        channel.wait_for(reply, began + 5)
        assert time.monotonic() - began < 2
        channel.close()


def test_an_upload_that_waited_too_long_for_its_turn_has_had_no_effect(shared_daemon: Daemon) -> None:
    with Store(shared_daemon.socket) as store:
        while True:
            try:
                store.gates.writes.enter(time.monotonic())
            except TimedOut:
                break
        with pytest.raises(TimedOut) as late:
            store.upload_file("document/late", content(1), options=Options(timeout_seconds=0.1))
        assert not late.value.may_have_had_effect and not late.value.idempotency_key
        store.gates.writes.leave()
        store.upload_file("document/late", content(1), options=Options(timeout_seconds=20))


def test_concurrent_stores_share_the_limits_of_their_user(daemon: Daemon) -> None:
    """Each store stands for a program with its own queue, but the daemon counts the transfers of the user as a whole.
    """

    async def main() -> None:
        stores = [AsyncStore(daemon.socket) for _ in range(10)]
        made = [
            store.upload_file(f"document/{one}-{number}", content(number), options=PATIENT)
            for one, store in enumerate(stores)
            for number in range(10)
        ]
        made += [
            store.upload_file("document/end", content(one), place=FileWritePlace.END, options=PATIENT)
            for one, store in enumerate(stores[:3])
        ]
        outcomes = await asyncio.gather(*made, return_exceptions=True)
        for store in stores:
            await store.close()
        expect_all("upload_file", outcomes)

    asyncio.run(main())
    with Store(daemon.socket) as store:
        assert store.get_file("document/end").byte_count == 3 * LARGE


@pytest.mark.parametrize("half", ["sync", "async"])
def test_a_large_file_is_read_whole_beside_a_writer(daemon: Daemon, half: str) -> None:
    versions = [bytes([number]) * 3_000_000 for number in range(2)]
    with Store(daemon.socket) as writer, ThreadPoolExecutor(1) as thread:
        writer.upload_file("document/f", versions[0])
        is_over = False

        def write() -> None:
            number = 0
            while not is_over:
                number += 1
                writer.upload_file("document/f", versions[number % 2])

        writing = thread.submit(write)
        try:
            for _ in range(20):
                if half == "sync":
                    with Store(daemon.socket) as reader:
                        assert reader.read_file_bytes("document/f") in versions
                else:

                    async def read() -> bytes:
                        async with AsyncStore(daemon.socket) as reader:
                            return await reader.read_file_bytes("document/f")

                    assert asyncio.run(read()) in versions
        finally:
            is_over = True
        writing.result()
