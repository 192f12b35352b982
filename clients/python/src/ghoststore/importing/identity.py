"""Ids that are derived from the source, so that a second import finds what the first one saved."""

from __future__ import annotations

import hashlib

_SESSION_ID_BYTES_MAX = 256


def clean(text: str) -> str:
    """Returns a text that UTF-8 can hold: pairs of surrogates are joined, and lone ones are replaced."""
    try:
        text.encode()
        return text
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def session_id(format_name: str, key: str) -> str:
    """Returns the session id of a person or conversation: "telegram:user123".

    A key that is too long or has a NUL is replaced by its digest.
    """
    plain = f"{format_name}:{clean(key)}"
    if len(plain.encode()) > _SESSION_ID_BYTES_MAX or "\0" in plain:
        return f"{format_name}:{_digest('session', key).hex()}"
    return plain


def message_id(format_name: str, conversation: str, source_id: str) -> str:
    """Returns the id of a message that has an id in its source."""
    return f"{format_name}-{_digest('source', conversation, source_id).hex()}"


def content_key(conversation: str, time_microseconds: int, sender: str, text: str) -> bytes:
    """Returns a key that equal messages without ids share."""
    return _digest("content", conversation, str(time_microseconds), sender, text)


def content_id(format_name: str, key: bytes, earlier_count: int) -> str:
    """Returns the id of a message without an id in its source.

    The number of equal messages before this one makes the ids of equal messages different. The id does not depend
    on anything that a longer export adds.
    """
    return f"{format_name}-{hashlib.blake2b(key + earlier_count.to_bytes(8), digest_size=16).hexdigest()}"


def _digest(*parts: str) -> bytes:
    # The lengths keep ("a", "bc") and ("ab", "c") apart.
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8))
        digest.update(encoded)
    return digest.digest()
