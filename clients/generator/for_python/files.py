"""The generated files of clients/python."""

from __future__ import annotations

from pathlib import Path

from errors import Errors
from for_python import calls, models, reasons, unasync
from schema import Schema


def generated_files(root: Path, schema: Schema, errors: Errors) -> dict[Path, str]:
    """Returns every generated file and its content."""
    sources = root / "clients/python/src/ghoststore"
    files = {
        sources / "reasons.py": reasons.module(errors.reasons),
        sources / "protocol" / "calls.py": calls.table(schema),
    }
    for name, text in models.modules(schema).items():
        files[sources / "model" / f"{name}.py"] = text
    for name, text in calls.modules(schema, {one.word: one for one in errors.reasons}).items():
        files[sources / "aio" / "calls" / f"{name}.py"] = text
    for path in (sources / "aio").rglob("*.py"):
        if path not in files and not unasync.is_kept(path):
            files[path] = path.read_text()
    for path, text in list(files.items()):
        if path.is_relative_to(sources / "aio"):
            files[sources / "sync" / path.relative_to(sources / "aio")] = unasync.synchronous(text)
    return files
