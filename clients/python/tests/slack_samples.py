"""An export of Slack as Slack and slackdump write it, with people who write German, Russian and Japanese."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

USERS: list[dict[str, Any]] = [
    {
        "id": "U1", "team_id": "T1", "name": "joerg", "deleted": False, "real_name": "Jörg Müller",
        "tz": "Europe/Berlin",
        "profile": {"display_name": "Jörg", "real_name": "Jörg Müller", "email": "joerg@example.org", "phone": "1"},
        "is_bot": False, "updated": 1700000000,
    },
    {"id": "U2", "name": "anna", "profile": {"display_name": "", "real_name": "Анна Каренина"}},
    {"id": "U3", "name": "hanako", "real_name": "山田花子", "profile": {"display_name": "花子"}},
]
CHANNELS: list[dict[str, Any]] = [
    {
        "id": "C1", "name": "allgemein", "created": 1600000000, "creator": "U1", "is_archived": False,
        "is_general": True, "members": ["U1", "U2", "U3"],
        "topic": {"value": "Überblick", "creator": "U1", "last_set": 1600000001},
        "purpose": {"value": "", "creator": "", "last_set": 0},
        "pins": [{"id": "1700000000.000100", "type": "C", "created": 1700000500, "user": "U2", "owner": "U1"}],
    }
]
GROUPS: list[dict[str, Any]] = [{"id": "G1", "name": "тайна", "created": 1600000000, "members": ["U1", "U2"]}]
DMS: list[dict[str, Any]] = [
    {"id": "D1", "created": 1600000000, "members": ["U1", "U2"]},
    {"id": "D2", "created": 1600000000, "members": ["U1", "U1"]},
]
MPIMS: list[dict[str, Any]] = [
    {"id": "G9", "name": "mpdm-joerg--anna--hanako-1", "created": 1600000000, "members": ["U1", "U2", "U3"]}
]
FIRST_DAY: list[dict[str, Any]] = [
    {
        "client_msg_id": "c0ffee", "type": "message", "user": "U1", "ts": "1700000000.000100", "team": "T1",
        "text": "Hallo <@U2> &amp; <@U3|hana>, *wichtig*: siehe <https://example.org/a_b_c|die Seite> :tada: "
                "`a_b_` &lt;3",
        "blocks": [{"type": "rich_text", "block_id": "x", "elements": []}],
        "thread_ts": "1700000000.000100", "reply_count": 1, "reply_users": ["U2"], "latest_reply": "1700000100.000200",
        "replies": [{"user": "U2", "ts": "1700000100.000200"}],
        "edited": {"user": "U1", "ts": "1700000050.000000"},
        "reactions": [
            {"name": "+1::skin-tone-3", "users": ["U2", "U3"], "count": 2},
            {"name": "party_parrot", "users": ["U3"], "count": 1},
            {"name": "eyes", "users": ["U3"], "count": 3},
        ],
        "user_profile": {"display_name": "Jörgi", "real_name": "Jörg Müller", "name": "joerg"},
    },
    {
        "type": "message", "user": "U2", "ts": "1700000100.000200", "thread_ts": "1700000000.000100",
        "parent_user_id": "U1", "text": "Привет <!channel>, см. <#C1> и <#C7|другой>",
    },
    {
        "type": "message", "user": "U3", "ts": "1700000200.000300", "text": "写真です", "upload": False,
        "files": [
            {
                "id": "F1", "name": "写真.png", "title": "写真", "mimetype": "image/png", "filetype": "png", "size": 5,
                "mode": "hosted", "url_private_download": "https://files.slack.com/files-pri/T1-F1/download?t=xoxe-1",
                "original_w": 640,
            },
            {"id": "F2", "mode": "tombstone"},
        ],
    },
]
SECOND_DAY: list[dict[str, Any]] = [
    {"type": "message", "subtype": "channel_join", "user": "U3", "ts": "1700090000.000100",
     "text": "<@U3> has joined the channel", "inviter": "U1"},
    {"type": "message", "subtype": "me_message", "user": "U2", "ts": "1700090001.000100", "text": "танцует"},
    {
        "type": "message", "subtype": "bot_message", "bot_id": "B1", "username": "Wetterfrosch", "text": "",
        "ts": "1700090002.000100", "icons": {"emoji": ":frog:"},
        "attachments": [{"fallback": "Regen", "pretext": "Wetter", "text": "_Regen_ & Wind",
                         "fields": [{"title": "Ort", "value": "Köln"}]}],
    },
    {"type": "message", "subtype": "tombstone", "user": "USLACKBOT", "ts": "1700090003.000100", "hidden": True,
     "text": "This message was deleted.", "thread_ts": "1700090003.000100", "reply_count": 1},
    {"type": "message", "subtype": "thread_broadcast", "user": "U1", "ts": "1700090004.000100",
     "thread_ts": "1700090003.000100", "text": "auch hier", "root": {"ts": "1700090003.000100"}},
    {"type": "message", "subtype": "huddle_thread", "user": "U1", "ts": "1700090005.000100", "text": "",
     "room": {"id": "R1", "date_start": 1700090005, "date_end": 1700090065, "participant_history": ["U1", "U2"]}},
    {"type": "message", "subtype": "message_changed", "ts": "1700090007.000100", "hidden": True,
     "message": {"user": "U2", "ts": "1700090001.000100", "text": "поёт", "edited": {"user": "U2",
                 "ts": "1700090007.000000"}},
     "previous_message": {"user": "U2", "ts": "1700090001.000100", "text": "танцует"}},
    {"type": "message", "subtype": "message_deleted", "ts": "1700090009.000100", "deleted_ts": "1700090008.000100",
     "hidden": True, "previous_message": {"user": "U2", "ts": "1700090008.000100", "text": "ой"}},
    {"type": "message", "subtype": "hologram", "user": "U1", "ts": "1700090010.000100", "text": "?", "depth": 3},
]
BLOCKS: list[dict[str, Any]] = [
    {
        "type": "message", "user": "U2", "bot_id": "B2", "ts": "1700000300.000100", "text": "",
        "blocks": [
            {"type": "header", "text": {"type": "plain_text", "text": "Отчёт"}},
            {"type": "section", "fields": [{"type": "mrkdwn", "text": "*Всего*"}, {"type": "mrkdwn", "text": "5"}]},
            {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [
                {"type": "text", "text": "для "}, {"type": "user", "user_id": "U3"}, {"type": "emoji", "name": "tada"},
            ]}]},
        ],
        "bot_profile": {"id": "B2", "name": "Отчёты", "app_id": "A1"},
    },
]
OLD_FILE: list[dict[str, Any]] = [
    {
        "type": "message", "subtype": "file_share", "user": "U1", "ts": "1500000000.000100", "upload": True,
        "text": "<@U1> uploaded a file: <https://example.slack.com/files/a.txt|a>",
        "file": {"id": "F7", "name": "a.txt", "mimetype": "text/plain", "url_private": "https://files.slack.com/a"},
    },
    {
        "type": "message", "subtype": "file_comment", "ts": "1500000001.000100", "text": "<@U2> commented",
        "comment": {"id": "Fc1", "user": "U2", "comment": "gut"}, "file": {"id": "F7", "name": "a.txt"},
    },
]


def export() -> dict[str, Any]:
    """Returns the JSON files of the export by name."""
    return {
        "users.json": USERS,
        "channels.json": CHANNELS,
        "groups.json": GROUPS,
        "dms.json": DMS,
        "mpims.json": MPIMS,
        "integration_logs.json": [],
        "allgemein/2023-11-14.json": FIRST_DAY,
        "allgemein/2023-11-15.json": SECOND_DAY,
        "D1/2023-11-14.json": BLOCKS,
        "тайна/2017-07-14.json": OLD_FILE,
    }


FILES = {"__uploads/F1/写真.png": b"photo", "тайна/attachments/F7-a.txt": b"old"}


def write_zip(path: Path, files: dict[str, Any], others: dict[str, bytes] = FILES) -> Path:
    """Writes an export as a zip."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in files.items():
            archive.writestr(name, value if isinstance(value, bytes) else json.dumps(value))
        for name, data in others.items():
            archive.writestr(name, data)
    return path
