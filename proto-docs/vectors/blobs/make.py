#!/usr/bin/env python3
"""Writes a plain message file and two sealed ones into this folder. Follows only proto-docs/BLOBS.md, and calls
libsodium through ctypes.

The sealed files differ from run to run (random keys, salts and headers) and always open with the passphrase
`vector passphrase` and the recipient's secret key below.
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
RECIPIENT_SECRET_KEY = bytes(range(32))
CHUNK = 65536
ARGON2ID13 = 2


def plain():
    """Returns a file of more than one chunk: 200 messages with rising times."""
    messages = [(f"message {n} " + "ü" * (n * 2), n % 2, n % 4, 1700000000000 + n) for n in range(200)]
    out = struct.pack("<i", len(messages))
    for text, is_sent, kind, time in messages:
        data = text.encode()
        out += struct.pack("<i", len(data)) + data + struct.pack("<BBq", is_sent, kind, time)
    return out


def subkey(file_key, number):
    out = ctypes.create_string_buffer(32)
    assert SODIUM.crypto_kdf_derive_from_key(out, 32, ctypes.c_uint64(number), b"gs-blob1", file_key) == 0
    return out.raw


def sealed(kind, seal, file_key, content):
    state = ctypes.create_string_buffer(SODIUM.crypto_secretstream_xchacha20poly1305_statebytes())
    stream_header = ctypes.create_string_buffer(24)
    SODIUM.crypto_secretstream_xchacha20poly1305_init_push(state, stream_header, subkey(file_key, 1))
    head = b"ghoststore-blob\n" + struct.pack(">IB", 1, kind) + seal + stream_header.raw
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


def for_recipient(content):
    public_key = ctypes.create_string_buffer(32)
    SODIUM.crypto_scalarmult_base(public_key, RECIPIENT_SECRET_KEY)
    key, box = os.urandom(32), ctypes.create_string_buffer(80)
    assert SODIUM.crypto_box_seal(box, key, ctypes.c_uint64(32), public_key.raw) == 0
    return sealed(2, public_key.raw + box.raw, key, content)


assert SODIUM.sodium_init() >= 0
CONTENT = plain()
(HERE / "plain.blob").write_bytes(CONTENT)
(HERE / "passphrase.sealed").write_bytes(for_passphrase(CONTENT))
(HERE / "recipient.sealed").write_bytes(for_recipient(CONTENT))
