"""Reads what protoc writes about .proto files (google/protobuf/descriptor.proto), as far as the generators need it."""

from __future__ import annotations

from collections.abc import Iterator

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


class Fields:
    """The fields of one serialized message."""

    def __init__(self, data: bytes) -> None:
        self._values: dict[int, list[int | bytes]] = {}
        for number, value in _fields(data):
            self._values.setdefault(number, []).append(value)

    def has(self, number: int) -> bool:
        """Returns True if the field is present."""
        return number in self._values

    def number(self, number: int) -> int:
        """Returns a field that is a number; 0 if it is absent."""
        value = self._values.get(number, [0])[-1]
        if not isinstance(value, int):
            raise SystemExit(f"field {number} of a descriptor is not a number")
        return value

    def text(self, number: int) -> str:
        """Returns a field that is a text; empty if it is absent."""
        return self._bytes(number)[-1].decode() if self.has(number) else ""

    def messages(self, number: int) -> list[Fields]:
        """Returns the messages of a repeated field."""
        return [Fields(value) for value in self._bytes(number)]

    def packed(self, number: int) -> tuple[int, ...]:
        """Returns the numbers of a repeated field that is packed."""
        return tuple(value for data in self._bytes(number) for value in _varints(data))

    def _bytes(self, number: int) -> list[bytes]:
        return [value for value in self._values.get(number, []) if isinstance(value, bytes)]


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        number, wire_type = tag >> 3, tag & 7
        if wire_type == _VARINT:
            value, at = _varint(data, at)
            yield number, value
            continue
        length = {_FIXED64: 8, _FIXED32: 4}.get(wire_type, 0)
        if wire_type == _BYTES:
            length, at = _varint(data, at)
        yield number, data[at : at + length]
        at += length


def _varints(data: bytes) -> Iterator[int]:
    at = 0
    while at < len(data):
        value, at = _varint(data, at)
        yield value


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
