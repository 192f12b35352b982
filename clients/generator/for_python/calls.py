"""Writes the table of calls, and a method for each call."""

from __future__ import annotations

from errors import ReasonInfo
from for_python import docstrings
from for_python.text import HEADER, default, item_type, python_name
from names import POSITIONAL, REQUIRED, WITHOUT_METHOD
from schema import CallInfo, FieldInfo, Schema

# Messages for which methods also accept a shorter form.
_SHORT_FORMS = {"ConversationReference": "to_conversation", "FilePath": "to_path"}


def table(schema: Schema) -> str:
    """Returns the text of protocol/calls.py."""
    text = f'{HEADER}"""Every call of the protocol, and its answer."""\n\nfrom __future__ import annotations\n\n'
    text += "from typing import Any\n\nfrom .. import model as wire\nfrom .call import Call\n\n"
    for one in schema.calls:
        text += (
            f"{one.name.upper()} = Call(\n"
            f'    "{one.name}", {one.number}, wire.{one.request.name},\n'
            f'    "{one.result}", {one.result_number}, wire.{one.answer.name},\n'
            f"    takes_key={one.takes_key}, has_progress={one.has_progress},\n)\n"
        )
    names = "".join(f"    {one.name.upper()},\n" for one in schema.calls)
    text += f"\n_ALL: tuple[Call[Any], ...] = (\n{names})\n"
    return text + "\n# By their names.\nALL: dict[str, Call[Any]] = {call.name: call for call in _ALL}\n"


def modules(schema: Schema, reasons: dict[str, ReasonInfo]) -> dict[str, str]:
    """Returns the text of each module of methods, and of the package's `__init__`."""
    groups: dict[str, list[CallInfo]] = {}
    for one in schema.calls:
        groups.setdefault(one.request.module, []).append(one)
    texts = {name: _module(name, calls, reasons) for name, calls in groups.items()}
    names = sorted(texts)
    package = f'{HEADER}"""A method for each call of the protocol."""\n\nfrom __future__ import annotations\n\n'
    package += "".join(f"from .{name} import {_class(name)}\n" for name in names)
    package += "\n\nclass AsyncCalls(\n" + "".join(f"    {_class(name)},\n" for name in names) + "):\n"
    package += '    """Every call of the protocol, as proto-docs define it."""\n\n\n__all__ = ["AsyncCalls"]\n'
    texts["__init__"] = package
    return texts


def _class(module: str) -> str:
    return f"Async{module.capitalize()}Calls"


def _module(module: str, calls: list[CallInfo], reasons: dict[str, ReasonInfo]) -> str:
    body = f"\n\nclass {_class(module)}(AsyncCaller):\n"
    body += f'    """The calls of ghoststore/v1/{module}.proto."""\n'
    body += "".join(_method(one, reasons) for one in calls if one.name not in WITHOUT_METHOD)
    text = f'{HEADER}"""Calls of ghoststore/v1/{module}.proto."""\n\nfrom __future__ import annotations\n\n'
    standard = []
    if "Callable[" in body:
        standard.append("Callable")
    if "Sequence[" in body:
        standard.append("Sequence")
    if standard:
        text += f"from collections.abc import {', '.join(standard)}\n\n"
    text += "from ... import model as wire\nfrom ...protocol import calls\nfrom ...protocol.options import Options\n"
    short = [name for name in sorted(_SHORT_FORMS.values()) if f"{name}(" in body]
    if short:
        text += f"from ...short_forms import {', '.join(short)}\n"
    return text + "from ..caller import AsyncCaller\n" + body


def _method(one: CallInfo, reasons: dict[str, ReasonInfo]) -> str:
    required = REQUIRED.get(one.name, [])
    fields = {each.name: each for each in one.request.fields}
    first = required + POSITIONAL.get(one.name, [])
    ordered = [fields[name] for name in first] + [each for each in one.request.fields if each.name not in first]
    lines = ["        self,\n"]
    for index, each in enumerate(ordered):
        if index == len(first):
            lines.append("        *,\n")
        value = "" if each.name in required else f" = {_default(each)}"
        lines.append(f"        {python_name(each)}: {_type(each, each.name in required)}{value},\n")
    if len(ordered) == len(first):
        lines.append("        *,\n")
    if one.has_progress:
        lines.append("        on_progress: Callable[[wire.Progress], None] | None = None,\n")
    lines.append("        options: Options | None = None,\n")
    answer = f"wire.{one.answer.name}" if one.answer.fields else "None"
    text = f"\n    async def {one.name}(\n{''.join(lines)}    ) -> {answer}:\n"
    text += docstrings.method(one, ordered, reasons)
    arguments = "".join(f"            {python_name(each)}={_value(each, each.name in required)},\n" for each in ordered)
    text += f"        request = wire.{one.request.name}(" + (f"\n{arguments}        )\n" if arguments else ")\n")
    tail = ", on_progress" if one.has_progress else ""
    keep = "return " if one.answer.fields else ""
    return text + f"        {keep}await self.call(calls.{one.name.upper()}, request, options{tail})\n"


def _type(one: FieldInfo, is_required: bool) -> str:
    item = f"wire.{one.of}" if one.of else item_type(one)
    if one.of in _SHORT_FORMS:
        item += " | str"
    if one.is_repeated:
        return f"Sequence[{item}]"
    return item if is_required or not one.has_presence else f"{item} | None"


def _default(one: FieldInfo) -> str:
    is_enum = one.kind == "ENUM" and not one.is_repeated and not one.has_presence
    return f"wire.{default(one)}" if is_enum else default(one)


def _value(one: FieldInfo, is_required: bool) -> str:
    if one.is_repeated:
        return f"tuple({python_name(one)})"
    if one.of not in _SHORT_FORMS:
        return python_name(one)
    short = f"{_SHORT_FORMS[one.of or '']}({python_name(one)})"
    return short if is_required else f"None if {python_name(one)} is None else {short}"
