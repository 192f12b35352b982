"""Writes the conversions between the engine's values and the messages of the protocol.

types.toml says which conversions there are, and where they differ from the rules (README.md).
"""

from __future__ import annotations

from typing import Any

from for_swift.names import property_name
from for_swift.text import camel, wire_name
from names import ALWAYS_PRESENT
from schema import FieldInfo, MessageInfo, Schema

_Table = dict[str, Any]


class Conversions:
    """Writes conversions as types.toml describes them."""

    def __init__(self, schema: Schema, table: _Table) -> None:
        """Takes the tables of types.toml."""
        self._schema = schema
        self._enums: dict[str, _Table] = table["enums"]
        self._messages: dict[str, _Table] = table["messages"]
        self._values: dict[str, _Table] = table["values"]
        self._writers: dict[str, _Table] = table["writers"]
        self._plain: dict[str, _Table] = table["fields"]

    # ---- enums ----

    def enums(self) -> str:
        """Returns the code of enums in the directions that their tables name."""
        return "".join(self._enum(name, spec) for name, spec in self._enums.items())

    def _enum(self, name: str, spec: _Table) -> str:
        words = [word for word, number, _ in self._schema.enums[name].values if number]
        cases = [(f".{camel(word)}", f".{spec.get(word, camel(word))}") for word in words if spec.get(word) != "-"]
        text = ""
        if spec.get("to", True):
            rows = "".join(f"        case {engine}: self = {wire}\n" for wire, engine in cases)
            text += (
                f"\nextension Wire{name} {{\n    init(_ value: {spec['_of']}) {{\n        switch value {{\n{rows}"
                "        }\n    }\n}\n"
            )
        if "unknown" in spec:
            rows = "".join(f"        case {wire}: self = {engine}\n" for wire, engine in cases)
            others = [f".{camel(word)}" for word in words if spec.get(word) == "-"]
            if "unspecified" in spec:
                rows += f"        case .unspecified: self = .{spec['unspecified']}\n"
            else:
                others.append(".unspecified")
            text += (
                f"\nextension {spec['_of']} {{\n"
                "    /// - Throws: `.invalidArgument` for a number that this daemon does not know.\n"
                f"    init(wire: Wire{name}) throws(StoreError) {{\n        switch wire {{\n{rows}"
                f"        case {', '.join([*others, '.UNRECOGNIZED'])}:\n"
                f"            throw .invalidArgument(\n                \"{spec['unknown']}\")\n        }}\n    }}\n}}\n"
            )
        return text

    # ---- messages of swift-protobuf, from values of the engine ----

    def messages(self) -> str:
        """Returns the initializers of messages from values of the engine."""
        return "".join(self._message(self._schema.messages[name], spec) for name, spec in self._messages.items())

    def _message(self, info: MessageInfo, spec: _Table) -> str:
        lines = [f"        {spec.get('_start', 'self.init()')}\n"]
        for one in _fields(info, spec):
            lines.append(self._set(one, spec, _is_present(info, one, spec)))
        of = spec.get("_of", info.name)
        return f"\nextension Wire{info.name} {{\n    init(_ value: {of}) {{\n{''.join(lines)}    }}\n}}\n"

    @staticmethod
    def _set(one: FieldInfo, spec: _Table, is_present: bool) -> str:
        value = _expression(one, spec)
        made = f"Wire{one.of}" if one.kind in ("ENUM", "MESSAGE") else "wire"
        target = f"self.{wire_name(one.name)}"
        if str(spec.get(one.name, "")).startswith("= "):
            return f"        {target} = {value}\n"
        if one.is_repeated and made != "wire":
            return f"        {target} = {value}.map {{ {made}($0) }}\n"
        if one.has_presence and not one.is_repeated and not is_present:
            return f"        if let given = {value} {{ {target} = {made}(given) }}\n"
        return f"        {target} = {made}({value})\n"

    # ---- values of the engine, from messages of swift-protobuf ----

    def values(self) -> str:
        """Returns the initializers of the engine's values from messages."""
        return "".join(self._value(self._schema.messages[name], spec) for name, spec in self._values.items())

    def _value(self, info: MessageInfo, spec: _Table) -> str:
        parts = [(_label(one, spec), self._read(info, one, spec), one) for one in _fields(info, spec)]
        if spec.get("_assigned"):
            body = "        self.init()\n" + "".join(f"        self.{label} = {read}\n" for label, read, _ in parts)
        else:
            for group, (of, *names) in spec.get("_groups", {}).items():
                inner = ", ".join(f"{label}: {read}" for label, read, one in parts if one.name in names)
                first = next(index for index, part in enumerate(parts) if part[2].name == names[0])
                parts[first] = (group, f"{of}({inner})", parts[first][2])
                parts = [part for index, part in enumerate(parts) if index == first or part[2].name not in names]
            order = spec.get("_order", [])
            parts.sort(key=lambda part: order.index(part[0]) if part[0] in order else len(order))
            arguments = [f"{label}: {read}" for label, read, _ in parts] + spec.get("_more", [])
            body = f"        self.init(\n            {(',' + chr(10) + ' ' * 12).join(arguments)})\n"
        of = spec.get("_of", info.name)
        parameter = f"_ fields: {spec['_from']}" if "_from" in spec else f"wire: Wire{info.name}"
        return f"\nextension {of} {{\n    init({parameter}) throws(StoreError) {{\n{body}    }}\n}}\n"

    def _read(self, info: MessageInfo, one: FieldInfo, spec: _Table) -> str:
        text = str(spec.get(one.name, ""))
        given = text.partition(" = ")[2]
        wire = f"wire.{wire_name(one.name)}"
        if given:
            return given
        if "_from" in spec:
            return f"fields.{camel(one.name)}"
        if one.is_repeated and one.kind == "MESSAGE":
            return f"try {wire}.map {{ (one) throws(StoreError) in try .init(wire: one) }}"
        if text.endswith("?"):
            empty = f"{wire}.isEmpty" if one.kind in ("STRING", "BYTES") else f"{wire} == 0"
            return f"{empty} ? nil : try .init(wire: {wire})"
        if one.has_presence and not _is_present(info, one, spec):
            return f"{_has(wire)} ? try .init(wire: {wire}) : nil"
        return f"try .init(wire: {wire})"

    # ---- bytes of messages, from values of the engine ----

    def writers(self) -> str:
        """Returns the code that writes values of the engine as messages, without swift-protobuf."""
        return "".join(self._writer(self._schema.messages[name], spec) for name, spec in self._writers.items())

    def _writer(self, info: MessageInfo, spec: _Table) -> str:
        sizes, writes = [], []
        for one in _fields(info, spec):
            value = _expression(one, spec, "self")
            if one.kind == "ENUM" and one.name not in spec:
                value = f"Wire{one.of}({value}).rawValue"
            kind = "field"
            if one.is_repeated:
                kind = "messages" if one.kind == "MESSAGE" else "texts" if one.kind == "STRING" else "packed"
            elif one.kind == "MESSAGE" and not spec.get("_bytes", "") == one.name:
                kind = "message"
            elif one.has_presence:
                kind = "present"
            sizes.append(f"        size += ProtobufSize.{kind}({one.number}, {value})\n")
            writes.append(f"        writer.{kind}({one.number}, {value})\n")
        where = f" where {spec['_where']}" if "_where" in spec else ""
        return (
            f"\n/// `{info.name}` of {info.module}.proto.\n"
            f"extension {spec.get('_of', info.name)}: WrittenMessage{where} {{\n"
            f"    var protobufSize: Int {{\n        var size = 0\n{''.join(sizes)}        return size\n    }}\n\n"
            f"    func write(to writer: inout ProtobufWriter) {{\n{''.join(writes)}    }}\n}}\n"
        )

    # ---- fields of messages, read without swift-protobuf ----

    def fields(self) -> str:
        """Returns types that read fields without swift-protobuf, for messages that must be decoded fast."""
        return "".join(self._fields_of(self._schema.messages[name], spec) for name, spec in self._plain.items())

    def _fields_of(self, info: MessageInfo, spec: _Table) -> str:
        variables, copies = [], []
        read: dict[str, list[str]] = {"bytes": [], "varint": []}
        for one in info.fields:
            name, wire = camel(one.name), f"wire.{wire_name(one.name)}"
            kind, default = _PLAIN.get(one.kind, ("", ""))
            if one.kind == "MESSAGE" and not one.is_repeated:
                given, _, made = str(spec.get(one.name, "")).partition(" = ")
                kind = given or f"{one.of}Fields"
                variables.append(f"    var {name}: {kind}?\n")
                copies.append(f"        {name} = {_has(wire)} ? {made or f'{kind}({wire})'} : nil\n")
                read["bytes"].append(
                    f"                case {one.number}:\n"
                    f"                    guard let value = {kind}(plain: message, range) else {{ return nil }}\n"
                    f"                    self.{name} = value\n"
                )
                continue
            if one.is_repeated:
                variables.append(f"    var {name}: [Wire{one.of}] = []\n")
                copies.append(f"        {name} = {wire}\n")
                continue
            value = {"ENUM": f"Int64({wire}.rawValue)", "BYTES": f"[UInt8]({wire})"}.get(one.kind, wire)
            if one.has_presence:
                variables.append(f"    var {name}: {kind}?\n")
                copies.append(f"        {name} = {_has(wire)} ? {value} : nil\n")
            else:
                variables.append(f"    var {name}: {kind} = {default}\n")
                copies.append(f"        {name} = {value}\n")
            if one.kind == "STRING":
                read["bytes"].append(
                    f"                case {one.number}:\n"
                    "                    guard let text = message.text(at: range) else { return nil }\n"
                    f"                    self.{name} = text\n"
                )
            elif one.kind == "BYTES":
                read["bytes"].append(
                    f"                case {one.number}: self.{name} = [UInt8](message[range])\n")
            else:
                read["varint"].append(f"                case {one.number}: self.{name} = {_VARINTS[one.kind]}\n")
        cases = "".join(
            f"            case .{kind}(let {'range' if kind == 'bytes' else 'value'}):\n"
            f"                switch field.number {{\n{''.join(rows)}"
            "                default: return nil\n                }\n"
            for kind, rows in read.items()
            if rows
        )
        others = [f".{kind}" for kind, rows in read.items() if not rows] + [".fixed32", ".fixed64"]
        return (
            f"\n/// The fields of `{info.name}` as they are on the wire.\n"
            f"struct {info.name}Fields {{\n{''.join(variables)}\n"
            f"    init(_ wire: Wire{info.name}) {{\n{''.join(copies)}    }}\n\n"
            "    /// `nil` unless every field is known, occurs at most once, and is no list.\n"
            "    init?(plain message: UnsafeRawBufferPointer, _ range: Range<Int>) {\n"
            "        var reader = ProtobufReader(message, range: range)\n        var seen: UInt32 = 0\n"
            "        while true {\n            guard let next = try? reader.nextOrEnd() else { return nil }\n"
            "            guard case .field(let field) = next else { return }\n"
            f"            guard field.number <= {max(one.number for one in info.fields)}, "
            "seen & (1 << field.number) == 0 else { return nil }\n            seen |= 1 << field.number\n"
            f"            switch field.value {{\n{cases}            case {', '.join(others)}: return nil\n"
            "            }\n        }\n    }\n}\n"
        )


# For each kind of field, its Swift type and its default.
_PLAIN = {
    "STRING": ("String", '""'),
    "BYTES": ("[UInt8]", "[]"),
    "BOOL": ("Bool", "false"),
    "INT64": ("Int64", "0"),
    "UINT64": ("UInt64", "0"),
    "ENUM": ("Int64", "0"),
}
# The code that converts `value`, the bits of a varint, to the type of the field.
_VARINTS = {
    "BOOL": "value != 0",
    "INT64": "Int64(bitPattern: value)",
    "UINT64": "value",
    "ENUM": "Int64(Int32(truncatingIfNeeded: value))",
}


def _fields(info: MessageInfo, spec: _Table) -> list[FieldInfo]:
    only = spec.get("_only")
    fields = [one for one in info.fields if spec.get(one.name) != "-" and (only is None or one.name in only)]
    return sorted(fields, key=lambda one: one.number)


def _expression(one: FieldInfo, spec: _Table, value: str = "value") -> str:
    given = str(spec.get(one.name, "")).lstrip("!")
    if given.startswith("= "):
        return given[2:]
    return f"{value}.{given or property_name(one.name)}"


def _is_present(info: MessageInfo, one: FieldInfo, spec: _Table) -> bool:
    """Returns True if a field with presence always has a value."""
    return f"{info.name}.{one.name}" in ALWAYS_PRESENT or str(spec.get(one.name, "")).startswith("!")


def _has(wire: str) -> str:
    """Returns the code that asks whether a message has a field with presence."""
    name = wire.removeprefix("wire.")
    return f"wire.has{name[0].upper()}{name[1:]}"


def _label(one: FieldInfo, spec: _Table) -> str:
    given = str(spec.get(one.name, "")).lstrip("!").partition(" = ")[0].rstrip("?")
    return given or property_name(one.name)
