#!/usr/bin/env python3
"""Writes replication-v1.txt as proto-docs/REPLICATION.md describes the formats, without any code of ghoststore:

    python3 make.py | diff replication-v1.txt -

Needs libsodium 1.0.12 or later, which has XChaCha20-Poly1305.
"""

import ctypes
import ctypes.util
import hashlib
import struct

SODIUM = ctypes.CDLL(ctypes.util.find_library("sodium") or "libsodium.so.23")
GROUP = bytes(range(0x10, 0x20))
SNAPSHOT = bytes(range(0x20, 0x30))
EPOCH_KEY = bytes(range(0x40, 0x60))
EPOCH = struct.pack(">IQ", 3, 0x0102030405060708)
DEVICE = 0x1112131415161718
SEED, RECEIVING_SECRET = bytes(range(0x60, 0x80)), bytes(range(0x80, 0xA0))
CODE = "3AHR-Z6DM-V29G-QY5C-KT18-FPX4-BJQG-XGA2"


def sodium(name, count, *arguments):
    """Calls a function of libsodium and returns the `count` bytes that it writes into its first argument."""
    output = ctypes.create_string_buffer(count)
    if getattr(SODIUM, name)(output, *arguments) != 0:
        raise RuntimeError(name)
    return output.raw


def long(number):
    return ctypes.c_ulonglong(number)


def blake2b(content, count=32, key=b""):
    return hashlib.blake2b(content, digest_size=count, key=key).digest()


def subkey(number, count, context, key):
    """Does what crypto_kdf_derive_from_key does."""
    return hashlib.blake2b(
        b"", digest_size=count, key=key, salt=struct.pack("<Q", number) + bytes(8), person=context + bytes(8)
    ).digest()


def signing_pair(seed):
    public, secret = ctypes.create_string_buffer(32), ctypes.create_string_buffer(64)
    if SODIUM.crypto_sign_seed_keypair(public, secret, seed) != 0:
        raise RuntimeError("crypto_sign_seed_keypair")
    return public.raw, secret.raw


SIGNING_KEY, SIGNING_SECRET = signing_pair(SEED)
RECEIVING_KEY = sodium("crypto_scalarmult_base", 32, RECEIVING_SECRET)


def signature(label, message):
    signed = label.encode() + b"\0" + message
    return sodium("crypto_sign_detached", 64, None, signed, long(len(signed)), SIGNING_SECRET)


def encrypted(plaintext, associated, nonce, key):
    return sodium(
        "crypto_aead_xchacha20poly1305_ietf_encrypt", len(plaintext) + 16, None, plaintext, long(len(plaintext)),
        associated, long(len(associated)), None, nonce, key)


def envelope(magic, place, previous, label, numbers, plaintext):
    header = magic + b"\3" + GROUP + place + EPOCH + previous
    sealing, nonces = (subkey(number, 32, b"gs-epoch", EPOCH_KEY) for number in numbers)
    nonce = blake2b(header + plaintext, 24, nonces)
    unsigned = header + nonce + encrypted(plaintext, header, nonce, sealing)
    return unsigned + signature(label, unsigned)


def batch(sequence, previous, plaintext):
    place = struct.pack(">QQ", DEVICE, sequence)
    return envelope(b"GSRB", place, previous, "ghoststore batch 1", (1, 2), plaintext)


def chunk(index, is_last, previous, plaintext):
    place = struct.pack(">Q", DEVICE) + SNAPSHOT + struct.pack(">IB", index, is_last)
    return envelope(b"GSRS", place, previous, "ghoststore snapshot chunk 1", (3, 4), plaintext)


def sealed_box(content, public, secret):
    """Does what crypto_box_seal does, with a fixed ephemeral key pair."""
    ephemeral = sodium("crypto_scalarmult_base", 32, secret)
    nonce = blake2b(ephemeral + public, 24)
    box = sodium("crypto_box_easy", len(content) + 16, content, long(len(content)), nonce, public, secret)
    return ephemeral + box


def invitation(kind, plaintext, nonce):
    code = CODE.replace("-", "").encode()
    identifier, key = subkey(1, 16, b"gs-invit", code), subkey(2, 32, b"gs-invit", code)
    head = b"GSRJ" + bytes([2, kind]) + identifier
    return identifier, head + nonce + encrypted(plaintext, head, nonce, key)


def show(**fields):
    for name, content in fields.items():
        text = content if isinstance(content, str) else content.hex()
        print(("%s: %s" % (name.replace("_", " "), text)).rstrip())


def main():
    show(seed=SEED, receiving_secret=RECEIVING_SECRET, signing_key=SIGNING_KEY, receiving_key=RECEIVING_KEY)
    show(epoch_key=EPOCH_KEY, sealed_epoch_key=sealed_box(EPOCH_KEY, RECEIVING_KEY, bytes(range(0xA0, 0xC0))))
    show(group=GROUP, device="%d" % DEVICE, epoch_number="3", epoch_maker="%d" % 0x0102030405060708)
    first = batch(1, bytes(32), b"")
    second = batch(2, blake2b(first), b"a batch of some bytes")
    show(batch_1_plaintext=b"", batch_1=first, batch_1_hash=blake2b(first))
    show(batch_2_plaintext=b"a batch of some bytes", batch_2=second)
    start = chunk(0, 0, bytes(32), b"the snapshot begins")
    show(snapshot=SNAPSHOT, chunk_0_plaintext=b"the snapshot begins", chunk_0=start)
    show(chunk_1_plaintext=b"and ends", chunk_1=chunk(1, 1, blake2b(start), b"and ends"))
    nonces = bytes(range(0xC0, 0xD8)), bytes(range(0xD8, 0xF0))
    identifier, request = invitation(1, b"may I join?", nonces[0])
    proof = signature("ghoststore invitation request 1", identifier + b"may I join?")
    show(invitation_code=CODE, invitation=identifier)
    show(request_plaintext=b"may I join?", request_nonce=nonces[0], request=request, request_proof=proof)
    show(welcome_plaintext=b"welcome", welcome_nonce=nonces[1], welcome=invitation(2, b"welcome", nonces[1])[1])


main()
