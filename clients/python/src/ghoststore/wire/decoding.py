"""Decodes messages. It ignores unknown fields and keeps unknown values of enums."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, TypeVar

from .fields import Field, Kind, Plan, plan_of
from .varints import MalformedBytes, read_varint, signed, unzigzag

Model = TypeVar("Model")

_VARINT, _EIGHT_BYTES, _LENGTH, _FOUR_BYTES = 0, 1, 2, 5
# A limit that no valid message reaches: messages are nested at most 16 deep, and values of scenes at most 32 deep with
# up to three messages at each level.
_DEPTH_MAX = 128


def decode(model: type[Model], data: bytes | bytearray) -> Model:
    """Decodes bytes to a message."""
    decoded: Model = _read(plan_of(model), data, 0, len(data), {}, 0)
    return decoded


def read_field(data: bytes | bytearray | memoryview, position: int, end: int) -> tuple[int, int, int, int]:
    """Returns the tag of the field at a position, its value if it is a varint, and the start and end of its bytes."""
    tag, position = read_varint(data, position, end)
    if not 1 <= tag >> 3 < 1 << 29:
        raise MalformedBytes("a field has no number that fields have")
    wire_type, value = tag & 7, 0
    if wire_type == _VARINT:
        value, stop = read_varint(data, position, end)
    elif wire_type == _LENGTH:
        count, position = read_varint(data, position, end)
        stop = position + count
    elif wire_type == _EIGHT_BYTES:
        stop = position + 8
    elif wire_type == _FOUR_BYTES:
        stop = position + 4
    else:
        raise MalformedBytes("a field has a wire type that is not used")
    if stop > end:
        raise MalformedBytes("a field is longer than what it lies in")
    return tag, value, position, stop


def _read(plan: Plan, data: bytes | bytearray, position: int, end: int, values: dict[str, Any], depth: int) -> Any:
    if depth > _DEPTH_MAX:
        raise MalformedBytes("messages are nested too deep")
    by_number = plan.by_number
    while position < end:
        tag, value, begin, position = read_field(data, position, end)
        one = by_number.get(tag >> 3)
        if one is None:
            continue
        if one.kind is Kind.STRING and tag & 7 == _LENGTH and not one.is_repeated and not one.oneof:
            # A faster path for the most frequent kind of field.
            values[one.name] = _text(data, begin, position)
        else:
            _take(plan, one, tag & 7, value, data, begin, position, values, depth)
    for name in plan.repeated:
        if name in values:
            values[name] = tuple(values[name])
    return plan.model(**values)


def _take(
    plan: Plan,
    one: Field,
    wire_type: int,
    value: int,
    data: bytes | bytearray,
    begin: int,
    stop: int,
    values: dict[str, Any],
    depth: int,
) -> None:
    fits = wire_type == _WIRE_TYPES[one.kind]
    if one.is_repeated:
        into = values.setdefault(one.name, [])
        if fits:
            into.append(_value(one, value, data, begin, stop, depth, None))
        elif wire_type == _LENGTH and one.kind in _FROM_VARINT:
            while begin < stop:
                value, begin = read_varint(data, begin, stop)
                into.append(_FROM_VARINT[one.kind](one, value))
    elif fits and one.kind is Kind.TEXT_MAP:
        key, text = _map_entry(data, begin, stop)
        values.setdefault(one.name, {})[key] = text
    elif fits:
        for rival in plan.rivals.get(one.name, ()):
            values.pop(rival, None)
        values[one.name] = _value(one, value, data, begin, stop, depth, values.get(one.name))


def _value(one: Field, value: int, data: bytes | bytearray, begin: int, stop: int, depth: int, before: Any) -> Any:
    kind = one.kind
    if kind in _FROM_VARINT:
        return _FROM_VARINT[kind](one, value)
    if kind is Kind.STRING:
        return _text(data, begin, stop)
    if kind is Kind.MESSAGE:
        # A message field that occurs twice is merged.
        seed = {} if before is None else _attributes(plan_of(one.of), before)
        return _read(plan_of(one.of), data, begin, stop, seed, depth + 1)
    if kind is Kind.BYTES:
        return bytes(data[begin:stop])
    if kind is Kind.SECRET:
        return bytearray(data[begin:stop])
    return struct.unpack("<f" if kind is Kind.FLOAT else "<d", data[begin:stop])[0]


def _attributes(plan: Plan, message: Any) -> dict[str, Any]:
    values = {one.name: getattr(message, one.name) for one in plan.fields}
    kept = {name: value for name, value in values.items() if value is not None}
    for name in plan.repeated:
        kept[name] = list(kept[name])
    for name in plan.maps:
        kept[name] = dict(kept[name])
    return kept


def _map_entry(data: bytes | bytearray, position: int, end: int) -> tuple[str, str]:
    texts = {1: "", 2: ""}
    while position < end:
        tag, _, begin, position = read_field(data, position, end)
        if tag & 7 == _LENGTH and tag >> 3 in texts:
            texts[tag >> 3] = _text(data, begin, position)
    return texts[1], texts[2]


def _text(data: bytes | bytearray, begin: int, stop: int) -> str:
    try:
        return data[begin:stop].decode()
    except UnicodeDecodeError:
        raise MalformedBytes("a text is not UTF-8") from None


def _enum_value(one: Field, value: int) -> Any:
    bits = value & 0xFFFF_FFFF
    return one.of(bits - (1 << 32) if bits & 0x8000_0000 else bits)


_FROM_VARINT: dict[Kind, Callable[[Field, int], Any]] = {
    Kind.BOOL: lambda _, value: value != 0,
    Kind.UINT32: lambda _, value: value & 0xFFFF_FFFF,
    Kind.UINT64: lambda _, value: value,
    Kind.INT64: lambda _, value: signed(value),
    Kind.SINT64: lambda _, value: unzigzag(value),
    Kind.ENUM: _enum_value,
}

_WIRE_TYPES: dict[Kind, int] = {
    **{kind: _VARINT for kind in _FROM_VARINT},
    **{kind: _LENGTH for kind in (Kind.STRING, Kind.BYTES, Kind.SECRET, Kind.MESSAGE, Kind.TEXT_MAP)},
    Kind.FLOAT: _FOUR_BYTES,
    Kind.DOUBLE: _EIGHT_BYTES,
}
