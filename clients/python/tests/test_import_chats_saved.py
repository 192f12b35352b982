"""Telegram and Discord with a daemon: a second import changes nothing, and a longer export adds only what is new."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import discord_samples
import pytest
import telegram_samples
from daemon import Daemon
from importing_help import assert_round_trip, run_import

from ghoststore import MessageOrder, Store


def _telegram(folder: Path, count: int) -> Path:
    chat = {**telegram_samples.PERSONAL, "messages": telegram_samples.PERSONAL["messages"][:count]}
    account = {**telegram_samples.ACCOUNT, "chats": {"about": "", "list": [chat, telegram_samples.GROUP]}}
    return telegram_samples.write(folder, account, telegram_samples.MEDIA)


def _discord(folder: Path, count: int) -> Path:
    channel = {**discord_samples.CHANNEL, "messages": discord_samples.MESSAGES[:count]}
    discord_samples.write(folder / "a.json", channel, discord_samples.MEDIA)
    discord_samples.write(folder / "direct.json", discord_samples.DIRECT)
    return folder


@pytest.mark.parametrize(
    ("name", "write", "fewer", "most"), [("telegram", _telegram, 8, 14), ("discord", _discord, 6, 11)]
)
def test_imports_add_only_what_is_new(
    daemon: Daemon, tmp_path: Path, name: str, write: Any, fewer: int, most: int
) -> None:
    short, long = write(tmp_path / "short", fewer), write(tmp_path / "long", most)
    first = run_import(daemon, name, short)
    known = first.messages.new
    assert known > fewer and first.messages.changed == first.messages.known == 0
    assert first.reactions_added == 1 and first.attachments_saved > 3
    again = run_import(daemon, name, short)
    assert (again.messages.new, again.messages.changed, again.messages.known) == (0, 0, known)
    assert again.contacts.new == again.contacts.changed == again.conversations.new == again.conversations.changed == 0
    assert again.reactions_added == again.attachments_saved == 0
    longer = run_import(daemon, name, long)
    assert (longer.messages.new, longer.messages.changed, longer.messages.known) == (most - fewer, 0, known)
    # A folder with both exports has most messages twice.
    both = run_import(daemon, name, tmp_path)
    assert (both.messages.new, both.messages.changed) == (0, 0)


def test_telegram_arrives_in_the_store(daemon: Daemon, tmp_path: Path) -> None:
    run_import(daemon, "telegram", _telegram(tmp_path, 14))
    with Store(daemon.socket) as store:
        found = list(store.messages("telegram:user100", order=MessageOrder.OLDEST_FIRST))
        texts = [one.text for one in found]
        assert texts[:3] == ["Привет!", "Guten Tag, wie geht’s?", "See this page👍"]
        assert [one.is_outgoing for one in found[:3]] == [False, True, False]
        assert found[1].reply_to_message_id == found[0].id
        assert store.read_attachment_bytes(found[3].id, 0) == b"\xff\xd8 photo"
        assert [one.emoji for one in found[7].reactions] == ["❤"]
        assert store.get_contact("telegram:user100").display_name == "Анна Каренина"
        assert store.get_conversation("telegram:channel1234567890").display_name == "Клуб любителей книг"


def test_exports_of_an_account_and_of_one_chat_change_nothing_of_each_other(daemon: Daemon, tmp_path: Path) -> None:
    account = _telegram(tmp_path / "account", 14)
    run_import(daemon, "telegram", account)
    for number, chat in enumerate((telegram_samples.PERSONAL, telegram_samples.GROUP)):
        alone = telegram_samples.write(tmp_path / str(number), chat, telegram_samples.MEDIA)
        report = run_import(daemon, "telegram", alone)
        assert report.messages.new == report.messages.changed == report.conversations.changed == 0
        assert len(report.notes.hints) == (chat is telegram_samples.GROUP)
    report = run_import(daemon, "telegram", account)
    assert report.messages.new == report.messages.changed == report.conversations.changed == 0
    assert report.notes.hints == {}


def test_discord_arrives_in_the_store(daemon: Daemon, tmp_path: Path) -> None:
    run_import(daemon, "discord", _discord(tmp_path, 11), self_ids=frozenset(("anne",)))
    with Store(daemon.socket) as store:
        found = list(store.messages("discord:500", order=MessageOrder.OLDEST_FIRST))
        assert [one.is_outgoing for one in found[:2]] == [True, False]
        assert found[1].text == "안녕하세요 @Anne É." and found[1].reply_to_message_id == found[0].id
        assert store.read_attachment_bytes(found[2].id, 0) == b"\x89PNG photo"
        assert [one.emoji for one in found[3].reactions] == ["👍"]
        assert store.get_conversation("discord:500").display_name == "Serveur / général"
        assert store.get_contact("discord:102").display_name == "민수"


@pytest.mark.parametrize(("name", "write", "count"), [("telegram", _telegram, 14), ("discord", _discord, 11)])
def test_an_archive_of_the_import_gives_an_equal_store(
    shared_daemon: Daemon, daemon: Daemon, tmp_path: Path, name: str, write: Any, count: int
) -> None:
    with Store(shared_daemon.socket) as store:
        store.clear_all_data("clear all data")
    assert_round_trip(shared_daemon, daemon, name, write(tmp_path / "export", count), tmp_path / "archive")
