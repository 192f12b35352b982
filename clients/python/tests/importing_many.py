"""Large exports as each program writes them: several conversations, senders, replies and files."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import formatdate
from pathlib import Path
from typing import Any

import importing_matrix
import mail_samples
import telegram_samples

# One message in twenty has a file: 5,000 files for 100,000 messages.
EVERY, SIZE = 20, 20_000
START = 1_600_000_000
# The messages go to the conversations in turn. The first four have one other person, the others are groups.
CHATS, DIRECT_CHATS = 7, 4
PEOPLE = ("Me", "Ann", "Jürgen Groß", "Анна Каренина", "山田花子", "عمر", "Jiří", "Zoë", "Omar Sy", "Eve")
TEXTS = (
    "how are you?",
    "Schöne Grüße aus Köln. Wir kommen erst am Abend an, der Zug hat wieder einmal eine Stunde Verspätung.",
    "Встреча завтра в десять, не забудь документы.\nАдрес тот же.",
    "お元気ですか。来週の土曜日に会いましょう 🎉",
    "See https://example.org/some/long/path?with=parameters&and=more for the whole story, it is worth reading.",
)


class Said:
    """A message. Everything about it follows from its number."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.chat = number % CHATS
        self.is_direct = self.chat < DIRECT_CHATS
        turn = number // CHATS
        # The index of the sender in PEOPLE. In a direct chat, the user and the other person take turns.
        self.sender = (self.chat + 1) * (turn % 2) if self.is_direct else turn % len(PEOPLE)
        self.name = PEOPLE[self.sender]
        self.title = PEOPLE[self.chat + 1] if self.is_direct else f"Group {self.chat}"
        self.seconds = START + number * 7
        self.text = f"Message {number}: {TEXTS[number % len(TEXTS)]}"
        self.reply_to = number - 3 * CHATS if turn % 5 == 4 else None
        self.has_file = number % EVERY == 0
        self.file = f"IMG_{number}.jpg" if self.has_file else ""


def people_in(chat: int) -> Sequence[int]:
    """Returns the indexes in PEOPLE of the members of a conversation."""
    return (0, chat + 1) if chat < DIRECT_CHATS else range(len(PEOPLE))


def content_of(number: int) -> bytes:
    """Returns the content of the file of a message."""
    return number.to_bytes(4) * (SIZE // 4)


def all_said(count: int) -> Iterator[Said]:
    return (Said(number) for number in range(count))


def said_in(chat: int, count: int) -> Iterator[Said]:
    return (Said(number) for number in range(chat, count, CHATS))


def save_file(folder: Path, said: Said, name: str = "") -> None:
    if said.has_file:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / (name or said.file)).write_bytes(content_of(said.number))


def write_csv(folder: Path, count: int) -> Path:
    header = "conversation,conversation_name,time,id,sender,sender_name,text,outgoing,reply_to,attachment"
    with open(folder / "chat.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(header.split(","))
        for said in all_said(count):
            save_file(folder / "media", said)
            path = f"media/{said.file}" if said.has_file else ""
            is_own = "yes" if said.sender == 0 else "no"
            rows.writerow((said.chat, said.title, said.seconds, said.number, said.sender, said.name, said.text, is_own,
                           said.reply_to, path))
    return folder / "chat.csv"


def write_telegram(folder: Path, count: int) -> Path:
    """Writes the export of an account."""
    mark = "CHATS"
    own = {"user_id": 1000, "first_name": PEOPLE[0], "last_name": "", "phone_number": "+49 30 123456"}
    account = {"about": "…", "personal_information": own, "chats": {"about": "…", "list": [mark]}}
    head, tail = telegram_samples.exported(account).split(f'"{mark}"'.encode())
    with open(folder / "result.json", "wb") as file:
        file.write(head)
        for chat in range(CHATS):
            is_direct = chat < DIRECT_CHATS
            value = {
                "name": Said(chat).title,
                "type": "personal_chat" if is_direct else "private_supergroup",
                "id": 1001 + chat,
                "messages": [_telegram_message(folder, said) for said in said_in(chat, count)],
            }
            file.write((b",\n" if chat else b"") + telegram_samples.exported(value))
        file.write(tail)
    return folder


def _telegram_message(folder: Path, said: Said) -> dict[str, Any]:
    members: dict[str, Any] = {"from": said.name, "from_id": f"user{1000 + said.sender}"}
    if said.reply_to is not None:
        members["reply_to_message_id"] = said.reply_to
    if said.has_file:
        photos = f"chats/chat_{said.chat + 1}/photos"
        save_file(folder / photos, said)
        members |= {"photo": f"{photos}/{said.file}", "photo_file_size": SIZE, "width": 640, "height": 480}
    return telegram_samples.message(said.number, said.text, **members)


def write_whatsapp(folder: Path, count: int) -> Path:
    """Writes the unpacked exports of chats on iOS."""
    for chat in range(CHATS):
        export = folder / f"WhatsApp Chat - {Said(chat).title}"
        export.mkdir()
        with open(export / "_chat.txt", "w", newline="") as file:
            for said in said_in(chat, count):
                moment = datetime.fromtimestamp(said.seconds, timezone.utc)
                mark, attached = "", ""
                if said.has_file:
                    name = f"{said.number:08}-PHOTO-{moment:%Y-%m-%d-%H-%M-%S}.jpg"
                    mark, attached = "\u200e", f" \u200e<attached: {name}>"
                    save_file(export, said, name)
                file.write(f"{mark}[{moment:%d.%m.%y, %H:%M:%S}] {said.name}: {said.text}{attached}\n")
    return folder


def write_signal(folder: Path, count: int) -> Path:
    with open(folder / "received.jsonl", "w") as file:
        for said in all_said(count):
            save_file(folder / "attachments", said)
            file.write(json.dumps(_signal_line(said), ensure_ascii=False) + "\n")
    return folder / "received.jsonl"


def _signal_line(said: Said) -> dict[str, Any]:
    milliseconds = said.seconds * 1000
    data: dict[str, Any] = {
        "timestamp": milliseconds, "message": said.text, "expiresInSeconds": 0, "isExpirationUpdate": False,
        "viewOnce": False,
    }
    if not said.is_direct:
        data["groupInfo"] = {"groupId": f"group{said.chat}=", "groupName": said.title, "revision": 3, "type": "DELIVER"}
    if said.reply_to is not None:
        answered = Said(said.reply_to)
        author = _signal_person("author", answered.sender)
        data["quote"] = {"id": answered.seconds * 1000, **author, "text": answered.text, "attachments": []}
    if said.has_file:
        data["attachments"] = [{
            "contentType": "image/jpeg", "filename": said.file, "id": said.file, "size": SIZE, "width": 640,
            "height": 480, "caption": None, "uploadTimestamp": milliseconds,
        }]  # fmt: skip
    envelope = {
        **_signal_person("source", said.sender), "sourceName": said.name, "sourceDevice": 1, "timestamp": milliseconds,
        "serverReceivedTimestamp": milliseconds + 5, "serverDeliveredTimestamp": milliseconds + 9,
    }
    if said.sender:
        envelope["dataMessage"] = data
    else:
        to = _signal_person("destination", said.chat + 1) if said.is_direct else {}
        envelope["syncMessage"] = {"sentMessage": {**to, **data}}
    return {"envelope": envelope, "account": "+491700000000"}


def _signal_person(prefix: str, sender: int) -> dict[str, str]:
    number = f"+49170000000{sender}"
    return {prefix: number, f"{prefix}Number": number, f"{prefix}Uuid": f"{sender:08}-1111-4111-8111-111111111111"}


def write_matrix(folder: Path, count: int) -> Path:
    """Writes Element's exports of rooms."""
    for chat in range(CHATS):
        export = folder / f"matrix - {Said(chat).title} - Chat Export"
        events = [
            {**importing_matrix.member(0, _matrix_user(one), PEOPLE[one]), **_matrix_ids(chat, f"m{chat}-{one}")}
            for one in people_in(chat)
        ]
        events += [_matrix_event(export / "images", said) for said in said_in(chat, count)]
        importing_matrix.write(export / "export.json", importing_matrix.element(events))
    return folder


def _matrix_event(folder: Path, said: Said) -> dict[str, Any]:
    content: dict[str, Any] = {"msgtype": "m.text", "body": said.text}
    if said.reply_to is not None:
        answered = f"$e{said.reply_to}"
        content["m.relates_to"] = {"m.in_reply_to": {"event_id": answered}}
    if said.has_file:
        # Element names a file after its text and its local time.
        content = {**content, "msgtype": "m.image", "body": f"Message {said.number}.jpg", "filename": said.file,
                   "url": f"mxc://example.org/{said.number}", "info": {"mimetype": "image/jpeg", "size": SIZE}}
        moment = datetime.fromtimestamp(said.seconds, timezone.utc)
        save_file(folder, said, f"Message {said.number}-{moment:%m-%d-%Y at %I-%M-%S %p}.jpg")
    return importing_matrix.event(
        said.number, _matrix_user(said.sender), "m.room.message", content, origin_server_ts=said.seconds * 1000,
        **_matrix_ids(said.chat, str(said.number)),
    )


def _matrix_user(number: int) -> str:
    return f"@user{number}:example.org"


def _matrix_ids(chat: int, event: str) -> dict[str, str]:
    return {"event_id": f"$e{event}", "room_id": f"!room{chat}:example.org"}


def write_mbox(folder: Path, count: int) -> Path:
    with open(folder / "mails.mbox", "wb") as file:
        for said in all_said(count):
            file.write(mail_samples.mbox(_mail(said)))
    return folder / "mails.mbox"


def write_maildir(folder: Path, count: int) -> Path:
    (folder / "cur").mkdir()
    for said in all_said(count):
        (folder / "cur" / f"{said.seconds}.M{said.number}P1.host:2,S").write_bytes(_mail(said))
    return folder


def _mail(said: Said) -> bytes:
    text = ("Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit", said.text.encode())
    fields = {"Content_Type": "text/plain; charset=utf-8", "Content_Transfer_Encoding": "8bit"}
    body = text[1]
    if said.has_file:
        disposition = f"Content-Disposition: attachment; filename={said.file}"
        header = f"Content-Type: image/jpeg\nContent-Transfer-Encoding: base64\n{disposition}"
        body = mail_samples.multipart(text, (header, mail_samples.encoded(content_of(said.number))))
        fields = {"Content_Type": 'multipart/mixed; boundary="=_b"'}
    if said.reply_to is not None:
        fields |= {"In_Reply_To": _mail_id(said.reply_to), "References": f"<0@example.org>\n {_mail_id(said.reply_to)}"}
    return mail_samples.mail(
        body,
        From=_mail_address(said.sender),
        To=",\n ".join(_mail_address(one) for one in people_in(said.chat) if one != said.sender),
        Subject=mail_samples.word(f"Re: {said.title}" if said.reply_to is not None else said.title),
        Date=formatdate(said.seconds),
        Message_ID=_mail_id(said.number),
        Received=f"from a (b) by c;\n {formatdate(said.seconds)}",
        X_Mailer="Example 1.0",
        MIME_Version="1.0",
        **fields,
    )


def _mail_id(number: int) -> str:
    return f"<{number}@example.org>"


def _mail_address(number: int) -> str:
    return f"{mail_samples.word(PEOPLE[number])} <person{number}@example.org>"


@dataclass(frozen=True)
class Export:
    """An export: the function that writes it, the format with further words for ghoststore-import, and what it has."""

    write: Callable[[Path, int], Path]
    words: tuple[str, ...]
    has_replies: bool = True
    # The number of messages of the program itself.
    service_count: int = 0


EXPORTS = {
    "csv": Export(write_csv, ("csv",)),
    "telegram": Export(write_telegram, ("telegram",)),
    "whatsapp": Export(write_whatsapp, ("whatsapp", "--self", PEOPLE[0], "--zone", "UTC"), has_replies=False),
    "signal": Export(write_signal, ("signal",)),
    "matrix": Export(
        write_matrix, ("matrix", "--self", _matrix_user(0), "--zone", "UTC"),
        service_count=sum(len(people_in(chat)) for chat in range(CHATS)),
    ),
    "mbox": Export(write_mbox, ("mail", "--self", "person0@example.org")),
    "Maildir": Export(write_maildir, ("mail", "--self", "person0@example.org")),
}
