# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/reactions.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, Model, describe


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Reaction(Model):
    """A person's reaction to a message. An author can react to a message with several emoji, but only once with
    each emoji.

    Attributes:
        emoji (str): One grapheme cluster, as it was sent. Emoji that look the same but have other bytes are
            different emoji.
        author_session_id (str): The session id of the author.
        created_at_microseconds (int): When the reaction was added, by the daemon's clock.
        revision (int): The revision of the change that added the reaction.
    """

    emoji: str = ""
    author_session_id: str = ""
    created_at_microseconds: int = 0
    revision: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReactionCount(Model):
    """The number of reactions to a message with one emoji.

    Attributes:
        emoji (str): One grapheme cluster, as it was sent.
        count (int): 1 or more.
    """

    emoji: str = ""
    count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AddReactionRequest(Model):
    """The request of `add_reaction`.

    Attributes:
        message_id (str): The id of the message.
        emoji (str): 1 to 64 bytes, exactly one grapheme cluster.
        author_session_id (str): The session id of the author.
    """

    message_id: str = ""
    emoji: str = ""
    author_session_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RemoveReactionRequest(Model):
    """The request of `remove_reaction`.

    Attributes:
        message_id (str): The id of the message.
        emoji (str): The emoji as it was added, byte for byte.
        author_session_id (str): The session id of the author.
    """

    message_id: str = ""
    emoji: str = ""
    author_session_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListReactionsRequest(Model):
    """The request of `list_reactions`.

    Attributes:
        message_id (str): The id of the message.
        limit (int): 1 to 1,000; 0 means 100.
        cursor (str): next_cursor of the previous page; empty starts at the top.
    """

    message_id: str = ""
    limit: int = 0
    cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListReactionsResponse(Model):
    """A page of the reactions to a message, in the order in which they were added.

    Attributes:
        reactions (tuple[Reaction, ...]): At most as many as requested.
        next_cursor (str): Empty on the last page.
    """

    reactions: tuple[Reaction, ...] = ()
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
