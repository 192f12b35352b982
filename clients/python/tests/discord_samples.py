"""Exports as DiscordChatExporter writes them, in English, French, Korean and Hebrew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def exported(value: Any) -> bytes:
    """Returns a value as the exporter writes it."""
    return json.dumps(value, indent=2, ensure_ascii=False).encode("utf-8", "surrogatepass")


def write(path: Path, value: Any, media: dict[str, bytes] | None = None) -> Path:
    """Writes a file with the media beside it, and returns its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(exported(value))
    for name, data in (media or {}).items():
        (path.parent / name).parent.mkdir(parents=True, exist_ok=True)
        (path.parent / name).write_bytes(data)
    return path


def user(id: int, name: str, nickname: str, **members: Any) -> dict[str, Any]:
    """Returns a user with a role."""
    return {
        "id": str(id),
        "name": name,
        "discriminator": "0000",
        "nickname": nickname,
        "color": "#3498DB",
        "isBot": False,
        "roles": [{"id": "7", "name": "Modérateur", "color": "#3498DB", "position": 2}],
        "avatarUrl": f"https://cdn.discordapp.com/avatars/{id}/a.png?size=512",
        **members,
    }


ANNE = user(101, "anne", "Anne É.")
MINSU = user(102, "minsu", "민수")
BOT = user(103, "helper", "עוזר", isBot=True, roles=[])
MEDIA_FOLDER = "Serveur - Texte - général [500].json_Files"
MEDIA = {
    f"{MEDIA_FOLDER}/photo-3A5B1.png": b"\x89PNG photo",
    f"{MEDIA_FOLDER}/sticker-77777.png": b"\x89PNG sticker",
    f"{MEDIA_FOLDER}/preview-99999.jpg": b"\xff\xd8 preview",
    f"{MEDIA_FOLDER}/data-12345.json": b'{"guild": {"id": "1"}, "channel": {"id": "2"}, "messages": "no"}',
}


def message(id: int, content: str = "", author: dict[str, Any] | None = ANNE, **members: Any) -> dict[str, Any]:
    """Returns a message at a time that follows from the id."""
    return {
        "id": str(id),
        "type": "Default",
        "timestamp": f"2023-05-17T20:{id % 60:02}:43.063+02:00",
        "timestampEdited": None,
        "callEndedTimestamp": None,
        "isPinned": False,
        "content": content,
        "author": author,
        "attachments": [],
        "embeds": [],
        "stickers": [],
        "reactions": [],
        "mentions": [],
        "inlineEmojis": [],
        **members,
    }


def emoji(name: str, id: str = "", code: str = "x") -> dict[str, Any]:
    """Returns an emoji, which has an id if it belongs to a server."""
    return {"id": id, "name": name, "code": code, "isAnimated": False, "imageUrl": "https://cdn.example/e.svg"}


_REACTING = {key: found for key, found in MINSU.items() if key not in ("roles", "color")}
_SLASH = "\\"
MESSAGES: list[dict[str, Any]] = [
    message(1001, "Bonjour à tous !"),
    message(
        1002,
        "안녕하세요 @Anne É.",
        MINSU,
        type="Reply",
        mentions=[ANNE],
        reference={"type": "Default", "messageId": "1001", "channelId": "500", "guildId": "400"},
        timestampEdited="2023-05-17T21:00:00+02:00",
    ),
    message(
        1003,
        "",
        attachments=[
            {
                "id": "9001",
                "url": f"{MEDIA_FOLDER}/photo-3A5B1.png",
                "fileName": "photo été.png",
                "fileSizeBytes": 11,
                "description": "La plage",
                "width": 10,
                "height": 20,
            },
            {
                "id": "9002",
                "url": f"{MEDIA_FOLDER}{_SLASH}photo-3A5B1.png",
                "fileName": "windows.png",
                "fileSizeBytes": 11,
            },
            {
                "id": "9003",
                "url": "https://cdn.discordapp.com/attachments/500/9003/film.mp4?ex=66a1&is=669f&hm=ab12&",
                "fileName": "film.mp4",
                "fileSizeBytes": 7,
            },
            {"id": "9004", "url": "C:\\media\\x.bin", "fileName": "x.bin", "fileSizeBytes": 1},
        ],
    ),
    message(
        1004,
        "שלום",
        BOT,
        reactions=[
            {"emoji": emoji("👍", code="thumbsup"), "count": 1, "users": [_REACTING]},
            {"emoji": emoji("LUL", "555"), "count": 3, "users": [_REACTING]},
            {"emoji": emoji("❤️"), "count": 5, "users": []},
        ],
        embeds=[
            {
                "title": "Page",
                "url": "https://example.org/",
                "timestamp": None,
                "description": "texte",
                "thumbnail": {"url": f"{MEDIA_FOLDER}/preview-99999.jpg", "canonicalUrl": "https://example.org/p.jpg"},
                "images": [{"url": "https://cdn.example/far.jpg", "width": 1, "height": 1}],
                "fields": [],
            }
        ],
        interaction={"id": "1", "name": "ping", "user": MINSU},
        components=[{"type": "ActionRow", "components": []}],
    ),
    message(
        1005,
        "",
        stickers=[
            {"id": "3", "name": "Coucou", "format": "Png", "sourceUrl": f"{MEDIA_FOLDER}/sticker-77777.png"},
        ],
    ),
    message(1006, "Pinned a message.", type="ChannelPinnedMessage", reference={"messageId": "1001"}),
    message(1007, "Started a call that lasted 7 min.", type="Call", callEndedTimestamp="2023-05-17T22:00:00+02:00"),
    message(1008, "", type="8"),
    message(
        1009,
        "",
        MINSU,
        reference={"type": "Forward", "messageId": "1", "channelId": "2"},
        forwardedMessage={
            "timestamp": "2023-05-16T20:00:00+02:00",
            "timestampEdited": None,
            "content": "Transféré",
            "attachments": [
                {"id": "9005", "url": f"{MEDIA_FOLDER}/photo-3A5B1.png", "fileName": "f.png", "fileSizeBytes": 11}
            ],
            "embeds": [],
            "stickers": [],
        },
    ),
    message(
        1010,
        "",
        poll={
            "question": "점심은?",
            "expiresAt": "2023-05-18T20:00:00+02:00",
            "allowsMultipleAnswers": False,
            "answers": [{"id": 1, "text": "김밥", "emoji": emoji("🍱")}],
            "results": {"isFinalized": True, "answers": [{"id": 1, "count": 2, "didCurrentUserVote": False}]},
        },
    ),
    message(1011, "<@102> and <@!999> <:LUL:555> <a:dance:556> **bold**", mentions=[MINSU], isPinned=True),
]

CHANNEL: dict[str, Any] = {
    "guild": {"id": "400", "name": "Serveur", "iconUrl": "https://cdn.discordapp.com/icons/400/i.png"},
    "channel": {
        "id": "500",
        "type": "GuildTextChat",
        "categoryId": "450",
        "category": "Texte",
        "name": "général",
        "topic": "Tout et rien",
    },
    "dateRange": {"after": None, "before": None},
    "exportedAt": "2023-06-01T10:00:00.1234567+02:00",
    "messages": MESSAGES,
    "messageCount": len(MESSAGES),
}

DIRECT: dict[str, Any] = {
    **CHANNEL,
    "guild": {"id": "0", "name": "Direct Messages", "iconUrl": "https://cdn.discordapp.com/embed/avatars/0.png"},
    "channel": {"id": "600", "type": "DirectTextChat", "categoryId": None, "category": "Private", "name": "민수"},
    "messages": [message(2001, "Salut"), message(2002, "안녕", MINSU)],
}
