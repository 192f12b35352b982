"""Writes the lists of all calls and of all results."""

from __future__ import annotations

from for_swift.text import camel
from schema import Schema


def kinds(schema: Schema) -> str:
    """Returns the code of `CallKind`."""
    cases = "".join(f"    case {camel(one.name)} = {one.number}\n" for one in schema.calls)
    names = "".join(f'        case .{camel(one.name)}: "{one.name}"\n' for one in schema.calls)
    return (
        "/// Every call of v1. The raw value is its field number in `Request.call`.\n"
        f"package enum CallKind: UInt32, Hashable, Sendable, CaseIterable {{\n{cases}\n"
        "    /// The field's name in service.proto: for logs and metrics.\n"
        f"    package var name: String {{\n        switch self {{\n{names}        }}\n    }}\n}}\n"
    )


def table(schema: Schema) -> str:
    """Returns the code that finds the row of a call, which is in the `Calls` of its .proto file."""
    rows = "".join(
        f"        case .{camel(one.name)}: {_home(one.request.module)}.{camel(one.name)}\n" for one in schema.calls
    )
    return (
        "extension CallKind {\n    /// The call's row.\n"
        f"    var rule: CallRule {{\n        switch self {{\n{rows}        }}\n    }}\n}}\n"
    )


def _home(module: str) -> str:
    """Returns `MessageCalls` for messages.proto."""
    return module.capitalize().removesuffix("s") + "Calls"


def results(schema: Schema) -> str:
    """Returns the numbers of results."""
    fields = [one for one in schema.response.fields if one.oneof]
    cases = "".join(f"    case {camel(one.name)} = {one.number}\n" for one in fields)
    return f"/// Field numbers in `Response.result`.\nenum ResultField: UInt32 {{\n{cases}}}\n"


def secrets(schema: Schema) -> str:
    """Returns the places of secrets in requests and in answers."""
    requests, answers = [], []
    value = schema.messages["Secret"].field("value").number
    for call in schema.calls:
        for one in call.request.fields:
            if one.of == "Secret":
                role = "newSecret" if one.name == "new_secret" else "secret"
                requests.append(f"        Path(.{camel(call.name)}, {one.number}, {value}, role: .{role}),\n")
        for one in call.answer.fields:
            if one.kind == "SECRET":
                if call.result_number != call.number:
                    raise SystemExit(f"the result of {call.name}, which has a secret, must have the number of the call")
                answers.append(f"        Path(.{camel(call.name)}, {one.number}, role: .recoveryCode),\n")
    return (
        "extension SecretWire {\n"
        f"    static let requestPaths: [Path] = [\n{''.join(requests)}    ]\n\n"
        "    /// Results have the numbers of their calls.\n"
        f"    static let responsePaths: [Path] = [\n{''.join(answers)}    ]\n}}\n"
    )
