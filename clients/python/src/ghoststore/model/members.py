# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/members.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, Model, describe
from .references import ConversationReference


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ConversationMember(Model):
    """A member of a conversation.

    Attributes:
        session_id (str): The session id of the member, which is unique in its conversation: 1 to 256 bytes of
            UTF-8 without NUL. A contact with this session id need not exist.
        name (str): The name of the member in this conversation: at most 1,024 bytes; can be empty.
        role (str): The role of the member, a text of the application's choice such as admin: at most 64 bytes;
            can be empty.
    """

    session_id: str = ""
    name: str = ""
    role: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SetConversationMembersRequest(Model):
    """The request of `set_conversation_members`.

    Attributes:
        conversation (ConversationReference | str | None): The conversation.
        members (tuple[ConversationMember, ...]): 1 to 256 members. If two members have the same session id, the
            later one replaces the earlier one.
    """

    conversation: ConversationReference | str | None = None
    members: tuple[ConversationMember, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RemoveConversationMembersRequest(Model):
    """The request of `remove_conversation_members`.

    Attributes:
        conversation (ConversationReference | str | None): The conversation.
        session_ids (tuple[str, ...]): The session ids of 1 to 256 members.
    """

    conversation: ConversationReference | str | None = None
    session_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListConversationMembersRequest(Model):
    """The request of `list_conversation_members`.

    Attributes:
        conversation (ConversationReference | str | None): The conversation.
        limit (int): 1 to 1,000; 0 means 100.
        cursor (str): next_cursor of the previous page; empty starts at the first member.
    """

    conversation: ConversationReference | str | None = None
    limit: int = 0
    cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListConversationMembersResponse(Model):
    """A page of members, ordered by session id.

    Attributes:
        members (tuple[ConversationMember, ...]): At most as many as requested.
        next_cursor (str): Empty on the last page.
    """

    members: tuple[ConversationMember, ...] = ()
    next_cursor: str = ""


describe(
    ConversationMember,
    Field(1, "session_id", Kind.STRING),
    Field(2, "name", Kind.STRING),
    Field(3, "role", Kind.STRING),
)
describe(
    SetConversationMembersRequest,
    Field(1, "conversation", Kind.MESSAGE, ConversationReference, has_presence=True),
    Field(2, "members", Kind.MESSAGE, ConversationMember, is_repeated=True),
)
describe(
    RemoveConversationMembersRequest,
    Field(1, "conversation", Kind.MESSAGE, ConversationReference, has_presence=True),
    Field(2, "session_ids", Kind.STRING, is_repeated=True),
)
describe(
    ListConversationMembersRequest,
    Field(1, "conversation", Kind.MESSAGE, ConversationReference, has_presence=True),
    Field(2, "limit", Kind.UINT32),
    Field(3, "cursor", Kind.STRING),
)
describe(
    ListConversationMembersResponse,
    Field(1, "members", Kind.MESSAGE, ConversationMember, is_repeated=True),
    Field(2, "next_cursor", Kind.STRING),
)
