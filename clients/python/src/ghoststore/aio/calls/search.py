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
        kind: str | None = None,
        options: Options | None = None,
    ) -> wire.SearchMessagesResponse:
        """Finds messages by their text. Results are complete, even if some messages are not in the index yet.
        SEARCH.md describes queries and words.

        `search` is simpler: it requests one page after another.

        Args:
            query: At most 4,096 bytes.
            conversation: Only messages of this conversation. Absent: messages of all conversations.
            limit: 1 to 1,000; 0 means 100. A page ends earlier if its messages need 4 MiB, or when the daemon
                has searched for about 10 milliseconds, possibly without a message. Only has_more says whether
                the page is the last one.
            before_cursor: Only messages older than the position of this cursor: last_cursor of the previous
                page. Empty starts at the newest message.
            from_microseconds: Only messages at or after this time. This condition and the following conditions
                are the same as in list_messages.
            order: The order of the messages.
            kind: As in list_messages.

        Returns:
            SearchMessagesResponse, with one page of the list.

        Raises:
            NotFound: CONVERSATION_NOT_FOUND. The conversation does not exist.
            InvalidArgument: INVALID_ARGUMENT if the query is empty or beyond a limit of SEARCH.md.
            FailedPrecondition: SEARCH_INDEX_INCOMPLETE. The daemon is rebuilding the search index, or does not
                use it because it was inconsistent.
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
            kind=kind,
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
        written as for search_messages, but its last word may be incomplete: ann finds Anna.

        `contacts_named` is simpler: it requests one page after another.

        Args:
            query: At most 4,096 bytes.
            limit: 1 to 1,000; 0 means 100. This field and the following fields are the same as in
                list_contacts. A page ends when the daemon has searched for about 10 milliseconds, possibly
                without an entry. Only an empty next_cursor means that a page is the last one.
            include_avatars: Also returns the avatars.

        Returns:
            ListContactsResponse, with one page of the list.

        Raises:
            InvalidArgument: INVALID_ARGUMENT if the query is empty or beyond a limit of SEARCH.md.
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
        kind: str | None = None,
        options: Options | None = None,
    ) -> wire.ListConversationsResponse:
        """Finds conversations by their display name, session id or id, in the order of list_conversations. A query
        is written as for search_contacts.

        `conversations_named` is simpler: it requests one page after another.

        Args:
            query: At most 4,096 bytes.
            limit: 1 to 1,000; 0 means 100. This field and the following fields are the same as in
                list_conversations. A page ends when the daemon has searched for about 10 milliseconds, possibly
                without an entry. Only an empty next_cursor means that a page is the last one.
            include_avatars: Also returns the avatars.
            kind: As in list_conversations.

        Returns:
            ListConversationsResponse, with one page of the list.

        Raises:
            InvalidArgument: INVALID_ARGUMENT if the query is empty or beyond a limit of SEARCH.md.
        """
        request = wire.SearchConversationsRequest(
            query=query,
            limit=limit,
            cursor=cursor,
            is_pinned=is_pinned,
            is_muted=is_muted,
            has_unread=has_unread,
            include_avatars=include_avatars,
            kind=kind,
        )
        return await self.call(calls.SEARCH_CONVERSATIONS, request, options)

    async def rebuild_search_index(
        self,
        *,
        on_progress: Callable[[wire.Progress], None] | None = None,
        options: Options | None = None,
    ) -> None:
        """Rebuilds the search index from the messages while the store is in use. Until the index is complete,
        searches in all conversations get SEARCH_INDEX_INCOMPLETE. If the rebuild is interrupted, the daemon
        later continues it without another request, even after a restart.

        Args:
            on_progress: Is called with the progress of the work.
        """
        request = wire.RebuildSearchIndexRequest()
        await self.call(calls.REBUILD_SEARCH_INDEX, request, options, on_progress)
