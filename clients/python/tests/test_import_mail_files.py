"""Mail in files: variants of mbox, Maildir, zips, flags; damaged and hostile files; and the import through a daemon."""

from __future__ import annotations

import io
import time
import tracemalloc
import zipfile
from pathlib import Path

import pytest

import mail_samples as samples
from daemon import Daemon
from ghoststore import Store
from ghoststore.importing import Message, Person, Reading, Record, Source, SourceError
from ghoststore.importing.formats import _mail_file, format_named
from ghoststore.importing.formats._mail_headers import addresses, decoded_words
from ghoststore.importing.formats._mail_text import html_text, unflowed
from ghoststore.importing.notes import Notes
from importing_help import read_all, run_import
from mail_samples import ME, SELF, mail, mbox, multipart


def _messages(path: Path, notes: Notes | None = None) -> list[Message]:
    return [one for one in read_all("mail", path, self_ids=SELF, notes=notes) if isinstance(one, Message)]


def _mbox(tmp_path: Path, data: bytes, notes: Notes | None = None) -> list[Message]:
    (tmp_path / "a.mbox").write_bytes(data)
    return _messages(tmp_path / "a.mbox", notes)


def _reply(body: bytes, number: int = 1, **fields: str) -> bytes:
    """Returns a reply. The import puts the subject above the text of a mail, but not of a reply."""
    return mail(body, In_Reply_To="<0@x>", Message_ID=f"<{number}@x>", **fields)


def test_variants_of_mbox(tmp_path: Path) -> None:
    quoted = b">From here\n>>From there\n\n>From x Mon Nov 13 10:00:00 2023\n> From"
    plain = b"From here\n>From there\n\nFrom x Mon Nov 13 10:00:00 2023\n> From"
    for envelope in (
        "From ann@example.org Mon Nov 13 10:00:00 2023",
        "From - Mon Nov 13 10:00:00 2023",
        "From 1234567890123456789@xxx Mon Nov 13 10:00:00 +0000 2023",
        "From ???@??? Mon Nov 13 10:00:00 2023 +0100",
    ):
        for ending in (b"\n", b"\r\n"):
            data = mbox(_reply(quoted), _reply(b"zwei", 2), envelope=envelope).replace(b"\n", ending)
            assert [one.text for one in _mbox(tmp_path, data)] == [plain.decode(), "zwei"], envelope


def test_mails_do_not_depend_on_the_pieces_in_which_a_file_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = mail("text\n", X_Long="x" * 70_000) + b"\n"
    joined = b"Subject: no body\nFrom ann@example.org Mon Nov 13 10:00:00 2023\n" + mail("text")
    whole = mbox(samples.GERMAN, samples.RUSSIAN, odd, b"\n text after a From_ line\n", joined)
    for ending in (b"\n", b"\r\n"):
        found = []
        for byte_count in (256 * 1024, 1, 2, 63, 4096):
            monkeypatch.setattr(_mail_file, "_READ_BYTES", byte_count)
            messages = _mbox(tmp_path, whole.replace(b"\n", ending))
            found.append([(one.place, one.text, one.metadata, len(one.attachments)) for one in messages])
        assert len(found[0]) == 5 and all(one == found[0] for one in found)


def test_content_length_keeps_a_mail_inside_of_a_mail(tmp_path: Path) -> None:
    inner = mbox(mail("innen")) + b"Ende"
    whole = _reply(inner, Content_Length=str(len(inner) + 1))
    assert [one.text for one in _mbox(tmp_path, mbox(whole, _reply(b"zwei", 2)))] == [
        "\n".join(inner.decode().splitlines()), "zwei",
    ]
    for wrong in ("5", "99999999", "-1", "9" * 30, "\u0663"):
        texts = [one.text for one in _mbox(tmp_path, mbox(_reply(b"eins", Content_Length=wrong), _reply(b"zwei", 2)))]
        assert texts == ["eins", "zwei"], wrong


def test_a_line_that_begins_with_from_separates_nothing_else(tmp_path: Path) -> None:
    for text in (
        b"a\nFrom b Mon Nov 13 10:00:00 2023\n!", b"a\n\nFrom the sea:\nX: y", b"a\n\nFrom 10:30 in 2023 on\n!",
    ):
        assert [one.text for one in _mbox(tmp_path, mbox(_reply(text)))] == [text.decode()]


def test_mailboxes_that_were_joined_without_an_empty_line(tmp_path: Path) -> None:
    data = mbox(_reply(b"eins")).rstrip() + b"\n" + mbox(_reply(b"zwei", 2))
    assert [one.text for one in _mbox(tmp_path, data)] == ["eins", "zwei"]


def test_places_name_the_line(tmp_path: Path) -> None:
    found = _mbox(tmp_path, mbox(mail("eins"), mail("zwei", Message_ID="<2@x>")))
    assert [one.place for one in found] == ["a.mbox: line 1", "a.mbox: line 10"]


def test_flags_of_an_mbox(tmp_path: Path) -> None:
    fields: list[dict[str, str]] = [
        {"Status": "RO", "X_Status": "AF"}, {"Status": "O"}, {"X_Mozilla_Status": "0001"}, {"X_Mozilla_Status": "0000"},
        {"X_Gmail_Labels": '=?utf-8?Q?Posteingang,Ge=C3=B6ffnet,Kategorie:_=22Neu=22?='},
        {"X_Gmail_Labels": 'Non lus,"Culture, associations"'}, {},
    ]
    mails = [mail(Message_ID=f"<{number}@x>", **one) for number, one in enumerate(fields)]
    found = _mbox(tmp_path, mbox(*mails))
    assert [one.is_read for one in found] == [True, False, True, False, True, False, True]
    assert found[0].metadata["flags"] == ["answered", "flagged"]
    assert found[4].metadata["labels"] == ["Posteingang", "Geöffnet", 'Kategorie: "Neu"']
    assert found[5].metadata["labels"] == ["Non lus", "Culture, associations"]


def test_drafts_and_mails_in_the_bin_are_left_out(tmp_path: Path) -> None:
    notes = Notes()
    mails = [
        mail(X_Mozilla_Status="0009"), mail(X_Gmail_Labels=samples.word("Entwürfe")), mail(X_Gmail_Labels="Trash"),
        mail(X_Status="T"), mail(X_IMAP="1 2", Subject="DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA"),
    ]
    assert _mbox(tmp_path, mbox(*mails), notes) == []
    assert {text: note.count for text, note in notes.skipped.items()} == {
        "draft": 2, "mail in the bin": 2, "internal data of a mail program": 1,
    }


def _maildir(root: Path) -> Path:
    files = {
        "cur/1700000000.M1.host:2,RS": mail("eins", Message_ID="<1@x>", Date=""),
        "cur/1700000001.M2.host:2,": mail("zwei", Message_ID="<2@x>"),
        "new/1700000002.M3.host": mail("drei", Message_ID="<3@x>"),
        "cur/1700000003.M4.host:2,DS": mail("Entwurf"),
        "cur/1700000003.M5.host:2,ST": mail("weg"),
        "tmp/1700000003.M6.host": b"",
        "dovecot-uidlist": b"3",
        "notes.txt": b"no mail",
        ".Gesendet.&AMQ-rger/cur/1700000004.M7.host:2,Sa": mail("vier", From=ME, To="a@x.org", Message_ID="<4@x>"),
    }
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    return root


def test_maildir(tmp_path: Path) -> None:
    notes = Notes()
    found = {one.text.rpartition("\n")[2]: one for one in _messages(_maildir(tmp_path / "Maildir"), notes)}
    marks = {text: one.is_read for text, one in found.items()}
    assert marks == {"eins": True, "zwei": False, "drei": False, "vier": True}
    assert found["eins"].time_microseconds == 1700000000_000000
    assert found["eins"].metadata["flags"] == ["answered"]
    assert found["vier"].metadata["folder"] == "Gesendet.Ärger" and found["vier"].metadata["flags"] == ["a"]
    assert set(notes.skipped) == {
        "draft", "mail in the bin", "file that is no mail",
        "mail in the folder tmp of a Maildir, which is not complete",
    }


def test_a_zip_and_a_folder_of_many_files(tmp_path: Path) -> None:
    inside = {
        "Takeout/Mail/Alle Nachrichten.mbox": mbox(samples.GERMAN, samples.RUSSIAN, _attached(5)),
        "Takeout/Mail/einzeln.eml": samples.JAPANESE,
        "Takeout/archive_browser.html": b"<html>",
    }
    with zipfile.ZipFile(tmp_path / "takeout.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in inside.items():
            archive.writestr(name, data)
            (tmp_path / "folder" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "folder" / name).write_bytes(data)
    for path in (tmp_path / "takeout.zip", tmp_path / "folder"):
        source = Source(path)
        records = list(format_named("mail").read(Reading(source=source, self_ids=SELF)))
        messages = [one for one in records if isinstance(one, Message)]
        contents = []
        # Open the contents of the last mail in reverse order, because an importer may open them in any order.
        for attachment in [*messages[0].attachments, *reversed(messages[2].attachments)]:
            assert attachment.content is not None
            with attachment.content.open() as stream:
                contents.append(stream.read())
        assert contents == [samples.PICTURE, *(bytes([number]) * 1000 for number in reversed(range(5)))]
        assert messages[0].metadata["folder"] == "Alle Nachrichten"
        source.close()


def _attached(count: int) -> bytes:
    parts = [
        (f"Content-Type: application/x-a; name={number}\nContent-Transfer-Encoding: base64",
         samples.encoded(bytes([number]) * 1000))
        for number in range(count)
    ]
    return mail(multipart(*parts), Content_Type="multipart/mixed; boundary==_b", Message_ID="<many@x>")


def test_detection(tmp_path: Path) -> None:
    detect = format_named("mail").detect
    assert detect is not None
    for name, data in {"a": mbox(mail()), "a.eml": mail()}.items():
        (tmp_path / name).write_bytes(data)
        assert detect(Source(tmp_path / name))
    assert detect(Source(_maildir(tmp_path / "Maildir")))
    for name, data in {"b.txt": b"From here\nto there", "c.json": b"{}", "d.eml": b"", "e.csv": b"a:b\nc:d\n"}.items():
        (tmp_path / name).write_bytes(data)
        assert not detect(Source(tmp_path / name)), name


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>Hallo <b>du</b>,</p><p>wie  \n geht es?</p>", "Hallo du,\n\nwie geht es?"),
        ("a<br>b<br/><br>c", "a\nb\n\nc"),
        ('<a href="https://example.org/x">Seite</a> <a href="https://example.org">example.org</a>',
         "Seite <https://example.org/x> example.org"),
        ("<ul><li>eins<li>zwei</ul>", "• eins\n• zwei"),
        ("<blockquote>alt<blockquote>älter</blockquote></blockquote>neu", "> alt\n>\n>> älter\n\nneu"),
        ("<table><tr><td>a<td>b</tr><tr><td>c</tr></table>", "a b\nc"),
        ("<pre>a  b\n c</pre>", "a  b\n c"),
        ("<!-- <p>x</p> --><style>p{}</style><script>1<2</script>ja", "ja"),
        ('&lt;&auml;&#8364;&nbsp;<img alt="Bild" src=x>', "<ä€ Bild"),
        ("2 < 3 und <unfertig", "2 < 3 und <unfertig"),
        ("日本<b>語</b>", "日本語"),
    ],
)
def test_html_becomes_readable_text(html: str, text: str) -> None:
    assert html_text(html) == text


def test_every_cut_is_read_or_refused(tmp_path: Path) -> None:
    body = multipart(("Content-Type: application/x-a; name=a\nContent-Transfer-Encoding: base64", b"SGFsbG8="),
                     ("Content-Type: text/html", b"<p>a</p>"))
    data = mbox(mail(body, Content_Type="multipart/mixed; boundary==_b"), samples.RUSSIAN, samples.JAPANESE)
    path = tmp_path / "a.mbox"
    for end in range(0, len(data)):
        path.write_bytes(data[:end])
        _read_everything(path)


def _read_everything(path: Path) -> list[Record]:
    """Reads a file with all contents; only a SourceError may happen."""
    source = Source(path)
    try:
        records = list(format_named("mail").read(Reading(source=source, self_ids=SELF)))
        for record in records:
            for attachment in record.attachments if isinstance(record, Message) else ():
                if attachment.content is not None:
                    with attachment.content.open() as stream:
                        stream.read()
        return records
    except SourceError as error:
        assert error.place and error.message[0].islower()
        return []
    finally:
        source.close()


def test_every_changed_byte_is_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.mbox"
    data = mbox(samples.GERMAN.replace(samples.encoded(samples.PICTURE), b"SGFsbG8="), samples.JAPANESE)
    for at in range(0, len(data)):
        for other in (b"\0", b"\n", b'"', b"=", b"<", b"\xff"):
            if at % 6 == ord(other) % 6:
                path.write_bytes(data[:at] + other + data[at + 1 :])
                # A change in the first line, the From_ line, may make the file unreadable, because it is no mbox then.
                assert _read_everything(path) or at < 60


HOSTILE = {
    "a boundary that is no end": mail("--x\n" * 5000, Content_Type="multipart/mixed; boundary=x"),
    "parts in parts": b"".join(
        mail("", Content_Type=f"multipart/mixed; boundary=b{n}") if n == 0 else
        f"--b{n - 1}\nContent-Type: multipart/mixed; boundary=b{n}\n\n".encode() for n in range(2000)
    ),
    "a header without an end": b"From: a@x\nX: " + b"y" * 3_000_000,
    "many fields": b"From: a@x\n" + b"X: y\n" * 100_000 + b"\ntext",
    "a million addresses": mail(To=", ".join(f"a{n}@x" for n in range(100_000))),
    "comments in comments": mail(From="(" * 60_000),
    "quotes": mail(From='"' * 60_000, Content_Type="text/plain" + ';a="' * 10_000),
    "encoded words": mail(Subject="=?utf-8?b?" * 6000 + "=?utf-8?q?" + "=" * 5000),
    "tags": mail("<a " * 200_000, Content_Type="text/html"),
    "quotes in tags": mail("<a b='" * 200_000, Content_Type="text/html"),
    "comments": mail("<!--" * 500_000, Content_Type="text/html"),
    "entities": mail("&#x" * 500_000 + "&#99999999;", Content_Type="text/html"),
    "links": mail("<a href=x>" * 300_000 + "</a>" * 300_000, Content_Type="text/html"),
    "quotations": mail("<blockquote>" * 100_000, Content_Type="text/html"),
    "flowed lines": mail("a \n" * 300_000, Content_Type="text/plain; format=flowed"),
    "escapes": mail("=" * 2_000_000, Content_Transfer_Encoding="quoted-printable"),
    "one long line": mail("x" * 8_000_000),
    "from lines": mail(b"\n\nFrom a 10:00 2023" * 100_000),
    "letters that turn text around": mail("\u202e\u2066\0\x1b[2J", From="\u202eann <\u202e@x>", Subject="\x07"),
    "numbers": mail(Date="1 Jan 99999999999999999999 99:99:99 +9999", Content_Length="9" * 5000),
    "a parameter in pieces": mail(Content_Type="text/plain" + "".join(f"; name*{n}*=%41" for n in range(4000))),
    "paths": mail(Content_Type="application/x-a; name=../../../etc/passwd"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_mails_are_read_in_time(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.mbox").write_bytes(mbox(HOSTILE[name], mail("danach")))
    (tmp_path / "a.eml").write_bytes(HOSTILE[name])
    started = time.process_time()
    assert _read_everything(tmp_path / "a.mbox")
    _read_everything(tmp_path / "a.eml")
    assert time.process_time() - started < 20


def test_hostile_texts_are_read_in_time() -> None:
    started = time.process_time()
    for text in ("<" * 200_000, "<a>" * 100_000, "<td>" * 100_000, "<p>" * 100_000, "a\n" * 100_000, " " * 500_000):
        html_text(text)
        unflowed(text, deletes_space=False)
        decoded_words(text[:60_000])
        list(addresses(text[:60_000]))
    assert time.process_time() - started < 20


def test_memory_does_not_grow_with_attachments(tmp_path: Path) -> None:
    path = tmp_path / "a.mbox"
    big = samples.encoded(b"x" * 2_000_000)
    with open(path, "wb") as file:
        for number in range(3):
            body = multipart(("Content-Type: application/x-a; name=a\nContent-Transfer-Encoding: base64", big))
            file.write(mbox(_reply(body, number, Content_Type="multipart/mixed; boundary==_b")))
    tracemalloc.start()
    try:
        for one in _messages(path):
            [attachment] = one.attachments
            assert attachment.content is not None
            with attachment.content.open() as stream:
                count = 0
                while data := stream.read(65536):
                    count += len(data)
            assert count == 2_000_000
        assert tracemalloc.get_traced_memory()[1] < 1_500_000
    finally:
        tracemalloc.stop()


def test_a_mailbox_of_very_many_senders(tmp_path: Path) -> None:
    count = 6000
    mails = (mail("", From=f"A{number} <a{number}@x>", Message_ID=f"<{number}@x>") for number in range(count))
    (tmp_path / "a.mbox").write_bytes(mbox(*mails, mail("", From="A0 <a0@x>", Message_ID="<again@x>")))
    source = Source(tmp_path / "a.mbox")
    records = [
        list(format_named("mail").read(Reading(source=source, self_ids=SELF))) for _ in range(2)
    ]
    assert records[0] == records[1]
    people = [one.id for one in records[0] if isinstance(one, Person)]
    # The importer keeps only the latest senders in memory, so it returns the first sender twice.
    assert len(people) == count + 1 and people.count("a0@x") == 2


def test_an_import_saves_everything_once(daemon: Daemon, tmp_path: Path) -> None:
    reaction = mail(
        "👍", From="Jörg <joerg@example.org>", Content_Disposition="reaction", In_Reply_To="<4@example.org>",
        Message_ID="<5@x>", Subject="",
    )
    mails = [samples.GERMAN, samples.RUSSIAN, samples.JAPANESE, samples.OUTGOING, reaction]
    (tmp_path / "a.mbox").write_bytes(mbox(*mails))
    first = run_import(daemon, "mail", tmp_path / "a.mbox", self_ids=SELF)
    assert (first.messages.new, first.attachments_saved, first.reactions_added) == (4, 2, 1)
    (tmp_path / "later.mbox").write_bytes(mbox(*mails, mail("bis morgen", Message_ID="<6@x>"), samples.GERMAN))
    again = run_import(daemon, "mail", tmp_path / "later.mbox", self_ids=SELF)
    assert (again.messages.new, again.messages.changed, again.messages.known) == (1, 0, 4)
    picture = mail(
        multipart(("Content-Type: image/png", samples.PICTURE)), Content_Type="multipart/mixed; boundary==_b",
        Message_ID="<7@x>",
    )
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.mbox", mbox(_attached(5), picture))
    zipped = run_import(daemon, "mail", tmp_path / "a.zip", self_ids=SELF)
    assert (zipped.messages.new, zipped.attachments_saved) == (2, 6)
    with Store(daemon.socket) as store:
        [found] = store.search_messages("Liebe").messages
        stream = io.BytesIO()
        store.download_attachment(found.message.id, 0, stream)
        assert stream.getvalue() == samples.PICTURE
        [reply] = store.search_messages("Danke").messages
        assert reply.message.reply_to_message_id == found.message.id
