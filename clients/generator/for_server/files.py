"""The generated files of StoreProtocol's calls and of StoreServer."""

from __future__ import annotations

import tomllib
from pathlib import Path

from errors import Errors
from for_server import calls
from for_server.conversions import Conversions
from for_swift.text import HEADER
from schema import Schema

_PROTOCOL = "Sources/StoreProtocol/Calls/Generated"
_SERVER = "Sources/StoreServer/Generated"
_IMPORTS = "".join(
    f"import {module}\n"
    for module in ("FoundationEssentials", "ReplicaModel", "StoreBasics", "StoreCrypto", "StoreEngine", "StoreProtocol")
)


def generated_files(root: Path, schema: Schema, _: Errors) -> dict[Path, str]:
    """Returns every generated file and its content."""
    conversions = Conversions(schema, tomllib.loads((Path(__file__).parent / "types.toml").read_text()))
    texts = {
        f"{_PROTOCOL}/CallKind.swift": calls.kinds(schema),
        f"{_PROTOCOL}/SecretPaths.swift": calls.secrets(schema),
        f"{_SERVER}/CallTable.swift": "import StoreProtocol\n\n" + calls.table(schema),
        f"{_SERVER}/ResultField.swift": calls.results(schema),
        f"{_SERVER}/Enums.swift": _IMPORTS + conversions.enums(),
        f"{_SERVER}/Fields.swift": "import StoreBasics\nimport StoreProtocol\n" + conversions.fields(),
        f"{_SERVER}/Messages.swift": _IMPORTS + conversions.messages(),
        f"{_SERVER}/Values.swift": _IMPORTS + conversions.values(),
        f"{_SERVER}/Writers.swift": _IMPORTS + conversions.writers(),
    }
    return {root / path: HEADER + text for path, text in texts.items()}
