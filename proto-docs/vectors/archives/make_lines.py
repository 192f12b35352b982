#!/usr/bin/env python3
"""Writes the folder `lines`: the archive that make.py makes, with one more attachment, as JSON Lines. Uses only
proto-docs/ARCHIVE.md and archives.proto, and no code of ghoststore. Every field of a whole archive is in it."""

import base64
import hashlib
import json
import pathlib
import struct

HERE = pathlib.Path(__file__).resolve().parent / "lines"
TIME = 1700000000000000
KINDS = {"contact": "contacts", "conversation": "conversations", "message": "messages", "reaction": "reactions",
         "draft": "drafts", "sceneValue": "sceneValues", "log": "logs", "logEntry": "logEntries",
         "directory": "directories", "file": "files", "content": "contents"}
PHOTO = bytes(range(256)) * 300
DIGEST = hashlib.blake2b(PHOTO, digest_size=32).digest()


def coded(content):
    return base64.b64encode(content).decode()


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(number, content):
    """Returns a field of a protobuf message with its length."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def zigzag(number):
    return varint(number * 2 if number >= 0 else -number * 2 - 1)


def value(kind, content):
    """Returns a SceneValue of scenes.proto in its shortest form."""
    match kind:
        case "string":
            return field(1, content.encode())
        case "integer":
            return b"\x10" + zigzag(content)
        case "float":
            return b"\x1d" + struct.pack("<f", content)
        case "double":
            return b"\x21" + (content if isinstance(content, bytes) else struct.pack("<d", content))
        case "boolean":
            return b"\x28" + varint(content)
        case "url":
            return field(6, content.encode())
        case "data":
            return field(7, content)
        case "date":
            return b"\x40" + zigzag(content)
        case "array":
            return field(9, b"".join(field(1, element) for element in content))
        case "dictionary":
            entries = sorted((key.encode(), element) for key, element in content.items())
            return field(10, b"".join(field(1, field(1, key) + field(2, element)) for key, element in entries))


def records():
    """Yields the records in the JSON form of protobuf: integers of 64 bits are texts, bytes are base64, and a field
    that has the value of an absent field is left out."""
    yield "header", {"formatVersion": 1, "historyId": coded(bytes(range(16))), "revision": "42",
                     "createdAtMicroseconds": str(TIME)}
    yield "content", {"byteCount": str(len(PHOTO)), "digest": coded(DIGEST)}
    yield "contact", {"id": "contact-1", "sessionId": "alice", "displayName": "Älice", "avatar": coded(b"avatar"),
                      "notes": "notes", "isTrusted": True, "createdAtMicroseconds": str(TIME),
                      "updatedAtMicroseconds": str(TIME + 1),
                      "metadata": {"data": coded(b"\x00 contact"), "type": "application/octet-stream"}}
    yield "contact", {"id": "contact-2", "sessionId": "mallory", "isBlocked": True, "createdAtMicroseconds": str(TIME),
                      "updatedAtMicroseconds": str(TIME + 1)}
    yield "conversation", {"id": "conversation-1", "sessionId": "alice", "displayName": "Alice",
                           "avatar": coded(b"\x00\xff"), "isPinned": True, "isMuted": True,
                           "retention": {"messageTimer": {"lifetimeMilliseconds": "60000",
                                                          "start": "MESSAGE_TIMER_START_READING"},
                                         "keepForMilliseconds": "3162240000000", "keepCount": 100},
                           "createdAtMicroseconds": str(TIME), "updatedAtMicroseconds": str(TIME + 2),
                           "kind": "group", "metadata": {"data": coded(b"\xff conversation"), "type": "text/plain"},
                           "members": [{"sessionId": "alice", "name": "Älice", "role": "admin"},
                                       {"sessionId": "bob"}]}
    attached = {"name": "photo.png", "mimeType": "image/png", "byteCount": str(len(PHOTO)), "digest": coded(DIGEST),
                "source": "https://example.org/photo.png", "thumbnail": coded(b"small")}
    yield "message", {"id": "message-1", "text": "hello", "senderSessionId": "alice",
                      "timestampMicroseconds": str(TIME), "status": "MESSAGE_STATUS_DELIVERED", "isRead": True,
                      "createdAtMicroseconds": str(TIME), "editedAtMicroseconds": str(TIME + 3),
                      "attachments": [attached], "kind": "notice", "senderName": "Älice at that time",
                      "metadata": {"data": coded(b"{\"raw\": true}"), "type": "application/json"}}
    yield "reaction", {"authorSessionId": "bob", "emoji": "👍", "createdAtMicroseconds": str(TIME + 4)}
    yield "message", {"id": "message-2", "recipientSessionId": "alice", "timestampMicroseconds": str(TIME + 5),
                      "status": "MESSAGE_STATUS_SENT", "isOutgoing": True, "isRead": True,
                      "attachmentUrl": "https://example.org/a", "attachmentType": "image/png",
                      "replyToMessageId": "message-1", "createdAtMicroseconds": str(TIME + 5),
                      "timer": {"lifetimeMilliseconds": "3162240000000", "start": "MESSAGE_TIMER_START_SENDING"},
                      "expiresAtMicroseconds": str(TIME + 3162239999500000)}
    yield "draft", {"sessionId": "alice", "text": "to be sent", "attachmentUrl": "https://example.org/b",
                    "attachmentType": "text/plain", "replyToMessageId": "message-2",
                    "updatedAtMicroseconds": str(TIME + 6), "attachments": [attached]}
    yield "sceneValue", {"key": "key", "value": coded(value("string", "of all scenes")),
                         "updatedAtMicroseconds": str(TIME + 7)}
    values = {"whole": value("integer", -(2 ** 63)), "flag": value("boolean", True),
              "place": value("url", "https://example.org/"), "noise": value("data", b"\x00\x01"),
              "instant": value("date", TIME), "single": value("float", 0.1), "double": value("double", 5e-324),
              "odd": value("double", struct.pack("<Q", 0x7ff8000000000001)), "endless": value("float", -float("inf")),
              "all": value("array", [value("array", []), value("double", -0.0)])}
    yield "sceneValue", {"scene": "scene", "key": "key", "value": coded(value("dictionary", values)),
                         "updatedAtMicroseconds": str(TIME + 8)}
    yield "log", {"name": "log", "maximumBytes": "200", "overwritesOldest": True, "createdAtMicroseconds": str(TIME)}
    yield "logEntry", {"sequence": "7", "offset": "64", "position": "180", "data": coded(b"first that is left")}
    yield "logEntry", {"sequence": "8", "offset": "86", "position": "202", "data": coded(b"\xff\x00"),
                       "metadata": {"data": coded(b"\x00 entry"), "type": "text/plain"}}
    for path in ["", "folder"]:
        yield "directory", {"path": {"area": "FILE_AREA_DOCUMENT"} | ({"path": path} if path else {}),
                            "createdAtMicroseconds": str(TIME), "modifiedAtMicroseconds": str(TIME + 9)}
    for name, content in FILES.items():
        yield "file", {"path": {"area": "FILE_AREA_DOCUMENT", "path": "folder/" + name}} | (
            {"byteCount": str(len(content))} if content else {}) | {
                "createdAtMicroseconds": str(TIME), "modifiedAtMicroseconds": str(TIME + 9)}


FILES = {"empty": b"", "large": bytes(n * 7 % 256 for n in range(70000))}
(HERE / "contents").mkdir(parents=True, exist_ok=True)
lines, counts, files = [], {}, 0
for kind, fields in records():
    line = {kind: fields}
    if kind == "content":
        line["contentFile"] = "contents/" + DIGEST.hex()
    if kind == "file":
        files += 1
        line["contentFile"] = f"contents/file-{files:06}"
    lines.append(line)
    if kind in KINDS:
        counts[KINDS[kind]] = counts.get(KINDS[kind], 0) + 1
lines.append({"footer": {"counts": {name: str(count) for name, count in counts.items()}}})
text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
(HERE / "archive.jsonl").write_text(text, encoding="utf-8")
(HERE / "contents" / DIGEST.hex()).write_bytes(PHOTO)
for number, content in enumerate(FILES.values(), 1):
    (HERE / "contents" / f"file-{number:06}").write_bytes(content)
