# Written by tools/generate.py from proto-docs; do not edit.
"""Calls of ghoststore/v1/search.proto."""

from __future__ import annotations

from collections.abc import Callable

from ... import model as wire
from ...protocol import calls
from ...protocol.options import Options
from ...short_forms import to_conversation
from ..caller import AsyncCaller


class AsyncSearchCalls(AsyncCaller):
    """The calls of ghoststore/v1/search.proto."""

    async def search_messages(
        self,
        query: str,
        *,
        conversation: wire.ConversationReference | str | None = None,
        limit: int = 0,
        before_cursor: str = "",
        from_microseconds: int | None = None,
        until_microseconds: int | None = None,
        sender_session_id: str | None = None,
        is_outgoing: bool | None = None,
        status: wire.MessageStatus | None = None,
        has_attachment: bool | None = None,
        is_read: bool | None = None,
        order: wire.SearchOrder = wire.SearchOrder.UNSPECIFIED,
        options: Options | None = None,
    ) -> wire.SearchMessagesResponse:
        """Finds messages by their text. Results are complete, even if some messages are not in the index yet.
        SEARCH.md describes queries and words. Answer: found_messages; CONVERSATION_NOT_FOUND, INVALID_ARGUMENT
        for a query that is empty or beyond a limit of SEARCH.md, or SEARCH_INDEX_INCOMPLETE.
        """
        request = wire.SearchMessagesRequest(
            query=query,
            conversation=None if conversation is None else to_conversation(conversation),
            limit=limit,
            before_cursor=before_cursor,
            from_microseconds=from_microseconds,
            until_microseconds=until_microseconds,
            sender_session_id=sender_session_id,
            is_outgoing=is_outgoing,
            status=status,
            has_attachment=has_attachment,
            is_read=is_read,
            order=order,
        )
        return await self.call(calls.SEARCH_MESSAGES, request, options)

    async def search_contacts(
        self,
        query: str,
        *,
        limit: int = 0,
        cursor: str = "",
        is_blocked: bool | None = None,
        is_trusted: bool | None = None,
        include_avatars: bool = False,
        options: Options | None = None,
    ) -> wire.ListContactsResponse:
        """Finds contacts by their display name, session id or id, in the order of list_contacts. A query is
        written as for search_messages, but its last word may be incomplete: ann finds Anna. Answer: contacts,
        or INVALID_ARGUMENT for a query that is empty or beyond a limit.
        """
        request = wire.SearchContactsRequest(
            query=query,
            limit=limit,
            cursor=cursor,
            is_blocked=is_blocked,
            is_trusted=is_trusted,
            include_avatars=include_avatars,
        )
        return await self.call(calls.SEARCH_CONTACTS, request, options)

    async def search_conversations(
        self,
        query: str,
        *,
        limit: int = 0,
        cursor: str = "",
        is_pinned: bool | None = None,
        is_muted: bool | None = None,
        has_unread: bool | None = None,
        include_avatars: bool = False,
        options: Options | None = None,
    ) -> wire.ListConversationsResponse:
        """Finds conversations by their display name, session id or id, in the order of list_conversations. A query
        is written as for search_contacts. Answer: conversations, or INVALID_ARGUMENT.
        """
        request = wire.SearchConversationsRequest(
            query=query,
            limit=limit,
            cursor=cursor,
            is_pinned=is_pinned,
            is_muted=is_muted,
            has_unread=has_unread,
            include_avatars=include_avatars,
        )
        return await self.call(calls.SEARCH_CONVERSATIONS, request, options)

    async def rebuild_search_index(
        self,
        *,
        on_progress: Callable[[wire.Progress], None] | None = None,
        options: Options | None = None,
    ) -> None:
        """Rebuilds the search index from the messages while the store is in use. Until it is complete, searches in
        all conversations are SEARCH_INDEX_INCOMPLETE. If the rebuild is interrupted, it continues by itself,
        also after a restart. Answers: progress, then rebuild_search_index.
        """
        request = wire.RebuildSearchIndexRequest()
        await self.call(calls.REBUILD_SEARCH_INDEX, request, options, on_progress)
