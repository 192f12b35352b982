# Written by tools/generate.py from proto-docs; do not edit.
"""Calls of ghoststore/v1/drafts.proto."""

from __future__ import annotations

from collections.abc import Sequence

from ... import model as wire
from ...protocol import calls
from ...protocol.options import Options
from ...short_forms import to_conversation
from ..caller import Caller


class DraftsCalls(Caller):
    """The calls of ghoststore/v1/drafts.proto."""

    def save_draft(
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
        its text and all fields after the text are empty. Answer: commit, with the conversation's id; or
        CONVERSATION_NOT_FOUND if no conversation has the given id, ATTACHMENT_CONTENT_NOT_FOUND.
        """
        request = wire.SaveDraftRequest(
            conversation=to_conversation(conversation),
            text=text,
            attachment_url=attachment_url,
            attachment_type=attachment_type,
            reply_to_message_id=reply_to_message_id,
            attachments=tuple(attachments),
        )
        return self.call(calls.SAVE_DRAFT, request, options)

    def get_draft(
        self,
        conversation: wire.ConversationReference | str,
        *,
        options: Options | None = None,
    ) -> wire.GetDraftResponse:
        """Returns the draft of a conversation. Answer: draft, or CONVERSATION_NOT_FOUND."""
        request = wire.GetDraftRequest(
            conversation=to_conversation(conversation),
        )
        return self.call(calls.GET_DRAFT, request, options)

    def list_drafts(
        self,
        *,
        limit: int = 0,
        cursor: str = "",
        options: Options | None = None,
    ) -> wire.ListDraftsResponse:
        """Lists the drafts of all conversations; the draft that was saved last comes first. Answer: drafts."""
        request = wire.ListDraftsRequest(
            limit=limit,
            cursor=cursor,
        )
        return self.call(calls.LIST_DRAFTS, request, options)

    def delete_draft(
        self,
        conversation: wire.ConversationReference | str,
        *,
        options: Options | None = None,
    ) -> wire.Commit:
        """Deletes the draft of a conversation. Without a draft, nothing changes. Answer: commit, with the
        conversation's id; or CONVERSATION_NOT_FOUND.
        """
        request = wire.DeleteDraftRequest(
            conversation=to_conversation(conversation),
        )
        return self.call(calls.DELETE_DRAFT, request, options)
