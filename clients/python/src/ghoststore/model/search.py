# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/search.proto."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..wire import Field, Kind, Model, describe
from ._enums import OpenEnum
from .messages import Message, MessageStatus
from .references import ConversationReference


class SearchOrder(OpenEnum):
    """The order of the messages that a search finds.

    Attributes:
        UNSPECIFIED: As SEARCH_ORDER_NEWEST_FIRST.
        NEWEST_FIRST: In the order of list_messages: of messages with equal timestamps, the one with the
            greatest id comes first.
        BEST_FIRST: The best messages first. The daemon compares the newest 1,000 matching messages, or fewer if
            the time for the page ends first, and returns the best of them, at most `limit`. The next page
            begins after the oldest message that was compared.
    """

    UNSPECIFIED = 0
    NEWEST_FIRST = 1
    BEST_FIRST = 2


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SearchMessagesRequest(Model):
    """The request of `search_messages`.

    Attributes:
        query (str): At most 4,096 bytes.
        conversation (ConversationReference | str | None): Only messages of this conversation. Absent: messages
            of all conversations.
        limit (int): 1 to 1,000; 0 means 100. A page ends earlier if its messages need 4 MiB, or when the daemon
            has searched for about 10 milliseconds, possibly without a message. Only has_more says whether the
            page is the last one.
        before_cursor (str): Only messages older than the position of this cursor: last_cursor of the previous
            page. Empty starts at the newest message.
        from_microseconds (int | None): Only messages at or after this time. This condition and the following
            conditions are the same as in list_messages.
        until_microseconds (int | None)
        sender_session_id (str | None)
        is_outgoing (bool | None)
        status (MessageStatus | None)
        has_attachment (bool | None)
        is_read (bool | None)
        order (SearchOrder): The order of the messages.
        kind (str | None): As in list_messages.
    """

    query: str = ""
    conversation: ConversationReference | str | None = None
    limit: int = 0
    before_cursor: str = ""
    from_microseconds: int | None = None
    until_microseconds: int | None = None
    sender_session_id: str | None = None
    is_outgoing: bool | None = None
    status: MessageStatus | None = None
    has_attachment: bool | None = None
    is_read: bool | None = None
    order: SearchOrder = SearchOrder.UNSPECIFIED
    kind: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FoundMessage(Model):
    """A message that a search has found.

    Attributes:
        message (Message): The whole message.
        snippet (str): A part of the text around the matches: at most 240 bytes, whole characters.
        snippet_offset (int): The offset at which the snippet begins in the text, in bytes of UTF-8.
        matches (tuple[ByteRange, ...]): The ranges of the snippet that match the query: at most 32, in order,
            without overlaps.
    """

    message: Message = field(default_factory=lambda: Message())
    snippet: str = ""
    snippet_offset: int = 0
    matches: tuple[ByteRange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ByteRange(Model):
    """A range of the snippet, in bytes of UTF-8 from the start of the snippet. It begins and ends at the boundary
    of a character.

    Attributes:
        offset (int)
        count (int)
    """

    offset: int = 0
    count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SearchMessagesResponse(Model):
    """A page of messages that a search has found, in the requested order.

    Attributes:
        messages (tuple[FoundMessage, ...]): At most as many as requested, and possibly none on a page that is
            not the last one.
        last_cursor (str): The end of this page. Pass it as before_cursor to get the next page. Empty if the
            page is empty and is the last one.
        has_more (bool): True if more messages may follow this page.
    """

    messages: tuple[FoundMessage, ...] = ()
    last_cursor: str = ""
    has_more: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SearchContactsRequest(Model):
    """The request of `search_contacts`.

    Attributes:
        query (str): At most 4,096 bytes.
        limit (int): 1 to 1,000; 0 means 100. This field and the following fields are the same as in
            list_contacts. A page ends when the daemon has searched for about 10 milliseconds, possibly without
            an entry. Only an empty next_cursor means that a page is the last one.
        cursor (str)
        is_blocked (bool | None)
        is_trusted (bool | None)
        include_avatars (bool): Also returns the avatars.
    """

    query: str = ""
    limit: int = 0
    cursor: str = ""
    is_blocked: bool | None = None
    is_trusted: bool | None = None
    include_avatars: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SearchConversationsRequest(Model):
    """The request of `search_conversations`.

    Attributes:
        query (str): At most 4,096 bytes.
        limit (int): 1 to 1,000; 0 means 100. This field and the following fields are the same as in
            list_conversations. A page ends when the daemon has searched for about 10 milliseconds, possibly
            without an entry. Only an empty next_cursor means that a page is the last one.
        cursor (str)
        is_pinned (bool | None)
        is_muted (bool | None)
        has_unread (bool | None)
        include_avatars (bool): Also returns the avatars.
        kind (str | None): As in list_conversations.
    """

    query: str = ""
    limit: int = 0
    cursor: str = ""
    is_pinned: bool | None = None
    is_muted: bool | None = None
    has_unread: bool | None = None
    include_avatars: bool = False
    kind: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RebuildSearchIndexRequest(Model):
    """The request of `rebuild_search_index`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RebuildSearchIndexResponse(Model):
    """`RebuildSearchIndexResponse` of the protocol."""


describe(
    SearchMessagesRequest,
    Field(1, "query", Kind.STRING),
    Field(2, "conversation", Kind.MESSAGE, ConversationReference, has_presence=True),
    Field(3, "limit", Kind.UINT32),
    Field(4, "before_cursor", Kind.STRING),
    Field(6, "from_microseconds", Kind.INT64, has_presence=True),
    Field(7, "until_microseconds", Kind.INT64, has_presence=True),
    Field(8, "sender_session_id", Kind.STRING, has_presence=True),
    Field(9, "is_outgoing", Kind.BOOL, has_presence=True),
    Field(10, "status", Kind.ENUM, MessageStatus, has_presence=True),
    Field(11, "has_attachment", Kind.BOOL, has_presence=True),
    Field(12, "is_read", Kind.BOOL, has_presence=True),
    Field(13, "order", Kind.ENUM, SearchOrder),
    Field(14, "kind", Kind.STRING, has_presence=True),
)
describe(
    FoundMessage,
    Field(1, "message", Kind.MESSAGE, Message, has_presence=True),
    Field(2, "snippet", Kind.STRING),
    Field(3, "snippet_offset", Kind.UINT32),
    Field(4, "matches", Kind.MESSAGE, ByteRange, is_repeated=True),
)
describe(
    ByteRange,
    Field(1, "offset", Kind.UINT32),
    Field(2, "count", Kind.UINT32),
)
describe(
    SearchMessagesResponse,
    Field(1, "messages", Kind.MESSAGE, FoundMessage, is_repeated=True),
    Field(2, "last_cursor", Kind.STRING),
    Field(3, "has_more", Kind.BOOL),
)
describe(
    SearchContactsRequest,
    Field(1, "query", Kind.STRING),
    Field(2, "limit", Kind.UINT32),
    Field(3, "cursor", Kind.STRING),
    Field(4, "is_blocked", Kind.BOOL, has_presence=True),
    Field(5, "is_trusted", Kind.BOOL, has_presence=True),
    Field(6, "include_avatars", Kind.BOOL),
)
describe(
    SearchConversationsRequest,
    Field(1, "query", Kind.STRING),
    Field(2, "limit", Kind.UINT32),
    Field(3, "cursor", Kind.STRING),
    Field(4, "is_pinned", Kind.BOOL, has_presence=True),
    Field(5, "is_muted", Kind.BOOL, has_presence=True),
    Field(6, "has_unread", Kind.BOOL, has_presence=True),
    Field(7, "include_avatars", Kind.BOOL),
    Field(8, "kind", Kind.STRING, has_presence=True),
)
describe(RebuildSearchIndexRequest)
describe(RebuildSearchIndexResponse)
