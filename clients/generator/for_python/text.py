"""Writes names, types and comments in the form of the Python package."""

from __future__ import annotations

import keyword
import textwrap

from schema import FieldInfo

HEADER = "# Written by tools/generate.py from proto-docs; do not edit.\n"
_TYPES = {
    "STRING": "str",
    "BYTES": "bytes",
    "SECRET": "bytes | bytearray",
    "BOOL": "bool",
    "FLOAT": "float",
    "DOUBLE": "float",
}
_DEFAULTS = {"STRING": '""', "BYTES": 'b""', "SECRET": 'b""', "BOOL": "False"}


def python_name(one: FieldInfo) -> str:
    """Returns the name of the attribute or parameter."""
    return f"{one.name}_" if keyword.iskeyword(one.name) else one.name


def item_type(one: FieldInfo) -> str:
    """Returns the type of one value."""
    return one.of if one.of is not None else _TYPES.get(one.kind, "int")


def model_type(one: FieldInfo) -> str:
    """Returns the type of the attribute."""
    if one.kind == "TEXT_MAP":
        return "Mapping[str, str]"
    if one.is_repeated:
        return f"tuple[{item_type(one)}, ...]"
    or_text = " | str" if one.accepts_text else ""
    return f"{item_type(one)}{or_text}" + (" | None" if one.has_presence and not one.is_always_present else "")


def default(one: FieldInfo) -> str:
    """Returns Python code for the value of an absent field."""
    if one.kind == "TEXT_MAP":
        return "field(default_factory=dict)"
    if one.is_repeated:
        return "()"
    if one.is_always_present:
        # In a lambda, because the class may be defined further down.
        return f"field(default_factory=lambda: {one.of}())"
    if one.has_presence:
        return "None"
    if one.kind == "ENUM":
        return f"{one.of}.UNSPECIFIED"
    return _DEFAULTS.get(one.kind, "0")


def comment_lines(comment: str, indent: str) -> str:
    """Returns a comment of a .proto file as comment lines."""
    lines = textwrap.wrap(" ".join(comment.split()), 116 - len(indent))
    return "".join(f"{indent}# {line}\n" for line in lines)
