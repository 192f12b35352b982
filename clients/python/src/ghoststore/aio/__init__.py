"""The package's asynchronous half, from which the synchronous one is made."""

from .store import AsyncStore
from .watch import AsyncWatch

__all__ = ["AsyncStore", "AsyncWatch"]
