"""Message files and archives, including those of the shared vectors, with the real daemon."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import Any

import pytest
from conftest import Connect
from daemon import REPOSITORY, Daemon

from ghoststore import (
    ArchiveAim,
    InvalidArgument,
    NewMessage,
    NotFound,
    Options,
    PermissionDenied,
    Reason,
    by_session,
    model,
    secrets,
)

BLOBS = REPOSITORY / "proto-docs" / "vectors" / "blobs"
ARCHIVES = REPOSITORY / "proto-docs" / "vectors" / "archives"
PASSPHRASE = secrets.passphrase(b"vector passphrase")
RECIPIENT = secrets.key_file(bytes(range(32)))
SEALED = [("plain.blob", None), ("passphrase.sealed", PASSPHRASE), ("recipient.sealed", RECIPIENT)]
ARCHIVED = [
    ("plain.archive", None),
    ("passphrase.sealed", PASSPHRASE),
    ("recipient.sealed", RECIPIENT),
    ("recipients.sealed", RECIPIENT),
]


@pytest.mark.parametrize("name, secret", SEALED)
def test_a_message_file_comes_back_byte_for_byte(store: Any, tmp_path: Path, name: str, secret: Any) -> None:
    plain = (BLOBS / "plain.blob").read_bytes()
    report = store.import_conversation("alice", BLOBS / name, secret=secret)
    assert (report.message_count, report.created_count, report.is_sealed) == (200, 200, secret is not None)
    assert report.content_id == hashlib.blake2b(plain, digest_size=32).hexdigest()
    assert store.import_conversation("alice", BLOBS / name, secret=secret).created_count == 0
    target = tmp_path / "out"
    begun = store.export_conversation("alice", target)
    assert begun.total_bytes == len(plain) and target.read_bytes() == plain


def test_a_sealed_export_opens_with_its_passphrase_alone(store: Any) -> None:
    store.import_conversation("alice", BLOBS / "plain.blob")
    sealed = io.BytesIO()
    store.export_conversation("alice", sealed, passphrase=PASSPHRASE, low_cost=True)
    sealed.seek(0)
    with pytest.raises(PermissionDenied) as wrong:
        store.import_conversation("bob", sealed, secret=secrets.passphrase(b"wrong"))
    assert wrong.value.reason is Reason.BLOB_SECRET_WRONG
    sealed.seek(0)
    assert store.import_conversation("bob", sealed, secret=PASSPHRASE, dry_run=True).message_count == 200
    assert store.get_statistics().conversation_count == 1


def test_damage_in_a_message_file_is_found_before_anything_is_kept(store: Any) -> None:
    damaged = (BLOBS / "plain.blob").read_bytes()[:-1]
    with pytest.raises(InvalidArgument) as found:
        store.import_conversation("alice", damaged)
    assert found.value.reason is Reason.BLOB_DAMAGED
    assert store.get_statistics().message_count == 0
    with pytest.raises(NotFound):
        store.export_conversation("alice", io.BytesIO())


def test_a_source_that_can_be_read_only_once_needs_an_import_id(store: Any) -> None:
    class Pipe(io.RawIOBase):
        def __init__(self, content: bytes) -> None:
            self._content = io.BytesIO(content)

        def readable(self) -> bool:
            return True

        def read(self, count: int = -1) -> bytes:
            return self._content.read(min(count, 1000))

    plain = (BLOBS / "plain.blob").read_bytes()
    with pytest.raises(ValueError, match="import_id"):
        store.import_conversation("alice", Pipe(plain))
    assert store.import_conversation("alice", Pipe(plain), import_id="once").created_count == 200


@pytest.mark.parametrize("name, secret", ARCHIVED)
def test_the_archives_of_the_vectors_are_read(store: Any, name: str, secret: Any) -> None:
    report = store.restore_archive(ARCHIVES / name, ArchiveAim.VERIFY, secret=secret)
    assert report.counts.messages > 0 and report.is_sealed == (secret is not None)


def test_an_archive_fills_another_store(store: Any, daemon: Daemon, connect: Connect, tmp_path: Path) -> None:
    store.save_message(NewMessage(conversation=by_session("alice"), text="hello"))
    store.upload_file("document/f", bytes(range(256)) * 10_000)
    store.set_scene("window", {"k": [1, 2]})
    target = tmp_path / "archive"
    begun = store.create_archive(target, passphrase=PASSPHRASE, low_cost=True)
    other = connect(daemon)
    dry = other.restore_archive(target, ArchiveAim.FILL_EMPTY, secret=PASSPHRASE, dry_run=True)
    assert dry.is_dry_run and other.get_statistics().message_count == 0
    report = other.restore_archive(target, ArchiveAim.FILL_EMPTY, secret=PASSPHRASE)
    assert report.added.messages == 1 and report.header.revision == begun.revision
    assert other.read_file_bytes("document/f") == bytes(range(256)) * 10_000
    assert other.scene("window") == {"k": [1, 2]}
    with pytest.raises(Exception) as full:
        other.restore_archive(target, ArchiveAim.FILL_EMPTY, secret=PASSPHRASE)
    assert getattr(full.value, "reason") is Reason.STORE_NOT_EMPTY


def test_an_archive_of_changes_is_merged(store: Any, daemon: Daemon, connect: Connect) -> None:
    store.save_message(NewMessage(conversation=by_session("alice"), id="m1", text="first"))
    whole, changes = io.BytesIO(), io.BytesIO()
    begun = store.create_archive(whole)
    store.save_message(NewMessage(conversation=by_session("alice"), id="m2", text="second"))
    store.delete_messages(["m1"])
    history = store.get_status().history_id
    store.create_archive(changes, since_revision=begun.revision, options=Options(history_id=history))
    other = connect(daemon)
    for archive in (whole, changes):
        archive.seek(0)
        report = other.restore_archive(archive, ArchiveAim.MERGE)
    assert report.counts.removals == 1
    assert [message.text for message in other.messages("alice")] == ["second"]
    with pytest.raises(InvalidArgument) as damaged:
        other.restore_archive(whole.getvalue()[:-3], ArchiveAim.MERGE)
    assert damaged.value.reason is Reason.ARCHIVE_DAMAGED
