"""The facts of the .proto files that the generators need."""

from __future__ import annotations

import keyword
import re
import textwrap
from dataclasses import dataclass, field
from typing import Any

from google.protobuf import descriptor_pb2

_Field = descriptor_pb2.FieldDescriptorProto
_Comments = dict[tuple[int, ...], str]
_KINDS = {
    _Field.TYPE_STRING: "STRING",
    _Field.TYPE_BYTES: "BYTES",
    _Field.TYPE_BOOL: "BOOL",
    _Field.TYPE_UINT32: "UINT32",
    _Field.TYPE_UINT64: "UINT64",
    _Field.TYPE_INT64: "INT64",
    _Field.TYPE_SINT64: "SINT64",
    _Field.TYPE_ENUM: "ENUM",
    _Field.TYPE_FLOAT: "FLOAT",
    _Field.TYPE_DOUBLE: "DOUBLE",
    _Field.TYPE_MESSAGE: "MESSAGE",
}
# PROTOCOL.md, "Secrets".
_SECRETS = {
    "Secret.value",
    "InitializeStoreResponse.recovery_code",
    "AddKeySlotResponse.recovery_code",
    "InviteReplicaDeviceResponse.code",
}
# Messages that an answer always has, although protobuf does not require them.
_ALWAYS_PRESENT = {
    "ArchiveRestoreReport.counts",
    "ArchiveRestoreReport.header",
    "BackupReport.statistics",
    "FoundMessage.message",
    "GetOrCreateConversationResponse.conversation",
    "ListedAttachment.attachment",
    "OpenLogResponse.log",
    "ReadAttachmentResponse.attachment",
    "ReadFileResponse.file",
    "ReadLogResponse.log",
    "RestoreBackupResponse.statistics",
}
# Messages for which a string can stand in requests.
_TEXT_FORMS = {"ConversationReference", "FilePath"}
_TYPES = {
    "STRING": "str",
    "BYTES": "bytes",
    "SECRET": "bytes | bytearray",
    "BOOL": "bool",
    "FLOAT": "float",
    "DOUBLE": "float",
}
_DEFAULTS = {"STRING": '""', "BYTES": 'b""', "SECRET": 'b""', "BOOL": "False"}


@dataclass
class FieldInfo:
    """A field of a message."""

    number: int
    name: str
    kind: str
    of: str | None
    is_repeated: bool
    has_presence: bool
    oneof: str
    comment: str
    is_always_present: bool = False
    accepts_text: bool = False

    @property
    def item_type(self) -> str:
        """The Python type of one value."""
        return self.of if self.of is not None else _TYPES.get(self.kind, "int")

    @property
    def model_type(self) -> str:
        """The Python type of the attribute."""
        if self.kind == "TEXT_MAP":
            return "Mapping[str, str]"
        if self.is_repeated:
            return f"tuple[{self.item_type}, ...]"
        or_text = " | str" if self.accepts_text else ""
        return f"{self.item_type}{or_text}" + (" | None" if self.has_presence and not self.is_always_present else "")

    @property
    def default(self) -> str:
        """Python code for the value of an absent field."""
        if self.kind == "TEXT_MAP":
            return "field(default_factory=dict)"
        if self.is_repeated:
            return "()"
        if self.is_always_present:
            # The class may be defined further down.
            return f"field(default_factory=lambda: {self.of}())"
        if self.has_presence:
            return "None"
        if self.kind == "ENUM":
            return f"{self.of}.UNSPECIFIED"
        return _DEFAULTS.get(self.kind, "0")


@dataclass
class MessageInfo:
    """A message, or an enum with its values."""

    name: str
    module: str
    comment: str
    fields: list[FieldInfo] = field(default_factory=list)
    values: list[tuple[str, int, str]] = field(default_factory=list)


@dataclass
class CallInfo:
    """A call of Request, and its answer."""

    name: str
    number: int
    request: MessageInfo
    result: str
    result_number: int
    answer: MessageInfo
    has_progress: bool

    @property
    def takes_key(self) -> bool:
        """True for writes, as PROTOCOL.md lists them in "Ordering", and for finish_file_write."""
        others = {"get_or_create_conversation", "open_log", "append_log", "compact_changes"}
        return self.result == "commit" or self.name in others


class Schema:
    """All messages, enums and calls."""

    def __init__(self, files: descriptor_pb2.FileDescriptorSet) -> None:
        self.messages: dict[str, MessageInfo] = {}
        self.enums: dict[str, MessageInfo] = {}
        for file in files.file:
            module = file.name.rsplit("/", 1)[1].removesuffix(".proto")
            comments = {tuple(one.path): one.leading_comments for one in file.source_code_info.location}
            for index, enum in enumerate(file.enum_type):
                self._add_enum(module, enum, (5, index), comments)
            for index, message in enumerate(file.message_type):
                self._add_message(module, message, (4, index), comments)
        self.request = self.messages.pop("Request")
        self.response = self.messages.pop("Response")
        self.calls = [self._call(one) for one in self.request.fields if one.number >= 10]

    def _add_enum(self, module: str, enum: Any, path: tuple[int, ...], comments: _Comments) -> None:
        prefix = re.sub(r"(?<!^)(?=[A-Z])", "_", enum.name).upper() + "_"
        info = MessageInfo(enum.name, module, comments.get(path, ""))
        for index, value in enumerate(enum.value):
            comment = comments.get((*path, 2, index), "")
            info.values.append((value.name.removeprefix(prefix), value.number, comment))
        self.enums[enum.name] = info

    def _add_message(self, module: str, message: Any, path: tuple[int, ...], comments: _Comments) -> None:
        info = MessageInfo(message.name, module, comments.get(path, ""))
        maps = {one.name for one in message.nested_type if one.options.map_entry}
        for index, one in enumerate(message.field):
            kind, of = _KINDS[one.type], one.type_name.rsplit(".", 1)[-1] or None
            if of in maps:
                kind, of = "TEXT_MAP", None
            if f"{message.name}.{one.name}" in _SECRETS:
                kind = "SECRET"
            in_oneof = one.HasField("oneof_index") and not one.proto3_optional
            oneof = message.oneof_decl[one.oneof_index].name if in_oneof else ""
            info.fields.append(
                FieldInfo(
                    one.number,
                    _python_name(one.name),
                    kind,
                    of,
                    one.label == _Field.LABEL_REPEATED and kind != "TEXT_MAP",
                    in_oneof or one.proto3_optional or kind == "MESSAGE",
                    oneof,
                    comments.get((*path, 2, index), ""),
                    f"{message.name}.{one.name}" in _ALWAYS_PRESENT,
                    of in _TEXT_FORMS and bool(re.match(r"New|.*Request$", message.name)),
                )
            )
        self.messages[message.name] = info

    def _call(self, one: FieldInfo) -> CallInfo:
        request = self.messages[one.of or ""]
        found = re.search(r"Answers?: (progress, then )?([a-z_]+)", " ".join(request.comment.split()))
        if found is None:
            raise SystemExit(f"the comment of {request.name} does not say what answers it")
        result = next(each for each in self.response.fields if each.name == found[2])
        return CallInfo(
            one.name, one.number, request, result.name, result.number, self.messages[result.of or ""], bool(found[1])
        )


def comment_lines(comment: str, indent: str) -> str:
    """Returns a comment of a .proto file as comment lines."""
    lines = textwrap.wrap(" ".join(comment.split()), 116 - len(indent))
    return "".join(f"{indent}# {line}\n" for line in lines)


def _python_name(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name


HEADER = "# Written by tools/generate.py from proto-docs; do not edit.\n"
