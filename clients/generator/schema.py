"""The messages, enums and calls of the .proto files with their comments, in a form for every language."""

from __future__ import annotations

import re
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from descriptors import Fields
from names import ALWAYS_PRESENT, SECRETS, TEXT_FORMS, WRITES_WITHOUT_COMMIT

# Numbers of FieldDescriptorProto.Type.
_KINDS = {
    1: "DOUBLE",
    2: "FLOAT",
    3: "INT64",
    4: "UINT64",
    8: "BOOL",
    9: "STRING",
    11: "MESSAGE",
    12: "BYTES",
    13: "UINT32",
    14: "ENUM",
    18: "SINT64",
}
_LABEL_REPEATED = 3
_Comments = dict[tuple[int, ...], str]


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


@dataclass
class MessageInfo:
    """A message, or an enum with its values."""

    name: str
    module: str
    comment: str
    fields: list[FieldInfo] = field(default_factory=list)
    values: list[tuple[str, int, str]] = field(default_factory=list)

    def field(self, name: str) -> FieldInfo:
        """Returns the field with this name."""
        for one in self.fields:
            if one.name == name:
                return one
        raise SystemExit(f"{self.name} has no field {name}")


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
        """True for writes, and for finish_file_write: these accept an idempotency key."""
        return self.result == "commit" or self.name in WRITES_WITHOUT_COMMIT


class Schema:
    """All messages, enums and calls."""

    def __init__(self, files: Fields) -> None:
        """Reads a FileDescriptorSet."""
        self.messages: dict[str, MessageInfo] = {}
        self.enums: dict[str, MessageInfo] = {}
        for file in files.messages(1):
            module = file.text(1).rsplit("/", 1)[1].removesuffix(".proto")
            comments = {one.packed(1): one.text(3) for source in file.messages(9) for one in source.messages(1)}
            for index, enum in enumerate(file.messages(5)):
                self._add_enum(module, enum, (5, index), comments)
            for index, message in enumerate(file.messages(4)):
                self._add_message(module, message, (4, index), comments)
        self.request = self.messages.pop("Request")
        self.response = self.messages.pop("Response")
        self.calls = [self._call(one) for one in self.request.fields if one.number >= 10]

    def _add_enum(self, module: str, enum: Fields, path: tuple[int, ...], comments: _Comments) -> None:
        name = enum.text(1)
        prefix = re.sub(r"(?<!^)(?=[A-Z])", "_", name).upper() + "_"
        info = MessageInfo(name, module, comments.get(path, ""))
        for index, value in enumerate(enum.messages(2)):
            comment = comments.get((*path, 2, index), "")
            info.values.append((value.text(1).removeprefix(prefix), value.number(2), comment))
        self.enums[name] = info

    def _add_message(self, module: str, message: Fields, path: tuple[int, ...], comments: _Comments) -> None:
        info = MessageInfo(message.text(1), module, comments.get(path, ""))
        maps = {one.text(1) for one in message.messages(3) for options in one.messages(7) if options.number(7)}
        oneofs = [one.text(1) for one in message.messages(8)]
        for index, one in enumerate(message.messages(2)):
            name, kind, of = one.text(1), _KINDS[one.number(5)], one.text(6).rsplit(".", 1)[-1] or None
            if of in maps:
                kind, of = "TEXT_MAP", None
            if f"{info.name}.{name}" in SECRETS:
                kind = "SECRET"
            is_optional = bool(one.number(17))
            in_oneof = one.has(9) and not is_optional
            info.fields.append(
                FieldInfo(
                    one.number(3),
                    name,
                    kind,
                    of,
                    one.number(4) == _LABEL_REPEATED and kind != "TEXT_MAP",
                    in_oneof or is_optional or kind == "MESSAGE",
                    oneofs[one.number(9)] if in_oneof else "",
                    comments.get((*path, 2, index), ""),
                    f"{info.name}.{name}" in ALWAYS_PRESENT,
                    of in TEXT_FORMS and bool(re.match(r"New|.*Request$", info.name)),
                )
            )
        self.messages[info.name] = info

    def _call(self, one: FieldInfo) -> CallInfo:
        request = self.messages[one.of or ""]
        found = re.search(r"Answers?: (progress, then )?([a-z_]+)", " ".join(request.comment.split()))
        if found is None:
            raise SystemExit(f"the comment of {request.name} does not say what answers it")
        result = self.response.field(found[2])
        return CallInfo(
            one.name, one.number, request, result.name, result.number, self.messages[result.of or ""], bool(found[1])
        )


def read(folder: Path) -> Schema:
    """Returns the .proto files of a folder as protoc parses them."""
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(
            [
                "protoc",
                f"--proto_path={folder}",
                "--include_source_info",
                f"--descriptor_set_out={out.name}",
                *sorted(str(path) for path in folder.glob("ghoststore/v1/*.proto")),
            ],
            check=True,
        )
        return Schema(Fields(Path(out.name).read_bytes()))
