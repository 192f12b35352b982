#!/usr/bin/python3
"""Generates parts of the package from proto-docs: models, the table of calls, a method for each call, and reasons.

Usage: tools/generate.py [--check]     --check: writes nothing, and fails if a file would change
Needs protoc and the Python module of protobuf (Debian: protobuf-compiler, python3-protobuf).
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from google.protobuf import descriptor_pb2  # noqa: E402
from protos import Schema  # noqa: E402

import unasync  # noqa: E402
import write_calls  # noqa: E402
import write_models  # noqa: E402
import write_reasons  # noqa: E402

PACKAGE = Path(__file__).resolve().parents[1]
SOURCES = PACKAGE / "src" / "ghoststore"
PROTO_DOCS = PACKAGE.parents[1] / "proto-docs"


def read_schema() -> Schema:
    """Returns the .proto files as protoc parses them."""
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(
            [
                "protoc",
                f"--proto_path={PROTO_DOCS}",
                "--include_source_info",
                f"--descriptor_set_out={out.name}",
                *sorted(str(path) for path in PROTO_DOCS.glob("ghoststore/v1/*.proto")),
            ],
            check=True,
        )
        return Schema(descriptor_pb2.FileDescriptorSet.FromString(Path(out.name).read_bytes()))


def generated_files() -> dict[Path, str]:
    """Returns every generated file and its content."""
    schema = read_schema()
    errors = (PROTO_DOCS / "ERRORS.md").read_text()
    files = {
        SOURCES / "reasons.py": write_reasons.module(errors),
        SOURCES / "protocol" / "calls.py": write_calls.table(schema),
    }
    for name, text in write_models.modules(schema).items():
        files[SOURCES / "model" / f"{name}.py"] = text
    for name, text in write_calls.modules(schema, write_reasons.reasons(errors)).items():
        files[SOURCES / "aio" / "calls" / f"{name}.py"] = text
    for path in (SOURCES / "aio").rglob("*.py"):
        if path not in files and not unasync.is_kept(path):
            files[path] = path.read_text()
    for path, text in list(files.items()):
        if path.is_relative_to(SOURCES / "aio"):
            files[SOURCES / "sync" / path.relative_to(SOURCES / "aio")] = unasync.synchronous(text)
    return files


def main() -> int:
    """Writes the generated files, or compares them with --check."""
    is_check = "--check" in sys.argv[1:]
    stale = [path for path, text in generated_files().items() if not path.exists() or path.read_text() != text]
    if is_check:
        for path in stale:
            print(f"{path.relative_to(PACKAGE)} is not what tools/generate.py writes; hint: make protos-python")
        return 1 if stale else 0
    for path, text in generated_files().items():
        if path in stale:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
