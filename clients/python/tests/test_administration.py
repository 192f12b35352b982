"""Administration with the real daemon: keys, backups, checks."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from conftest import Connect
from daemon import Daemon
from proxy import Proxy

from ghoststore import (
    FailedPrecondition,
    KeySlotKind,
    NewMessage,
    Options,
    PermissionDenied,
    Reason,
    ResourceExhausted,
    StoreState,
    by_session,
    model,
    secrets,
)

PASSPHRASE = b"correct horse battery"


def test_a_store_is_created_locked_and_opened_with_its_secrets(locked_daemon: Daemon, connect: Connect) -> None:
    store = connect(locked_daemon)
    assert store.get_status().store_state == StoreState.ABSENT
    passphrase = bytearray(PASSPHRASE)
    made = store.initialize_store(secrets.passphrase(passphrase), with_recovery_code=True, low_cost=True)
    recovery_code = made.recovery_code
    assert isinstance(recovery_code, bytearray) and len(recovery_code) > 20
    store.lock()
    with pytest.raises(FailedPrecondition) as locked:
        store.get_statistics()
    assert locked.value.reason is Reason.STORE_LOCKED
    assert passphrase == PASSPHRASE, "a call leaves the caller's buffer as it is, to be given again"
    slot = store.unlock(secrets.passphrase(passphrase)).slot
    assert slot in [one.number for one in store.list_key_slots().slots]
    store.lock()
    store.unlock(secrets.recovery_code(recovery_code))
    secrets.wipe(passphrase, recovery_code)
    store.lock()
    with pytest.raises(PermissionDenied) as wrong:
        store.unlock(secrets.passphrase(bytearray(b"wrong")))
    assert wrong.value.reason is Reason.WRONG_KEY


def test_unlock_waits_after_too_many_wrong_passphrases(locked_daemon: Daemon, connect: Connect) -> None:
    store = connect(locked_daemon)
    store.initialize_store(secrets.passphrase(PASSPHRASE), low_cost=True)
    store.lock()
    for _ in range(3):
        with pytest.raises(PermissionDenied):
            store.unlock(secrets.passphrase(b"wrong"))
    with pytest.raises(ResourceExhausted) as throttled:
        store.unlock(secrets.passphrase(b"wrong"), options=Options(repeats=False))
    assert throttled.value.reason is Reason.UNLOCK_THROTTLED
    assert throttled.value.retry_after_seconds is not None and 0 < throttled.value.retry_after_seconds <= 1
    store.unlock(secrets.passphrase(PASSPHRASE))


def test_key_slots_are_added_changed_and_removed(locked_daemon: Daemon, connect: Connect) -> None:
    store = connect(locked_daemon)
    mine = secrets.passphrase(bytearray(PASSPHRASE))
    store.initialize_store(mine, label="mine", low_cost=True)
    added = store.add_key_slot(mine, secrets.recovery_code(), label="paper")
    assert len(added.recovery_code) > 20
    file = store.add_key_slot(mine, secrets.key_file(bytes(range(32))), label="file")
    kinds = [(slot.kind, slot.label) for slot in store.list_key_slots().slots]
    expected = [KeySlotKind.PASSPHRASE, KeySlotKind.RECOVERY_CODE, KeySlotKind.KEY_FILE]
    assert kinds == list(zip(expected, ["mine", "paper", "file"]))
    other = secrets.passphrase(b"another passphrase")
    store.change_passphrase(mine, other, low_cost=True)
    store.remove_key_slot(other, file.slot)
    told: list[int] = []
    assert store.rotate_master_key(on_progress=lambda progress: told.append(progress.done)).generation >= 1
    assert len(store.list_key_slots().slots) == 2


def test_a_backup_is_downloaded_and_uploaded(daemon: Daemon, connect: Connect, tmp_path: Path) -> None:
    store = connect(daemon)
    store.save_message(NewMessage(conversation=by_session("alice"), text="kept"))
    store.upload_file("document/f", bytes(range(256)) * 9000)
    before = store.get_status()
    backup = store.create_backup()
    assert backup.is_complete and backup.revision == before.revision
    target = tmp_path / "backup"
    assert store.download_backup(backup.name, target) == backup.bytes == target.stat().st_size
    store.save_message(NewMessage(conversation=by_session("alice"), text="lost"))
    name = store.upload_backup(target)
    assert store.verify_backup(name).is_clean
    store.restore_backup(name, replace_existing=True)
    assert [message.text for message in store.messages("alice")] == ["kept"]
    assert store.get_status().history_id != before.history_id
    kinds = {one.kind for one in store.list_backups().backups}
    assert kinds == {model.BackupKind.MADE, model.BackupKind.UPLOADED, model.BackupKind.REPLACED_STORE}
    store.delete_backup(name)
    report = store.check_store()
    assert report.is_clean and report.pages_checked > 0
    store.rebuild_search_index()


def test_an_upload_of_a_backup_goes_on_behind_a_lost_connection(
    daemon: Daemon, connect: Connect, tmp_path: Path
) -> None:
    direct = connect(daemon)
    direct.upload_file("document/f", bytes(range(256)) * 12_000)
    copy = io.BytesIO()
    direct.download_backup(direct.create_backup().name, copy)
    copy.seek(0)
    proxy = Proxy(tmp_path, daemon.socket)
    try:
        store = connect(proxy)  # type: ignore[arg-type]
        proxy.request_budgets = [1_500_000, 600_000]
        proxy.answer_budgets = [-1, -1, 90]
        assert store.verify_backup(store.upload_backup(copy)).is_clean
        assert proxy.connections >= 3
    finally:
        proxy.close()


def test_a_source_without_a_size_cannot_be_uploaded_as_a_backup(daemon: Daemon, connect: Connect) -> None:
    class Pipe(io.RawIOBase):
        def readable(self) -> bool:
            return True

    with pytest.raises(ValueError, match="size"):
        connect(daemon).upload_backup(Pipe())
