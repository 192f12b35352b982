"""The generated files of StoreClient."""

from __future__ import annotations

from pathlib import Path

from errors import Errors
from for_swift import reasons
from for_swift.calls import Calls
from for_swift.comments import Comments
from for_swift.models import Models
from for_swift.names import Names
from schema import Schema

FOLDER = "Sources/StoreClient/Generated"


def generated_files(root: Path, schema: Schema, errors: Errors) -> dict[Path, str]:
    """Returns every generated file and its content."""
    names = Names()
    comments = Comments(schema, names, errors)
    files = Models(schema, names, comments).files() | Calls(schema, names, comments).files()
    files["reasons.swift"] = reasons.file(errors.reasons, errors.words, comments)
    return {root / FOLDER / name: text for name, text in files.items()}
