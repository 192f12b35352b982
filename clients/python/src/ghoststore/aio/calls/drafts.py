# Written by tools/generate.py from proto-docs; do not edit.
"""Calls of ghoststore/v1/drafts.proto."""

from __future__ import annotations

from collections.abc import Sequence

from ... import model as wire
from ...protocol import calls
from ...protocol.options import Options
from ...short_forms import to_conversation
from ..caller import AsyncCaller


class AsyncDraftsCalls(AsyncCaller):
    """The calls of ghoststore/v1/drafts.proto."""

    async def save_draft(
        self,
        conversation: wire.ConversationReference | str,
        text: str,
        *,
        attachment_url: str | None = None,
        attachment_type: str | None = None,
        reply_to_message_id: str | None = None,
        attachments: Sequence[wire.NewAttachment] = (),
        options: Options | None = None,
    ) -> wire.Commit:
        """Replaces the whole draft of a conversation. An empty draft deletes the existing one; a draft is empty if
        its text and all fields after the text are empty.

        Args:
            conversation: If no conversation has the given session id, the daemon creates one, unless the draft
                is empty.
            text: At most as long as the text of a message.
            attachment_url: The address of an attachment. In this field and the next two, an empty text counts
                as absent.
            attachment_type: The type of an attachment, such as image/png.
            reply_to_message_id: The id of the message that the draft answers. The daemon does not check the id,
                as in NewMessage.
            attachments: As in NewMessage. When the draft becomes a message, name the attachments by their
                digests in the message.

        Returns:
            Commit, with the conversation's id.

        Raises:
            NotFound: CONVERSATION_NOT_FOUND if no conversation has the given id.
            NotFound: ATTACHMENT_CONTENT_NOT_FOUND. The store has no content with this digest.
        """
        request = wire.SaveDraftRequest(
            conversation=to_conversation(conversation),
            text=text,
            attachment_url=attachment_url,
            attachment_type=attachment_type,
            reply_to_message_id=reply_to_message_id,
            attachments=tuple(attachments),
        )
        return await self.call(calls.SAVE_DRAFT, request, options)

    async def get_draft(
        self,
        conversation: wire.ConversationReference | str,
        *,
        options: Options | None = None,
    ) -> wire.GetDraftResponse:
        """Returns the draft of a conversation.

        Args:
            conversation: The conversation.

        Returns:
            GetDraftResponse, which is empty if the conversation has none.

        Raises:
            NotFound: CONVERSATION_NOT_FOUND. The conversation does not exist.
        """
        request = wire.GetDraftRequest(
            conversation=to_conversation(conversation),
        )
        return await self.call(calls.GET_DRAFT, request, options)

    async def list_drafts(
        self,
        *,
        limit: int = 0,
        cursor: str = "",
        options: Options | None = None,
    ) -> wire.ListDraftsResponse:
        """Lists the drafts of all conversations; the draft that was saved last comes first.

        `drafts` is simpler: it requests one page after another.

        Args:
            limit: 1 to 1,000; 0 means 100. A page ends earlier if its texts need 4 MiB.
            cursor: next_cursor of the previous page; empty starts at the top. A draft that is saved between two
                pages moves to the top.

        Returns:
            ListDraftsResponse, with one page of the list.
        """
        request = wire.ListDraftsRequest(
            limit=limit,
            cursor=cursor,
        )
        return await self.call(calls.LIST_DRAFTS, request, options)

    async def delete_draft(
        self,
        conversation: wire.ConversationReference | str,
        *,
        options: Options | None = None,
    ) -> wire.Commit:
        """Deletes the draft of a conversation. Without a draft, nothing changes.

        Args:
            conversation: The conversation.

        Returns:
            Commit, with the conversation's id.

        Raises:
            NotFound: CONVERSATION_NOT_FOUND. The conversation does not exist.
        """
        request = wire.DeleteDraftRequest(
            conversation=to_conversation(conversation),
        )
        return await self.call(calls.DELETE_DRAFT, request, options)
