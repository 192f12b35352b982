# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/drafts.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, describe
from .attachments import Attachment, NewAttachment
from .references import ConversationReference


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What was written in a conversation and not sent. A conversation has one draft or none, and an empty one is
    none.
    """

    conversation_id: str = ""
    text: str = ""
    attachment_url: str | None = None
    attachment_type: str | None = None
    reply_to_message_id: str | None = None
    # When save_draft last changed something.
    updated_at_microseconds: int = 0
    # Of the change that made it what it is.
    revision: int = 0
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveDraftRequest:
    """Replaces all of the conversation's draft. An empty one, without a text and the fields below it, deletes it.
    Answer: commit, with the conversation's id; or CONVERSATION_NOT_FOUND for an id of none,
    ATTACHMENT_CONTENT_NOT_FOUND.
    """

    # A session id that is not known yet creates its conversation, unless the draft is empty.
    conversation: ConversationReference | None = None
    # As long as a message's.
    text: str = ""
    # An empty text stands for none, here and in the next two.
    attachment_url: str | None = None
    attachment_type: str | None = None
    # Not looked up, as in NewMessage.
    reply_to_message_id: str | None = None
    # As in NewMessage. Name them by their digests in the message that the draft becomes.
    attachments: tuple[NewAttachment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GetDraftRequest:
    """Answer: draft, or CONVERSATION_NOT_FOUND."""

    conversation: ConversationReference | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GetDraftResponse:
    """`GetDraftResponse` of the protocol."""

    # Absent where the conversation has none.
    draft: Draft | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListDraftsRequest:
    """The one saved last first. Answer: drafts."""

    # 1 to 1,000; 0 means 100. A page ends sooner when its texts take 4 MiB.
    limit: int = 0
    # From the page before; empty starts at the top. A draft that is saved meanwhile moves to the top.
    cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListDraftsResponse:
    """`ListDraftsResponse` of the protocol."""

    drafts: tuple[Draft, ...] = ()
    # Empty on the last page.
    next_cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteDraftRequest:
    """Where there is none, nothing changes. Answer: commit, with the conversation's id; or CONVERSATION_NOT_FOUND."""

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
