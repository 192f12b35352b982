"""Writes the models: enums and structs, with the code that reads them from answers and writes them into requests."""

from __future__ import annotations

from typing import Any

from for_swift.choices import Choices
from for_swift.comments import Comments
from for_swift.names import Names, messages
from for_swift.properties import Properties, Property
from for_swift.text import HEADER, camel, comment, escaped, wire_name
from schema import FieldInfo, MessageInfo, Schema

_IMPORTS = "import FoundationEssentials\nimport StoreBasics\nimport StoreProtocol\n"
_READ = "For tests and previews: the calls of a client make their own."
_WRITTEN = "Creates a value with these properties."
_UNKNOWN = "A value that this client does not know yet."


class Models:
    """Writes a file of models for each .proto file."""

    def __init__(self, schema: Schema, names: Names, comments: Comments) -> None:
        self._schema = schema
        self._names = names
        self._comments = comments
        self._properties = Properties(schema, names)
        self._choices = Choices(names, comments, self._properties)
        self._read = self._reachable(one.answer for one in schema.calls)
        self._read |= self._reachable([schema.messages["Progress"]])
        self._written = self._reachable(one.request for one in schema.calls)
        self.missing: list[str] = []

    def files(self) -> dict[str, str]:
        """Returns the content of each file."""
        bodies: dict[str, str] = {}
        for name in self._names.enums:
            info = self._schema.enums[name]
            bodies[info.module] = bodies.get(info.module, "") + self._enum(info)
        for name, spec in self._names.choices.items():
            info = self._schema.messages[spec.get("proto", name)]
            bodies[info.module] = bodies.get(info.module, "") + self._choices.text(name, spec, info)
        for name, spec in self._names.kinds.items():
            info = self._schema.messages[spec["proto"]]
            bodies[info.module] = bodies.get(info.module, "") + self._choices.kinds(name, spec, info)
        self.missing += self._choices.missing
        for name, spec in self._names.types.items():
            if spec.get("_written"):
                continue
            infos = [self._schema.messages[one] for one in messages(name, spec)]
            bodies[infos[0].module] = bodies.get(infos[0].module, "") + self._struct(name, spec, infos)
        if self.missing:
            raise SystemExit("these need a comment in proto-docs:\n  " + "\n  ".join(self.missing))
        return {f"{name}.models.swift": f"{HEADER}{_IMPORTS}{body}" for name, body in bodies.items()}

    def _reachable(self, roots: Any) -> set[str]:
        found: set[str] = set()
        waiting = list(roots)
        while waiting:
            info = waiting.pop()
            if info.name in found:
                continue
            found.add(info.name)
            for one in info.fields:
                if one.of in self._schema.messages:
                    waiting.append(self._schema.messages[one.of])
                elif one.of:
                    found.add(one.of)
        return found

    def _comment(
        self, text: str, place: str, indent: str, info: MessageInfo | None = None, is_optional: bool = False
    ) -> str:
        if not text:
            self.missing.append(place)
            return ""
        return comment(self._comments.translated(text, info, is_optional), indent)

    # ---- Enums ----

    def _enum(self, info: MessageInfo) -> str:
        spec = self._names.enums[info.name]
        if "numbers" in spec:
            return self._numbers(info, *self._names.enum(info.name).rsplit(".", 1))
        owner, _, name = self._names.enum(info.name).rpartition(".")
        indent = "    " if owner else ""
        unknown = spec.get("unknown", "unknown")
        values = [(self._names.case(info.name, word), word, text) for word, number, text in info.values if number]
        text = f"\nextension {owner} {{\n" if owner else "\n"
        text += self._comment(spec.get("doc", info.comment), info.name, indent)
        text += f"{indent}public enum {name}: String, Hashable, Sendable, CaseIterable, Codable {{\n"
        for case, word, said in values:
            text += self._comment(said, f"{info.name}.{word}", indent + "    ")
            text += f"{indent}    case {escaped(case)}\n"
        has_unknown = unknown in ("unknown", "unspecified")
        if has_unknown:
            text += comment(_UNKNOWN, indent + "    ") + f"{indent}    case unknown\n"
        if spec.get("cases") == "known":
            known = ", ".join(f".{case}" for case, _, _ in values)
            text += f"\n{indent}    /// The values that this client knows.\n"
            text += f"{indent}    public static var allCases: [{name}] {{ [{known}] }}\n"
        text += f"{indent}}}\n" + ("}\n" if owner else "")
        full = self._names.enum(info.name)
        if info.name in self._read:
            text += self._reads_enum(info, full, unknown, values)
        if info.name in self._written:
            text += self._writes_enum(info, full, unknown, values)
        return text

    def _numbers(self, info: MessageInfo, owner: str, name: str) -> str:
        values = [(escaped(camel(word)), word, number) for word, number, _ in info.values if number]
        text = f"\nextension {owner} {{\n" + self._comment(info.comment, info.name, "    ")
        text += f"    public enum {name}: Int, Hashable, Sendable, CaseIterable {{\n"
        text += "".join(f"        case {case} = {number}\n" for case, _, number in values)
        text += "\n        /// The name as the protocol writes it: `NOT_FOUND`.\n"
        text += "        public var name: String {\n            switch self {\n"
        text += "".join(f'            case .{case}: "{word}"\n' for case, word, _ in values)
        return text + "            }\n        }\n    }\n}\n"

    @staticmethod
    def _reads_enum(info: MessageInfo, full: str, unknown: str, values: list[tuple[str, str, str]]) -> str:
        text = f"\nextension {full} {{\n    init{'?' if unknown == 'none' else ''}(_ wire: Wire{info.name}) {{\n"
        text += "        switch wire {\n"
        for case, word, _ in values:
            text += f"        case .{wire_name(word)}: self = .{case}\n"
        other = {"none": "return nil", "unspecified": "self = .unknown"}.get(unknown, f"self = .{unknown}")
        return text + f"        case .unspecified, .UNRECOGNIZED: {other}\n        }}\n    }}\n}}\n"

    @staticmethod
    def _writes_enum(info: MessageInfo, full: str, unknown: str, values: list[tuple[str, str, str]]) -> str:
        text = f"\nextension Wire{info.name} {{\n    init(_ model: {full}) {{\n        switch model {{\n"
        for case, word, _ in values:
            text += f"        case .{case}: self = .{wire_name(word)}\n"
        if unknown == "unknown":
            text += "        // No value has this number, so the daemon refuses it; unspecified may be a default.\n"
            text += "        case .unknown: self = .UNRECOGNIZED(-1)\n"
        elif unknown == "unspecified":
            text += "        case .unknown: self = .unspecified\n"
        return text + "        }\n    }\n}\n"

    # ---- Structs ----

    def _struct(self, name: str, spec: dict[str, Any], infos: list[MessageInfo]) -> str:
        info = infos[0]
        properties = self._made(name, spec, info)
        is_read = info.name in self._read and "_only" not in spec and not info.name.endswith("Request")
        is_page = name.endswith("Page")
        is_codable = spec.get("_codable", not any(one.type.startswith("FieldUpdate") for one in properties))
        conformances = "Hashable, Sendable"
        if is_page:
            conformances = "ListPage, CursorPage" if any(one.name == "nextCursor" for one in properties) else "ListPage"
        text = "\n" + self._comment(spec.get("_doc", info.comment), info.name, "", info)
        text += f"public struct {name}: {conformances}{', Codable' if is_codable else ''} {{\n"
        for one in properties:
            text += self._comment(one.comment, f"{info.name}.{one.name}", "    ", info, one.type.endswith("?"))
            text += f"    public var {escaped(one.name)}: {one.type}\n"
        text += "\n" + comment(_READ if is_read else _WRITTEN, "    ")
        text += self._initializer(properties, spec.get("_labels", {}))
        if is_page:
            first = properties[0]
            text += f"\n    /// `{first.name}`.\n    public var elements: {first.type} {{ {first.name} }}\n"
        text += "}\n"
        if is_read:
            text += self._reads(name, info, properties)
        if not is_read or info.name in self._written or spec.get("_sent"):
            for written in infos:
                text += self._writes(name, written, properties)
        return text

    def _made(self, name: str, spec: dict[str, Any], info: MessageInfo) -> list[Property]:
        only = spec.get("_only", [one.name for one in info.fields])
        chosen = [one for one in info.fields if one.name in only and spec.get(one.name) != "-"]
        is_page = name.endswith("Page")
        made: list[tuple[str, Property]] = []
        for one in chosen:
            found = self._properties.made(info, one, spec.get(one.name), spec.get("_zero", False))
            if (is_page and found.is_list) or (one.is_repeated and found.type == "[Range<Int>]"):
                found.default = None
            if info.name.endswith("Request") and one.name == "limit":
                found.default = "100"
            made.append((one.name, found))
        known = {one.name for one in info.fields}
        for key, value in spec.items():
            if isinstance(value, dict) and not key.startswith("_") and key not in known:
                said = value.get("doc") or info.field(value["of"]).comment
                made.append((key, self._properties.described(key, value, said)))
        for key, model in spec.get("_embed", {}).items():
            said = "Conditions on the entries."
            made.append((key, Property(key, model, f"{model}()", said, "", f"apply(@M@{key})\n")))
        if spec.get("_together"):
            made = self._together(made, spec["_together"])
        return [one for _, one in made]

    @staticmethod
    def _together(made: list[tuple[str, Property]], names: list[str]) -> list[tuple[str, Property]]:
        kept = [one for one in made if one[0] not in names[1:]]
        at = [key for key, _ in kept].index(names[0]) + 1
        moved = [next(one for one in made if one[0] == name) for name in names[1:]]
        first = next(index for index, one in enumerate(made) if one[0] in names)
        if made[first][0] != names[0]:
            head = kept.pop(at - 1)
            kept.insert(min(first, len(kept)), head)
            at = kept.index(head) + 1
        return kept[:at] + moved + kept[at:]

    @staticmethod
    def _initializer(properties: list[Property], labels: dict[str, str]) -> str:
        parameters = []
        for one in properties:
            label = f"{labels[one.name]} " if one.name in labels else ""
            parameters.append(f"{label}{one.name}: {one.type}" + (f" = {one.default}" if one.default else ""))
        text = "    public init(\n        " + ",\n        ".join(parameters) + "\n    ) {\n"
        return text + "".join(f"        self.{one.name} = {one.name}\n" for one in properties) + "    }\n"

    def _reads(self, name: str, info: MessageInfo, properties: list[Property]) -> str:
        throws = " throws(StoreClientError)" if info.name in self._properties.throwing else ""
        single = [one for one in info.fields if one.kind == "ENUM" and not one.is_repeated]
        failing = [one for one in single if one.of in self._properties.failing]
        text = f"\nextension {name} {{\n    init{'?' if failing else ''}(_ wire: Wire{info.name}){throws} {{\n"
        for field in failing:
            value = f"{self._names.enum(field.of or '')}(wire.{wire_name(field.name)})"
            text += f"        guard let {camel(field.name)} = {value} else {{ return nil }}\n"
        unsure = {camel(field.name) for field in failing}
        for one in properties:
            text += f"        self.{one.name} = {one.name if one.name in unsure else one.reads}\n"
        return text + "    }\n}\n"

    @staticmethod
    def _writes(name: str, info: MessageInfo, properties: list[Property]) -> str:
        text = f"\nextension Wire{info.name} {{\n"
        if info.name == name:
            text += f"    init(_ model: {name}) {{\n        self.init()\n"
        else:
            text += f"    mutating func apply(_ model: {name}) {{\n"
        for one in properties:
            writes = one.writes.replace("@T@", "").replace("@M@", "model.")
            text += "".join(f"        {line}\n" for line in writes.splitlines())
        return text + "    }\n}\n"


