"""Writes a module of dataclasses and enums for each .proto file."""

from __future__ import annotations

import re

from for_python import docstrings
from for_python.text import HEADER, default, model_type, python_name
from schema import CallInfo, FieldInfo, MessageInfo, Schema


def modules(schema: Schema) -> dict[str, str]:
    """Returns the text of each module, and of the package's `__init__`."""
    names = sorted({info.module for info in [*schema.messages.values(), *schema.enums.values()]})
    texts = {name: _module(schema, name) for name in names}
    texts["__init__"] = _package(schema, names)
    return texts


def _module(schema: Schema, module: str) -> str:
    enums = [info for info in schema.enums.values() if info.module == module]
    messages = [info for info in schema.messages.values() if info.module == module]
    calls = {one.request.name: one for one in schema.calls}
    body = "".join(map(_enum, enums)) + "".join(_message(info, calls.get(info.name)) for info in messages)
    body += "\n\n" + "\n".join(_description(info) for info in messages) + "\n" if messages else ""
    return _head(schema, module, messages, bool(enums), body) + body


def _head(schema: Schema, module: str, messages: list[MessageInfo], has_enums: bool, body: str) -> str:
    text = f'{HEADER}"""Messages of ghoststore/v1/{module}.proto."""\n\nfrom __future__ import annotations\n\n'
    if "builtins." in body:
        text += "import builtins\n"
    if "Mapping[" in body:
        text += "from collections.abc import Mapping\n"
    if messages:
        text += "from dataclasses import dataclass" + (", field\n" if "field(" in body else "\n")
    others: dict[str, set[str]] = {}
    for one in (one for info in messages for one in info.fields if one.of):
        home = (schema.messages.get(one.of or "") or schema.enums[one.of or ""]).module
        if home != module:
            others.setdefault(home, set()).add(one.of or "")
    if messages:
        wire = ["Field", "Kind", "Model", "describe"] if "Field(" in body else ["Model", "describe"]
        text += f"\nfrom ..wire import {', '.join(wire)}\n"
    if has_enums:
        text += "from ._enums import OpenEnum\n"
    for home in sorted(others):
        text += f"from .{home} import {', '.join(sorted(others[home]))}\n"
    return text


def _enum(info: MessageInfo) -> str:
    text = f"\n\nclass {info.name}(OpenEnum):\n"
    text += docstrings.enum(info) + "\n"
    return text + "".join(f"    {name} = {number}\n" for name, number, _ in info.values)


def _message(info: MessageInfo, call: CallInfo | None) -> str:
    text = f"\n\n@dataclass(frozen=True, slots=True, kw_only=True, repr=False)\nclass {info.name}(Model):\n"
    text += docstrings.model(info, call)
    text += "\n" if info.fields else ""
    for one in info.fields:
        value = 'field(default=b"", repr=False)' if one.kind == "SECRET" else default(one)
        text += f"    {python_name(one)}: {_type(info, one)} = {value}\n"
    return text


def _type(info: MessageInfo, one: FieldInfo) -> str:
    """Returns the type of a field, with its full name if another field of the message hides it."""
    names = {each.name for each in info.fields}

    def full(found: re.Match[str]) -> str:
        return f"builtins.{found[0]}" if found[0] in names else found[0]

    return re.sub(r"\b(float|bytes|int|str|bool)\b", full, model_type(one))


def _description(info: MessageInfo) -> str:
    if not info.fields:
        return f"describe({info.name})"
    fields = "".join(f"    {_field(one)},\n" for one in info.fields)
    return f"describe(\n    {info.name},\n{fields})"


def _field(one: FieldInfo) -> str:
    parts = [str(one.number), f'"{python_name(one)}"', f"Kind.{one.kind}"]
    if one.of:
        parts.append(one.of)
    if one.is_repeated:
        parts.append("is_repeated=True")
    if one.has_presence and not one.is_repeated:
        parts.append("has_presence=True")
    if one.oneof:
        parts.append(f'oneof="{one.oneof}"')
    line = f"Field({', '.join(parts)})"
    if len(line) <= 114:
        return line
    return "Field(\n" + "".join(f"        {part},\n" for part in parts) + "    )"


def _package(schema: Schema, names: list[str]) -> str:
    text = f'{HEADER}"""The messages of the protocol as frozen dataclasses, named as in proto-docs."""\n\n'
    everything = []
    for module in names:
        infos = [*schema.enums.values(), *schema.messages.values()]
        members = sorted(info.name for info in infos if info.module == module)
        everything += members
        text += f"from .{module} import (\n" + "".join(f"    {name},\n" for name in members) + ")\n"
    return text + "\n__all__ = [\n" + "".join(f'    "{name}",\n' for name in sorted(everything)) + "]\n"
