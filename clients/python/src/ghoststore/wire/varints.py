"""Integers of protobuf: seven bits in each byte, the lowest bits first."""

from __future__ import annotations

_SIXTY_FOUR_BITS = (1 << 64) - 1
_SIGN = 1 << 63


class MalformedBytes(ValueError):
    """The bytes are not a message."""


def write_varint(out: bytearray, value: int) -> None:
    """Appends an integer from 0 to 2^64 - 1."""
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)


def read_varint(data: bytes | bytearray | memoryview, position: int, end: int) -> tuple[int, int]:
    """Returns the integer at a position, and the position after it."""
    if position < end and (byte := data[position]) < 0x80:
        return byte, position + 1
    value = shift = 0
    while True:
        if position >= end:
            raise MalformedBytes("the bytes end within an integer")
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & _SIXTY_FOUR_BITS, position
        shift += 7
        if shift >= 70:
            raise MalformedBytes("an integer has more than ten bytes")


def signed(value: int) -> int:
    """Returns the number that these 64 bits represent in two's complement."""
    return value - (1 << 64) if value & _SIGN else value


def unsigned(value: int) -> int:
    """Returns the 64 bits of a number in two's complement."""
    return value & _SIXTY_FOUR_BITS


def zigzag(value: int) -> int:
    """Returns the bits of a `sint64`."""
    return (value << 1 ^ value >> 63) & _SIXTY_FOUR_BITS


def unzigzag(value: int) -> int:
    """Returns the number that the bits of a `sint64` represent."""
    return value >> 1 ^ -(value & 1)
