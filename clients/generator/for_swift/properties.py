"""The properties of models: their types, and the code that converts them from and to messages of swift-protobuf."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import Any

from for_swift.names import Names, parts, property_name
from for_swift.text import wire_name
from schema import FieldInfo, MessageInfo, Schema

# For each kind of value: its type, the code that reads it and the code that writes it. `{}` stands for the value.
_Coding = tuple[str, str, str]
_CODINGS: dict[str, _Coding] = {
    "STRING": ("String", "{}", "{}"),
    "BYTES": ("[UInt8]", "[UInt8]({})", "Data({})"),
    "BOOL": ("Bool", "{}", "{}"),
    "UINT32": ("Int", "Int({})", "UInt32(clamping: {})"),
    "UINT64": ("UInt64", "{}", "{}"),
    "COUNT": ("Int", "Int(clamping: {})", "UInt64(clamping: {})"),
    "INT64": ("Timestamp", "Timestamp(microseconds: {})", "{}.microseconds"),
    "SINT64": ("Int64", "{}", "{}"),
    "FLOAT": ("Float", "{}", "{}"),
    "DOUBLE": ("Double", "{}", "{}"),
}
# The Swift types that may occur in types.toml.
_NAMED: dict[str, _Coding] = {
    "Digest": ("String", "Hexadecimal.encode({})", "Data(digest: {})"),
    "ArchiveSession": ("ArchiveSession", "ArchiveSession(number: {})", "{}.number"),
    "BlobSession": ("BlobSession", "BlobSession(number: {})", "{}.number"),
    "Int": ("Int", "Int(clamping: {})", "UInt64(clamping: {})"),
    "UInt32": ("UInt32", "{}", "{}"),
    "Duration": ("Duration", "", "{}.wholeMilliseconds"),
    "FileWriter": ("FileWriter", "FileWriter(client: self, number: {})", ""),
    "SceneArray": ("[SceneValue]", "try [SceneValue]({})", "WireSceneArray({})"),
    "SceneDictionary": ("SceneDictionary", "try SceneDictionary({})", "WireSceneDictionary({})"),
    "Seconds": ("Duration", "", "UInt32(clamping: max(1, {}.components.seconds))"),
    "ReplicaDeviceID": ("ReplicaDeviceID", "ReplicaDeviceID(number: {})", "{}.number"),
    "ReplicaReason": ("ReplicaReason", "ReplicaReason(rawValue: {})", "{}.rawValue"),
}
_EMPTY = {"STRING": '""', "BYTES": "[]", "MessageTimer": ".never", "Metadata": ".none", "Duration": ".zero"}


@dataclass
class Property:
    """A property of a model."""

    name: str
    type: str
    default: str | None
    comment: str
    # An expression over `wire` that reads the value. Empty if the property is not in the answer.
    reads: str
    # Statements that write the property into a request. @M@ stands for what precedes the property's name, such as
    # `model.`, and @T@ for what precedes the field's name, such as `call.`. Empty if the property is in no request.
    writes: str
    is_list: bool = False


class Properties:
    """Makes properties of fields."""

    def __init__(self, schema: Schema, names: Names) -> None:
        self._schema = schema
        self._names = names
        # `throwing` has the models whose initializer throws, and `failing` has the models whose initializer returns
        # `nil` for values that this client does not know.
        self.throwing = self._containing({"SceneValue", "AppendLogResponse"}, True)
        refused = {name for name, one in names.enums.items() if one.get("unknown") == "none"}
        self.failing = self._containing(refused, False)

    def made(self, info: MessageInfo, one: FieldInfo, spec: Any, has_defaults: bool) -> Property:
        """Returns the property of a field, which types.toml may describe."""
        if isinstance(spec, dict) and "type" in spec:
            return self.described(property_name(one.name), spec, one.comment)
        if isinstance(spec, dict):
            said, spec = spec["doc"], spec.get("is", "")
            one = dataclasses.replace(one, comment=said)
        name, kind, default = parts(spec or "")
        must_be_given = default == "none"
        default = None if must_be_given else default
        name = name or property_name(one.name)
        wire = f"wire.{wire_name(one.name)}"
        coding = self.coding(one, kind.rstrip("?"))
        swift, reading, writing = coding
        prefix = "try " if one.of in self.throwing else ""
        if one.is_repeated:
            reads, writes = self._list(one, wire, coding), self._assigned(one, name, writing)
            return Property(name, f"[{swift}]", default or "[]", one.comment, reads, writes, True)
        if kind.startswith("FieldUpdate"):
            return self._update(one, name, kind, coding)
        if one.name == "history_id" and one.kind == "BYTES":
            return Property(name, "HistoryID?", "nil", one.comment, f"HistoryID(bytes: {wire})", "")
        is_optional = kind.endswith("?") or self._is_optional(one)
        target = wire_name(one.name)
        if is_optional:
            test = f"wire.has{wire[5].upper()}{wire[6:]}" if one.has_presence else self._is_empty(one, wire)
            yes, no = (reading.format(wire), "nil") if one.has_presence else ("nil", reading.format(wire))
            writes = f"if let value = @M@{name} {{\n    @T@{target} = {writing.format('value')}\n}}\n"
            return Property(name, f"{swift}?", default or "nil", one.comment, f"{test} ? {prefix}{yes} : {no}", writes)
        if default is None and not must_be_given:
            default = self._default(swift, one, has_defaults)
        writes = f"@T@{target} = {writing.format(f'@M@{name}')}\n"
        return Property(name, swift, default, one.comment, prefix + reading.format(wire), writes)

    def described(self, name: str, spec: dict[str, str], comment: str) -> Property:
        """Returns a property that types.toml describes completely."""
        name = spec.get("name", name)
        return Property(
            name,
            spec["type"],
            spec.get("default"),
            spec.get("doc", comment),
            spec.get("from", "").strip(),
            "" if spec.get("to", "none") == "none" else spec["to"] + "\n",
        )

    def _containing(self, roots: set[str], in_lists: bool) -> set[str]:
        found = set(roots)
        while True:
            more = {
                info.name
                for info in self._schema.messages.values()
                if any(one.of in found and (in_lists or not one.is_repeated) for one in info.fields)
            }
            if more <= found:
                return found
            found |= more

    def coding(self, one: FieldInfo, kind: str) -> tuple[str, str, str]:
        """Returns the type of one value, the code that reads it and the code that writes it. `{}` is the value."""
        if one.kind == "SINT64" and one.name.endswith("_microseconds"):
            return _CODINGS["INT64"]
        if kind in _NAMED:
            swift, reading, writing = _NAMED[kind]
            if one.kind == "UINT32":
                narrow = f"UInt32(clamping: {writing})" if kind == "Duration" else writing.replace("UInt64(", "UInt32(")
                return (swift, reading, narrow)
            return (swift, reading, writing)
        if one.kind in ("ENUM", "MESSAGE"):
            swift = self._names.enum(one.of or "") if one.kind == "ENUM" else self._names.model(one.of or "")
            return (swift, f"{swift}({{}})", f"Wire{one.of}({{}})")
        if one.kind == "UINT64" and kind != "UInt64" and one.name.endswith("count"):
            return _CODINGS["COUNT"]
        return _CODINGS[one.kind]

    def _is_optional(self, one: FieldInfo) -> bool:
        if one.kind == "MESSAGE":
            return not one.is_always_present and re.search(r"\b[Aa]bsent\b", one.comment) is not None
        return one.has_presence or (one.kind == "STRING" and one.name.endswith("cursor"))

    @staticmethod
    def _is_empty(one: FieldInfo, wire: str) -> str:
        return f"{wire}.isEmpty" if one.kind in ("STRING", "BYTES") else f"{wire} == 0"

    def _list(self, one: FieldInfo, wire: str, coding: _Coding) -> str:
        swift, reading, _ = coding
        if reading == "{}":
            return wire
        if one.of in self.throwing:
            return f"try {wire}.map {{ (one) throws(StoreClientError) in try {swift}(one) }}"
        if one.of in self.failing:
            return f"{wire}.compactMap {{ {swift}($0) }}"
        return f"{wire}.map {{ {reading.format('$0')} }}"

    @staticmethod
    def _assigned(one: FieldInfo, name: str, writing: str) -> str:
        mapped = "" if writing == "{}" else f".map {{ {writing.format('$0')} }}"
        return f"@T@{wire_name(one.name)} = @M@{name}{mapped}\n"

    @staticmethod
    def _update(one: FieldInfo, name: str, kind: str, coding: _Coding) -> Property:
        given = kind.partition("<")[2].rstrip(">")
        swift, _, writing = _NAMED[given] if given else coding
        empty = _EMPTY.get(given or one.of or one.kind, "0")
        writes = (
            f"if let value = @M@{name}.wireValue(removed: {empty}) {{\n"
            f"    @T@{wire_name(one.name)} = {writing.format('value')}\n}}\n"
        )
        return Property(name, f"FieldUpdate<{swift}>", ".keep", one.comment, "", writes)

    @staticmethod
    def _default(swift: str, one: FieldInfo, has_defaults: bool) -> str | None:
        if swift == "Bool":
            return "false"
        if swift == "Int" and (one.name.endswith("count") or has_defaults):
            return "0"
        if has_defaults and swift == "UInt64":
            return "0"
        return '""' if has_defaults and swift == "String" else None
