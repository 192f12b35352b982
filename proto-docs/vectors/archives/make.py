#!/usr/bin/env python3
"""Writes a plain archive, an archive of later changes and three sealed archives into this folder. Follows only
proto-docs/ARCHIVE.md, and calls libsodium through ctypes.

The sealed archives differ from run to run (random keys, salts and headers) and always open with the passphrase
`vector passphrase` and either of the recipients' secret keys below.
"""

import ctypes
import ctypes.util
import hashlib
import os
import pathlib
import struct

HERE = pathlib.Path(__file__).resolve().parent
SODIUM = ctypes.CDLL(ctypes.util.find_library("sodium"))
PASSPHRASE = b"vector passphrase"
RECIPIENT_SECRET_KEYS = [bytes(range(32)), bytes(range(32, 64))]
CHUNK = 65536
ARGON2ID13 = 2
TIME = 1700000000000000
KINDS = ["contact", "conversation", "message", "reaction", "draft", "scene_value", "log", "log_entry", "directory", "file",
         "content", "removal"]
FIELDS = {"header": 1, "contact": 2, "conversation": 3, "message": 4, "reaction": 5, "draft": 6, "scene_value": 7,
          "log": 8, "log_entry": 9, "directory": 10, "file": 11, "file_piece": 12, "footer": 13, "content": 20, "removal": 30}
SMALL = b"attached"
LARGE = bytes(n * 11 % 256 for n in range(66000))


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def message(fields):
    """Returns a protobuf message: numbers and flags as varints, texts and bytes with their lengths."""
    out = b""
    for number, values in fields.items():
        for value in values if isinstance(values, list) else [values]:
            if isinstance(value, int):
                out += varint(number << 3) + varint(value)
            else:
                value = value.encode() if isinstance(value, str) else value
                out += varint(number << 3 | 2) + varint(len(value)) + value
    return out


def framed(kind, fields, changed_at=None):
    content = fields if isinstance(fields, bytes) else message(fields)
    record = message({FIELDS[kind]: content} | ({31: changed_at} if changed_at else {}))
    return struct.pack(">I", len(record)) + record


def digest(content):
    return hashlib.blake2b(content, digest_size=32).digest()


def records():
    yield "header", {1: 1, 2: bytes(range(16)), 3: 42, 4: TIME}
    yield "content", {1: len(SMALL), 2: digest(SMALL)}
    yield "file_piece", SMALL
    yield "content", {1: len(LARGE), 2: digest(LARGE)}
    yield "file_piece", LARGE
    small = message({1: "small.txt", 2: "text/plain", 3: len(SMALL), 4: digest(SMALL), 6: b"thumbnail"})
    large = message({2: "image/png", 3: len(LARGE), 4: digest(LARGE), 5: "https://example.org/large"})
    nowhere = message({2: "image/png", 3: 7, 4: digest(b"nowhere")})
    yield "contact", {1: "contact-1", 2: "alice", 3: "Älice", 4: b"avatar", 5: "notes", 7: True, 8: TIME, 9: TIME + 1}
    timer = message({1: 60000, 2: 2})
    yield "conversation", {1: "conversation-1", 2: "alice", 3: "Alice", 5: True, 7: message({1: timer, 3: 100}),
                           8: TIME, 9: TIME + 2}
    yield "message", {1: "message-1", 2: "hello", 3: "alice", 5: TIME, 6: 3, 8: True, 12: TIME, 13: TIME + 3,
                      16: [small, large]}
    yield "reaction", {1: "bob", 2: "👍", 3: TIME + 4}
    yield "message", {1: "message-2", 4: "alice", 5: TIME + 5, 6: 1, 7: True, 9: "https://example.org/a",
                      10: "image/png", 11: "message-1", 12: TIME + 5, 14: timer, 16: [nowhere]}
    yield "draft", {1: "alice", 2: "to be sent", 6: TIME + 6, 7: [small]}
    yield "scene_value", {2: "key", 3: message({1: "of all scenes"}), 4: TIME + 7}
    yield "scene_value", {1: "scene", 2: "key", 3: message({2: 84}), 4: TIME + 8}
    yield "log", {1: "log", 2: 200, 3: True, 4: TIME}
    yield "log_entry", {1: 7, 2: 64, 3: 180, 4: b"first that is left"}
    yield "log_entry", {1: 8, 2: 86, 3: 202, 4: b"second"}
    document = message({1: 2})
    yield "directory", {1: document, 2: TIME, 3: TIME + 9}
    yield "directory", {1: message({1: 2, 2: "folder"}), 2: TIME, 3: TIME + 9}
    yield "file", {1: message({1: 2, 2: "folder/empty"}), 3: TIME, 4: TIME}
    content = bytes(n * 7 % 256 for n in range(70000))
    yield "file", {1: message({1: 2, 2: "folder/large"}), 2: len(content), 3: TIME, 4: TIME + 9}
    yield "file_piece", content


def changes():
    """Yields the later changes: a message edited and another removed, a reaction removed, a file written."""
    now = TIME + 1000
    yield "header", {1: 1, 2: bytes(range(16)), 3: 46, 4: now + 9, 5: 42}
    yield "removal", {1: 2, 2: "message-2", 4: now}
    yield "removal", {1: 5, 2: "key", 3: "scene", 4: now + 1}
    yield "conversation", {1: "conversation-1", 2: "alice", 3: "Alice", 5: True, 8: TIME, 9: now}, now
    yield "message", {1: "message-1", 2: "hello again", 3: "alice", 5: TIME, 6: 4, 8: True, 12: TIME, 13: now + 2}, now + 2
    yield "removal", {1: 8, 2: "message-1", 4: now + 3}
    yield "log", {1: "log", 2: 200, 3: True, 4: TIME, 5: 7}
    yield "log_entry", {1: 9, 2: 96, 3: 212, 4: b"third"}
    document = message({1: 2})
    yield "directory", {1: document, 2: TIME, 3: TIME + 9}
    yield "directory", {1: message({1: 2, 2: "folder"}), 2: TIME, 3: TIME + 9}
    yield "file", {1: message({1: 2, 2: "folder/empty"}), 2: 4, 3: TIME, 4: now + 4}, now + 4
    yield "file_piece", b"full"


def plain(of):
    out, counts = b"ghost-archive 1\n", {}
    for kind, fields, *changed_at in of:
        out += framed(kind, fields, *changed_at)
        if kind in KINDS:
            counts[kind] = counts.get(kind, 0) + 1
    told = message({KINDS.index(kind) + 1: counts[kind] for kind in KINDS if kind in counts})
    return out + framed("footer", {1: told, 2: digest(out)})


def subkey(file_key, number):
    out = ctypes.create_string_buffer(32)
    assert SODIUM.crypto_kdf_derive_from_key(out, 32, ctypes.c_uint64(number), b"gs-blob1", file_key) == 0
    return out.raw


def sealed(kind, seal, file_key, content):
    state = ctypes.create_string_buffer(SODIUM.crypto_secretstream_xchacha20poly1305_statebytes())
    stream_header = ctypes.create_string_buffer(24)
    SODIUM.crypto_secretstream_xchacha20poly1305_init_push(state, stream_header, subkey(file_key, 1))
    head = b"ghoststore-arch\n" + struct.pack(">IB", 1, kind) + seal + stream_header.raw
    out = head + hashlib.blake2b(head, digest_size=32, key=subkey(file_key, 2)).digest()
    chunks = [content[at:at + CHUNK] for at in range(0, len(content), CHUNK)] or [b""]
    for index, chunk in enumerate(chunks):
        tag = 3 if index == len(chunks) - 1 else 0
        box = ctypes.create_string_buffer(len(chunk) + 17)
        SODIUM.crypto_secretstream_xchacha20poly1305_push(
            state, box, None, chunk, ctypes.c_uint64(len(chunk)), None, ctypes.c_uint64(0), ctypes.c_ubyte(tag))
        out += box.raw
    return out


def for_passphrase(content):
    memory, passes, salt = 8 << 20, 1, os.urandom(16)
    key = ctypes.create_string_buffer(32)
    assert SODIUM.crypto_pwhash(
        key, ctypes.c_uint64(32), PASSPHRASE, ctypes.c_uint64(len(PASSPHRASE)), salt, ctypes.c_uint64(passes),
        ctypes.c_size_t(memory), ARGON2ID13) == 0
    return sealed(1, struct.pack(">QI", memory, passes) + salt, key.raw, content)


def for_recipients(content, secret_keys):
    file_key, entries = os.urandom(32), b""
    for secret_key in secret_keys:
        public_key, box = ctypes.create_string_buffer(32), ctypes.create_string_buffer(80)
        SODIUM.crypto_scalarmult_base(public_key, secret_key)
        assert SODIUM.crypto_box_seal(box, file_key, ctypes.c_uint64(32), public_key.raw) == 0
        entries += public_key.raw + box.raw
    if len(secret_keys) == 1:
        return sealed(2, entries, file_key, content)
    return sealed(3, bytes([len(secret_keys)]) + entries, file_key, content)


assert SODIUM.sodium_init() >= 0
CONTENT = plain(records())
(HERE / "changes.archive").write_bytes(plain(changes()))
(HERE / "plain.archive").write_bytes(CONTENT)
(HERE / "passphrase.sealed").write_bytes(for_passphrase(CONTENT))
(HERE / "recipient.sealed").write_bytes(for_recipients(CONTENT, RECIPIENT_SECRET_KEYS[:1]))
(HERE / "recipients.sealed").write_bytes(for_recipients(CONTENT, RECIPIENT_SECRET_KEYS))
