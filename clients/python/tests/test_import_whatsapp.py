"""Imports of WhatsApp's exported chats: styles, languages, files, and what the store gets."""

from __future__ import annotations

import unicodedata
import zipfile
from pathlib import Path

import pytest
from daemon import Daemon
from importing_help import read_all, run_import

from ghoststore.importing import Conversation, Message, Reading, Record, Source, SourceError
from ghoststore.importing.formats.whatsapp import FORMAT
from ghoststore.importing.notes import Notes

LRM, RLM, FSI, PDI = "\u200e", "\u200f", "\u2068", "\u2069"
NARROW = "\u202f"


def chat_in(tmp_path: Path, text: str, name: str = "WhatsApp Chat with Ann.txt") -> Path:
    """Writes a chat and returns its path."""
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


def messages(records: list[Record]) -> list[Message]:
    """Returns the messages of records."""
    return [one for one in records if isinstance(one, Message)]


def said(tmp_path: Path, text: str, **arguments: object) -> list[Message]:
    """Returns the messages of a chat."""
    return messages(read_all("whatsapp", chat_in(tmp_path, text), **arguments))  # type: ignore[arg-type]


def data_of(message: Message) -> bytes | None:
    """Returns the content of the only attachment, or None if the export does not have it."""
    [attachment] = message.attachments
    if attachment.content is None:
        return None
    with attachment.content.open() as stream:
        return stream.read()


def one_said(tmp_path: Path, body: str, *, ios: bool = True) -> Message:
    """Returns the message of a chat with one message, which has the given text."""
    header = "[27.03.22, 21:41:35] Ann: " if ios else "27.03.22, 21:41 - Ann: "
    [message] = said(tmp_path, f"{header}{body}\n")
    return message


ENGLISH = f"""[3/18/22, 2:56:01{NARROW}PM] Group: {LRM}Messages and calls are end-to-end encrypted. No one outside of \
this chat, not even WhatsApp, can read or listen to them.
[3/27/22, 9:41:35{NARROW}PM] Ann: Hello
second line

[after] a blank line
[3/27/22, 9:41:35{NARROW}PM] Ann: Hello
{LRM}[3/27/22, 9:41:55{NARROW}PM] ~{NARROW}Bob: {LRM}<attached: 00000001-PHOTO-2022-03-27-21-41-55.jpg>
[3/27/22, 9:42:00{NARROW}PM] +40 521 028{NARROW}61: @{FSI}Ann{PDI} fixed {LRM}<This message was edited>
[3/27/22, 9:42:01{NARROW}PM] Ann: {LRM}This message was deleted.
[3/27/22, 9:43:00{NARROW}PM] Ann: {LRM}Ann added Bob
[3/28/22, 12:05:00{NARROW}AM] Ann: {LRM}Missed voice call, {LRM}Tap to call back
"""
GERMAN = """18.03.22, 14:56 - Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt.
27.03.22, 21:41 - Jürgen Groß: Schöne Grüße: bis bald
27.03.22, 21:41 - Jürgen Groß: <Medien ausgeschlossen>
Bildtext
27.03.22, 21:42 - Zoë: IMG-20220327-WA0002.jpg (Datei angehängt)
27.03.22, 21:43 - Zoë: Diese Nachricht wurde gelöscht
27.03.22, 21:44 - Zoë: geht <Diese Nachricht wurde bearbeitet.>
27.03.22, 21:45 - Zoë: Du hast diese Nachricht gelöscht
27.03.22, 21:46 - Zoë: Verpasster Sprachanruf
27.03.22, 21:47 - Zoë hat Jürgen Groß hinzugefügt.
"""
ARABIC = f"""[١٨{RLM}/٣{RLM}/٢٠٢٢، ٢:٥٦:٠٠ م] ليلى: {LRM}الرسائل والمكالمات مشفرة تمامًا، ولا حتى واتساب
[٢٧{RLM}/٣{RLM}/٢٠٢٢، ٩:٤١:٣٥ ص] ليلى: مرحبا
[٢٧{RLM}/٣{RLM}/٢٠٢٢، ٩:٤١:٥٥ م] Dmitry: {LRM}لم يتم إدراج الصورة
[٢٧{RLM}/٣{RLM}/٢٠٢٢، ٩:٥٠:٢٥ م] Dmitry: Plan.pdf • صفحتان ٢ {LRM}لم يتم إدراج المستند
[٢٧{RLM}/٣{RLM}/٢٠٢٢، ٩:٥٤:٤٥ م] ليلى: {LRM}تم حذف هذه الرسالة.
[٢٧{RLM}/٣{RLM}/٢٠٢٢، ٩:٥٦:٤٥ م] Dmitry: {LRM}موقع: https://maps.google.com/?q=34.800600,-28.100155
"""

def test_english_ios(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "WhatsApp Chat - Group.zip", "w") as file:
        file.writestr("_chat.txt", ENGLISH)
        file.writestr("00000001-PHOTO-2022-03-27-21-41-55.jpg", b"picture")
    source = Source(tmp_path / "WhatsApp Chat - Group.zip")
    found = list(FORMAT.read(Reading(source=source, notes=(notes := Notes()))))
    assert found[0] == Conversation(key="Group", title="Group", kind="group")
    notice, first, second, photo, edited, deleted, added, call = messages(found)
    assert (notice.kind, notice.sender) == ("service", "")
    assert first.text == "Hello\nsecond line\n\n[after] a blank line" and second.text == "Hello"
    assert (photo.sender, photo.sender_name, photo.text) == ("Bob", "Bob", "")
    assert (edited.sender, edited.text) == ("+40 521 028 61", f"@{FSI}Ann{PDI} fixed")
    assert edited.metadata == {"is_edited": True}
    assert (deleted.kind, deleted.text, deleted.sender) == ("deleted", "", "Ann")
    assert (added.kind, added.text) == ("service", "Ann added Bob")
    assert (call.kind, call.text) == ("call", "Missed voice call, Tap to call back")
    assert {one.conversation for one in messages(found)} == {"Group"} and notes.unknown == {}
    assert data_of(photo) == b"picture"
    source.close()


def test_german_android(tmp_path: Path) -> None:
    (tmp_path / "IMG-20220327-WA0002.jpg").write_bytes(b"picture")
    found = read_all("whatsapp", chat_in(tmp_path, GERMAN, "WhatsApp-Chat mit Zoë.txt"))
    conversation = found[0]
    assert isinstance(conversation, Conversation)
    assert (conversation.key, conversation.kind) == ("Zoë", "direct")
    notice, hello, omitted, photo, deleted, edited, own, call, added = messages(found)
    assert notice.kind == added.kind == "service" and notice.sender == ""
    assert (hello.sender, hello.text) == ("Jürgen Groß", "Schöne Grüße: bis bald")
    assert (omitted.text, omitted.attachments[0].content) == ("Bildtext", None)
    assert omitted.attachments[0].metadata == {"media": "media"}
    assert data_of(photo) == b"picture"
    assert deleted.kind == own.kind == "deleted" and (deleted.is_outgoing, own.is_outgoing) == (None, True)
    assert (edited.text, edited.metadata) == ("geht", {"is_edited": True})
    assert (call.kind, call.sender) == ("call", "Zoë")


def test_arabic_ios(tmp_path: Path) -> None:
    found = read_all("whatsapp", chat_in(tmp_path, ARABIC, "_chat.txt"))
    conversation = found[0]
    assert isinstance(conversation, Conversation) and (conversation.key, conversation.kind) == ("ليلى", "direct")
    notice, hello, photo, document, deleted, place = messages(found)
    assert (notice.kind, hello.text, hello.sender) == ("service", "مرحبا", "ليلى")
    assert hello.time_microseconds == 1648374095_000_000
    assert photo.attachments[0].metadata == {"media": "image"}
    assert (document.attachments[0].name, document.attachments[0].metadata) == ("Plan.pdf", {"media": "document"})
    assert deleted.kind == "deleted"
    assert (place.kind, place.metadata) == ("location", {"latitude": 34.8006, "longitude": -28.100155})


OMITTED_TEXTS = """image omitted|Bild weggelassen|image absente|imagen omitida|imagem ocultada|immagine omessa
изображение отсутствует|зображення відсутнє|obrázek vynechán|gambar tidak disertakan|画像は含まれていません|이미지 생략됨
照片已忽略|đã bỏ qua hình ảnh|ไม่มีรูปภาพ|लफ़ोटो हटाई गई|התמונה הושמטה""".replace("ल", "").replace("\n", "|").split("|")


@pytest.mark.parametrize("words", OMITTED_TEXTS)
def test_omitted_media_of_ios(tmp_path: Path, words: str) -> None:
    for text in (LRM + words, words):
        message = one_said(tmp_path, text)
        assert message.text == "" and message.attachments[0].content is None
        assert message.attachments[0].metadata == {"media": "image"}
        # Without the left-to-right mark, a person may have written the words, so they are kept as metadata.
        assert message.metadata.get("notice") == (None if text.startswith(LRM) else words)


@pytest.mark.parametrize(
    "words",
    ["Media omitted", "Médias omis", "Multimedia omitido", "Mídia oculta", "Media omessi", "Media weggelaten",
     "Без медиафайлов", "Medya dahil edilmedi", "Media tidak disertakan", "メディアは含まれていません", "तस्वीर"],
)  # fmt: skip
def test_omitted_media_of_android(tmp_path: Path, words: str) -> None:
    message = one_said(tmp_path, f"<{words}>\ncaption", ios=False)
    if words == "तस्वीर":
        assert (message.text, message.attachments) == ("<तस्वीर>\ncaption", ())
    else:
        assert (message.text, len(message.attachments)) == ("caption", 1)


@pytest.mark.parametrize(
    "body, kind, text",
    [
        (f"{LRM}sticker omitted", "sticker", ""),
        (f"{LRM}Contact card omitted", "contact", ""),
        (f"{LRM}<attached: 00000002-STICKER-2022-03-27-21-41-55.webp>", "sticker", ""),
        (f"{LRM}<ไฟล์แนบ: 00000003-AUDIO-2022-03-27-21-41-55.opus>", "voice", ""),
        (f"Caption\n{LRM}<angehängt: 00000004-VIDEO-2022-03-27-21-41-55.mp4>", "", "Caption"),
        ("2018-03-05-PHOTO-00000003.jpg <attached>", "", ""),
        (f"{LRM}2018-03-05-PHOTO-00000003.jpg <{LRM}przyłączone>", "", ""),
        (f"Plan.pdf • {LRM}2 pages {LRM}<attached: 00000005-Plan.pdf>", "", ""),
        ("PTT-20220323-WA0000.opus (file attached)", "voice", ""),
        (f"{LRM}IMG-20220323-WA0000.jpg (arquivo anexado)\nLegenda", "", "Legenda"),
        ("Alex.vcf (файл добавлен)", "contact", ""),
    ],
)
def test_files_that_the_export_does_not_have(tmp_path: Path, body: str, kind: str, text: str) -> None:
    message = one_said(tmp_path, body)
    assert (message.kind, message.text, len(message.attachments)) == (kind, text, 1)
    assert data_of(message) is None and bool(message.attachments[0].name) == ("omitted" not in body)


def test_a_document_has_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "00000005-Plan.pdf").write_bytes(b"pdf")
    message = one_said(tmp_path, f"Plan.pdf • {LRM}2 pages {LRM}<attached: 00000005-Plan.pdf>")
    assert (message.attachments[0].name, message.attachments[0].metadata) == ("Plan.pdf", {"about": "2 pages"})
    assert data_of(message) == b"pdf"


def test_names_of_files_may_be_decomposed(tmp_path: Path) -> None:
    (tmp_path / unicodedata.normalize("NFD", "00000001-Überblick.pdf")).write_bytes(b"pdf")
    name = unicodedata.normalize("NFC", "00000001-Überblick.pdf")
    assert data_of(one_said(tmp_path, f"{LRM}<attached: {name}>")) == b"pdf"


def test_a_file_of_an_unknown_language_counts_if_it_is_there(tmp_path: Path) -> None:
    text = "27.03.22, 21:41 - Ann: IMG-1.jpg (xyz)\n27.03.22, 21:42 - Ann: song.mp3 (my favourite)\n"
    folder = tmp_path / "export"
    folder.mkdir()
    chat_in(folder, text)
    (folder / "IMG-1.jpg").write_bytes(b"x")
    photo, song = messages(read_all("whatsapp", folder))
    assert len(photo.attachments) == 1 and (song.attachments, song.text) == ((), "song.mp3 (my favourite)")
    # If the source is the chat's file and not its folder, other files beside it may not belong to the chat.
    assert messages(read_all("whatsapp", folder / "WhatsApp Chat with Ann.txt"))[0].attachments == ()


@pytest.mark.parametrize(
    "body, kind, metadata",
    [
        (f"{LRM}Location: https://maps.google.com/?q=51.5021456,-0.127397", "location",
         {"latitude": 51.5021456, "longitude": -0.127397}),
        ("Pimlico\nLondon\nhttps://foursquare.com/v/4e89", "location",
         {"title": "Pimlico\nLondon", "url": "https://foursquare.com/v/4e89"}),
        (f"{LRM}POLL:\nWhen?\n{LRM}OPTION: Today ({LRM}2 votes)\n{LRM}OPTION: Later: maybe ({LRM}0 votes)", "poll",
         {"question": "When?",
          "options": [{"text": "Today", "votes": 2}, {"text": "Later: maybe", "votes": 0}]}),
        (f"{LRM}UMFRAGE:\nWann\nund wo?\n{LRM}OPTION: A ({LRM}1 Stimme)\n{LRM}OPTION: B ({LRM}3 Stimmen)", "poll",
         {"question": "Wann\nund wo?", "options": [{"text": "A", "votes": 1}, {"text": "B", "votes": 3}]}),
        (f"{LRM}Appel vidéo manqué", "call", {}),
        (f"{LRM}شيء ما", "service", {}),
        ("This message was deleted by admin Bob.", "deleted", {"notice": "This message was deleted by admin Bob."}),
        ("Notes:\nA (2 x)\nB", "", {}),
        ("look <here>", "", {}),
        ("", "", {}),
    ],
)  # fmt: skip
def test_kinds(tmp_path: Path, body: str, kind: str, metadata: dict[str, object]) -> None:
    message = one_said(tmp_path, body)
    assert (message.kind, message.metadata) == (kind, metadata)
    assert message.text == ("" if kind == "deleted" else body.replace(LRM, ""))


@pytest.mark.parametrize(
    "mark",
    [" <This message was edited>", " <Se editó este mensaje.>", " <Mensagem editada>", f" {LRM}<Сообщение изменено>",
     f" {LRM}<in a language that is not known>", f"{LRM} {LRM}<Bu mesaj düzenlendi>{LRM}"],
)  # fmt: skip
def test_edits(tmp_path: Path, mark: str) -> None:
    message = one_said(tmp_path, f"text <b>{mark}")
    assert (message.text.rstrip(LRM), message.metadata) == ("text <b>", {"is_edited": True})


def test_lines_in_other_styles_belong_to_the_text(tmp_path: Path) -> None:
    quoted = "[28.03.22, 10:00:00] Bob: quoted\n27/03/2022, 21:41 - Bob: also\n99.99.22, 21:41 - Bob: no day"
    [message] = said(tmp_path, f"27.03.22, 21:41 - Ann: look\n{quoted}\n")
    assert message.text == f"look\n{quoted}"


def test_senders_with_colons_and_quotes(tmp_path: Path) -> None:
    text = '27.03.22, 21:41 - Ann changed the subject to "Trip: 5pm"\n27.03.22, 21:41 - "Al" B: x: y\n'
    renamed, quoted = said(tmp_path, text)
    assert (renamed.sender, renamed.kind) == ("", "service") and (quoted.sender, quoted.text) == ('"Al" B', "x: y")


@pytest.mark.parametrize(
    "name, key",
    [
        ("WhatsApp Chat with Ann & Bob.txt", "Ann & Bob"),
        ("Discussion WhatsApp avec Zoé.txt", "Zoé"),
        ("Conversa do WhatsApp com +55 11 98765-4321.txt", "+55 11 98765-4321"),
        ("Чат WhatsApp с контактом Оля.txt", "Оля"),
        ("Ayşe ile WhatsApp Sohbeti.txt", "Ayşe"),
        ("my friends.txt", "my friends"),
        ("_chat.txt", None),
    ],
)
def test_names_of_conversations(tmp_path: Path, name: str, key: str | None) -> None:
    path = chat_in(tmp_path, "13/03/22, 21:41 - Ann: x\n13/03/22, 21:41 - Bob: y\n", name)
    if key is None:
        with pytest.raises(SourceError, match="--option conversation=NAME"):
            read_all("whatsapp", path)
        assert messages(read_all("whatsapp", path, self_ids=frozenset({"Ann"})))[0].conversation == "Bob"
    else:
        assert messages(read_all("whatsapp", path))[0].conversation == key
    assert messages(read_all("whatsapp", path, options={"conversation": "C"}))[0].conversation == "C"


def test_a_folder_of_chats(tmp_path: Path) -> None:
    (tmp_path / "WhatsApp Chat - Ann").mkdir()
    chat_in(tmp_path, "[13/03/22, 21:41:00] Me: one\n", "WhatsApp Chat - Ann/_chat.txt")
    chat_in(tmp_path, "[13/03/22, 21:41:00] Me: not a chat\n", "WhatsApp Chat - Ann/WhatsApp Chat with Eve.txt")
    chat_in(tmp_path, "13/03/22, 21:41 - Me: two\n", "WhatsApp Chat with Bob.txt")
    chat_in(tmp_path, "13/03/22, 21:41 - Me: not a chat\n", "notes.txt")
    assert [(one.conversation, one.text) for one in messages(read_all("whatsapp", tmp_path))] == [
        ("Ann", "one"), ("Bob", "two"),
    ]  # fmt: skip
    (tmp_path / "again").mkdir()
    chat_in(tmp_path, "13/03/22, 21:41 - Me: three\n", "again/WhatsApp Chat with Bob.txt")
    with pytest.raises(SourceError, match="a second file has the same conversation"):
        read_all("whatsapp", tmp_path)


def test_it_is_detected(tmp_path: Path) -> None:
    detect = FORMAT.detect
    assert detect is not None
    for text in (ENGLISH, GERMAN, ARABIC):
        assert detect(Source(chat_in(tmp_path, text)))
    with zipfile.ZipFile(tmp_path / "WhatsApp Chat - Group.zip", "w") as file:
        file.writestr("_chat.txt", ENGLISH)
    assert detect(Source(tmp_path / "WhatsApp Chat - Group.zip")) and detect(Source(tmp_path))
    for text in ("", "hello", "1,2,3\n", "2022-03-27 21:41:35 error: x\n", '{"a": 1}'):
        assert not detect(Source(chat_in(tmp_path, text, "other.txt")))


def test_empty_lines_at_the_end_say_nothing(tmp_path: Path) -> None:
    short = said(tmp_path, "27.03.22, 21:41 - Ann: a\n\n\n")
    longer = said(tmp_path, "27.03.22, 21:41 - Ann: a\n\n27.03.22, 21:42 - Ann: b\n")
    assert short[0].text == longer[0].text == "a"


def test_a_longer_export_adds_only_what_is_new(daemon: Daemon, tmp_path: Path) -> None:
    first = run_import(daemon, "whatsapp", chat_in(tmp_path, ENGLISH), self_ids=frozenset({"Ann"}))
    assert first.messages.new == 8
    again = run_import(daemon, "whatsapp", chat_in(tmp_path, ENGLISH), self_ids=frozenset({"Ann"}))
    assert (again.messages.new, again.messages.known, again.messages.changed) == (0, 8, 0)
    longer = ENGLISH + f"[3/28/22, 12:05:00{NARROW}AM] Ann: Hello\n" * 2
    assert run_import(daemon, "whatsapp", chat_in(tmp_path, longer), self_ids=frozenset({"Ann"})).messages.new == 2
