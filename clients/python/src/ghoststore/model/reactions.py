# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/reactions.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, describe


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """A person's reaction to a message. An author has at most one reaction with each emoji, and can react with
    several emoji.
    """

    # One grapheme cluster, as it was sent. Emoji that look the same but have other bytes are different emoji.
    emoji: str = ""
    author_session_id: str = ""
    created_at_microseconds: int = 0
    # The revision of the change that added it.
    revision: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionCount:
    """The number of reactions to a message with one emoji."""

    emoji: str = ""
    count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AddReactionRequest:
    """Adds a reaction. If the author has already reacted with this emoji, nothing changes. Answer: commit, with
    the message's id; or MESSAGE_NOT_FOUND, or TOO_MANY_REACTIONS.
    """

    message_id: str = ""
    # 1 to 64 bytes, exactly one grapheme cluster.
    emoji: str = ""
    author_session_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveReactionRequest:
    """Removes a reaction. If the author has not reacted with this emoji, nothing changes. Answer: commit, with the
    message's id; or MESSAGE_NOT_FOUND.
    """

    message_id: str = ""
    emoji: str = ""
    author_session_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListReactionsRequest:
    """Lists the reactions to a message by the time at which they were added, then by author, then by emoji, byte
    by byte. Answer: reactions, or MESSAGE_NOT_FOUND.
    """

    message_id: str = ""
    # 1 to 1,000; 0 means 100.
    limit: int = 0
    # next_cursor of the previous page; empty starts at the top.
    cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListReactionsResponse:
    """`ListReactionsResponse` of the protocol."""

    reactions: tuple[Reaction, ...] = ()
    # Empty on the last page.
    next_cursor: str = ""


describe(
    Reaction,
    Field(1, "emoji", Kind.STRING),
    Field(2, "author_session_id", Kind.STRING),
    Field(3, "created_at_microseconds", Kind.INT64),
    Field(4, "revision", Kind.UINT64),
)
describe(
    ReactionCount,
    Field(1, "emoji", Kind.STRING),
    Field(2, "count", Kind.UINT32),
)
describe(
    AddReactionRequest,
    Field(1, "message_id", Kind.STRING),
    Field(2, "emoji", Kind.STRING),
    Field(3, "author_session_id", Kind.STRING),
)
describe(
    RemoveReactionRequest,
    Field(1, "message_id", Kind.STRING),
    Field(2, "emoji", Kind.STRING),
    Field(3, "author_session_id", Kind.STRING),
)
describe(
    ListReactionsRequest,
    Field(1, "message_id", Kind.STRING),
    Field(2, "limit", Kind.UINT32),
    Field(3, "cursor", Kind.STRING),
)
describe(
    ListReactionsResponse,
    Field(1, "reactions", Kind.MESSAGE, Reaction, is_repeated=True),
    Field(2, "next_cursor", Kind.STRING),
)
