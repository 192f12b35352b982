# Written by tools/generate.py from proto-docs; do not edit.
"""Calls of ghoststore/v1/members.proto."""

from __future__ import annotations

from collections.abc import Sequence

from ... import model as wire
from ...protocol import calls
from ...protocol.options import Options
from ...short_forms import to_conversation
from ..caller import AsyncCaller


class AsyncMembersCalls(AsyncCaller):
    """The calls of ghoststore/v1/members.proto."""

    async def set_conversation_members(
        self,
        conversation: wire.ConversationReference | str,
        members: Sequence[wire.ConversationMember],
        *,
        options: Options | None = None,
    ) -> wire.Commit:
        """Adds members to a conversation, and replaces the name and the role of members that it has already, all
        or none. A conversation has at most 8,192 members; a request that would exceed this number gets
        INVALID_ARGUMENT.

        Args:
            conversation: The conversation.
            members: 1 to 256 members. If two members have the same session id, the later one replaces the
                earlier one.

        Returns:
            Commit, with the session ids of the members.

        Raises:
            NotFound: CONVERSATION_NOT_FOUND. The conversation does not exist.
        """
        request = wire.SetConversationMembersRequest(
            conversation=to_conversation(conversation),
            members=tuple(members),
        )
        return await self.call(calls.SET_CONVERSATION_MEMBERS, request, options)

    async def remove_conversation_members(
        self,
        conversation: wire.ConversationReference | str,
        session_ids: Sequence[str],
        *,
        options: Options | None = None,
    ) -> wire.Commit:
        """Removes members from a conversation. Session ids that are no members change nothing.

        Args:
            conversation: The conversation.
            session_ids: The session ids of 1 to 256 members.

        Returns:
            Commit, with the session ids.

        Raises:
            NotFound: CONVERSATION_NOT_FOUND. The conversation does not exist.
        """
        request = wire.RemoveConversationMembersRequest(
            conversation=to_conversation(conversation),
            session_ids=tuple(session_ids),
        )
        return await self.call(calls.REMOVE_CONVERSATION_MEMBERS, request, options)

    async def list_conversation_members(
        self,
        conversation: wire.ConversationReference | str,
        *,
        limit: int = 0,
        cursor: str = "",
        options: Options | None = None,
    ) -> wire.ListConversationMembersResponse:
        """Lists the members of a conversation, ordered by session id, byte by byte.

        `members` is simpler: it requests one page after another.

        Args:
            conversation: The conversation.
            limit: 1 to 1,000; 0 means 100.
            cursor: next_cursor of the previous page; empty starts at the first member.

        Returns:
            ListConversationMembersResponse, with one page of the list.

        Raises:
            NotFound: CONVERSATION_NOT_FOUND. The conversation does not exist.
        """
        request = wire.ListConversationMembersRequest(
            conversation=to_conversation(conversation),
            limit=limit,
            cursor=cursor,
        )
        return await self.call(calls.LIST_CONVERSATION_MEMBERS, request, options)
