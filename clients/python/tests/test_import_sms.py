"""Imports of SMS Backup & Restore: files as the app writes them, and damaged or hostile ones."""

from __future__ import annotations

import base64
import re
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from daemon import Daemon
from importing_help import read_all, run_import

from ghoststore.importing import Conversation, Message, Person, Reading, Source, SourceError
from ghoststore.importing.formats.sms import FORMAT
from ghoststore.importing.notes import Notes
from ghoststore.model import MessageStatus

HEAD = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n"
PICTURE = bytes(range(256)) * 300


def sms(**fields: str) -> str:
    """Returns an sms element as the app writes it."""
    values = {
        "protocol": "0", "address": "+49 151-123", "date": "1512226167463", "type": "1", "subject": "null",
        "body": "Grüße", "toa": "null", "sc_toa": "null", "service_center": "+491710760000", "read": "1",
        "status": "-1", "locked": "0", "date_sent": "1512226166000", "sub_id": "-1",
        "readable_date": "2 Dec 2017 06:49:27", "contact_name": "Änne",
    } | fields  # fmt: skip
    return "  <sms " + " ".join(f'{name}="{value}"' for name, value in values.items()) + " />\n"


def part(**fields: str) -> str:
    """Returns a part element as the app writes it."""
    values = {
        "seq": "0", "ct": "text/plain", "name": "null", "chset": "106", "cd": "null", "fn": "null", "cid": "null",
        "cl": "null", "ctt_s": "null", "ctt_t": "null", "text": "null",
    } | fields  # fmt: skip
    return "      <part " + " ".join(f'{name}="{value}"' for name, value in values.items()) + " />\n"


def mms(parts: str, addresses: str = "", **fields: str) -> str:
    """Returns an mms element as the app writes it."""
    values = {
        "date": "1721161764000", "rr": "null", "sub": "null", "ct_t": "application/vnd.wap.multipart.related",
        "seen": "1", "msg_box": "1", "address": "+15550000011", "sub_cs": "null", "retr_st": "128", "text_only": "0",
        "m_id": "bcc6da4b", "date_sent": "1721161755", "read": "0", "m_size": "80351", "sub_id": "1", "v": "17",
        "_id": "7263", "m_type": "132", "readable_date": "Jul 16, 2024 13:29:24", "contact_name": "(Unknown)",
    } | fields  # fmt: skip
    text = " ".join(f'{name}="{value}"' for name, value in values.items())
    return f"  <mms {text}>\n    <parts>\n{parts}    </parts>\n    <addrs>\n{addresses}    </addrs>\n  </mms>\n"


def addresses(sender: str, *others: str) -> str:
    """Returns addr elements."""
    one = '      <addr address="{}" type="{}" charset="106" />\n'
    return one.format(sender, 137) + "".join(one.format(other, 151) for other in others)


def whole(*elements: str) -> str:
    """Returns a backup."""
    return f'{HEAD}<smses count="{len(elements)}" backup_date="1721556032311" type="full">\n{"".join(elements)}</smses>'


SAMPLE = whole(
    sms(),
    sms(address="+815012345678", body="おはよう &#55357;&#56832;&#10;二行目", contact_name="田中", read="0"),
    sms(address="+966 50 123", body="مرحبا بك", contact_name="ليلى", type="2", status="0", date_sent="0"),
    mms(
        part(seq="-1", ct="application/smil", cl="smil.xml", text="&lt;smil/&gt;")
        + part(ct="image/png", cl="фото.png", data=base64.b64encode(PICTURE).decode())
        + part(text="Подпись"),
        addresses("+15550000011", "+15550000007"),
    ),
)


def records_of(tmp_path: Path, text: str | bytes, notes: Notes | None = None) -> list[Message]:
    """Returns the messages of a backup."""
    path = tmp_path / "sms-20240721.xml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return [one for one in read_all("sms", path, notes=notes) if isinstance(one, Message)]


def test_messages_of_three_languages(tmp_path: Path) -> None:
    german, japanese, arabic, russian = records_of(tmp_path, SAMPLE, notes := Notes())
    assert (german.text, german.sender, german.sender_name) == ("Grüße", "+49151123", "Änne")
    assert (german.conversation, german.is_outgoing, german.is_read) == ("+49151123", False, True)
    assert german.time_microseconds == 1512226167463000
    assert german.metadata["service_center"] == "+491710760000" and "toa" not in german.metadata
    assert (japanese.text, japanese.is_read) == ("おはよう 😀\n二行目", False)
    assert (arabic.text, arabic.is_outgoing, arabic.sender) == ("مرحبا بك", True, "")
    assert (arabic.recipient, arabic.status) == ("+96650123", MessageStatus.DELIVERED)
    assert (russian.text, russian.sender, russian.is_read) == ("Подпись", "+15550000011", False)
    assert russian.metadata["layout"] == "<smil/>" and "retr_txt" not in russian.metadata
    assert notes.unknown == {} and notes.skipped == {}


def test_pictures_are_decoded_in_pieces_as_often_as_wanted(tmp_path: Path) -> None:
    attachment = records_of(tmp_path, SAMPLE)[-1].attachments[0]
    assert (attachment.name, attachment.mime_type) == ("фото.png", "image/png")
    content = attachment.content
    assert content is not None and content.byte_count == len(PICTURE)
    for size in (1, 7, 4096, -1):
        with content.open() as stream:
            assert stream.read(size) == PICTURE[: size if size > 0 else None]
    with content.open() as stream:
        pieces = iter(lambda: stream.read(999), b"")
        assert b"".join(pieces) == PICTURE


@pytest.mark.parametrize("byte_count", range(6))
def test_padding_may_be_missing(tmp_path: Path, byte_count: int) -> None:
    data = base64.b64encode(PICTURE[5 : 5 + byte_count]).decode()
    for text in (data, data.rstrip("="), data[:2] + "&#10;" + data[2:]):
        [message] = records_of(tmp_path, whole(mms(part(ct="image/png", data=text))))
        content = message.attachments[0].content
        found = content.open().read() if content else b""
        assert found == PICTURE[5 : 5 + byte_count] and (content is None or content.byte_count == len(found))


def test_people_and_conversations_come_once(tmp_path: Path) -> None:
    (tmp_path / "sms.xml").write_text(whole(sms(), sms(date="1"), mms(part(), address="+2~+1", contact_name="A, B")))
    found = read_all("sms", tmp_path / "sms.xml")
    assert [one for one in found if isinstance(one, Person)] == [Person(id="+49151123", name="Änne")]
    direct, group = [one for one in found if isinstance(one, Conversation)]
    assert (direct.key, direct.kind, direct.title) == ("+49151123", "direct", "Änne")
    assert (group.key, group.kind, group.title) == ("+1~+2", "group", "A, B")
    assert [one.id for one in group.members] == ["+1", "+2"]


def test_a_group_has_one_conversation_for_both_directions(tmp_path: Path) -> None:
    incoming = mms(part(text="in"), addresses("+3", "+7", "+2"), address="+2~+3")
    outgoing = mms(part(text="out"), addresses("insert-address-token", "+3", "+2"), address="+3~+2", msg_box="2")
    rcs = mms(part(text="rcs"), addresses("+3", "+7"), address="abc@rcs.google.com")
    first, second, third = records_of(tmp_path, whole(incoming, outgoing, rcs))
    assert first.conversation == second.conversation == "+2~+3"
    assert (first.sender, second.sender, second.is_outgoing) == ("+3", "", True)
    assert (third.conversation, third.sender) == ("abc@rcs.google.com", "+3")


def test_a_message_without_address_has_a_conversation(tmp_path: Path) -> None:
    hidden, notified = records_of(
        tmp_path, whole(sms(address="null"), mms("", addresses("+5", "+7"), address="null", m_type="130")),
        notes := Notes(),
    )  # fmt: skip
    assert hidden.conversation == "unknown" and notified.conversation == "+5"
    assert notified.kind == "service" and list(notes.skipped) == ["content of an MMS that the phone did not download"]


def test_states_of_messages(tmp_path: Path) -> None:
    found = records_of(tmp_path, whole(*[sms(type=str(number)) for number in range(1, 7)]), notes := Notes())
    pending, failed = MessageStatus.PENDING, MessageStatus.FAILED
    assert [one.status for one in found] == [None, None, pending, failed, pending]
    assert [one.is_outgoing for one in found] == [False, True, True, True, True]
    assert notes.skipped["draft"].count == 1
    states = [sms(type="2", status=state) for state in ("-1", "0", "32", "64")]
    assert [one.status for one in records_of(tmp_path, whole(*states))] == [
        None, MessageStatus.DELIVERED, pending, failed,
    ]  # fmt: skip
    [sent] = records_of(tmp_path, whole(mms(part(text="x"), msg_box="5")))
    assert sent.status == failed


def test_null_is_no_text(tmp_path: Path) -> None:
    one, other = records_of(tmp_path, whole(sms(body="null"), mms(part(text="null"))))
    assert (one.text, one.metadata["body"], other.text) == ("", "null", "")


def test_references_that_xml_forbids_are_replaced(tmp_path: Path) -> None:
    [message] = records_of(tmp_path, whole(sms(body="cut &#55357; and &#0;&#27;")))
    assert message.text == "cut \ufffd and \ufffd\ufffd"


def test_a_subject_is_read_in_its_charset(tmp_path: Path) -> None:
    stored = "Привет".encode().decode("latin-1")
    one, other = records_of(tmp_path, whole(mms("", sub=stored, sub_cs="106"), mms(part(text="x"), sub="Hallo")))
    assert (one.text, one.metadata["subject"]) == ("Привет", "Привет")
    assert (other.text, other.metadata["subject"]) == ("x", "Hallo")


def test_old_versions_give_seconds_for_mms(tmp_path: Path) -> None:
    [message] = records_of(tmp_path, whole(mms(part(text="x"), date="1300000000")))
    assert message.time_microseconds == 1300000000_000_000


def test_other_parts_are_attachments(tmp_path: Path) -> None:
    parts = part(ct="text/x-vCard", name="Ann.vcf", text="BEGIN:VCARD") + part(ct="audio/amr", cl="a.amr")
    parts += part(ct="image/png", data="%%%") + part(ct="image/gif", data="A")
    [message] = records_of(tmp_path, whole(mms(parts)), notes := Notes())
    contact, *missing = message.attachments
    assert contact.content is not None and contact.content.open().read() == b"BEGIN:VCARD"
    assert [one.content for one in missing] == [None, None, None]
    assert notes.skipped["content of an MMS that is not base64"].count == 2


def test_ids_are_the_same_in_a_longer_backup(tmp_path: Path) -> None:
    short = records_of(tmp_path, whole(sms(body="a"), mms(part(text="m"))))
    longer = records_of(
        tmp_path,
        whole(sms(body="b"), sms(body="a", contact_name="New", read="0"), mms(part(text="m"), _id="1", m_id="null")),
    )
    assert [one.source_id for one in short] == [one.source_id for one in longer[1:]]
    assert len({one.source_id for one in longer}) == 3


def test_a_second_import_changes_nothing(daemon: Daemon, tmp_path: Path) -> None:
    path = tmp_path / "sms.xml"
    path.write_text(SAMPLE)
    first = run_import(daemon, "sms", path)
    assert (first.messages.new, first.attachments_saved) == (4, 1)
    second = run_import(daemon, "sms", path)
    assert (second.messages.new, second.messages.known, second.messages.changed) == (0, 4, 0)
    path.write_text(SAMPLE.replace("</smses>", sms(body="new") + "</smses>"))
    assert run_import(daemon, "sms", path).messages.new == 1


def test_calls(tmp_path: Path) -> None:
    path = tmp_path / "calls-2024.xml"
    call = '<call number="+1 (555) 7" duration="{}" date="1451965221740" type="{}" contact_name="Zoë"/>'
    path.write_text(f'{HEAD}<calls count="3">{call.format(65, 1)}{call.format(0, 3)}{call.format(9, 2)}</calls>')
    one, missed, own = [one for one in read_all("sms", path) if isinstance(one, Message)]
    assert (one.kind, one.metadata["call"], one.metadata["duration_seconds"]) == ("call", "incoming", 65)
    assert (missed.metadata["call"], missed.sender, missed.sender_name) == ("missed", "+15557", "Zoë")
    assert (own.is_outgoing, own.recipient, own.conversation) == (True, "+15557", "+15557")


def test_a_folder_of_backups(tmp_path: Path) -> None:
    (tmp_path / "sms-1.xml").write_text(whole(sms(body="1")))
    (tmp_path / "sms-2.xml").write_text(whole(sms(body="2")))
    (tmp_path / "other.xml").write_text("<feed/>")
    found = read_all("sms", tmp_path, notes=(notes := Notes()))
    assert [one.text for one in found if isinstance(one, Message)] == ["1", "2"]
    assert list(notes.skipped) == ["XML file that is not a backup of SMS Backup & Restore"]


def test_unknown_elements_are_counted(tmp_path: Path) -> None:
    odd = mms(part(odd="1") + "<x/>", "<z/>", m_type="7").replace("</mms>", "<y/></mms>")
    other = sms(odd="1", type="9").replace("/>", ">text<a/></sms>")
    records_of(tmp_path, whole(other, "<rcs/>", odd), notes := Notes())
    assert set(notes.unknown) == {
        "field odd of sms", "type 9 of sms", "element rcs", "field odd of part", "element x of parts",
        "element y of mms", "element z of addrs", "m_type 7 of mms", "text in element sms", "element a of sms",
    }  # fmt: skip


def test_a_zip_of_backups(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "backup.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("sms-1.xml", SAMPLE)
    source = Source(tmp_path / "backup.zip")
    *_, message = FORMAT.read(Reading(source=source))
    source.close()
    # The content was read with the document, so it is available although the zip is closed.
    assert isinstance(message, Message) and message.attachments[0].content is not None
    assert message.attachments[0].content.open().read() == PICTURE


def test_it_is_detected(tmp_path: Path) -> None:
    detect = FORMAT.detect
    assert detect is not None
    (tmp_path / "a.xml").write_text(SAMPLE)
    (tmp_path / "b.xml").write_text("<feed><smsesx/></feed>")
    assert detect(Source(tmp_path / "a.xml")) and not detect(Source(tmp_path / "b.xml"))


@pytest.mark.parametrize("odd", ["", "null", "-1", "9" * 30, "1e9", "[]", "\u202e\u2066x", "../../x", "x" * 9999])
def test_any_attribute_may_have_any_value(tmp_path: Path, odd: str) -> None:
    short = SAMPLE.replace(base64.b64encode(PICTURE).decode(), "AAAA")
    values = list(re.finditer(r'="[^"]*"', short))
    assert len(values) > 100
    for found in values:
        try:
            for message in records_of(tmp_path, f'{short[: found.start()]}="{odd}"{short[found.end() :]}'):
                for attachment in message.attachments:
                    assert attachment.content is None or attachment.content.open().read() is not None
        except SourceError as error:
            assert error.place.startswith("sms-20240721.xml")


def test_a_file_that_is_cut_anywhere_is_refused(tmp_path: Path) -> None:
    data = SAMPLE.replace(base64.b64encode(PICTURE).decode(), "AAAA").encode()
    for end in range(0, len(data), 7):
        with pytest.raises(SourceError, match="sms-20240721.xml"):
            records_of(tmp_path, data[:end])


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE a [<!ENTITY b "x"><!ENTITY c "&b;&b;">]>' + "<smses><sms body='&c;' date='1'/></smses>",
        '<!DOCTYPE a SYSTEM "file:///etc/passwd"><smses/>',
        "<smses><sms body='&undefined;' date='1'/></smses>",
        "<a>" * 500,
        "<html><body/></html>",
        whole(sms(date="")).replace('date=""', ""),
        "",
        "\0",
    ],
)
def test_hostile_files_end_with_a_place(tmp_path: Path, text: str) -> None:
    with pytest.raises(SourceError) as caught:
        records_of(tmp_path, text)
    assert caught.value.place.startswith("sms-20240721.xml")


def test_a_wrong_encoding_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        records_of(tmp_path, SAMPLE.encode("cp1251", "ignore"))


def test_memory_stays_small(tmp_path: Path) -> None:
    path = tmp_path / "sms.xml"
    picture = base64.b64encode(bytes(300_000)).decode()
    with path.open("w") as file:
        file.write("<smses>")
        for number in range(80):
            file.write(mms(part(ct="image/png", data=picture), address=f"+{number}") + sms(address=f"+9{number}") * 50)
        file.write("</smses>")
    source = Source(path)
    tracemalloc.start()
    try:
        count = sum(isinstance(one, Message) for one in FORMAT.read(Reading(source=source)))
        assert count == 80 * 51 and tracemalloc.get_traced_memory()[1] < 8_000_000
    finally:
        tracemalloc.stop()
