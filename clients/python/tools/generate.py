#!/usr/bin/python3
"""Generates the package's modules from proto-docs, with the generator that all clients share (clients/generator).

Usage: tools/generate.py [--check]     --check: writes nothing, and fails if a file would change
Needs protoc (Debian: protobuf-compiler).
"""

import os
import sys
from pathlib import Path

GENERATOR = Path(__file__).resolve().parents[2] / "generator" / "generate.py"

if __name__ == "__main__":
    os.execv(sys.executable, [sys.executable, str(GENERATOR), *sys.argv[1:], "python"])
