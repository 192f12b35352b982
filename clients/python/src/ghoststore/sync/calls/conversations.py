# Written by tools/generate.py from proto-docs; do not edit.
"""Calls of ghoststore/v1/conversations.proto."""

from __future__ import annotations

from ... import model as wire
from ...protocol import calls
from ...protocol.options import Options
from ...short_forms import to_conversation
from ..caller import Caller


class ConversationsCalls(Caller):
    """The calls of ghoststore/v1/conversations.proto."""

    def get_or_create_conversation(
        self,
        session_id: str,
        *,
        id: str = "",
        display_name: str | None = None,
        options: Options | None = None,
    ) -> wire.GetOrCreateConversationResponse:
        """Finds the conversation of a session id, or creates it. If the conversation exists, the daemon ignores
        the id and the display name in the request.

        Args:
            session_id: The session id of the other party: 1 to 256 bytes.
            id: The id of a new conversation. If empty, the daemon creates a UUIDv7.
            display_name: The display name of a new conversation.

        Returns:
            GetOrCreateConversationResponse, with the conversation, and whether it is new.

        Raises:
            AlreadyExists: ALREADY_EXISTS if another conversation has the given id.
        """
        request = wire.GetOrCreateConversationRequest(
            session_id=session_id,
            id=id,
            display_name=display_name,
        )
        return self.call(calls.GET_OR_CREATE_CONVERSATION, request, options)

    def get_conversation(
        self,
        conversation: wire.ConversationReference | str,
        *,
        include_avatar: bool = False,
        options: Options | None = None,
    ) -> wire.Conversation:
        """Returns a conversation.

        Args:
            conversation: The conversation.
            include_avatar: Also returns the avatar.

        Returns:
            Conversation, as it is now.

        Raises:
            NotFound: CONVERSATION_NOT_FOUND. The conversation does not exist.
        """
        request = wire.GetConversationRequest(
            conversation=to_conversation(conversation),
            include_avatar=include_avatar,
        )
        return self.call(calls.GET_CONVERSATION, request, options)

    def list_conversations(
        self,
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
        """Lists conversations: first the pinned conversations, then the others. In both parts, the conversation
        with the latest activity comes first; if the times are equal, the greatest id comes first.

        `conversations` is simpler: it requests one page after another.

        Args:
            limit: 1 to 1,000; 0 means 100. A page ends earlier if its texts and avatars need 4 MiB. A page with
                a filter also ends when the daemon has searched for about 10 milliseconds, possibly without an
                entry. Only an empty next_cursor means that a page is the last one.
            cursor: next_cursor of the previous page; empty starts at the top.
            is_pinned: True: only pinned conversations; false: only conversations that are not pinned.
            is_muted: True: only muted conversations; false: only conversations that are not muted.
            has_unread: True: only conversations with unread messages; false: only conversations without unread
                messages.
            include_avatars: Also returns the avatars.
            kind: Only conversations of this kind; an empty text means conversations without a kind.

        Returns:
            ListConversationsResponse, with one page of the list.
        """
        request = wire.ListConversationsRequest(
            limit=limit,
            cursor=cursor,
            is_pinned=is_pinned,
            is_muted=is_muted,
            has_unread=has_unread,
            include_avatars=include_avatars,
            kind=kind,
        )
        return self.call(calls.LIST_CONVERSATIONS, request, options)

    def update_conversation(
        self,
        conversation: wire.ConversationReference | str,
        *,
        display_name: str | None = None,
        avatar: bytes | None = None,
        is_pinned: bool | None = None,
        is_muted: bool | None = None,
        message_timer: wire.MessageTimer | None = None,
        keep_for_milliseconds: int | None = None,
        keep_count: int | None = None,
        dry_run: bool = False,
        kind: str | None = None,
        metadata: wire.Metadata | None = None,
        options: Options | None = None,
    ) -> wire.Commit:
        """Changes the fields of a conversation that are present in the request. An empty avatar, display name or
        kind, or metadata without bytes, removes the existing value.

        Args:
            conversation: The conversation.
            display_name: The name to show.
            avatar: The bytes of a picture: at most 4 MiB.
            is_pinned: True for a pinned conversation.
            is_muted: True for a muted conversation.
            message_timer: The timer of messages that are saved from now on without a timer of their own; a
                lifetime of 0 removes this timer. This field and the next two are the rules that
                ConversationRetention describes, and 0 removes a rule. The next two rules also apply to existing
                messages, which the daemon deletes after the answer. Use dry_run first to find out how many
                messages these are.
            keep_for_milliseconds: The time in milliseconds for which messages are kept after their timestamps:
                1 to 3,162,240,000,000 (100 years).
            keep_count: The number of the newest messages that are kept.
            dry_run: True to change nothing and only find out what the update would do. In the answer,
                `deleted_count` is the number of existing messages that the update would delete, and
                `updated_count` is 1 if the update would change something.
            kind: A short text of the application's choice, such as group: at most 64 bytes.
            metadata: Data of the application's own.

        Returns:
            Commit, with the conversation's id.

        Raises:
            NotFound: CONVERSATION_NOT_FOUND. The conversation does not exist.
        """
        request = wire.UpdateConversationRequest(
            conversation=to_conversation(conversation),
            display_name=display_name,
            avatar=avatar,
            is_pinned=is_pinned,
            is_muted=is_muted,
            message_timer=message_timer,
            keep_for_milliseconds=keep_for_milliseconds,
            keep_count=keep_count,
            dry_run=dry_run,
            kind=kind,
            metadata=metadata,
        )
        return self.call(calls.UPDATE_CONVERSATION, request, options)

    def mark_conversation_read(
        self,
        conversation: wire.ConversationReference | str,
        *,
        options: Options | None = None,
    ) -> wire.Commit:
        """Marks every message of a conversation read, including outgoing ones. A large conversation needs several
        commits (PROTOCOL.md, "In one commit or in steps"). Watchers see a change for each message that was not
        marked read, the newest message first, and no change for the conversation.

        Args:
            conversation: The conversation.

        Returns:
            Commit, with empty `ids` and the number of messages in `updated_count`.

        Raises:
            NotFound: CONVERSATION_NOT_FOUND. The conversation does not exist.
        """
        request = wire.MarkConversationReadRequest(
            conversation=to_conversation(conversation),
        )
        return self.call(calls.MARK_CONVERSATION_READ, request, options)

    def delete_conversation(
        self,
        conversation: wire.ConversationReference | str,
        *,
        options: Options | None = None,
    ) -> wire.Commit:
        """Deletes a conversation, its messages, its members and its draft, with one change for all of it.

        Args:
            conversation: The conversation.

        Returns:
            Commit, with the conversation's id.

        Raises:
            NotFound: CONVERSATION_NOT_FOUND. The conversation does not exist.
        """
        request = wire.DeleteConversationRequest(
            conversation=to_conversation(conversation),
        )
        return self.call(calls.DELETE_CONVERSATION, request, options)
