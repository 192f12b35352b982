#!/usr/bin/env python3
"""Writes the folder `lines`: the archive that make.py makes, with an attachment more, as JSON Lines from
proto-docs/ARCHIVE.md alone. Every field of a whole archive is in it."""

import base64
import hashlib
import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent / "lines"
TIME = 1700000000000000
KINDS = {"contact": "contacts", "conversation": "conversations", "message": "messages", "reaction": "reactions",
         "draft": "drafts", "scene_value": "scene_values", "log": "logs", "log_entry": "log_entries",
         "directory": "directories", "file": "files", "content": "contents"}
PHOTO = bytes(range(256)) * 300
DIGEST = hashlib.blake2b(PHOTO, digest_size=32).hexdigest()


def coded(content):
    return base64.b64encode(content).decode()


def records():
    yield "header", {"format_version": 1, "history_id": bytes(range(16)).hex(), "revision": 42,
                     "created_at_microseconds": TIME}
    yield "content", {"byte_count": len(PHOTO), "digest": DIGEST, "content_file": "contents/" + DIGEST}
    yield "contact", {"id": "contact-1", "session_id": "alice", "display_name": "Älice", "avatar": coded(b"avatar"),
                      "notes": "notes", "is_blocked": False, "is_trusted": True, "created_at_microseconds": TIME,
                      "updated_at_microseconds": TIME + 1}
    yield "conversation", {"id": "conversation-1", "session_id": "alice", "display_name": "Alice",
                           "avatar": coded(b"\x00\xff"), "is_pinned": True, "is_muted": False,
                           "message_lifetime_milliseconds": 60000, "message_lifetime_from": "reading",
                           "keep_for_milliseconds": 3162240000000, "keep_count": 100, "created_at_microseconds": TIME,
                           "updated_at_microseconds": TIME + 2}
    attached = {"name": "photo.png", "mime_type": "image/png", "byte_count": len(PHOTO), "digest": DIGEST,
                "source": "https://example.org/photo.png", "thumbnail": coded(b"small")}
    yield "message", {"id": "message-1", "text": "hello", "sender_session_id": "alice", "recipient_session_id": "",
                      "timestamp_microseconds": TIME, "status": "delivered", "is_outgoing": False, "is_read": True,
                      "created_at_microseconds": TIME, "edited_at_microseconds": TIME + 3, "attachments": [attached]}
    yield "reaction", {"author_session_id": "bob", "emoji": "👍", "created_at_microseconds": TIME + 4}
    yield "message", {"id": "message-2", "text": "", "sender_session_id": "", "recipient_session_id": "alice",
                      "timestamp_microseconds": TIME + 5, "status": "sent", "is_outgoing": True, "is_read": True,
                      "attachment_url": "https://example.org/a", "attachment_type": "image/png",
                      "reply_to_message_id": "message-1", "created_at_microseconds": TIME + 5,
                      "lifetime_milliseconds": 3162240000000, "lifetime_from": "sending",
                      "expires_at_microseconds": TIME + 3162239999500000}
    yield "draft", {"session_id": "alice", "text": "to be sent", "attachment_url": "https://example.org/b",
                    "attachment_type": "text/plain", "reply_to_message_id": "message-2",
                    "updated_at_microseconds": TIME + 6, "attachments": [attached]}
    yield "scene_value", {"key": "key", "value": {"string": "of all scenes"}, "updated_at_microseconds": TIME + 7}
    values = {"whole": {"integer": -(2 ** 63)}, "flag": {"bool": True}, "place": {"url": "https://example.org/"},
              "noise": {"data": coded(b"\x00\x01")}, "instant": {"date": TIME}, "single": {"float": 0.1},
              "double": {"double": 5e-324}, "none": {"double": "nan"}, "odd": {"double": "nan:7ff8000000000001"},
              "endless": {"float": "-inf"}, "all": {"array": [{"array": []}, {"double": -0.0}]}}
    yield "scene_value", {"scene": "scene", "key": "key", "value": {"dictionary": values},
                          "updated_at_microseconds": TIME + 8}
    # The string "x", as scenes.proto has it.
    yield "scene_value", {"scene": "scene", "key": "other", "encoded_value": coded(b"\x0a\x01x"),
                          "updated_at_microseconds": TIME + 8}
    yield "log", {"name": "log", "maximum_bytes": 200, "overwrites_oldest": True, "created_at_microseconds": TIME}
    yield "log_entry", {"sequence": 7, "offset": 64, "position": 180, "text": "first that is left"}
    yield "log_entry", {"sequence": 8, "offset": 86, "position": 202, "data": coded(b"\xff\x00")}
    yield "directory", {"path": "document", "created_at_microseconds": TIME, "modified_at_microseconds": TIME + 9}
    yield "directory", {"path": "document/folder", "created_at_microseconds": TIME,
                        "modified_at_microseconds": TIME + 9}
    for number, (name, content) in enumerate(FILES.items(), 1):
        yield "file", {"path": "document/folder/" + name, "byte_count": len(content), "created_at_microseconds": TIME,
                       "modified_at_microseconds": TIME + 9, "content_file": f"contents/file-{number:06}"}


FILES = {"empty": b"", "large": bytes(n * 7 % 256 for n in range(70000))}
(HERE / "contents").mkdir(parents=True, exist_ok=True)
lines, counts = [], {}
for kind, fields in records():
    lines.append({"record": kind} | fields)
    if kind in KINDS:
        counts[KINDS[kind]] = counts.get(KINDS[kind], 0) + 1
lines.append({"record": "footer", "counts": counts})
text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
(HERE / "archive.jsonl").write_text(text, encoding="utf-8")
(HERE / "contents" / DIGEST).write_bytes(PHOTO)
for number, content in enumerate(FILES.values(), 1):
    (HERE / "contents" / f"file-{number:06}").write_bytes(content)
