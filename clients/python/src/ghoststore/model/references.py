# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/references.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, Model, describe


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ConversationReference(Model):
    """Names a conversation by its id or by its session id.

    Attributes:
        id (str | None): 1 to 128 bytes of UTF-8 without NUL.
        session_id (str | None): 1 to 256 bytes of UTF-8 without NUL.
    """

    id: str | None = None
    session_id: str | None = None


describe(
    ConversationReference,
    Field(1, "id", Kind.STRING, has_presence=True, oneof="reference"),
    Field(2, "session_id", Kind.STRING, has_presence=True, oneof="reference"),
)
