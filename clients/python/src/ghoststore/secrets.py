"""Secrets that their owner can wipe.

A `Secret` holds the caller's own buffer: nothing of it is copied but into the frame that is sent, which is wiped
behind the write. Give a `bytearray` and `wipe` it as soon as the call is over; `bytes` stay until Python lets go of
them.
"""

from __future__ import annotations

from .model import KeySlotKind, Secret


def passphrase(value: bytes | bytearray) -> Secret:
    """A passphrase: 1 to 1,024 bytes of UTF-8, as they are. Take the line end off one that a file holds."""
    return Secret(kind=KeySlotKind.PASSPHRASE, value=value)


def recovery_code(value: bytes | bytearray = b"") -> Secret:
    """A recovery code as it was printed; none for `add_key_slot`, where the daemon makes it."""
    return Secret(kind=KeySlotKind.RECOVERY_CODE, value=value)


def key_file(value: bytes | bytearray) -> Secret:
    """What a key file holds, or the secret key of a recipient: 32 to 4,096 bytes."""
    return Secret(kind=KeySlotKind.KEY_FILE, value=value)


def credential(value: bytes | bytearray) -> Secret:
    """What a credential of the service manager holds: 32 to 4,096 bytes."""
    return Secret(kind=KeySlotKind.CREDENTIAL, value=value)


def wipe(*buffers: bytes | bytearray) -> None:
    """Overwrites buffers. Those that cannot be, `bytes`, are passed over when they are empty and refused otherwise."""
    for buffer in buffers:
        if isinstance(buffer, bytearray):
            buffer[:] = bytes(len(buffer))
        elif buffer:
            raise TypeError("bytes cannot be wiped; hint: keep secrets in a bytearray")
