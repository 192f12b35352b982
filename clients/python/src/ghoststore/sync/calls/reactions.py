# Written by tools/generate.py from proto-docs; do not edit.
"""Calls of ghoststore/v1/reactions.proto."""

from __future__ import annotations

from ... import model as wire
from ...protocol import calls
from ...protocol.options import Options
from ..caller import Caller


class ReactionsCalls(Caller):
    """The calls of ghoststore/v1/reactions.proto."""

    def add_reaction(
        self,
        message_id: str,
        emoji: str,
        author_session_id: str,
        *,
        options: Options | None = None,
    ) -> wire.Commit:
        """Adds a reaction. If the author has already reacted with this emoji, nothing changes.

        Args:
            message_id: The id of the message.
            emoji: 1 to 64 bytes, exactly one grapheme cluster.
            author_session_id: The session id of the author.

        Returns:
            Commit, with the message's id.

        Raises:
            NotFound: MESSAGE_NOT_FOUND. The message does not exist.
            ResourceExhausted: TOO_MANY_REACTIONS. The message has 10,000 reactions, or reactions with 64
                different emoji.
        """
        request = wire.AddReactionRequest(
            message_id=message_id,
            emoji=emoji,
            author_session_id=author_session_id,
        )
        return self.call(calls.ADD_REACTION, request, options)

    def remove_reaction(
        self,
        message_id: str,
        emoji: str,
        author_session_id: str,
        *,
        options: Options | None = None,
    ) -> wire.Commit:
        """Removes a reaction. If the author has not reacted with this emoji, nothing changes.

        Args:
            message_id: The id of the message.
            emoji: The emoji as it was added, byte for byte.
            author_session_id: The session id of the author.

        Returns:
            Commit, with the message's id.

        Raises:
            NotFound: MESSAGE_NOT_FOUND. The message does not exist.
        """
        request = wire.RemoveReactionRequest(
            message_id=message_id,
            emoji=emoji,
            author_session_id=author_session_id,
        )
        return self.call(calls.REMOVE_REACTION, request, options)

    def list_reactions(
        self,
        message_id: str,
        *,
        limit: int = 0,
        cursor: str = "",
        options: Options | None = None,
    ) -> wire.ListReactionsResponse:
        """Lists the reactions to a message, ordered by the time at which they were added, then by author, then by
        emoji, byte by byte.

        `reactions` is simpler: it requests one page after another.

        Args:
            message_id: The id of the message.
            limit: 1 to 1,000; 0 means 100.
            cursor: next_cursor of the previous page; empty starts at the top.

        Returns:
            ListReactionsResponse, with one page of the list.

        Raises:
            NotFound: MESSAGE_NOT_FOUND. The message does not exist.
        """
        request = wire.ListReactionsRequest(
            message_id=message_id,
            limit=limit,
            cursor=cursor,
        )
        return self.call(calls.LIST_REACTIONS, request, options)
