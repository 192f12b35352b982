#!/usr/bin/env python3
"""Writes journal-v1.txt as proto-docs/JOURNAL.md describes the format, without any code of ghoststore:

    python3 make.py | diff journal-v1.txt -

Needs libsodium 1.0.12 or later, which has XChaCha20-Poly1305.
"""

import ctypes
import ctypes.util
import hashlib
import struct

SODIUM = ctypes.CDLL(ctypes.util.find_library("sodium") or "libsodium.so.23")
MASTER_KEY = bytes(range(32))
GENERATION = 3
HISTORY = bytes(range(0xa0, 0xb0))
INSERT = "INSERT INTO notes (number, body, data) VALUES (?1, ?2, ?3)"
DELETE = "DELETE FROM notes WHERE number < 0"
HEADER_BYTES, FIRST_RECORD, SEGMENT_BYTES = 128, 4096, 8192
CLOSING = 1 << 63


def sodium(name, count, *arguments):
    """Calls a function of libsodium and returns the `count` bytes that it writes into its first argument."""
    output = ctypes.create_string_buffer(count)
    if getattr(SODIUM, name)(output, *arguments) != 0:
        raise RuntimeError(name)
    return output.raw


def long(number):
    return ctypes.c_ulonglong(number)


def filled(tag, count):
    """Returns fixed bytes in place of random ones."""
    return hashlib.blake2b(tag.encode(), digest_size=count).digest()


def leb128(number):
    out = b""
    while number >= 0x80:
        out += bytes([number & 0x7f | 0x80])
        number >>= 7
    return out + bytes([number])


def value(content):
    if content is None:
        return b"\0"
    if isinstance(content, int):
        return b"\1" + leb128(content << 1 if content >= 0 else ~content << 1 | 1)
    if isinstance(content, str):
        return b"\2" + leb128(len(content.encode())) + content.encode()
    return b"\3" + leb128(len(content)) + content


def statement(texts, sql, values, rows):
    """Returns one statement of a record. `texts` has the SQL texts that already have a number in the segment."""
    if sql in texts:
        out = leb128(texts.index(sql) + 1)
    else:
        texts.append(sql)
        out = b"\0" + leb128(len(sql.encode())) + sql.encode()
    return out + leb128(len(values)) + b"".join(value(content) for content in values) + leb128(rows)


class Segment:
    def __init__(self, sequence, previous):
        content = b"ghoststore-jrnl\n" + struct.pack(">IIQ", 1, GENERATION, sequence) + HISTORY
        content += struct.pack(">Q", previous[0]) + previous[1]
        content += struct.pack(">Q", SEGMENT_BYTES) + filled("salt %d" % sequence, 32)
        journal_key = hashlib.blake2b(
            b"", digest_size=32, key=MASTER_KEY, salt=struct.pack("<Q", 7) + bytes(8), person=b"gsmaster" + bytes(8)
        ).digest()
        derived = hashlib.blake2b(content, digest_size=64, key=journal_key).digest()
        self.key, self.mark_key = derived[:32], derived[32:48]
        self.pieces = {0: content + derived[48:]}
        self.last, self.offset, self.texts = previous, FIRST_RECORD, []

    def append(self, *statements):
        content = b"".join(statement(self.texts, *fields) for fields in statements)
        number, nonce = self.last[0] + 1, filled("nonce %d" % (self.last[0] + 1), 24)
        head = struct.pack(">IIQ", len(content), 1, number) + self.last[1]
        sealed = sodium(
            "crypto_aead_xchacha20poly1305_ietf_encrypt", len(content) + 16, None, content, long(len(content)),
            head, long(len(head)), None, nonce, self.key)
        self.pieces[self.offset] = head + nonce + sealed
        self.offset += len(head) + len(nonce) + len(sealed) + 7 & ~7
        self.last = (number, sealed[-16:])

    def mark(self, closing=0):
        word = self.last[0] | closing
        message = struct.pack("<QQ", word, 0)
        short = sodium("crypto_shorthash", 8, message, long(len(message)), self.mark_key)
        self.pieces[self.offset] = struct.pack(">Q", word) + short[::-1]

    def tear(self):
        """Leaves only the first 80 bytes of the last record, and no mark, as a power cut may do."""
        del self.pieces[self.offset]
        offset = max(self.pieces)
        self.pieces[offset] = self.pieces[offset][:80]

    def describe(self, slot):
        print("file %d: %d" % (slot, SEGMENT_BYTES))
        for offset, piece in sorted(self.pieces.items()):
            print("%d at %d: %s" % (slot, offset, piece.hex()))


def main():
    print("master key:", MASTER_KEY.hex())
    print("generation:", GENERATION)
    print("history:", HISTORY.hex())
    first = Segment(7, (40, filled("tag 40", 16)))
    first.append((INSERT, [1, "one", None], 1), (INSERT, [-2, "", b""], 1))
    first.append((INSERT, [2**63 - 1, "größt", bytes(range(200))], 1), (INSERT, [-2**63, "x" * 300, None], 1))
    first.append((DELETE, [], 2))
    first.mark(CLOSING)
    second = Segment(8, first.last)
    second.append((INSERT, [3, "three", b"\0\xff"], 1))
    second.mark()
    print("last record: %d %s" % (second.last[0], second.last[1].hex()))
    print("end: %d" % second.offset)
    print("sync mark:", second.pieces[second.offset].hex())
    second.append((INSERT, [4, "never answered", None], 1))
    second.mark()
    second.tear()
    first.describe(0)
    second.describe(1)


main()
