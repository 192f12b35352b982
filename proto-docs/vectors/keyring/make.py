#!/usr/bin/env python3
"""Writes keyring-v1.txt as proto-docs/KEYRING.md describes the format, without any code of ghoststore:

    python3 make.py | diff keyring-v1.txt -

Needs libsodium 1.0.9 or later, which has Argon2id, X25519 and the two ciphers.
"""

import ctypes
import ctypes.util
import hashlib
import struct

PASSPHRASE = "correct horse battery staple".encode()
RECOVERY_CODE = "3AHR-Z6DM-V29G-QY5C-KT18-FPX4-BJQG-XGA2"
KEY_FILE = bytes(range(100, 140))


SODIUM = ctypes.CDLL(ctypes.util.find_library("sodium") or "libsodium.so.23")


def sodium(name, count, *arguments):
    """Calls a function of libsodium and returns the `count` bytes that it writes into its first argument."""
    output = ctypes.create_string_buffer(count)
    if getattr(SODIUM, name)(output, *arguments) != 0:
        raise RuntimeError(name)
    return output.raw


def long(number):
    return ctypes.c_ulonglong(number)


def argon2id(secret, salt, passes, memory):
    return sodium("crypto_pwhash", 32, long(32), secret, long(len(secret)), salt, long(passes),
                  ctypes.c_size_t(memory), 2)


def public_key(secret_key):
    return sodium("crypto_scalarmult_base", 32, secret_key)


def xchacha20_poly1305(message, associated, nonce, key):
    return sodium("crypto_aead_xchacha20poly1305_ietf_encrypt", len(message) + 16, None, message, long(len(message)),
                  associated, long(len(associated)), None, nonce, key)


def sealed_box(message, recipient, ephemeral):
    """Does what crypto_box_seal does, with a fixed key pair in place of a random one."""
    sender = public_key(ephemeral)
    nonce = hashlib.blake2b(sender + recipient, digest_size=24).digest()
    return sender + sodium("crypto_box_easy", len(message) + 16, message, long(len(message)), nonce, recipient,
                           ephemeral)


def filled(tag, count):
    """Returns fixed bytes in place of random ones."""
    return hashlib.blake2b(tag.encode(), digest_size=count).digest()


def kdf(key, number, context, count):
    return hashlib.blake2b(
        b"", digest_size=count, key=key, salt=struct.pack("<Q", number) + bytes(8), person=context + bytes(8)
    ).digest()


def mac(key, message):
    return hashlib.blake2b(message, digest_size=32, key=key).digest()


def key_check(master):
    return mac(kdf(master, 6, b"gsmaster", 32), b"ghoststore key check")


def database_key(master):
    return "x'%s%s'" % (kdf(master, 1, b"gsmaster", 32).hex(), kdf(master, 2, b"gsmaster", 16).hex())


def strong(secret, salt, personalization):
    return hashlib.blake2b(secret, digest_size=32, salt=salt, person=personalization).digest()


def slot(preamble, number, kind, label, memory, passes, derive, authenticity, masters):
    salt = filled("salt %d" % number, 16)
    secret = filled("secret key %d" % number, 32)
    public = public_key(secret)
    label = label.encode()
    head = struct.pack(">BBqQI", number, kind, 1_700_000_000_000_000 + number, memory, passes)
    head += salt + public + bytes([len(label)]) + label
    key = derive(salt)
    commitment = mac(kdf(key, 2, b"gs-slot1", 32), b"ghoststore slot commitment" + salt)
    nonce = filled("nonce %d" % number, 24)
    wrap = xchacha20_poly1305(secret + authenticity, preamble + head, nonce, kdf(key, 1, b"gs-slot1", 32))
    body = head + commitment + nonce + wrap
    for place, master in enumerate(masters):
        body += sealed_box(master, public, filled("ephemeral key %d of slot %d" % (place, number), 32))
    return struct.pack(">H", len(body)) + body


def main():
    authenticity = filled("authenticity key", 32)
    masters = [filled("master key", 32), filled("next master key", 32)]
    preamble = b"ghoststore-keys\n" + struct.pack(">I", 1) + filled("identifier", 16)
    plain_code = RECOVERY_CODE.replace("-", "").encode()
    slots = [
        (1, 1, "Küche", 8 << 20, 1, lambda s: argon2id(PASSPHRASE, s, 1, 8 << 20)),
        (2, 2, "", 0, 0, lambda s: strong(plain_code, s, b"gs-slot-recovery")),
        (5, 3, "key file", 0, 0, lambda s: strong(KEY_FILE, s, b"gs-slot-key-file")),
        (16, 4, "unit", 0, 0, lambda s: strong(KEY_FILE, s, b"gs-slot-credenti")),
    ]
    file = preamble + struct.pack(">QBBH", 7, 1, len(slots), 0)
    file += b"".join(key_check(master) for master in masters)
    file += b"".join(slot(preamble, *fields, authenticity, masters) for fields in slots)
    file += mac(authenticity, file)
    file += hashlib.blake2b(file, digest_size=32).digest()
    print("passphrase:", PASSPHRASE.decode())
    print("recovery code:", RECOVERY_CODE)
    print("key file:", KEY_FILE.hex())
    print("generation: 7")
    print("database key:", database_key(masters[0]))
    print("next database key:", database_key(masters[1]))
    print("file:", file.hex())


main()
