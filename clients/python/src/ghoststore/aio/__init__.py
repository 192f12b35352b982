"""A store, and watches of it."""

from .message_watch import AsyncMessageWatch
from .store import AsyncStore
from .watch import AsyncWatch

__all__ = ["AsyncMessageWatch", "AsyncStore", "AsyncWatch"]
