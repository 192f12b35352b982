# Written by tools/generate.py from the module of the same name in aio; do not edit.
"""A store, and watches of it."""

from .message_watch import MessageWatch
from .store import Store
from .watch import Watch

__all__ = ["MessageWatch", "Store", "Watch"]
