"""The source of an import: folders and zips from strangers."""

from __future__ import annotations

import os
import struct
import zipfile
from pathlib import Path

import pytest

from ghoststore.importing import Source, SourceError, UnreadableSource


def make_zip(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in files.items():
            target.writestr(name, data)
    return path


# ---- Folders ----


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    export = tmp_path / "export"
    (export / "photos").mkdir(parents=True)
    (export / "result.json").write_text("{}")
    (export / "photos" / "1.jpg").write_bytes(b"photo")
    (tmp_path / "secret").write_text("secret")
    return export


@pytest.mark.parametrize("form", ["folder", "zip", "file"])
def test_files_are_found_beside_their_document(folder: Path, tmp_path: Path, form: str) -> None:
    files = {"chat/result.json": b"{}", "chat/photos/1.jpg": b"photo"}
    path = {"folder": folder, "zip": tmp_path / "a.zip", "file": folder / "result.json"}[form]
    source = Source(make_zip(path, files) if form == "zip" else path)
    document = source.document("result.json")
    content = source.content("photos/1.jpg", beside=document)
    assert content is not None and content.byte_count == 5
    with content.open() as stream:
        assert stream.read() == b"photo"
    assert source.content("photos/2.jpg", beside=document) is None
    source.close()


OUTSIDE = ["../secret", "photos/../../secret", "/etc/passwd", "C:\\secret", "..\\secret", "a\0b"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_no_name_leads_out_of_the_export(folder: Path, name: str) -> None:
    with pytest.raises(SourceError, match="message 7: a path leads out of the export"):
        Source(folder).content(name, place="message 7")


def test_links_are_refused(folder: Path) -> None:
    os.symlink("../secret", folder / "link.jpg")
    os.symlink("..", folder / "up")
    for name in ("link.jpg", "up/secret"):
        with pytest.raises(SourceError, match="link"):
            Source(folder).content(name)
    with pytest.raises(SourceError, match="link.jpg: is a link"):
        list(Source(folder).names())


def test_devices_and_pipes_are_refused(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with pytest.raises(SourceError, match="pipe: is not a file"):
        Source(folder).content("pipe")
    with pytest.raises(UnreadableSource, match="neither a file nor a folder"):
        Source(folder / "pipe")
    with pytest.raises(UnreadableSource, match="no such file"):
        Source(folder / "nothing")


def test_a_document_that_changes_ends_the_import(folder: Path) -> None:
    document = Source(folder).document("*.json")
    document.open().close()
    (folder / "result.json").write_text("{ }")
    with pytest.raises(SourceError, match="changed while it was imported"):
        document.open()


def test_several_documents_must_be_named(folder: Path) -> None:
    (folder / "photos" / "result.json").write_text("{}")
    with pytest.raises(SourceError, match="more than one result.json"):
        Source(folder).document("result.json")
    with pytest.raises(SourceError, match="has no chat.txt"):
        Source(folder).document("chat.txt")


# ---- Zips ----


@pytest.mark.parametrize("name", ["../a", "/a", "x/../../a", "..\\a"])
def test_a_zip_with_a_name_that_leads_out_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(SourceError, match="a.zip: a path leads out"):
        Source(make_zip(tmp_path / "a.zip", {name: b""}))


def test_a_zip_bomb_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="a.zip: big.txt: the entry unpacks to more than 200 times"):
        Source(make_zip(tmp_path / "a.zip", {"big.txt": bytes(40_000_000)}))


def test_a_zip_that_lies_about_a_size_gives_no_more_than_it_says(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {"a.txt": bytes(10_000_000)})
    data = bytearray(path.read_bytes())
    entry = data.index(b"PK\x01\x02")
    struct.pack_into("<I", data, entry + 24, 10)
    path.write_bytes(data)
    content = Source(path).content("a.txt")
    assert content is not None
    with content.open() as stream, pytest.raises(SourceError, match="a.zip: a.txt: the entry of the zip is damaged"):
        assert len(stream.read()) <= 10


def test_entries_that_overlap_are_refused(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {name: os.urandom(5000) for name in ("a", "b", "c", "d")})
    data = bytearray(path.read_bytes())
    first = data.index(b"PK\x01\x02")
    for _ in range(4):
        struct.pack_into("<I", data, first + 20, 20_000)
        first = data.find(b"PK\x01\x02", first + 4)
    path.write_bytes(data)
    with pytest.raises(SourceError, match="overlap"):
        Source(path)


def test_a_zip_with_two_equal_names_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as target:
        target.writestr("a", "1")
        with pytest.warns(UserWarning):
            target.writestr("a", "2")
    with pytest.raises(SourceError, match="a.zip: a: two entries"):
        Source(tmp_path / "a.zip")


def test_an_encrypted_zip_is_refused(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {"a.txt": b"x"})
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(SourceError, match="a.txt: the entry is encrypted"):
        Source(path)


def test_a_zip_with_a_huge_directory_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    zip64 = b"PK\x06\x06" + bytes(28) + struct.pack("<QQ", 10**9, 10**11) + bytes(8)
    locator = b"PK\x06\x07" + bytes(4) + struct.pack("<QI", 4, 1)
    path.write_bytes(b"PK\x03\x04" + zip64 + locator + b"PK\x05\x06" + bytes(6) + b"\xff" * 10 + bytes(2))
    with pytest.raises(SourceError, match="more than 500,000 entries"):
        Source(path)


def test_a_zip_that_is_cut_anywhere_names_itself(tmp_path: Path) -> None:
    whole = make_zip(tmp_path / "whole.zip", {f"photos/{n}.txt": os.urandom(40) * 9 for n in range(4)}).read_bytes()
    path = tmp_path / "cut.zip"
    for length in range(4, len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(SourceError, match="cut.zip"):
            Source(path)


def test_damaged_bytes_of_a_zip_are_errors_with_the_entry(tmp_path: Path) -> None:
    files = {"a.txt": b"hello hello hello hello", "b.txt": b"x" * 1000}
    whole = make_zip(tmp_path / "whole.zip", files).read_bytes()
    path = tmp_path / "damaged.zip"
    for at in range(4, len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        try:
            source = Source(path)
            for name in source.names():
                with source.open(name) as stream:
                    stream.read()
        except SourceError as error:
            assert error.place.startswith("damaged.zip")


def test_names_in_utf8_without_the_flag_are_read(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {"фото.jpg": b"photo"})
    data = bytearray(path.read_bytes())
    for magic, offset in ((b"PK\x01\x02", 9), (b"PK\x03\x04", 7)):
        data[data.index(magic) + offset] &= ~0x08
    path.write_bytes(data)
    assert list(Source(path).names()) == ["фото.jpg"]
