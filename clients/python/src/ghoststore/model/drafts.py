# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/drafts.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, Model, describe
from .attachments import Attachment, NewAttachment
from .references import ConversationReference


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Draft(Model):
    """A text that a person wrote in a conversation and has not sent. A conversation has at most one draft, and a
    draft is never empty.

    Attributes:
        conversation_id (str): The id of the conversation.
        text (str): At most 1 MiB; can be empty if another field of the content is not empty.
        attachment_url (str | None): The address of an attachment. The store never reads from this address.
        attachment_type (str | None): The type of an attachment, such as image/png.
        reply_to_message_id (str | None): The id of the message that the draft answers. That message need not
            exist.
        updated_at_microseconds (int): When save_draft last changed something.
        revision (int): The revision of the change that created or last updated the draft.
        attachments (tuple[Attachment, ...]): The attachments of the draft, in their order.
    """

    conversation_id: str = ""
    text: str = ""
    attachment_url: str | None = None
    attachment_type: str | None = None
    reply_to_message_id: str | None = None
    updated_at_microseconds: int = 0
    revision: int = 0
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SaveDraftRequest(Model):
    """The request of `save_draft`.

    Attributes:
        conversation (ConversationReference | str | None): If no conversation has the given session id, the
            daemon creates one, unless the draft is empty.
        text (str): At most as long as the text of a message.
        attachment_url (str | None): The address of an attachment. In this field and the next two, an empty text
            counts as absent.
        attachment_type (str | None): The type of an attachment, such as image/png.
        reply_to_message_id (str | None): The id of the message that the draft answers. The daemon does not
            check the id, as in NewMessage.
        attachments (tuple[NewAttachment, ...]): As in NewMessage. When the draft becomes a message, name the
            attachments by their digests in the message.
    """

    conversation: ConversationReference | str | None = None
    text: str = ""
    attachment_url: str | None = None
    attachment_type: str | None = None
    reply_to_message_id: str | None = None
    attachments: tuple[NewAttachment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetDraftRequest(Model):
    """The request of `get_draft`.

    Attributes:
        conversation (ConversationReference | str | None): The conversation.
    """

    conversation: ConversationReference | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetDraftResponse(Model):
    """`GetDraftResponse` of the protocol.

    Attributes:
        draft (Draft | None): The draft; absent if the conversation has no draft.
    """

    draft: Draft | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListDraftsRequest(Model):
    """The request of `list_drafts`.

    Attributes:
        limit (int): 1 to 1,000; 0 means 100. A page ends earlier if its texts need 4 MiB.
        cursor (str): next_cursor of the previous page; empty starts at the top. A draft that is saved between
            two pages moves to the top.
    """

    limit: int = 0
    cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListDraftsResponse(Model):
    """A page of drafts; the draft that was saved last comes first.

    Attributes:
        drafts (tuple[Draft, ...]): At most as many as requested.
        next_cursor (str): Empty on the last page.
    """

    drafts: tuple[Draft, ...] = ()
    next_cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DeleteDraftRequest(Model):
    """The request of `delete_draft`.

    Attributes:
        conversation (ConversationReference | str | None): The conversation.
    """

    conversation: ConversationReference | str | None = None


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
