#!/usr/bin/python3
"""Generates parts of the clients and of the daemon from proto-docs, for one of them or for all.

Usage: clients/generator/generate.py [--check] [--root DIRECTORY] [LANGUAGE...]
  --check     writes nothing, and fails if a file would change
  --root      the repository; default: the one of this file
  LANGUAGE    python, server, swift; default: all
Needs protoc (Debian: protobuf-compiler).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import errors  # noqa: E402
import for_python.files  # noqa: E402
import for_server.files  # noqa: E402
import for_swift.files  # noqa: E402
import schema  # noqa: E402

LANGUAGES = {
    "python": for_python.files.generated_files,
    "server": for_server.files.generated_files,
    "swift": for_swift.files.generated_files,
}


def main() -> int:
    """Writes the generated files, or compares them with --check."""
    parser = argparse.ArgumentParser(usage=__doc__.partition("Usage: ")[2])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE")
    options = parser.parse_args()
    if unknown := set(options.languages) - set(LANGUAGES):
        parser.error(f"there is no generator for {', '.join(sorted(unknown))}")
    protocol = schema.read(options.root / "proto-docs")
    document = (options.root / "proto-docs/ERRORS.md").read_text()
    errors_of_calls = errors.Errors(errors.reasons(document), errors.words(document))
    files: dict[Path, str] = {}
    for language in options.languages or LANGUAGES:
        files |= LANGUAGES[language](options.root, protocol, errors_of_calls)
    stale = [path for path, text in files.items() if not path.exists() or path.read_text() != text]
    for path in stale:
        if options.check:
            print(f"{path.relative_to(options.root)} is not what clients/generator writes; hint: make protos")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(files[path])
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
