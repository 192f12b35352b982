"""Writes the methods of StoreClient that make one call each, as calls.toml describes them."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import Any

from call_comments import CallComment, of_request
from for_swift.comments import Comments
from for_swift.names import Names
from for_swift.properties import Properties, Property
from for_swift.text import HEADER, camel, comment, wire_name
from names import REQUIRED
from schema import CallInfo, Schema

_PARAMETER = re.compile(r"^(?:(\w+) )?(\w+)(\?)?(?:: ([\w?]+))?(?: as (\w+))?(?: = (.+))?$")
_READS = ("get_", "list_", "search_", "read_", "ping")
_IMPORTS = "import FoundationEssentials\nimport StoreBasics\nimport StoreProtocol\n"
_CURSOR = "`nextCursor` of the previous page; `nil` starts at the top."
_START = "`nextCursor` of a page, to continue after it; `nil` starts at the top."
_KEY = "Names the write, so that repeating it does nothing twice."
_PROGRESS = "Called on the connection's thread: return quickly."


@dataclass
class Parameter:
    """A parameter of a method, and the statements that put it into the request."""

    label: str
    name: str
    type: str
    default: str | None
    comment: str
    writes: str
    is_secret: bool = False

    @property
    def declaration(self) -> str:
        """The parameter in the method's head."""
        label = "" if self.label in ("", self.name) else f"{self.label} "
        return f"{label}{self.name}: {self.type}" + (f" = {self.default}" if self.default else "")

    @property
    def argument(self) -> str:
        """The parameter in a call that passes it on."""
        return self.name if self.label == "_" else f"{self.label or self.name}: {self.name}"


@dataclass
class Method:
    """A method, and its call."""

    call: CallInfo
    name: str
    list_name: str
    parameters: list[Parameter]
    answer: str
    table: dict[str, Any]

    @property
    def effect(self) -> str:
        """The Swift code of the method's `CallEffect`: whether the client may repeat the call."""
        if "effect" in self.table:
            return str(self.table["effect"])
        if self.call.takes_key:
            return ".mutation(idempotencyKey)"
        return ".read" if self.call.name.startswith(_READS) else ".once"


class Calls:
    """Writes a file of methods for each .proto file."""

    def __init__(self, schema: Schema, names: Names, comments: Comments) -> None:
        self._schema = schema
        self._names = names
        self._comments = comments
        self._properties = Properties(schema, names)
        self.missing: list[str] = []

    def files(self) -> dict[str, str]:
        """Returns the content of each file."""
        bodies: dict[str, str] = {}
        for call in self._schema.calls:
            given = self._names.calls["calls"].get(call.name, [])
            for one in given if isinstance(given, list) else [given]:
                table = one if isinstance(one, dict) else {"swift": one}
                body = self._method(self._parsed(call, table))
                bodies[call.request.module] = bodies.get(call.request.module, "") + body
        if self.missing:
            raise SystemExit("these need a comment in proto-docs:\n  " + "\n  ".join(self.missing))
        return {
            f"{module}.calls.swift": f"{HEADER}{_IMPORTS}\nextension StoreClient {{\n{body[1:]}}}\n"
            for module, body in bodies.items()
        }

    # ---- The table ----

    def _parsed(self, call: CallInfo, table: dict[str, Any]) -> Method:
        found = re.fullmatch(r"(?:(\w+), )?(\w+)\((.*)\)(?: -> (.+))?", table["swift"].strip())
        if found is None:
            raise SystemExit(f"calls.toml: {call.name} is not a method: {table['swift']}")
        parameters: list[Parameter] = []
        for text in filter(None, found[3].split(", ")):
            parameters += self._page_parameters(call) if text == "..." else [self._parameter(call, text, table)]
        return Method(call, found[2], found[1] or "", parameters, found[4] or "", table)

    def _page_parameters(self, call: CallInfo) -> list[Parameter]:
        limit = call.request.field("limit").comment
        found = re.search(r"0 means ([0-9,]+)", limit)
        default = found[1].replace(",", "_") if found else "100"
        return [
            Parameter("", "limit", "Int", default, limit or "1 to 1,000.", "@T@limit = UInt32(clamping: limit)\n"),
            Parameter("", "cursor", "String?", "nil", _CURSOR, '@T@cursor = cursor ?? ""\n'),
        ]

    def _parameter(self, call: CallInfo, text: str, table: dict[str, Any]) -> Parameter:
        found = _PARAMETER.match(text)
        if found is None:
            raise SystemExit(f"calls.toml: {call.name} has no parameter {text}")
        label, name, question, model, kind, default = found.groups()
        if model:
            return self._model_parameter(label or "", name, model, table)
        one = call.request.field(name)
        said = table.get("says", {}).get(name, one.comment)
        one = dataclasses.replace(one, comment=said)
        if one.of == "Secret":
            swift = "consuming SecretInput" + ("?" if question else "")
            return Parameter(
                label or "",
                camel(name),
                swift,
                "nil" if question else None,
                one.comment,
                self._secret(name, bool(question)),
                True,
            )
        base = "" if not (question or kind) else f"as {kind or self._base(call, name)}{question or ''}"
        spec = f"{base} = {default}" if default else base
        if kind in ("Duration", "Seconds"):
            spec = camel(re.sub("_(milli)?seconds$", "", name)) + f" {spec}"
        made = self._properties.made(call.request, one, spec, False)
        if (name in REQUIRED.get(call.name, []) or one.is_repeated) and default is None:
            made.default = None
        writes = made.writes.replace("@M@", "")
        if one.is_repeated and one.of in ("NewAttachment", "NewMessage"):
            writes = f"@T@{wire_name(name)} = try await prepared({made.name})\n"
        if one.is_repeated and one.of == "Metadata":
            # In a request, a list of metadata has an empty entry for each item without metadata.
            made.type = "[Metadata?]"
            writes = f"@T@{wire_name(name)} = {made.name}.map {{ WireMetadata($0 ?? .none) }}\n"
        return Parameter(label or "", made.name, made.type, made.default, one.comment, writes)

    def _base(self, call: CallInfo, name: str) -> str:
        """Returns the Swift type of a field, without the `?` of an optional."""
        made = self._properties.made(call.request, call.request.field(name), None, False)
        return made.type.rstrip("?")

    def _model_parameter(self, label: str, name: str, model: str, table: dict[str, Any]) -> Parameter:
        spec = self._names.types.get(model.rstrip("?"), {})
        said = table.get("says", {}).get(name, spec.get("_doc", ""))
        default = f"{model}()" if model.endswith("Filter") else "nil" if model.endswith("?") else spec.get("_default")
        if spec.get("_secret"):
            writes = f"@T@apply({name}, &secrets)\n"
            return Parameter(label, name, f"consuming {model}", default, said, writes, True)
        writes = f"@T@apply({name})\n"
        if model.endswith("?"):
            writes = f"if let {name} {{\n    @T@apply({name})\n}}\n"
        return Parameter(label, name, model, default, said, writes)

    @staticmethod
    def _secret(name: str, is_optional: bool) -> str:
        swift = camel(name)
        if is_optional:
            return f"if let {swift} = consume {swift} {{\n    @T@{swift} = secrets.add({swift})\n}}\n"
        return f"@T@{swift} = secrets.add({swift})\n"

    # ---- Comments ----

    def _documentation(
        self, method: Method, parameters: list[Parameter], answer: Property | None, extra: str
    ) -> str:
        request = method.call.request
        given = method.table.get("doc")
        said = CallComment.of(f"{given}\nAnswer: _", request.name) if given else of_request(request)
        if given and "errors" in method.table:
            said = dataclasses.replace(said, errors=tuple((one, "") for one in method.table["errors"]))
        blocks = [comment(self._comments.translated(said.text, request) + extra, "    ")]
        items = ""
        for one in parameters:
            if not one.comment:
                self.missing.append(f"{request.name}.{one.name}")
                continue
            words = self._comments.translated(one.comment, request, one.type.endswith("?"))
            items += comment(words.replace("Unspecified", "`.unknown`"), "    ", f"  - {one.name}: ")
        if items:
            blocks.append("    /// - Parameters:\n" + items)
        lists = ""
        if answer is not None:
            returns = method.table.get("returns", answer.comment)
            words = self._comments.translated(returns, request, answer.type.endswith("?"))
            lists += comment(words, "    ", "- Returns: ") if words else ""
        elif said.answer and method.call.result == "commit":
            lists += comment(f"The commit{self._comments.translated(said.answer, request)}", "    ", "- Returns: ")
        if said.errors:
            errors = "; ".join(f"{self._comments.reason(word)}{rest}" for word, rest in said.errors)
            lists += comment(f"{self._comments.translated(errors, request).rstrip('.')}.", "    ", "- Throws: ")
        if lists:
            blocks.append(lists)
        # The lists follow each other without an empty line.
        return blocks[0] + ("    ///\n" if len(blocks) > 1 else "") + "".join(blocks[1:])

    # ---- Methods ----

    def _method(self, method: Method) -> str:
        call, parameters = method.call, list(method.parameters)
        answer = self._answer(method)
        returned = answer.type if answer else self._names.model(call.answer.name) if call.answer.fields else ""
        if call.takes_key and "effect" not in method.table:
            key = Parameter("", "idempotencyKey", "IdempotencyKey", "IdempotencyKey()", _KEY, "")
            parameters.append(key)
        if call.has_progress:
            kind = "@escaping @Sendable (WorkProgress) -> Void"
            parameters.append(Parameter("", "progress", kind, "{ _ in }", _PROGRESS, ""))
        text = self._list(method, returned) if method.list_name else ""
        extra = f" Returns one page; `{method.list_name}` has all entries." if method.list_name else ""
        text += "\n" + self._documentation(method, parameters, answer, extra)
        if method.table.get("discardable", call.takes_key and bool(returned)):
            text += "    @discardableResult\n"
        arrow = f" -> {returned}" if returned else ""
        text += self._head(method.name, parameters, f" async throws(StoreClientError){arrow}")
        body = self._request(method) + self._sent(method, answer, returned)
        return text + "".join(f"        {line}\n" if line else "\n" for line in body.splitlines()) + "    }\n"

    @staticmethod
    def _head(name: str, parameters: list[Parameter], rest: str) -> str:
        declared = [one.declaration for one in parameters]
        line = f"    public func {name}({', '.join(declared)}){rest} {{\n"
        if len(line) <= 121:
            return line
        return f"    public func {name}(\n        " + ",\n        ".join(declared) + f"\n    ){rest} {{\n"

    def _list(self, method: Method, page: str) -> str:
        start = Parameter("from", "start", "String?", "nil", _START, "")
        parameters = [start if one.name == "limit" else one for one in method.parameters if one.name != "cursor"]
        text = "\n" + self._documentation(method, parameters, None, " The pages are requested as the list is iterated.")
        text += self._head(method.list_name, parameters, f" -> PagedList<{page}>")
        arguments = ", ".join(one.argument for one in method.parameters)
        if method.table.get("one_history"):
            text += "        PagedList(from: start, first: PageSize.following)"
            text += " { (limit, cursor, previous) throws(StoreClientError) in\n"
            text += "            let client = with(history: previous?.historyID ?? history)\n"
            call = f"client.{method.name}({arguments})"
            return text + f"            return try await {call}.checked(after: previous)\n        }}\n    }}\n"
        text += "        PagedList(from: start) { (limit, cursor, _) throws(StoreClientError) in\n"
        return text + f"            try await {method.name}({arguments})\n        }}\n    }}\n"

    def _answer(self, method: Method) -> Property | None:
        if not method.answer:
            return None
        name, _, kind = method.answer.partition(" as ")
        one = method.call.answer.field(name)
        if one.kind == "SECRET":
            return Property(camel(name), "RecoveryCodeOutput?", None, one.comment, "answer.takeRecoveryCode()", "")
        return self._properties.made(method.call.answer, one, f"as {kind}" if kind else None, False)

    def _request(self, method: Method) -> str:
        writes = "".join(one.writes for one in method.parameters)
        for name, value in method.table.get("set", {}).items():
            writes += f"@T@{wire_name(name)} = {value}\n"
        text = f"{'var' if writes else 'let'} call = Wire{method.call.request.name}()\n"
        if any(one.is_secret for one in method.parameters):
            text += "var secrets = SecretList()\n"
        text += writes.replace("@T@", "call.")
        return text + "".join(f"{method.table[key]}\n" for key in ("then", "before") if key in method.table)

    def _sent(self, method: Method, answer: Property | None, returned: str) -> str:
        call, effect = method.call, method.effect
        case = f".{wire_name(call.name)}(call)"
        if returned == "Commit" and effect == ".mutation(idempotencyKey)":
            return f"return try await commit({case}, key: idempotencyKey)\n"
        secrets = ", secrets: secrets" if any(one.is_secret for one in method.parameters) else ""
        text = ""
        if secrets:
            text = f"let body = try RequestBody({case}{secrets})\n"
        if call.has_progress:
            sent = f"finish({'body' if secrets else f'RequestBody({case})'}, progress: progress)"
        elif secrets:
            sent = f"finalAnswer(to: body, {effect}).result"
        else:
            sent = f"answer(to: {case}, {effect})"
        result = wire_name(call.result)
        if "send" in method.table:
            return f"{method.table['send']}\n"
        is_secret = any(one.kind == "SECRET" for one in call.answer.fields)
        if is_secret:
            body = text or f"let body = try RequestBody({case}, secrets: SecretList())\n"
            text = body.replace("secrets: secrets)", "secrets: secrets, answersSecret: true)")
            text = text.replace("SecretList())", "SecretList(), answersSecret: true)")
            text += f"let answer = try await finalAnswer(to: body, {effect})\n"
            sent = "answer.result"
        found_sent = f"try {sent}" if is_secret else f"try await {sent}"
        if is_secret and answer:
            found = f"if case .{result} = result {{ () }} else {{ nil }}"
            return text + f"{found_sent} {{ result in\n    {found}\n}}\nreturn {answer.reads}\n"
        if not returned:
            found = f"if case .{result} = result {{ () }} else {{ nil }}"
            return text + f"try await {sent} {{ result in\n    {found}\n}}\n"
        found = f"if case .{result}(let found) = result {{ found }} else {{ nil }}"
        text += f"let wire = {found_sent} {{ result in\n    {found}\n}}\n"
        text += f"{method.table['after']}\n" if "after" in method.table else ""
        if answer:
            return text + f"return {answer.reads}\n"
        if is_secret:
            return text + f"return {returned}(wire, answer.takeRecoveryCode())\n"
        if "value" in method.table:
            return text + f"return {method.table['value']}\n"
        throwing = "try " if call.answer.name in self._properties.throwing else ""
        return text + f"return {throwing}{returned}(wire)\n"
