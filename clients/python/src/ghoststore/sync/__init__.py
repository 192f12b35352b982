# Written by tools/generate.py from the module of the same name in aio; do not edit.
"""The package's asynchronous half, from which the synchronous one is made."""

from .store import Store
from .watch import Watch

__all__ = ["Store", "Watch"]
