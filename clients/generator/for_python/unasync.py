"""Makes the synchronous half of the package from the asynchronous half by replacing words."""

from __future__ import annotations

import re
from pathlib import Path

# The two transports differ in more than the words below, so each is written by hand.
_KEPT = {"transport.py"}
_WORDS = [
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAsync(Iterator|Iterable|Generator)\b", r"\1"),
    (r"\bAsync([A-Z]\w+)", r"\1"),
    (r"\bStopAsyncIteration\b", "StopIteration"),
    (r"\b__a(enter|exit|iter|next)__\b", r"__\1__"),
    (r"\baclose\b", "close"),
    (r"\bghoststore\.aio\b", "ghoststore.sync"),
    (r"\baclosing\b", "closing"),
    (r"\basynccontextmanager\b", "contextmanager"),
    (r"\bAwaitable\[(\w+)\]", r"\1"),
    # Corrects imports and types after the replacements above.
    (r"\bAwaitable, ", ""),
    (r"\bIterator, Iterator\b", "Iterator"),
    (r"\bGenerator, Callable, Iterator\b", "Callable, Generator, Iterator"),
    (r"\bGenerator\[([\w.]+), None\]", r"Generator[\1, None, None]"),
]


def is_kept(path: Path) -> bool:
    """Returns True for a module that is written by hand for both halves."""
    return path.name in _KEPT


def synchronous(text: str) -> str:
    """Returns the synchronous form of an asynchronous module."""
    for pattern, replacement in _WORDS:
        text = re.sub(pattern, replacement, text)
    if text.startswith("# Written by tools/generate.py"):
        return text
    return "# Written by tools/generate.py from the module of the same name in aio; do not edit.\n" + text
