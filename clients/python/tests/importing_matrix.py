"""Events of Matrix as the specification has them, and Element's export of a room as its JSONExport writes it."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from ghoststore.importing import Message, Record

ROOM = "!abcdefgh:example.org"
ANN, JIRI, YUKI = "@ann:example.org", "@jiri:example.cz", "@yuki:example.jp"
START = int(datetime(2022, 10, 30, 15, 4, 5, tzinfo=timezone.utc).timestamp() * 1000)


def event(number: int, sender: str, type: str, content: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {
        "type": type, "sender": sender, "content": content, "origin_server_ts": START + number * 1000,
        "unsigned": {"age": 1000 - number}, "event_id": f"$e{number}", "room_id": ROOM, **members,
    }


def text(number: int, sender: str, body: str, **content: Any) -> dict[str, Any]:
    return event(number, sender, "m.room.message", {"msgtype": "m.text", "body": body, **content})


def member(number: int, user: str, name: str | None, membership: str = "join", **content: Any) -> dict[str, Any]:
    found = {"membership": membership, **({"displayname": name} if name else {}), **content}
    return event(number, user, "m.room.member", found, state_key=user)


def media(number: int, kind: str, name: str, mime_type: str, size: int = 3, **content: Any) -> dict[str, Any]:
    info = {"mimetype": mime_type, "size": size}
    url = {"url": "mxc://example.org/AbC123"}
    return event(number, ANN, "m.room.message", {"msgtype": kind, "body": name, "info": info, **url, **content})


def related(type: str, target: int, **members: Any) -> dict[str, Any]:
    return {"m.relates_to": {"rel_type": type, "event_id": f"$e{target}", **members}}


VOICE: dict[str, Any] = {"org.matrix.msc3245.voice": {}}
REPLY = {"m.relates_to": {"m.in_reply_to": {"event_id": "$e4"}}}
THREAD = related("m.thread", 4, is_falling_back=True, **{"m.in_reply_to": {"event_id": "$e5"}})
POLL = {
    "org.matrix.msc3381.poll.start": {
        "question": {"org.matrix.msc1767.text": "Kdy?", "body": "Kdy?", "msgtype": "m.text"},
        "kind": "org.matrix.msc3381.poll.disclosed", "max_selections": 1,
        "answers": [{"id": "1", "org.matrix.msc1767.text": "Dnes"}],
    },
    "org.matrix.msc1767.text": "Kdy?\n1. Dnes",
}
REDACTED = {"redacted_because": event(31, JIRI, "m.room.redaction", {"reason": "omyl"}, redacts="$e30")}
BUNDLED = {"m.relations": {
    "m.replace": text(41, ANN, "* čtyři", **{"m.new_content": {"msgtype": "m.text", "body": "čtyři"}},
                      **related("m.replace", 40)),
}}
SAMPLE = [
    event(0, ANN, "m.room.create", {"room_version": "10", "creator": ANN}, state_key=""),
    member(1, ANN, "Ann 🌻"),
    member(2, JIRI, "Jiří"),
    member(3, YUKI, "雪", avatar_url="mxc://example.jp/yuki"),
    text(4, ANN, "Hello, **world**", format="org.matrix.custom.html", formatted_body="Hello, <b>world</b>"),
    text(5, JIRI, f"> <{ANN}> Hello, **world**\n\nDobrý den", **REPLY),
    text(6, YUKI, "こんにちは\n世界", **{"m.mentions": {"user_ids": [ANN]}}),
    text(7, ANN, "ve vlákně", **THREAD),
    event(8, YUKI, "m.reaction", related("m.annotation", 4, key="👍️")),
    text(9, ANN, "* Hello!", **{"m.new_content": {"msgtype": "m.text", "body": "Hello!"}}, **related("m.replace", 4)),
    text(10, JIRI, "* Forged", **{"m.new_content": {"msgtype": "m.text", "body": "Forged"}},
         **related("m.replace", 4)),
    event(11, ANN, "m.room.redaction", {"reason": "spam"}, redacts="$e6"),
    event(12, ANN, "m.room.redaction", {"redacts": "$e13"}),
    event(13, JIRI, "m.reaction", related("m.annotation", 5, key="👎")),
    event(14, JIRI, "m.room.message", {"msgtype": "m.emote", "body": "se směje"}),
    event(15, JIRI, "m.room.message", {"msgtype": "m.notice", "body": "発表"}),
    event(16, YUKI, "m.room.message", {"msgtype": "m.location", "body": "東京", "geo_uri": "geo:35.68,139.69"}),
    event(17, YUKI, "m.room.message", {"msgtype": "m.bad.encrypted", "body": "** Unable to decrypt **"}),
    event(18, YUKI, "m.room.encrypted", {"algorithm": "m.megolm.v1.aes-sha2", "ciphertext": "AwgA"}),
    event(19, ANN, "m.sticker", {"body": "Kočka", "url": "mxc://example.org/cat", "info": {"mimetype": "image/png"}}),
    event(20, ANN, "org.matrix.msc3381.poll.start", POLL),
    event(21, JIRI, "org.matrix.msc3381.poll.response", {
        "org.matrix.msc3381.poll.response": {"answers": ["1"]}, **related("m.reference", 20)}),
    event(22, ANN, "m.call.invite", {"call_id": "c1", "version": "1", "lifetime": 60000, "offer": {"type": "offer"}}),
    event(23, ANN, "m.call.candidates", {"call_id": "c1", "candidates": []}),
    event(24, ANN, "m.room.name", {"name": "Zahrada 庭"}, state_key=""),
    event(25, ANN, "m.room.topic", {"topic": "All about plants"}, state_key=""),
    member(26, YUKI, None, "leave"),
    media(27, "m.image", "photo.jpg", "image/jpeg", filename="photo.jpg"),
    media(28, "m.file", "Popis zahrady", "application/pdf", filename="plán.pdf"),
    media(29, "m.audio", "Voice message", "audio/ogg", **VOICE),
    {**event(30, JIRI, "m.room.message", {}), "unsigned": REDACTED},
    {**text(40, ANN, "tři"), "unsigned": BUNDLED},
]


def element(messages: list[Any]) -> dict[str, Any]:
    return {
        "room_name": "Zahrada", "room_creator": "Ann 🌻", "topic": "All about plants", "export_date": "2022/10/30",
        "exported_by": "Jiří", "messages": messages,
    }


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(json.dumps(value, indent=2, ensure_ascii=False).encode("utf-8", "replace"))
    return path


def write_lines(path: Path, values: list[Any]) -> Path:
    path.write_text("".join(json.dumps(value) + "\n" for value in values))
    return path


def of(records: list[Record], kind: type[Any]) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


def messages_of(records: list[Record]) -> dict[str | None, Message]:
    return {message.source_id: message for message in of(records, Message)}
