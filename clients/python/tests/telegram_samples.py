"""Exports as Telegram Desktop writes them, in English, Russian, German, Arabic and Japanese."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

_CONTROL = re.compile(r"\\u00([01][0-9a-f])")


def exported(value: Any) -> bytes:
    """Returns a value as the exporter writes it: control characters as \\x, and two bytes too many after U+2028."""
    text = json.dumps(value, indent=1, ensure_ascii=False)
    text = _CONTROL.sub(lambda match: "\\x" + match[1].upper(), text)
    data = text.encode("utf-8", "surrogatepass")
    return data.replace("\u2028".encode(), b"\\u2028\x80\xa8").replace("\u2029".encode(), b"\\u2029\x80\xa9")


def write(folder: Path, value: Any, media: dict[str, bytes] | None = None) -> Path:
    """Writes result.json and the media, and returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "result.json").write_bytes(exported(value))
    for name, data in (media or {}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def message(id: int, text: Any = "", **members: Any) -> dict[str, Any]:
    """Returns a message of Ann at a time that follows from the id."""
    seconds = 1705053600 + id
    entities = [{"type": "plain", "text": text}] if isinstance(text, str) and text else text or []
    head = {"id": id, "type": "message", "date": "2024-01-12T10:00:00", "date_unixtime": str(seconds)}
    sender = {} if members.get("type") == "service" else {"from": "Анна Каренина", "from_id": "user100"}
    parts = [one if isinstance(one, dict) else {"type": "plain", "text": one} for one in entities]
    return {**head, **sender, **members, "text": text, "text_entities": parts}


def service(id: int, action: str, **members: Any) -> dict[str, Any]:
    """Returns a message of the service."""
    return message(id, type="service", actor="Анна Каренина", actor_id="user100", action=action, **members)


MEDIA = {
    "chats/chat_1/photos/photo_1@12-01-2024_10-00-05.jpg": b"\xff\xd8 photo",
    "chats/chat_1/voice_messages/audio_1@12-01-2024_10-00-06.ogg": b"OggS voice",
    "chats/chat_1/stickers/sticker.webp": b"RIFF sticker",
    "chats/chat_1/contacts/contact_1.vcard": b"BEGIN:VCARD\nEND:VCARD\n",
}

PERSONAL: dict[str, Any] = {
    "name": "Анна Каренина",
    "type": "personal_chat",
    "id": 100,
    "messages": [
        message(1, "Привет!"),
        message(2, "Guten Tag, wie geht’s?", **{"from": "Bob", "from_id": "user7000000001"}, reply_to_message_id=1),
        message(
            3,
            [
                "See ",
                {"type": "bold", "text": "this"},
                " ",
                {"type": "text_link", "text": "page", "href": "https://example.org/"},
                {"type": "custom_emoji", "text": "👍", "document_id": "stickers/a.webp"},
            ],
            edited="2024-01-12T11:00:00",
            edited_unixtime="1705057200",
        ),
        message(
            4,
            "",
            photo="chats/chat_1/photos/photo_1@12-01-2024_10-00-05.jpg",
            photo_file_size=8,
            width=640,
            height=480,
        ),
        message(
            5,
            "",
            file="chats/chat_1/voice_messages/audio_1@12-01-2024_10-00-06.ogg",
            file_size=10,
            media_type="voice_message",
            mime_type="audio/ogg",
            duration_seconds=4,
        ),
        message(
            6,
            "",
            file="chats/chat_1/stickers/sticker.webp",
            thumbnail="chats/chat_1/stickers/sticker.webp_thumb.jpg",
            media_type="sticker",
            sticker_emoji="🙂",
            width=512,
            height=512,
        ),
        message(
            7,
            "",
            file="(File exceeds maximum size. Change data exporting settings to download.)",
            file_name="отчёт.pdf",
            file_size=90000000,
            mime_type="application/pdf",
        ),
        message(
            8,
            "شكرا",
            reactions=[
                {
                    "type": "emoji",
                    "count": 2,
                    "emoji": "❤",
                    "recent": [{"from": "Bob", "from_id": "user7000000001", "date": "2024-01-12T10:01:00"}],
                },
                {"type": "custom_emoji", "count": 1, "document_id": "stickers/b.webp"},
            ],
        ),
        message(9, "", location_information={"latitude": 55.7558, "longitude": 37.6173}, place_name="Москва"),
        message(
            10,
            "",
            contact_information={"first_name": "太郎", "last_name": "山田", "phone_number": "+81 3 1234 5678"},
            contact_vcard="chats/chat_1/contacts/contact_1.vcard",
            contact_vcard_file_size=22,
        ),
        message(
            11,
            "",
            poll={
                "question": "お昼は？",
                "closed": False,
                "total_voters": 1,
                "answers": [{"text": "寿司", "voters": 1, "chosen": True}],
            },
        ),
        message(12, "one\u000btwo\u2028three\u2029four \\x41 \"end\"\\", forwarded_from="News", via_bot="@helper"),
        service(13, "phone_call", duration_seconds=62, discard_reason="hangup"),
        service(14, "pin_message", message_id=3),
        {"id": 15, "type": "unsupported"},
    ],
}

GROUP: dict[str, Any] = {
    "name": "Клуб любителей книг",
    "type": "private_supergroup",
    "id": 1234567890,
    "messages": [
        service(-999999998, "create_group", title="Клуб", members=["Bob", None]),
        message(1, "やあ", **{"from": None, "from_id": "user555"}),
        message(2, "In answer to another chat", reply_to_message_id=8, reply_to_peer_id="user100"),
        message(
            3,
            "",
            **{"from": "Bob", "from_id": "user7000000001"},
            rich_message={
                "rtl": False,
                "part": False,
                "blocks": [
                    {"type": "heading", "level": 1, "text": {"type": "plain", "text": "Заголовок"}},
                    {
                        "type": "list",
                        "kind": "ordered",
                        "items": [
                            {"content": "text", "text": {"type": "bold", "text": {"type": "plain", "text": "eins"}}},
                            {"content": "text", "text": {"type": "plain", "text": "zwei"}},
                        ],
                    },
                    {"type": "photo", "photo_id": "77", "photo": "chats/chat_1/photos/photo_1@12-01-2024_10-00-05.jpg"},
                ],
            },
        ),
    ],
}

ACCOUNT: dict[str, Any] = {
    "about": "Here is the data you requested. Remember: Telegram is ad free.",
    "personal_information": {
        "user_id": 7000000001,
        "first_name": "Bob",
        "last_name": "",
        "phone_number": "+49 30 123456",
        "username": "@bob",
        "bio": "Grüße aus Köln",
    },
    "profile_pictures": [{"date": "2024-01-01T00:00:00", "photo": "profile_pictures/photo_1.jpg"}],
    "contacts": {
        "about": "If you allow access, contacts are continuously synced with Telegram.",
        "list": [
            {
                "user_id": 100,
                "first_name": "Анна",
                "last_name": "К.",
                "phone_number": "+7 900 0000000",
                "date": "2020-01-01T00:00:00",
                "date_unixtime": "1577836800",
            },
            {"first_name": "Hans", "last_name": "Müller", "phone_number": "+49 170 1", "date": "2020-01-01T00:00:00"},
            {"date": "2020-01-01T00:00:00", "date_unixtime": "1577836800"},
        ],
    },
    "frequent_contacts": {"about": "…", "list": [{"id": 100, "category": "people", "type": "user", "name": "A"}]},
    "sessions": {"about": "…", "list": [{"last_ip": "192.0.2.1"}]},
    "other_data": {"about_meta": "…", "changes_log": {"list": []}},
    "chats": {"about": "This page lists all chats from this export.", "list": [PERSONAL, GROUP]},
    "left_chats": {
        "about": "…",
        "list": [{"name": "Kanal", "type": "public_channel", "id": 9, "messages": []}],
    },
}
