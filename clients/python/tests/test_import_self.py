"""The option --self of an import: a wrong one saves nothing, and a late one gives the same store as an early one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import discord_samples
import mail_samples
import pytest
import slack_samples
import telegram_samples
from daemon import Daemon
from importing_help import read_all, run_import

from ghoststore import Message as StoredMessage
from ghoststore import MessageStatus, Store
from ghoststore.importing import Message
from ghoststore.importing.errors import WrongOption

BOB = {"from": "Bob", "from_id": "user123"}
ME = {"from": "Me Myself", "from_id": "user9"}


def _write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def _csv(folder: Path) -> Path:
    return _write(folder / "a.csv", "conversation,time,id,sender,sender_name\nc,1,1,ann,Ann\nc,2,2,me,Me\n")


def _discord(folder: Path) -> Path:
    return discord_samples.write(folder / "a.json", discord_samples.CHANNEL)


def _mail(folder: Path) -> Path:
    sent = mail_samples.mail(From=mail_samples.ME, To="ann@example.org", Message_ID="<2@x>")
    return _write(folder / "a.mbox", mail_samples.mbox(mail_samples.mail(), sent))


def _matrix(folder: Path) -> Path:
    event: dict[str, Any] = {"type": "m.room.message", "room_id": "!a:b", "content": {"msgtype": "m.text", "body": "x"}}
    events = [{**event, "event_id": f"${n}", "sender": f"@{name}:b", "origin_server_ts": n}
              for n, name in enumerate(("ann", "me"), 1)]  # fmt: skip
    return _write(folder / "a.jsonl", "\n".join(map(json.dumps, events)))


def _signal(folder: Path) -> Path:
    envelopes = [{"source": source, "timestamp": n, "dataMessage": {"message": "x", "groupInfo": {"groupId": "g"}}}
                 for n, source in enumerate(("+491", "+492"), 1)]  # fmt: skip
    return _write(folder / "a.jsonl", "\n".join(json.dumps({"envelope": one}) for one in envelopes))


def _slack(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    # The id of a direct conversation depends on --self.
    return slack_samples.write_zip(folder / "a.zip", {**slack_samples.export(), "dms.json": []})


def _telegram(folder: Path, type: str = "private_group") -> Path:
    messages = [telegram_samples.message(1, "a", **BOB), telegram_samples.message(2, "b", **ME)]
    return telegram_samples.write(folder, {"name": "Bob", "type": type, "id": 4711, "messages": messages})


def _telegram_direct(folder: Path) -> Path:
    return _telegram(folder, "personal_chat")


def _telegram_account(folder: Path) -> Path:
    return telegram_samples.write(folder, telegram_samples.ACCOUNT)


def _whatsapp(folder: Path) -> Path:
    text = "24.12.20, 18:30 - Ann: hello\n24.12.20, 18:31 - Me: hello\n24.12.20, 18:32 - Me: You deleted this message\n"
    return _write(folder / "WhatsApp Chat with Ann.txt", text)


# An export of each format with a right --self.
EXPORTS: dict[str, tuple[Callable[[Path], Path], str]] = {
    "csv": (_csv, "me"),
    "csv-name": (_csv, "Me"),
    "discord": (_discord, "minsu"),
    "mail": (_mail, "ME@example.org"),
    "matrix": (_matrix, "@me:b"),
    "signal": (_signal, "+492"),
    "slack": (_slack, str(slack_samples.USERS[0]["profile"].get("email") or slack_samples.USERS[0]["id"])),
    "telegram": (_telegram, "Me Myself"),
    "telegram-direct": (_telegram_direct, "user9"),
    "telegram-account": (_telegram_account, "user7000000001"),
    "whatsapp": (_whatsapp, "Me"),
}


@pytest.fixture
def store(shared_daemon: Daemon) -> Iterator[Store]:
    with Store(shared_daemon.socket) as store:
        store.clear_all_data("clear all data")
        yield store


def messages_of(store: Store) -> list[StoredMessage]:
    found = [one for chat in store.conversations() for one in store.messages(chat.session_id)]
    own = {"created_at_microseconds": 0, "conversation_id": ""}
    return sorted((replace(one, **own) for one in found), key=lambda one: one.id)


@pytest.mark.parametrize("name", EXPORTS)
def test_a_self_that_sent_no_message_is_refused_and_changes_nothing(
    shared_daemon: Daemon, store: Store, tmp_path: Path, name: str
) -> None:
    write, right = EXPORTS[name]
    format, path = name.partition("-")[0], write(tmp_path)
    run_import(shared_daemon, format, path, self_ids=frozenset({right, "Zoe"}))
    assert {one.is_outgoing for one in messages_of(store)} == {True, False}
    revision = store.get_status().revision
    for is_dry_run in (True, False):
        for wrong in ("Zoe", ""):
            with pytest.raises(WrongOption, match=f"no message is from the sender of --self {wrong}; hint: "):
                run_import(shared_daemon, format, path, self_ids=frozenset({wrong}), is_dry_run=is_dry_run)
    report = run_import(shared_daemon, format, path, self_ids=frozenset({right, "Zoe"}))
    assert list(report.notes.hints) == ["no message is from the sender of --self Zoe"]
    assert store.get_status().revision == revision


# The ids of Signal's messages depend on --self, and mail is never imported without it.
@pytest.mark.parametrize("name", sorted(set(EXPORTS) - {"mail", "signal"}))
def test_a_late_self_gives_the_same_messages_as_an_early_one(
    shared_daemon: Daemon, store: Store, tmp_path: Path, name: str
) -> None:
    write, right = EXPORTS[name]
    format, path = name.partition("-")[0], write(tmp_path)
    run_import(shared_daemon, format, path, self_ids=frozenset({right}))
    expected = messages_of(store)
    assert {one.status for one in expected if one.is_outgoing} == {MessageStatus.SENT}
    store.clear_all_data("clear all data")
    run_import(shared_daemon, format, path)
    run_import(shared_daemon, format, path, self_ids=frozenset({right}))
    assert messages_of(store) == expected


def test_another_self_turns_the_messages_and_keeps_a_status_of_an_application(
    shared_daemon: Daemon, store: Store, tmp_path: Path
) -> None:
    path = _csv(tmp_path)
    run_import(shared_daemon, "csv", path, self_ids=frozenset({"ann"}))
    [ann, me] = sorted(messages_of(store), key=lambda one: one.timestamp_microseconds)
    store.update_message_status([me.id], MessageStatus.FAILED)
    report = run_import(shared_daemon, "csv", path, self_ids=frozenset({"me"}))
    assert report.messages.changed == 2
    found = {one.id: (one.is_outgoing, one.status) for one in messages_of(store)}
    assert found == {ann.id: (False, MessageStatus.DELIVERED), me.id: (True, MessageStatus.FAILED)}


def test_self_has_precedence_over_the_type_of_a_telegram_chat(tmp_path: Path) -> None:
    path = _telegram_direct(tmp_path)
    for given, expected in (("user9", [False, True]), ("Bob", [True, False]), ("Zoe", [False, False])):
        records = read_all("telegram", path, self_ids=frozenset({given}))
        found = [one for one in records if isinstance(one, Message)]
        assert [one.is_outgoing for one in found] == expected, given
        assert [one.recipient for one in found] == ["user4711" if one else "" for one in expected]


def test_a_mailbox_in_which_the_user_wrote_nothing_is_imported(
    shared_daemon: Daemon, store: Store, tmp_path: Path
) -> None:
    listed = mail_samples.mail(To="list@example.org", Delivered_To=mail_samples.ME)
    for number, mail in enumerate((mail_samples.mail(), listed)):
        path = _write(tmp_path / f"{number}.mbox", mail_samples.mbox(mail))
        assert run_import(shared_daemon, "mail", path, self_ids=mail_samples.SELF).messages.total == 1
    with pytest.raises(WrongOption, match="hint: name an address of yours that is in From, To or Cc"):
        run_import(shared_daemon, "mail", path, self_ids=frozenset({"zoe@example.org"}))


def test_self_is_not_refused_if_nothing_depends_on_it(shared_daemon: Daemon, store: Store, tmp_path: Path) -> None:
    path = _write(tmp_path / "sms.xml", "<smses><sms protocol='0' address='+49' date='1' type='1' body='x'/></smses>")
    assert run_import(shared_daemon, "sms", path, self_ids=frozenset({"Zoe"})).messages.new == 1


def test_the_report_lists_the_senders_until_the_user_is_named(
    shared_daemon: Daemon, store: Store, tmp_path: Path
) -> None:
    group, direct = _telegram(tmp_path / "group"), _telegram_direct(tmp_path / "direct")
    for path, is_dry_run, is_listed in ((group, True, True), (group, False, True), (direct, True, True),
                                        (direct, False, False)):  # fmt: skip
        report = run_import(shared_daemon, "telegram", path, is_dry_run=is_dry_run)
        assert ("\nSenders:\n  user123 (Bob)\n  user9 (Me Myself)\n" in report.as_text() + "\n") == is_listed
        senders = [{"id": "user123", "name": "Bob"}, {"id": "user9", "name": "Me Myself"}]
        assert report.as_json()["senders"] == (senders if is_listed else [])
    report = run_import(shared_daemon, "telegram", group, self_ids=frozenset({"user9"}), is_dry_run=True)
    assert report.senders == [] and "Senders" not in report.as_text()
