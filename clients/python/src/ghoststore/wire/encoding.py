"""Encodes messages: fields by number, each in its shortest form, so that equal messages give equal bytes."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .fields import Field, Kind, plan_of
from .varints import unsigned, write_varint, zigzag

_VARINT, _EIGHT_BYTES, _LENGTH, _FOUR_BYTES = 0, 1, 2, 5


@dataclass(slots=True)
class Encoded:
    """A message as bytes. Secrets are zeros in `data`; `secrets` lists their offsets and their buffers."""

    data: bytearray = field(default_factory=bytearray)
    secrets: list[tuple[int, bytes | bytearray]] = field(default_factory=list)


def encode(message: Any) -> Encoded:
    """Encodes a message."""
    encoded = Encoded()
    for one in plan_of(type(message)).fields:
        value = getattr(message, one.name)
        if one.is_repeated:
            _write_list(encoded, one, value)
        elif value is not None and (one.has_presence or value):
            _write_one(encoded, one, value)
    return encoded


def _write_list(encoded: Encoded, one: Field, values: Any) -> None:
    if one.kind in _SCALARS and values:
        packed = bytearray()
        for value in values:
            write_varint(packed, _SCALARS[one.kind](one, value))
        _write_bytes(encoded.data, one.number, packed)
        return
    for value in values:
        _write_one(encoded, one, value)


def _write_one(encoded: Encoded, one: Field, value: Any) -> None:
    out, kind = encoded.data, one.kind
    if kind is Kind.STRING:
        _write_bytes(out, one.number, _text(one, value))
    elif kind is Kind.MESSAGE:
        _write_message(encoded, one, value)
    elif kind is Kind.BYTES:
        if not isinstance(value, (bytes, bytearray, memoryview)):
            raise TypeError(f"{one.name} takes bytes")
        _write_bytes(out, one.number, value)
    elif kind is Kind.SECRET:
        _write_bytes(out, one.number, bytes(len(value)))
        encoded.secrets.append((len(out) - len(value), value))
    elif kind is Kind.FLOAT:
        write_varint(out, one.number << 3 | _FOUR_BYTES)
        out += struct.pack("<f", value)
    elif kind is Kind.DOUBLE:
        write_varint(out, one.number << 3 | _EIGHT_BYTES)
        out += struct.pack("<d", value)
    elif kind is Kind.TEXT_MAP:
        for key in sorted(value):
            _write_map_entry(out, one, key, value[key])
    else:
        write_varint(out, one.number << 3 | _VARINT)
        write_varint(out, _SCALARS[kind](one, value))


def _write_message(encoded: Encoded, one: Field, value: Any) -> None:
    from_text = plan_of(one.of).from_text
    if isinstance(value, str) and from_text is not None:
        value = from_text(value)
    if not isinstance(value, one.of):
        or_text = "" if from_text is None else " or a string"
        raise TypeError(f"{one.name} takes a {one.of.__name__}{or_text}, not {type(value).__name__}")
    child = encode(value)
    _write_bytes(encoded.data, one.number, child.data)
    start = len(encoded.data) - len(child.data)
    encoded.secrets += [(start + offset, secret) for offset, secret in child.secrets]


def _write_map_entry(out: bytearray, one: Field, key: str, value: str) -> None:
    entry = bytearray()
    _write_bytes(entry, 1, _text(one, key))
    _write_bytes(entry, 2, _text(one, value))
    _write_bytes(out, one.number, entry)


def _write_bytes(out: bytearray, number: int, value: bytes | bytearray | memoryview) -> None:
    write_varint(out, number << 3 | _LENGTH)
    write_varint(out, len(value))
    out += value


def _text(one: Field, value: Any) -> bytes:
    if not isinstance(value, str):
        raise TypeError(f"{one.name} takes a text")
    return value.encode()


def _ranged(lowest: int, highest: int, convert: Callable[[int], int]) -> Callable[[Field, Any], int]:
    def check(one: Field, value: Any) -> int:
        if not isinstance(value, int):
            raise TypeError(f"{one.name} takes an integer")
        if not lowest <= value <= highest:
            raise ValueError(f"{one.name} is out of its range; hint: {lowest} to {highest}")
        return convert(value)

    return check


_SCALARS: dict[Kind, Callable[[Field, Any], int]] = {
    Kind.BOOL: lambda _, value: 1 if value else 0,
    Kind.UINT32: _ranged(0, (1 << 32) - 1, int),
    Kind.UINT64: _ranged(0, (1 << 64) - 1, int),
    Kind.INT64: _ranged(-(1 << 63), (1 << 63) - 1, unsigned),
    Kind.SINT64: _ranged(-(1 << 63), (1 << 63) - 1, zigzag),
    Kind.ENUM: _ranged(-(1 << 31), (1 << 31) - 1, unsigned),
}
