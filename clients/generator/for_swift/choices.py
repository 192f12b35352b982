"""Writes an enum for each `oneof` that StoreClient shows, and how it is read and written."""

from __future__ import annotations

from typing import Any

from for_swift.comments import Comments
from for_swift.names import Names, parts
from for_swift.properties import Properties
from for_swift.text import camel, comment, wire_name
from schema import FieldInfo, MessageInfo


class Choices:
    """Writes an enum with a case for each field of a `oneof`."""

    def __init__(self, names: Names, comments: Comments, properties: Properties) -> None:
        self._names = names
        self._comments = comments
        self._properties = properties
        self.missing: list[str] = []

    def text(self, full: str, spec: dict[str, Any], info: MessageInfo) -> str:
        """Returns the enum, its coding, and the extensions that read it and write it."""
        owner, _, name = full.rpartition(".")
        indent = "    " if owner else ""
        fields = [one for one in info.fields if one.oneof == spec.get("oneof", one.oneof) and one.oneof]
        cases = [self._case(one, spec) for one in fields]
        text = f"\nextension {owner} {{\n" if owner else "\n"
        text += self._comment(spec.get("doc", info.comment), info, indent)
        text += f"{indent}public enum {name}: Hashable, Sendable {{\n"
        for one, (case, swift, _, _) in zip(fields, cases):
            said = spec.get("comments", {}).get(one.name, one.comment)
            text += self._comment(said, info, indent + "    ", one.name)
            text += f"{indent}    case {case}({swift})\n"
        text += f"{indent}}}\n" + ("}\n" if owner else "")
        text += self._codable(full, cases)
        if "oneof" not in spec:
            text += self._reads(full, info, fields, cases) if info.name in self._properties.throwing else ""
            return text + self._writes(f"init(_ model: {full})", "self.init()\n        ", info, fields, cases)
        return text + self._writes(f"mutating func apply(_ model: {full})", "", info, fields, cases)

    def kinds(self, full: str, spec: dict[str, str], info: MessageInfo) -> str:
        """Returns an enum of the names of the fields, and the extension that reads it."""
        owner, _, name = full.rpartition(".")
        fields = [one for one in info.fields if one.oneof == spec["oneof"]]
        text = f"\nextension {owner} {{\n" + self._comment(spec["doc"], info, "    ")
        text += f"    public enum {name}: Hashable, Sendable, CaseIterable {{\n"
        for one in fields:
            text += self._comment(one.comment, info, "        ", one.name) + f"        case {camel(one.name)}\n"
        kind = f"Wire{info.name}.OneOf_{spec['oneof'].capitalize()}"
        text += f"\n        init(_ wire: {kind}) {{\n            switch wire {{\n"
        text += "".join(f"            case .{wire_name(one.name)}: self = .{camel(one.name)}\n" for one in fields)
        return text + "            }\n        }\n    }\n}\n"

    def _case(self, one: FieldInfo, spec: dict[str, Any]) -> tuple[str, str, str, str]:
        name, kind, _ = parts(spec.get("cases", {}).get(one.name, ""))
        swift, reading, writing = self._properties.coding(one, kind)
        return (name or camel(one.name.removesuffix("_microseconds")), swift, reading, writing)

    def _comment(self, text: str, info: MessageInfo, indent: str, field: str = "") -> str:
        if not text:
            self.missing.append(f"{info.name}.{field}")
            return ""
        return comment(self._comments.translated(text, info), indent)

    @staticmethod
    def _codable(full: str, cases: list[tuple[str, str, str, str]]) -> str:
        text = f"\nextension {full}: Codable {{\n    private enum Kind: String, CodingKey {{\n        case "
        text += ", ".join(case for case, _, _, _ in cases) + "\n    }\n\n"
        text += "    /// Reads an object whose one key is the name of the case.\n"
        text += "    public init(from decoder: any Decoder) throws {\n"
        text += "        let container = try decoder.container(keyedBy: Kind.self)\n"
        text += "        guard let kind = container.allKeys.first, container.allKeys.count == 1 else {\n"
        text += "            throw DecodingError.dataCorrupted(\n                DecodingError.Context(\n"
        text += '                    codingPath: decoder.codingPath, debugDescription: "one key was expected"))\n'
        text += "        }\n        switch kind {\n"
        for case, swift, _, _ in cases:
            value = f"try container.decode({swift}.self, forKey: kind)"
            text += f"        case .{case}: self = .{case}({value})\n"
        text += "        }\n    }\n\n    /// Writes an object whose one key is the name of the case.\n"
        text += "    public func encode(to encoder: any Encoder) throws {\n"
        text += "        var container = encoder.container(keyedBy: Kind.self)\n        switch self {\n"
        for case, _, _, _ in cases:
            text += f"        case .{case}(let value): try container.encode(value, forKey: .{case})\n"
        return text + "        }\n    }\n}\n"

    @staticmethod
    def _reads(
        full: str, info: MessageInfo, fields: list[FieldInfo], cases: list[tuple[str, str, str, str]]
    ) -> str:
        text = f"\nextension {full} {{\n    /// - Throws: `.answerUnreadable` for a kind of a newer daemon.\n"
        text += f"    init(_ wire: Wire{info.name}) throws(StoreClientError) {{\n"
        text += f"        switch wire.{wire_name(fields[0].oneof)} {{\n"
        for one, (case, _, reading, _) in zip(fields, cases):
            text += f"        case .{wire_name(one.name)}(let value): self = .{case}({reading.format('value')})\n"
        text += '        case nil: throw .answerUnreadable("the kind of a value is unknown to this client")\n'
        return text + "        }\n    }\n}\n"

    @staticmethod
    def _writes(
        head: str, first: str, info: MessageInfo, fields: list[FieldInfo], cases: list[tuple[str, str, str, str]]
    ) -> str:
        text = f"\nextension Wire{info.name} {{\n    {head} {{\n        {first}switch model {{\n"
        for one, (case, _, _, writing) in zip(fields, cases):
            text += f"        case .{case}(let value): {wire_name(one.name)} = {writing.format('value')}\n"
        return text + "        }\n    }\n}\n"
