"""Secrets that their owner can wipe.

A `Secret` refers to the caller's own buffer. The client copies it only into the frame that it sends, and wipes this
frame after the write. Pass a `bytearray`, and `wipe` it as soon as the call has ended. A `bytes` object cannot be
wiped: it stays in memory until Python frees it.
"""

from __future__ import annotations

from .model import KeySlotKind, Secret


def passphrase(value: bytes | bytearray) -> Secret:
    """Returns a secret for a passphrase: 1 to 1,024 bytes of UTF-8, used as they are.

    Remove the line end of a passphrase that you read from a file.
    """
    return Secret(kind=KeySlotKind.PASSPHRASE, value=value)


def recovery_code(value: bytes | bytearray = b"") -> Secret:
    """Returns a secret for a recovery code as it was printed.

    For `add_key_slot` pass no code: the daemon creates it.
    """
    return Secret(kind=KeySlotKind.RECOVERY_CODE, value=value)


def key_file(value: bytes | bytearray) -> Secret:
    """Returns a secret for the content of a key file or for the secret key of a recipient: 32 to 4,096 bytes."""
    return Secret(kind=KeySlotKind.KEY_FILE, value=value)


def credential(value: bytes | bytearray) -> Secret:
    """Returns a secret for the content of a service manager's credential: 32 to 4,096 bytes."""
    return Secret(kind=KeySlotKind.CREDENTIAL, value=value)


def wipe(*buffers: bytes | bytearray) -> None:
    """Overwrites buffers with zeros. Empty `bytes` are ignored; other `bytes` cannot be wiped and raise TypeError."""
    for buffer in buffers:
        if isinstance(buffer, bytearray):
            buffer[:] = bytes(len(buffer))
        elif buffer:
            raise TypeError("bytes cannot be wiped; hint: keep secrets in a bytearray")
