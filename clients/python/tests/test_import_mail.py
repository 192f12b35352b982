"""The records that an import makes of mails."""

from __future__ import annotations

from pathlib import Path

import pytest

import mail_samples as samples
from ghoststore.importing import Attachment, Conversation, Message, Person, ReactionEvent, Receipt, Record, SourceError
from ghoststore.importing.notes import Notes
from importing_help import read_all
from mail_samples import ME, SELF, mail, mbox, multipart


def _read(
    tmp_path: Path, data: bytes, notes: Notes | None = None, name: str = "mail.mbox", **options: str
) -> list[Record]:
    (tmp_path / name).write_bytes(data)
    return read_all("mail", tmp_path / name, self_ids=SELF, notes=notes, options=options)


def _messages(records: list[Record]) -> list[Message]:
    return [one for one in records if isinstance(one, Message)]


def _one(tmp_path: Path, data: bytes, notes: Notes | None = None) -> Message:
    [message] = _messages(_read(tmp_path, mbox(data), notes))
    return message


def _bytes(attachment: Attachment) -> bytes:
    assert attachment.content is not None
    with attachment.content.open() as stream:
        return stream.read()


def test_a_german_mail_with_a_picture(tmp_path: Path) -> None:
    notes = Notes()
    message = _one(tmp_path, samples.GERMAN, notes)
    subject = "Übersicht für Köln – ein längerer Betreff, der über mehrere Wörter der Kodierung reicht"
    assert message.text == f"{subject}\n\nSchöne Grüße,\nFrom Köln mit Liebe"
    assert message.source_id == "1@example.org"
    assert (message.sender, message.sender_name) == ("joerg@example.org", "Jörg Müller")
    assert (message.conversation, message.recipient, message.is_outgoing) == ("joerg@example.org", ME, False)
    assert message.time_microseconds == 1699869600_000000
    assert message.metadata["subject"] == subject
    assert message.metadata["headers"]["x-mailer"] == "Beispiel 1.0"
    [picture] = message.attachments
    assert (picture.name, picture.mime_type) == ("Übersicht Köln.png", "image/png")
    assert picture.metadata == {"content_id": "p1@example.org", "disposition": "attachment"}
    assert _bytes(picture) == samples.PICTURE
    assert list(notes.skipped) == ["HTML form of a text that also has a plain form"]


def test_mails_in_other_languages(tmp_path: Path) -> None:
    records = _read(tmp_path, mbox(samples.RUSSIAN, samples.JAPANESE, samples.OUTGOING))
    russian, japanese, outgoing = _messages(records)
    assert (russian.text, russian.sender_name) == ("Привет, как дела?", "Анна Каренина")
    assert (russian.reply_to, russian.metadata["subject"]) == ("1@example.org", "Re: Встреча")
    assert russian.time_microseconds == 1699941600_000000
    assert (japanese.text, japanese.sender_name) == ("写真です\n\nお元気ですか。\n花子", "山田花子")
    assert [one.name for one in japanese.attachments] == ["message.html"]
    assert (outgoing.conversation, outgoing.is_outgoing, outgoing.recipient) == (
        "joerg@example.org", True, "joerg@example.org",
    )
    people = {one.id: one.name for one in records if isinstance(one, Person)}
    assert people["anna@example.org"] == "Анна Каренина" and people["joerg@example.org"] == "Jörg"
    chats = {one.key: one for one in records if isinstance(one, Conversation)}
    assert (chats["hanako@example.org"].title, chats["hanako@example.org"].kind) == ("山田花子", "direct")


def test_the_user_must_be_named(tmp_path: Path) -> None:
    (tmp_path / "a.mbox").write_bytes(mbox(samples.GERMAN))
    with pytest.raises(SourceError, match="hint: --self ADDRESS"):
        read_all("mail", tmp_path / "a.mbox")


def test_the_users_name_is_no_address(tmp_path: Path) -> None:
    (tmp_path / "a.mbox").write_bytes(mbox(mail(From="Me <stranger@example.org>")))
    records = read_all("mail", tmp_path / "a.mbox", self_ids=SELF | {"Me"})
    assert [one.is_outgoing for one in _messages(records)] == [False]
    assert [one.id for one in records if isinstance(one, Person)] == ["stranger@example.org"]


def test_a_group_is_everybody_but_the_user(tmp_path: Path) -> None:
    first = mail(To=f"{ME}, Bob <BOB@example.org>", Cc='"Core, Team" <core@example.org>')
    answer = mail(From=ME, To="bob@example.org", Cc="core@example.org, Ann <ann@example.org>", Message_ID="<2@x>")
    records = _read(tmp_path, mbox(first, answer))
    assert len({one.conversation for one in _messages(records)}) == 1
    chat = next(one for one in records if isinstance(one, Conversation))
    assert chat.kind == "group" and chat.title == "Ann, Bob, Core, Team"
    assert [one.id for one in chat.members] == ["ann@example.org", "bob@example.org", "core@example.org"]


def test_a_mailing_list_is_one_conversation_with_the_users_own_mails(tmp_path: Path) -> None:
    address = "list@example.org"
    listed = {"To": address, "List_Id": "Die Liste <list.example.org>", "List_Post": "<mailto:List@example.org>"}
    mails = [mail(**listed), mail(From="Bob <bob@example.org>", **{**listed, "Message_ID": "<2@x>"})]
    own = mail(From=ME, To="list@example.org", Message_ID="<3@x>")
    newsletter = mail(List_Id="<News.example.org>", Message_ID="<4@x>")
    records = _read(tmp_path, mbox(*mails, own, newsletter))
    assert [one.conversation for one in _messages(records)] == ["list@example.org"] * 3 + ["list:news.example.org"]
    chats = [one for one in records if isinstance(one, Conversation)]
    assert (chats[0].title, chats[0].kind) == ("Die Liste", "list")


def test_mails_to_oneself_and_without_people(tmp_path: Path) -> None:
    found = _messages(_read(tmp_path, mbox(mail(From=ME), mail(From="", To="", Message_ID=""))))
    assert found[0].conversation == ME and found[0].is_outgoing
    assert (found[1].conversation, found[1].source_id) == ("ann@example.org", None)
    [lonely] = _messages(_read(tmp_path, mail(From="", To=""), name="a.eml"))
    assert (lonely.conversation, lonely.sender) == ("unknown sender", "")


def test_names_that_malformed_mails_have(tmp_path: Path) -> None:
    found = {
        "ann@example.org (Ann (die erste) A.)": ("Ann (die erste) A.", "ann@example.org"),
        '"Müller, Ann" <ANN@example.org>': ("Müller, Ann", "ann@example.org"),
        "=?utf-8?q?Ann=2C?= =?utf-8?q?_M=C3?= =?utf-8?q?=BCller?= <a@x.org>": ("Ann, Müller", "a@x.org"),
        "Ann <@relay.example.org:ann@example.org>": ("Ann", "ann@example.org"),
        "Friends: Ann <ann@example.org>, Bob <bob@example.org>;": ("Ann", "ann@example.org"),
        "root": ("", "root"),
        '"Ann \\"A\\" Müller" <ann@example.org': ('Ann "A" Müller', "ann@example.org"),
    }
    for value, (name, address) in found.items():
        message = _one(tmp_path, mail(From=value))
        assert (message.sender_name, message.sender) == (name, address)


def test_times_come_from_the_best_place(tmp_path: Path) -> None:
    cases = {
        "Mon, 13 Nov 2023 11:00:00 +0100": 1699869600,
        "13 Nov 23 10:00 GMT": 1699869600,
        "Mon, 13 Nov 2023 10:00:00 -0000": 1699869600,
        "Mon, 13 Nov 2023 10:00:00": 1699869600,
        "gestern": 1699869602,
        "Mon, 99 Nov 2023 11:00:00 +0100": 1699869602,
        "": 1699869602,
    }
    for value, seconds in cases.items():
        data = mail(Date=value, Received="by a; Mon, 13 Nov 2023 11:00:02 +0100")
        assert _one(tmp_path, data).time_microseconds == seconds * 1_000_000
    assert _one(tmp_path, mail(Date="")).time_microseconds == 1699869600_000000
    notes = Notes()
    [message] = _messages(_read(tmp_path, mail(Date=""), notes, name="a.eml"))
    assert message.time_microseconds == 0 and list(notes.unknown) == ["time of a mail"]


def test_a_text_of_several_parts(tmp_path: Path) -> None:
    body = multipart(
        ("Content-Type: text/plain", b"eins"),
        ("Content-Type: text/plain; format=flowed; delsp=yes", b"zwei \ndrei\n> vier \n> f\n-- \nAnn"),
        ("Content-Type: text/plain; name=a.txt", b"Datei"),
        ("", b"ohne Typ"),
        ("Content-Type: text/calendar", b"BEGIN:VCALENDAR"),
        ("Content-Type: message/rfc822", mail("innen")),
    )
    message = _one(tmp_path, mail(body, Content_Type="multipart/mixed; boundary==_b"))
    assert message.text == "Hi\n\neins\n\nzweidrei\n> vierf\n-- \nAnn\n\nohne Typ"
    assert [one.name for one in message.attachments] == ["a.txt", "event.ics", "message.eml"]
    assert _bytes(message.attachments[0]) == b"Datei"
    assert _bytes(message.attachments[2]).startswith(b"From: Ann <ann@example.org>\n")


def test_forms_of_one_text(tmp_path: Path) -> None:
    html = ("Content-Type: text/html; charset=utf-8", "<p>größer</p>".encode())
    kind = "multipart/alternative; boundary==_b"
    both = mail(multipart(("Content-Type: text/plain", b"kleiner"), html), Content_Type=kind)
    assert _one(tmp_path, both).text == "Hi\n\nkleiner" and not _one(tmp_path, both).attachments
    [kept] = _messages(_read(tmp_path, mbox(both), html="yes"))
    assert _bytes(kept.attachments[0]) == html[1]
    blank = mail(multipart(("Content-Type: text/plain", b" \n"), html), Content_Type=kind)
    assert _one(tmp_path, blank).text == "Hi\n\ngrößer"
    assert _bytes(_one(tmp_path, blank).attachments[0]) == html[1]


def test_transfer_encodings(tmp_path: Path) -> None:
    cases = {
        "base64": (b"SGFs\n  bG8=\n", b"Hallo"),
        "BASE64": (b"SGFsbG", b"Hall"),
        "quoted-printable": (b"Hall=\no =C3=A4 =XY", "Hallo ä =XY".encode()),
        "x-uuencode": (b"begin 644 a\n%2&%L;&\\\n`\nend\n", b"Hallo"),
        "7bit": (b">From me\n>>From you", b"From me\n>From you"),
        "x-strange": (b"a=20", b"a=20"),
    }
    for encoding, (data, decoded) in cases.items():
        part = (f"Content-Type: application/x-data; name=a\nContent-Transfer-Encoding: {encoding}", data)
        message = _one(tmp_path, mail(multipart(part), Content_Type="multipart/mixed; boundary==_b"))
        assert _bytes(message.attachments[0]) == decoded, encoding


@pytest.mark.parametrize(
    ("charset", "data", "text"),
    [
        ("utf-8", "Grüße".encode(), "Grüße"),
        ("iso-8859-1", b"\x93Gr\xfc\xdfe\x94", "“Grüße”"),
        ("us-ascii", "Grüße".encode(), "Grüße"),
        ("us-ascii", b"Gr\xfc\xdfe", "Grüße"),
        ("gb2312", "你好".encode("gb18030"), "你好"),
        ("ks_c_5601-1987", "안녕".encode("cp949"), "안녕"),
        ("iso-8859-8-i", "שלום".encode("iso8859-8"), "שלום"),
        ("windows-1256", "سلام".encode("cp1256"), "سلام"),
        ("Shift_JIS", "今日は".encode("cp932"), "今日は"),
    ],
)
def test_charsets(tmp_path: Path, charset: str, data: bytes, text: str) -> None:
    notes = Notes()
    message = _one(tmp_path, mail(data, Content_Type=f"text/plain; charset={charset}", In_Reply_To="<0@x>"), notes)
    assert message.text.strip() == text and not notes.unknown


@pytest.mark.parametrize("charset", ["utf-8", "x-unknown", "zlib", "rot13", "idna", "punycode", "undefined", "\u202e"])
def test_bytes_that_no_charset_has_are_counted(tmp_path: Path, charset: str) -> None:
    notes = Notes()
    data = mail(b"Gr\xfc\xdfe", Content_Type=f"text/plain; charset={charset}", In_Reply_To="<0@x>")
    message = _one(tmp_path, data, notes)
    assert message.text in ("Grüße", "Gr\ufffd\ufffde")
    assert list(notes.unknown) == ["bytes that are not in the charset of a text"]


def test_subjects(tmp_path: Path) -> None:
    assert _one(tmp_path, mail("")).text == "Hi"
    assert _one(tmp_path, mail("", In_Reply_To="<0@x>")).text == "Hi"
    assert _one(tmp_path, mail("ja", In_Reply_To="<0@x>")).text == "ja"
    assert _one(tmp_path, mail("ja", Subject="")).text == "ja"


def test_reactions(tmp_path: Path) -> None:
    standard = mail("👍", Content_Disposition="reaction", In_Reply_To="<1@x>", Message_ID="<2@x>")
    google = mail(
        multipart(("Content-Type: text/plain", "👀 Ann reagierte".encode()),
                  ("Content-Type: text/vnd.google.email-reaction+json", '{"emoji": "👀", "version": 1}'.encode())),
        Content_Type="multipart/alternative; boundary==_b", In_Reply_To="<1@x>", Message_ID="<3@x>",
    )
    broken = mail("nicht", Content_Disposition="reaction", In_Reply_To="<1@x>", Message_ID="<4@x>")
    records = _read(tmp_path, mbox(standard, google, broken))
    found = [one for one in records if isinstance(one, ReactionEvent)]
    assert [(one.source_id, one.author, one.emoji) for one in found] == [
        ("1@x", "ann@example.org", "👍"), ("1@x", "ann@example.org", "👀"),
    ]
    assert [one.text for one in _messages(records)] == ["nicht"]


def test_receipts_and_encrypted_mails(tmp_path: Path) -> None:
    receipt = mail(
        multipart(("Content-Type: text/plain", b"gelesen"),
                  ("Content-Type: message/disposition-notification",
                   b"Original-Message-ID: <9@x>\nDisposition: manual-action/MDN-sent-manually; displayed")),
        Content_Type="multipart/report; report-type=disposition-notification; boundary==_b",
    )
    records = _read(tmp_path, mbox(receipt))
    assert [(one.source_id, one.is_read) for one in records if isinstance(one, Receipt)] == [("9@x", True)]
    assert _messages(records)[0].kind == "report"
    secret = mail(multipart(("Content-Type: application/pgp-encrypted", b"Version: 1"),
                            ("Content-Type: application/octet-stream; name=encrypted.asc", b"-----BEGIN")),
                  Content_Type="multipart/encrypted; boundary==_b")
    assert _one(tmp_path, secret).kind == "encrypted" and len(_one(tmp_path, secret).attachments) == 2
    signed = mail(b"MII", Content_Type="application/pkcs7-mime; smime-type=signed-data; name=smime.p7m")
    assert _one(tmp_path, signed).kind == ""


def test_files_that_thunderbird_removed_are_missing(tmp_path: Path) -> None:
    gone = (
        'Content-Type: text/x-moz-deleted; name="Deleted: a.pdf"\nX-Mozilla-Altered: AttachmentDeleted', b"You deleted",
    )
    away = ("Content-Type: text/plain; name=b.txt\nX-Mozilla-External-Attachment-URL: file:///b.txt\n"
            "X-Mozilla-Altered: AttachmentDetached", b"You deleted")
    message = _one(tmp_path, mail(multipart(gone, away), Content_Type="multipart/mixed; boundary==_b"))
    assert [(one.name, one.content, one.source) for one in message.attachments] == [
        ("a.pdf", None, ""), ("b.txt", None, "file:///b.txt"),
    ]
