# Written by tools/generate.py from the module of the same name in aio; do not edit.
"""A store, and a watch of it."""

from .store import Store
from .watch import Watch

__all__ = ["Store", "Watch"]
