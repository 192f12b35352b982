"""Watches and followed logs, over lost connections."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from conftest import Connect
from daemon import Daemon
from proxy import HELLO_ANSWER_BYTES, Proxy

from ghoststore import AsyncStore, FailedPrecondition, NewMessage, Options, Reason, Store, by_session, model, secrets


def said(text: str) -> NewMessage:
    return NewMessage(conversation=by_session("alice"), text=text)


def test_a_watch_has_no_gap_and_no_change_twice_after_kills(daemon: Daemon, connect: Connect) -> None:
    store = connect(daemon)
    watch = store.watch(0)
    expected: list[int] = []
    seen: list[int] = []
    for number in range(3):
        for _ in range(5):
            store.save_message(said("t"), options=Options(timeout_seconds=20))
        expected += [change.revision for change in store.changes(expected[-1] if expected else 0)]
        while len(seen) < len(expected) - number:
            seen.append(watch.next_within(10).revision)
        daemon.kill()
        daemon.start()
    while len(seen) < len(expected):
        seen.append(watch.next_within(10).revision)
    assert seen == expected == list(range(1, len(expected) + 1))
    assert watch.next_within(0.2) is None
    assert watch.revision == expected[-1] and len(watch.history_id) == 16
    watch.close()


def test_a_watch_through_a_proxy_that_cuts_everywhere(proxy: Proxy, connect: Connect) -> None:
    store = connect(proxy)  # type: ignore[arg-type]
    revision = store.get_statistics().revision
    for _ in range(20):
        store.save_message(said("t"))
    proxy.answer_budgets = [HELLO_ANSWER_BYTES + 97 * cut for cut in range(5)]
    watch = store.watch(revision, kinds=[model.EntityKind.MESSAGE])
    changes = [watch.next_within(10) for _ in range(20)]
    assert len({change.id for change in changes}) == 20
    assert [change.revision for change in changes] == sorted(change.revision for change in changes)
    watch.close()


def test_a_watch_without_a_revision_has_the_current_revision(store: Any) -> None:
    watch = store.watch(kinds=[model.EntityKind.LOG])
    assert watch.revision is None
    while watch.revision is None:
        assert watch.next_within(0.1) is None
    assert watch.revision == store.get_statistics().revision
    store.open_log("new", 100)
    assert watch.next_within(5).id == "new"
    watch.close()
    assert list(watch) == []


def test_a_watch_of_compacted_changes_ends(store: Any) -> None:
    store.save_message(said("t"))
    store.compact_changes(store.get_statistics().revision)
    with pytest.raises(Exception) as ended:
        next(iter(store.watch(1)))
    assert getattr(ended.value, "reason") is Reason.CHANGES_COMPACTED
    with pytest.raises(Exception) as ended:
        next(iter(store.watch(1, history_id=bytes(16))))
    assert getattr(ended.value, "reason") is Reason.HISTORY_CHANGED


def test_a_watch_whose_changes_are_not_taken_delays_no_call(store: Any) -> None:
    revision = store.get_statistics().revision
    watch = store.watch(revision)
    assert watch.next_within(0.05) is None
    for _ in range(5):
        store.save_messages([said("t") for _ in range(256)])
    kinds = [watch.next_within(10).kind for _ in range(5 * 256 + 1)]
    assert kinds.count(model.EntityKind.MESSAGE) == 5 * 256
    watch.close()


def test_a_followed_log_continues_after_a_kill(daemon: Daemon, connect: Connect) -> None:
    store = connect(daemon)
    store.open_log("events", 1 << 16)
    store.append_log("events", [b"1"])
    following = store.follow_log("events")
    assert next(following).data == b"1"
    daemon.kill()
    daemon.start()
    store.append_log("events", [b"2"])
    assert next(following).data == b"2"
    store.delete_log("events")
    with pytest.raises(Exception) as ended:
        next(following)
    assert getattr(ended.value, "reason") is Reason.LOG_NOT_FOUND


def test_a_watch_ends_when_another_caller_closes_it(shared_daemon: Daemon) -> None:
    with Store(shared_daemon.socket) as store, store.watch() as watch:
        threading.Timer(0.1, watch.close).start()
        assert list(watch) == []

    async def main() -> None:
        async with AsyncStore(shared_daemon.socket) as store:
            watch = store.watch()
            asyncio.get_running_loop().call_later(0.1, lambda: asyncio.ensure_future(watch.close()))
            assert [change async for change in watch] == []

    asyncio.run(main())


def test_a_watch_and_a_followed_log_continue_after_locks_and_restarts(locked_daemon: Daemon) -> None:
    """The store opens by a passphrase, so after each start of the daemon it is locked until the test unlocks it."""
    passphrase = bytearray(b"correct horse battery")

    async def main() -> None:
        async with AsyncStore(locked_daemon.socket) as store:
            await store.initialize_store(secrets.passphrase(passphrase), low_cost=True)
            await store.open_log("events", 1000)
            watch = store.watch(0, kinds=[model.EntityKind.MESSAGE])
            entries = store.follow_log("events")
            for number, end in enumerate((None, locked_daemon.stop, locked_daemon.kill)):
                following = asyncio.ensure_future(anext(watch))
                reading = asyncio.ensure_future(anext(entries))
                await asyncio.sleep(0.2)
                if end is None:
                    await store.lock()
                else:
                    await asyncio.to_thread(end)
                    await asyncio.to_thread(locked_daemon.start)
                await asyncio.sleep(1.5)
                assert not following.done() and not reading.done()
                await store.unlock(secrets.passphrase(passphrase))
                await store.save_message(said(str(number)))
                await store.append_log("events", [str(number).encode()])
                change = await asyncio.wait_for(following, 10)
                assert (await store.get_message(change.id)).text == str(number)
                assert (await asyncio.wait_for(reading, 10)).data == str(number).encode()
            impatient = store.watch(0, waits_while_locked=False)
            await anext(impatient)
            await store.lock()
            with pytest.raises(FailedPrecondition) as locked:
                while True:
                    await anext(impatient)
            assert locked.value.reason is Reason.STORE_LOCKED
            await watch.close()

    asyncio.run(main())
