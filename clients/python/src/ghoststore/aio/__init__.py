"""A store, and a watch of it."""

from .store import AsyncStore
from .watch import AsyncWatch

__all__ = ["AsyncStore", "AsyncWatch"]
