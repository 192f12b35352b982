# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/drafts.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, describe
from .attachments import Attachment, NewAttachment
from .references import ConversationReference


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A text that a person wrote in a conversation and has not sent. A conversation has at most one draft, and a
    draft is never empty.
    """

    conversation_id: str = ""
    text: str = ""
    attachment_url: str | None = None
    attachment_type: str | None = None
    reply_to_message_id: str | None = None
    # When save_draft last changed something.
    updated_at_microseconds: int = 0
    # The revision of the change that created or last updated the draft.
    revision: int = 0
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveDraftRequest:
    """Replaces the whole draft of a conversation. An empty draft deletes the existing one; a draft is empty if its
    text and all fields after the text are empty. Answer: commit, with the conversation's id; or
    CONVERSATION_NOT_FOUND if no conversation has the given id, ATTACHMENT_CONTENT_NOT_FOUND.
    """

    # An unknown session id creates its conversation, unless the draft is empty.
    conversation: ConversationReference | None = None
    # At most as long as the text of a message.
    text: str = ""
    # An empty text means none, here and in the next two fields.
    attachment_url: str | None = None
    attachment_type: str | None = None
    # Not checked, as in NewMessage.
    reply_to_message_id: str | None = None
    # As in NewMessage. When the draft becomes a message, name them there by their digests.
    attachments: tuple[NewAttachment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GetDraftRequest:
    """Returns the draft of a conversation. Answer: draft, or CONVERSATION_NOT_FOUND."""

    conversation: ConversationReference | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GetDraftResponse:
    """`GetDraftResponse` of the protocol."""

    # Absent if the conversation has no draft.
    draft: Draft | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListDraftsRequest:
    """Lists the drafts of all conversations; the draft that was saved last comes first. Answer: drafts."""

    # 1 to 1,000; 0 means 100. A page ends earlier if its texts need 4 MiB.
    limit: int = 0
    # next_cursor of the previous page; empty starts at the top. A draft that is saved between two pages moves to the
    # top.
    cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListDraftsResponse:
    """`ListDraftsResponse` of the protocol."""

    drafts: tuple[Draft, ...] = ()
    # Empty on the last page.
    next_cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteDraftRequest:
    """Deletes the draft of a conversation. Without a draft, nothing changes. Answer: commit, with the
    conversation's id; or CONVERSATION_NOT_FOUND.
    """

    conversation: ConversationReference | None = None


describe(
    Draft,
    Field(1, "conversation_id", Kind.STRING),
    Field(2, "text", Kind.STRING),
    Field(3, "attachment_url", Kind.STRING, has_presence=True),
    Field(4, "attachment_type", Kind.STRING, has_presence=True),
    Field(5, "reply_to_message_id", Kind.STRING, has_presence=True),
    Field(6, "updated_at_microseconds", Kind.INT64),
    Field(7, "revision", Kind.UINT64),
    Field(8, "attachments", Kind.MESSAGE, Attachment, is_repeated=True),
)
describe(
    SaveDraftRequest,
    Field(1, "conversation", Kind.MESSAGE, ConversationReference, has_presence=True),
    Field(2, "text", Kind.STRING),
    Field(3, "attachment_url", Kind.STRING, has_presence=True),
    Field(4, "attachment_type", Kind.STRING, has_presence=True),
    Field(5, "reply_to_message_id", Kind.STRING, has_presence=True),
    Field(6, "attachments", Kind.MESSAGE, NewAttachment, is_repeated=True),
)
describe(
    GetDraftRequest,
    Field(1, "conversation", Kind.MESSAGE, ConversationReference, has_presence=True),
)
describe(
    GetDraftResponse,
    Field(1, "draft", Kind.MESSAGE, Draft, has_presence=True),
)
describe(
    ListDraftsRequest,
    Field(1, "limit", Kind.UINT32),
    Field(2, "cursor", Kind.STRING),
)
describe(
    ListDraftsResponse,
    Field(1, "drafts", Kind.MESSAGE, Draft, is_repeated=True),
    Field(2, "next_cursor", Kind.STRING),
)
describe(
    DeleteDraftRequest,
    Field(1, "conversation", Kind.MESSAGE, ConversationReference, has_presence=True),
)
