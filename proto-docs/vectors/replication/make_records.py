#!/usr/bin/env python3
"""Writes records-v1.txt as proto-docs/REPLICATION.md describes records, bodies and values, without any code of
ghoststore:

    python3 make_records.py | diff records-v1.txt -
"""

import hashlib
import struct

TIME = 1_700_000_000_000_000
DEVICE = 0x1112131415161718
STAMP = struct.pack(">QQ", 1_700_000_000_000 << 16 | 2, DEVICE)
DIGEST = hashlib.blake2b(b"attached", digest_size=32).digest()
KEYS = bytes(range(32)), bytes(range(32, 64))
# A text and a number in fields that only a later version will know.
LATER = {60: "of a later version", 61: 7}


def varint(number):
    number &= (1 << 64) - 1
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def message(fields):
    """Returns a protobuf message: numbers and flags as varints; texts, bytes and messages with their lengths."""
    out = b""
    for number in sorted(fields):
        values = fields[number]
        for value in values if isinstance(values, list) else [values]:
            if isinstance(value, int):
                out += varint(number << 3) + varint(value)
            else:
                value = value.encode() if isinstance(value, str) else value
                out += varint(number << 3 | 2) + varint(len(value)) + value
    return out


def record(kind, fields):
    content = message(fields)
    return bytes([kind]) + varint(len(content)) + content


def name(*parts):
    return b"".join(varint(len(part.encode())) + part.encode() for part in parts)


def thing(kind, parts, values, more=None):
    fields = [message({1: number, 2: STAMP} | ({} if value is None else {3: value})) for number, value in values]
    return record(1, {1: kind, 2: name(*parts), 4: TIME, 5: fields} | (more or {}))


def content_of_message(body):
    return message({1: "ann", 2: STAMP, 3: 1, 4: 1, 5: 2, 6: 5_000_000, 7: body})


TIMER = message({1: 60_000, 2: 2})
METADATA = message({1: b"\0\1", 2: "application/octet-stream"})
ATTACHMENT = {1: "a.txt", 2: "text/plain", 3: 8, 4: DIGEST, 5: "https://example.org/a", 6: b"\1\2"}
BODY = {2: "hello", 3: "ann", 4: "me", 5: TIME, 7: 1, 9: "https://example.org/b", 10: "image/png", 11: "m0",
        12: TIME + 1, 13: TIME + 2, 14: TIMER}
RETENTION = {1: TIMER, 2: 86_400_000, 3: 100}
IDENTITY = message({1: "an-id", 8: TIME})
FILE = message({2: 2, 3: TIME, 4: TIME + 1})
LARGE_FILE = message({2: 70_000, 3: TIME, 4: TIME + 1})

VALUES = {
    "contact 1": IDENTITY,
    "contact 3": message({3: "Ann"}),
    "contact 4": message({4: b"\1\2\3"}),
    "contact 5": message({5: "from school"}),
    "contact 6": message({6: 1}),
    "contact 7": message({7: 1}),
    "contact 10": message({10: METADATA}),
    "conversation 1": IDENTITY,
    "conversation 3": message({3: "Ann"}),
    "conversation 4": message({4: b"\1\2\3"}),
    "conversation 5": message({5: 1}),
    "conversation 6": message({6: 1}),
    "conversation 7": message({7: message(RETENTION)}),
    "conversation 10": message({10: "channel"}),
    "conversation 11": message({11: METADATA}),
    "member": message({2: "Ann", 3: "admin"}),
    "draft": message({2: "a draft", 3: "https://example.org/b", 4: "image/png", 5: "m0", 6: TIME, 7: message(ATTACHMENT)}),
    "sceneValue": message({3: b"\x08\1", 4: TIME}),
    "reaction": message({3: TIME}),
    "log": message({2: 4096, 3: 1, 4: TIME}),
    "file": message({1: STAMP, 3: FILE, 4: b"ab"}),
    "file, long": message({1: STAMP, 3: LARGE_FILE, 5: DIGEST}),
    "file, a directory": message({1: STAMP, 2: b""}),
    "file, removed": message({1: STAMP}),
}
LATER_VALUES = {
    "contact 40": message(LATER),
    "conversation 7": message({7: message(RETENTION | LATER)}),
    "draft": message({2: "a draft", 6: TIME, 7: message(ATTACHMENT | LATER)} | LATER),
    "sceneValue": message({3: b"\x08\1", 4: TIME} | LATER),
    "reaction": message({3: TIME} | LATER),
    "log": message({2: 4096, 4: TIME} | LATER),
    "file": message({1: STAMP, 3: FILE, 4: b"ab"} | LATER),
}
BODIES = {
    "body": message(BODY | {16: [message(ATTACHMENT | {7: METADATA}), message({2: "a/b", 4: DIGEST})], 17: "notice",
                            18: "Ann at that time", 19: METADATA}),
    "body, least": message({12: -1}),
    "later body": message(BODY | {16: message(ATTACHMENT | LATER)} | LATER),
}
RECORDS = {
    "thing": thing(1, ["ann"], [(1, IDENTITY), (3, VALUES["contact 3"]), (6, None)]),
    "thing, removed": record(1, {1: 2, 2: name("ann"), 3: STAMP}),
    "thing, of a later version": thing(1, ["ann"], [(40, message(LATER))]),
    "message": record(2, {1: "m", 2: 1, 3: content_of_message(BODIES["body"])}),
    "message, removed": record(2, {1: "m", 2: 1}),
    "message, timer started": record(2, {1: "m", 4: 1}),
    "member": record(3, {1: struct.unpack(">Q", hashlib.blake2b(KEYS[0], digest_size=32).digest()[:8])[0], 2: KEYS[0],
                         3: KEYS[1], 4: "desk"}),
    "removal of a member": record(4, {1: DEVICE, 2: 9}),
    "epoch": record(5, {1: 3, 2: DEVICE, 3: message({1: 7, 2: bytes(80)})}),
    "request for a snapshot": record(6, {1: bytes(range(16)), 2: DEVICE}),
    "positions": record(7, {1: [message({1: 7, 2: 8, 3: DIGEST}), message({1: DEVICE, 3: bytes(32)})]}),
    "piece of a content": record(8, {1: DIGEST, 2: 8, 4: b"attached"}),
    "entries of a log": record(9, {1: "events", 2: VALUES["log"], 3: DEVICE, 4: 5, 5: 1, 6: 2,
                                   7: [message({1: 1 << 40, 2: b"one", 3: message({1: b"\0\1", 2: "text/plain"})}),
                                       message({1: 2 << 40, 2: b"two"})]}),
    "content that was told": record(10, {1: DIGEST, 2: DEVICE, 3: 9}),
    "request for a content": record(11, {1: DIGEST, 2: DEVICE}),
    "part": record(12, {1: 1, 2: b"the end"}),
    "clock": record(13, {1: TIME, 2: 1}),
    "known batches": record(14, {1: [message({1: 7, 2: 8}), message({1: DEVICE, 2: 9})]}),
    "thing, with a basis": record(1, {1: 1, 2: name("ann"), 5: message({1: 5, 2: STAMP, 3: VALUES["contact 5"],
                                                                        4: bytes(16)})}),
    "message, with a basis": record(2, {1: "m", 3: content_of_message(BODIES["body"]) + message({8: STAMP})}),
}


def main():
    for kind, lines in [("", BODIES), ("value of ", VALUES), ("later value of ", LATER_VALUES), ("record: ", RECORDS)]:
        for title, content in lines.items():
            print("%s: %s" % ((kind + title).replace("record: ", "record of "), content.hex()))
    print("skipped record: %s" % record(128, {1: "anything"}).hex())
    print("awaited record: %s" % record(15, {1: "anything"}).hex())
    print("awaited thing: %s" % thing(9, ["anything"], []).hex())


main()
