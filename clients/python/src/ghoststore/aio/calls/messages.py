# Written by tools/generate.py from proto-docs; do not edit.
"""Calls of ghoststore/v1/messages.proto."""

from __future__ import annotations

from collections.abc import Sequence

from ... import model as wire
from ...protocol import calls
from ...protocol.options import Options
from ...short_forms import to_conversation
from ..caller import AsyncCaller


class AsyncMessagesCalls(AsyncCaller):
    """The calls of ghoststore/v1/messages.proto."""

    async def save_message(
        self,
        message: wire.NewMessage,
        *,
        clear_draft: bool = False,
        options: Options | None = None,
    ) -> wire.Commit:
        """Saves a message: creates it, or replaces the message that has its id.

        Args:
            message: The message to save.
            clear_draft: Also deletes the draft of the message's conversation, even if the message existed
                already. The deletion is in the same commit and has a change of its own.

        Returns:
            Commit, with the id of the message.

        Raises:
            NotFound: CONVERSATION_NOT_FOUND if no conversation has the given id.
            NotFound: ATTACHMENT_CONTENT_NOT_FOUND. The store has no content with this digest.
        """
        request = wire.SaveMessageRequest(
            message=message,
            clear_draft=clear_draft,
        )
        return await self.call(calls.SAVE_MESSAGE, request, options)

    async def save_messages(
        self,
        messages: Sequence[wire.NewMessage],
        *,
        options: Options | None = None,
    ) -> wire.Commit:
        """Saves several messages in the order of the list, all or none.

        Args:
            messages: 1 to 256 messages. If two messages have the same id, the later one replaces the earlier
                one.

        Returns:
            Commit, with the id of each message, in the order of the list.

        Raises:
            NotFound: CONVERSATION_NOT_FOUND if no conversation has a given id.
            NotFound: ATTACHMENT_CONTENT_NOT_FOUND. The store has no content with this digest.
        """
        request = wire.SaveMessagesRequest(
            messages=tuple(messages),
        )
        return await self.call(calls.SAVE_MESSAGES, request, options)

    async def get_message(
        self,
        id: str,
        *,
        options: Options | None = None,
    ) -> wire.Message:
        """Returns a message.

        Args:
            id: The id of the message.

        Returns:
            Message, as it is now.

        Raises:
            NotFound: MESSAGE_NOT_FOUND. The message does not exist.
        """
        request = wire.GetMessageRequest(
            id=id,
        )
        return await self.call(calls.GET_MESSAGE, request, options)

    async def list_messages(
        self,
        conversation: wire.ConversationReference | str | None = None,
        *,
        limit: int = 0,
        order: wire.MessageOrder = wire.MessageOrder.UNSPECIFIED,
        before_cursor: str = "",
        after_cursor: str = "",
        from_microseconds: int | None = None,
        until_microseconds: int | None = None,
        sender_session_id: str | None = None,
        is_outgoing: bool | None = None,
        status: wire.MessageStatus | None = None,
        has_attachment: bool | None = None,
        is_read: bool | None = None,
        kind: str | None = None,
        options: Options | None = None,
    ) -> wire.ListMessagesResponse:
        """Lists the messages of one conversation or of all conversations, ordered by timestamp; messages with
        equal timestamps are ordered by id, byte by byte. So the order does not depend on the order in which the
        messages were saved. Ids that the daemon creates increase, so messages with equal timestamps that were
        saved without ids stay in the order of saving. The newest message has the greatest timestamp and, of the
        messages with this timestamp, the greatest id.

        Without a conversation, each page needs one lookup for each conversation that may have messages in the
        range: newest first, for those with a message at or after the end of the page; oldest first, for all
        with a message in the range. So in a store with very many conversations, pages are slower, except the
        first page of the newest messages.

        `messages` is simpler: it requests one page after another.

        Args:
            conversation: The conversation of the messages. Absent: all conversations.
            limit: 1 to 1,000; 0 means 100. A page ends earlier if its messages need 4 MiB. A page with a filter
                also ends when the daemon has searched for about 10 milliseconds (after the lookups), possibly
                without a message. Only has_more says whether the page is the last one.
            order: The order of the list: newest or oldest messages first.
            before_cursor: Only messages older than the position of this cursor, by timestamp and then by id,
                whatever `order` is.
            after_cursor: Only messages newer than the position of this cursor, by timestamp and then by id,
                whatever `order` is.
            from_microseconds: Only messages at or after this time.
            until_microseconds: Only messages before this time.
            sender_session_id: Only messages of this sender.
            is_outgoing: True: only messages that this side sent; false: only messages that it received.
            status: Only messages with this status.
            has_attachment: True: only messages with an attachment or an attachment_url. False: only messages
                without attachments and without an attachment_url. attachment_type does not matter.
            is_read: True: only messages that are marked read; false: only messages that are not marked read.
            kind: Only messages of this kind; an empty text means messages without a kind.

        Returns:
            ListMessagesResponse, with one page of the list.

        Raises:
            NotFound: CONVERSATION_NOT_FOUND. The conversation does not exist.
        """
        request = wire.ListMessagesRequest(
            conversation=None if conversation is None else to_conversation(conversation),
            limit=limit,
            order=order,
            before_cursor=before_cursor,
            after_cursor=after_cursor,
            from_microseconds=from_microseconds,
            until_microseconds=until_microseconds,
            sender_session_id=sender_session_id,
            is_outgoing=is_outgoing,
            status=status,
            has_attachment=has_attachment,
            is_read=is_read,
            kind=kind,
        )
        return await self.call(calls.LIST_MESSAGES, request, options)

    async def update_message_status(
        self,
        ids: Sequence[str],
        status: wire.MessageStatus,
        *,
        options: Options | None = None,
    ) -> wire.Commit:
        """Sets the status of messages, all or none.

        Args:
            ids: The ids of 1 to 256 messages.
            status: The daemon refuses MESSAGE_STATUS_UNSPECIFIED.

        Returns:
            Commit, with the ids of the messages.

        Raises:
            NotFound: MESSAGE_NOT_FOUND if an id does not exist.
        """
        request = wire.UpdateMessageStatusRequest(
            ids=tuple(ids),
            status=status,
        )
        return await self.call(calls.UPDATE_MESSAGE_STATUS, request, options)

    async def mark_messages_read(
        self,
        ids: Sequence[str],
        *,
        options: Options | None = None,
    ) -> wire.Commit:
        """Marks messages read, all or none.

        Args:
            ids: The ids of 1 to 256 messages.

        Returns:
            Commit, with the ids of the messages.

        Raises:
            NotFound: MESSAGE_NOT_FOUND if an id does not exist.
        """
        request = wire.MarkMessagesReadRequest(
            ids=tuple(ids),
        )
        return await self.call(calls.MARK_MESSAGES_READ, request, options)

    async def edit_message(
        self,
        id: str,
        text: str,
        *,
        edited_at_microseconds: int = 0,
        options: Options | None = None,
    ) -> wire.Commit:
        """Replaces the text of a message and sets edited_at. All other fields stay.

        Args:
            id: The id of the message.
            text: The new text: at most 1 MiB.
            edited_at_microseconds: The time of the edit; 0 means the current time. If the message already has
                this text and the time is 0, nothing changes.

        Returns:
            Commit, with the id of the message.

        Raises:
            NotFound: MESSAGE_NOT_FOUND. The message does not exist.
        """
        request = wire.EditMessageRequest(
            id=id,
            text=text,
            edited_at_microseconds=edited_at_microseconds,
        )
        return await self.call(calls.EDIT_MESSAGE, request, options)

    async def delete_messages(
        self,
        ids: Sequence[str],
        *,
        options: Options | None = None,
    ) -> wire.Commit:
        """Deletes messages, all or none.

        Args:
            ids: The ids of 1 to 256 messages.

        Returns:
            Commit, with the ids of the messages.

        Raises:
            NotFound: MESSAGE_NOT_FOUND if an id does not exist.
        """
        request = wire.DeleteMessagesRequest(
            ids=tuple(ids),
        )
        return await self.call(calls.DELETE_MESSAGES, request, options)
