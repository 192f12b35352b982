"""Lists as iterators, which request one page after another."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

from .. import model as wire
from ..protocol import calls
from ..protocol.call import Call
from ..protocol.options import Options
from ..protocol.pages import NextPage, next_by_cursor, next_change_page, next_found_page, next_message_page
from ..short_forms import to_conversation, to_path
from .caller import AsyncCaller


class AsyncLists(AsyncCaller):
    """Iterators over the content of the store.

    Each page shows the store at one moment; the next page shows a later moment. `page_size` is the number of entries of
    a page; 0 means 100. The other arguments are those of the call that reads the pages, for example `list_messages`.
    """

    async def messages(
        self,
        conversation: wire.ConversationReference | str | None = None,
        *,
        order: wire.MessageOrder = wire.MessageOrder.NEWEST_FIRST,
        from_microseconds: int | None = None,
        until_microseconds: int | None = None,
        sender_session_id: str | None = None,
        is_outgoing: bool | None = None,
        status: wire.MessageStatus | None = None,
        has_attachment: bool | None = None,
        is_read: bool | None = None,
        kind: str | None = None,
        page_size: int = 0,
        options: Options | None = None,
    ) -> AsyncIterator[wire.Message]:
        """Yields the messages of a conversation or of all, newest first unless `order` says otherwise.

        Raises:
            NotFound: CONVERSATION_NOT_FOUND. The conversation does not exist.
        """
        request = wire.ListMessagesRequest(
            conversation=None if conversation is None else to_conversation(conversation),
            order=order,
            from_microseconds=from_microseconds,
            until_microseconds=until_microseconds,
            sender_session_id=sender_session_id,
            is_outgoing=is_outgoing,
            status=status,
            has_attachment=has_attachment,
            is_read=is_read,
            kind=kind,
            limit=page_size,
        )
        async for page in self._pages(calls.LIST_MESSAGES, request, next_message_page, options):
            for message in page.messages:
                yield message

    async def search(
        self,
        query: str,
        *,
        conversation: wire.ConversationReference | str | None = None,
        order: wire.SearchOrder = wire.SearchOrder.NEWEST_FIRST,
        from_microseconds: int | None = None,
        until_microseconds: int | None = None,
        sender_session_id: str | None = None,
        is_outgoing: bool | None = None,
        status: wire.MessageStatus | None = None,
        has_attachment: bool | None = None,
        is_read: bool | None = None,
        kind: str | None = None,
        page_size: int = 0,
        options: Options | None = None,
    ) -> AsyncIterator[wire.FoundMessage]:
        """Yields the messages that match the query, in all conversations or in one.

        Raises:
            NotFound: CONVERSATION_NOT_FOUND. The conversation does not exist.
            InvalidArgument: INVALID_ARGUMENT if the query is empty or beyond a limit of SEARCH.md.
            FailedPrecondition: SEARCH_INDEX_INCOMPLETE while the search index is rebuilt.
        """
        request = wire.SearchMessagesRequest(
            query=query,
            conversation=None if conversation is None else to_conversation(conversation),
            order=order,
            from_microseconds=from_microseconds,
            until_microseconds=until_microseconds,
            sender_session_id=sender_session_id,
            is_outgoing=is_outgoing,
            status=status,
            has_attachment=has_attachment,
            is_read=is_read,
            kind=kind,
            limit=page_size,
        )
        async for page in self._pages(calls.SEARCH_MESSAGES, request, next_found_page, options):
            for found in page.messages:
                yield found

    async def conversations(
        self,
        *,
        is_pinned: bool | None = None,
        is_muted: bool | None = None,
        has_unread: bool | None = None,
        kind: str | None = None,
        include_avatars: bool = False,
        page_size: int = 0,
        options: Options | None = None,
    ) -> AsyncIterator[wire.Conversation]:
        """Yields the pinned conversations, then the others. In each part the newest activity is first."""
        request = wire.ListConversationsRequest(
            is_pinned=is_pinned,
            is_muted=is_muted,
            has_unread=has_unread,
            kind=kind,
            include_avatars=include_avatars,
            limit=page_size,
        )
        async for page in self._pages(calls.LIST_CONVERSATIONS, request, next_by_cursor, options):
            for conversation in page.conversations:
                yield conversation

    async def members(
        self,
        conversation: wire.ConversationReference | str,
        *,
        page_size: int = 0,
        options: Options | None = None,
    ) -> AsyncIterator[wire.ConversationMember]:
        """Yields the members of a conversation, ordered by session id.

        Raises:
            NotFound: CONVERSATION_NOT_FOUND. The conversation does not exist.
        """
        request = wire.ListConversationMembersRequest(conversation=to_conversation(conversation), limit=page_size)
        async for page in self._pages(calls.LIST_CONVERSATION_MEMBERS, request, next_by_cursor, options):
            for member in page.members:
                yield member

    async def contacts(
        self,
        *,
        is_blocked: bool | None = None,
        is_trusted: bool | None = None,
        include_avatars: bool = False,
        page_size: int = 0,
        options: Options | None = None,
    ) -> AsyncIterator[wire.Contact]:
        """Yields the contacts in the order of their display names."""
        request = wire.ListContactsRequest(
            is_blocked=is_blocked, is_trusted=is_trusted, include_avatars=include_avatars, limit=page_size
        )
        async for page in self._pages(calls.LIST_CONTACTS, request, next_by_cursor, options):
            for contact in page.contacts:
                yield contact

    async def conversations_named(
        self, query: str, *, page_size: int = 0, options: Options | None = None
    ) -> AsyncIterator[wire.Conversation]:
        """Yields the conversations whose display name, session id or id contains the query.

        Raises:
            InvalidArgument: INVALID_ARGUMENT if the query is empty or beyond a limit of SEARCH.md.
        """
        request = wire.SearchConversationsRequest(query=query, limit=page_size)
        async for page in self._pages(calls.SEARCH_CONVERSATIONS, request, next_by_cursor, options):
            for conversation in page.conversations:
                yield conversation

    async def contacts_named(
        self, query: str, *, page_size: int = 0, options: Options | None = None
    ) -> AsyncIterator[wire.Contact]:
        """Yields the contacts whose display name, session id or id contains the query.

        Raises:
            InvalidArgument: INVALID_ARGUMENT if the query is empty or beyond a limit of SEARCH.md.
        """
        request = wire.SearchContactsRequest(query=query, limit=page_size)
        async for page in self._pages(calls.SEARCH_CONTACTS, request, next_by_cursor, options):
            for contact in page.contacts:
                yield contact

    async def drafts(self, *, page_size: int = 0, options: Options | None = None) -> AsyncIterator[wire.Draft]:
        """Yields the drafts, the most recently saved first."""
        request = wire.ListDraftsRequest(limit=page_size)
        async for page in self._pages(calls.LIST_DRAFTS, request, next_by_cursor, options):
            for draft in page.drafts:
                yield draft

    async def reactions(
        self, message_id: str, *, page_size: int = 0, options: Options | None = None
    ) -> AsyncIterator[wire.Reaction]:
        """Yields the reactions to a message, in the order in which they were added.

        Raises:
            NotFound: MESSAGE_NOT_FOUND. The message does not exist.
        """
        request = wire.ListReactionsRequest(message_id=message_id, limit=page_size)
        async for page in self._pages(calls.LIST_REACTIONS, request, next_by_cursor, options):
            for reaction in page.reactions:
                yield reaction

    async def attachments(
        self,
        *,
        message_id: str | None = None,
        conversation: wire.ConversationReference | str | None = None,
        mime_type_prefix: str = "",
        with_thumbnails: bool = False,
        page_size: int = 0,
        options: Options | None = None,
    ) -> AsyncIterator[wire.ListedAttachment]:
        """Yields the attachments of a message in order; or of a conversation, newest message first; or of all messages,
        largest first.

        Raises:
            NotFound: MESSAGE_NOT_FOUND. The message does not exist.
            NotFound: CONVERSATION_NOT_FOUND. The conversation does not exist.
        """
        request = wire.ListAttachmentsRequest(
            message_id=message_id,
            conversation=None if conversation is None else to_conversation(conversation),
            mime_type_prefix=mime_type_prefix,
            with_thumbnails=with_thumbnails,
            limit=page_size,
        )
        async for page in self._pages(calls.LIST_ATTACHMENTS, request, next_by_cursor, options):
            for attachment in page.attachments:
                yield attachment

    async def changes(
        self,
        after_revision: int,
        *,
        kinds: Sequence[wire.EntityKind] = (),
        conversation: wire.ConversationReference | str | None = None,
        scene: str = "",
        kind_name: str = "",
        page_size: int = 0,
        options: Options | None = None,
    ) -> AsyncIterator[wire.Change]:
        """Yields the changes after a revision, up to the newest.

        Raises:
            NotFound: CONVERSATION_NOT_FOUND. No conversation has the session id.
            OutOfRange: CHANGES_COMPACTED if the changes are no longer kept.
            OutOfRange: REVISION_AHEAD if the store has not reached the revision.
        """
        conversation_id = "" if conversation is None else await self._id_of(to_conversation(conversation), options)
        request = wire.ListChangesRequest(
            after_revision=after_revision,
            kinds=tuple(kinds),
            conversation_id=conversation_id,
            scene=scene,
            kind_name=kind_name,
            limit=page_size,
        )
        async for page in self._pages(calls.LIST_CHANGES, request, next_change_page, options):
            for change in page.changes:
                yield change

    async def scenes(self, *, page_size: int = 0, options: Options | None = None) -> AsyncIterator[wire.SceneSummary]:
        """Yields the scenes that have values of their own, in the byte order of their names."""
        request = wire.ListScenesRequest(limit=page_size)
        async for page in self._pages(calls.LIST_SCENES, request, next_by_cursor, options):
            for scene in page.scenes:
                yield scene

    async def logs(self, *, page_size: int = 0, options: Options | None = None) -> AsyncIterator[wire.Log]:
        """Yields the append logs, in the byte order of their names."""
        request = wire.ListLogsRequest(limit=page_size)
        async for page in self._pages(calls.LIST_LOGS, request, next_by_cursor, options):
            for log in page.logs:
                yield log

    async def files(
        self, directory: wire.FilePath | str, *, page_size: int = 0, options: Options | None = None
    ) -> AsyncIterator[wire.File]:
        """Yields the entries of a directory, in the byte order of their names.

        Raises:
            NotFound: DIRECTORY_NOT_FOUND, even if a file has the path.
        """
        request = wire.ListFilesRequest(directory=to_path(directory), limit=page_size)
        async for page in self._pages(calls.LIST_FILES, request, next_by_cursor, options):
            for file in page.files:
                yield file

    async def _id_of(self, conversation: wire.ConversationReference, options: Options | None) -> str:
        if conversation.id is not None:
            return conversation.id
        request = wire.GetConversationRequest(conversation=conversation)
        return (await self.call(calls.GET_CONVERSATION, request, options)).id

    async def _pages(
        self, call: Call[Any], request: Any, next_page: NextPage, options: Options | None
    ) -> AsyncIterator[Any]:
        while request is not None:
            page = await self.call(call, request, options)
            yield page
            request = next_page(request, page)
