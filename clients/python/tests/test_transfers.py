"""Files and attachments of any size, in pieces."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Connect
from proxy import Proxy

from ghoststore import (
    FileArea,
    FilePath,
    FileWritePlace,
    NewMessage,
    Options,
    Reason,
    by_session,
    model,
)
from ghoststore.protocol import calls


def test_a_download_continues_after_a_lost_connection(proxy: Proxy, connect: Connect, tmp_path: Path) -> None:
    store = connect(proxy)  # type: ignore[arg-type]
    content = bytes(range(256)) * 20_000
    store.upload_file("document/large", content)
    store.close()
    proxy.answer_budgets = [1_200_000, 1_300_000]
    again = connect(proxy)  # type: ignore[arg-type]
    target = tmp_path / "large"
    assert again.download_file("document/large", target) == len(content)
    assert target.read_bytes() == content and target.stat().st_mode & 0o777 == 0o600
    assert sorted(one.name for one in tmp_path.iterdir()) == ["large", "proxy"]


def test_an_upload_can_append_to_a_file_or_write_at_an_offset(store: Any) -> None:
    path = FilePath(area=FileArea.LIBRARY, path="log")
    store.upload_file(path, b"0123456789")
    store.upload_file(path, io.BytesIO(b"ab"), place=FileWritePlace.END)
    store.upload_file(path, io.BytesIO(b"XY"), place=FileWritePlace.OFFSET, offset=3)
    assert store.read_file_bytes(path) == b"012XY56789ab"


def test_a_file_that_changes_while_it_is_read_is_an_error_or_is_read_again(store: Any, tmp_path: Path) -> None:
    store.upload_file("cache/f", bytes(3_000_000))
    pieces = store.file_pieces("cache/f")
    next(pieces)
    store.upload_file("cache/f", b"\x01" * 3_000_000)
    with pytest.raises(Exception) as changed:
        list(pieces)
    assert getattr(changed.value, "reason") is Reason.FILE_CHANGED
    target = io.BytesIO()
    assert store.download_file("cache/f", target) == 3_000_000 and set(target.getvalue()) == {1}


def test_large_files_and_attachments_are_read_as_they_were_written(store: Any, tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(bytes(range(251)) * 100_000)
    store.upload_file("document/large", source)
    assert store.download_file("document/large", str(target)) == 25_100_000
    assert target.read_bytes() == source.read_bytes()
    digest = store.upload_attachment(source)
    attached = model.NewAttachment(digest=digest, name="large", mime_type="application/octet-stream")
    message = NewMessage(conversation=by_session("alice"), attachments=(attached,))
    [message_id] = store.save_message(message).ids
    assert store.download_attachment(message_id, 0, target) == 25_100_000
    assert target.read_bytes() == source.read_bytes()


def test_a_file_with_a_long_name_is_written_and_leaves_nothing_beside_it(store: Any, tmp_path: Path) -> None:
    for byte_count in (237, 238, 254, 255):
        name = "é" * (byte_count // 2) + "x" * (byte_count % 2)
        store.upload_file(f"document/{name}", b"content")
        folder = tmp_path / str(byte_count)
        folder.mkdir()
        assert store.download_file(f"document/{name}", folder / name) == 7
        assert [path.name for path in folder.iterdir()] == [name]


def test_answers_are_read_while_requests_are_sent(store: Any) -> None:
    # The daemon stops reading while more than 64 KiB of answers wait. Its socket then accepts no more requests.
    store.save_message(NewMessage(conversation=by_session("alice"), id="m", text="t" * 200_000))

    def requests() -> Iterator[Any]:
        yield from [(calls.GET_MESSAGE, model.GetMessageRequest(id="m"))] * 20
        time.sleep(0.2)
        file = model.SaveFileRequest(path=FilePath(area=FileArea.CACHE, path="f"), data=bytes(60_000))
        yield from [(calls.SAVE_FILE, file)] * 60

    answers = list(store.pipeline(requests(), ahead=100, options=Options(timeout_seconds=5)))
    assert sum(len(answer.text) for answer in answers[:20]) == 20 * 200_000 and len(answers) == 80
