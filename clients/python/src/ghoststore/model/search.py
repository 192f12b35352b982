# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/search.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, describe
from ._enums import OpenEnum
from .messages import Message, MessageStatus
from .references import ConversationReference


class SearchOrder(OpenEnum):
    """The values of `SearchOrder`."""

    # As SEARCH_ORDER_NEWEST_FIRST.
    UNSPECIFIED = 0
    # In the order of list_messages: of messages with equal timestamps, the one with the greatest id comes first.
    NEWEST_FIRST = 1
    # The best messages first. The daemon compares the newest 1,000 matching messages, or as many as it has time for,
    # and returns the best of them, at most `limit`. last_cursor is after the oldest message that was compared.
    BEST_FIRST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchMessagesRequest:
    """Finds messages by their text. Results are complete, even if some messages are not in the index yet.
    SEARCH.md describes queries and words. Answer: found_messages; CONVERSATION_NOT_FOUND, INVALID_ARGUMENT for
    a query that is empty or beyond a limit of SEARCH.md, or SEARCH_INDEX_INCOMPLETE.
    """

    # At most 4,096 bytes.
    query: str = ""
    # Only messages of this conversation; absent: of all conversations.
    conversation: ConversationReference | None = None
    # 1 to 1,000; 0 means 100. A page ends earlier if its messages need 4 MiB, and after some time, possibly without a
    # message. Only has_more says whether the page is the last one.
    limit: int = 0
    # Only messages strictly older than this cursor.
    before_cursor: str = ""
    # These conditions are the same as in list_messages.
    from_microseconds: int | None = None
    until_microseconds: int | None = None
    sender_session_id: str | None = None
    is_outgoing: bool | None = None
    status: MessageStatus | None = None
    has_attachment: bool | None = None
    is_read: bool | None = None
    order: SearchOrder = SearchOrder.UNSPECIFIED


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMessage:
    """`FoundMessage` of the protocol."""

    message: Message | None = None
    # A part of the text around the matches: at most 240 bytes, whole characters.
    snippet: str = ""
    # The beginning of the snippet in the text, in bytes of UTF-8.
    snippet_offset: int = 0
    # The matches in the snippet: at most 32, in order, without overlaps.
    matches: tuple[ByteRange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ByteRange:
    """A range in bytes of UTF-8. It begins and ends at the boundary of a character."""

    offset: int = 0
    count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchMessagesResponse:
    """`SearchMessagesResponse` of the protocol."""

    messages: tuple[FoundMessage, ...] = ()
    # The end of this page, for before_cursor. Empty if the page is empty and the last one.
    last_cursor: str = ""
    # True if more messages may follow this page.
    has_more: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchContactsRequest:
    """Finds contacts by their display name, session id or id, in the order of list_contacts. A query is written as
    for search_messages, but its last word may be incomplete: ann finds Anna. Answer: contacts, or
    INVALID_ARGUMENT for a query that is empty or beyond a limit.
    """

    # At most 4,096 bytes.
    query: str = ""
    # These fields are the same as in list_contacts. A page ends after some time, possibly without an entry. Only an
    # empty next_cursor means that it is the last one.
    limit: int = 0
    cursor: str = ""
    is_blocked: bool | None = None
    is_trusted: bool | None = None
    include_avatars: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchConversationsRequest:
    """Finds conversations by their display name, session id or id, in the order of list_conversations. A query is
    written as for search_contacts. Answer: conversations, or INVALID_ARGUMENT.
    """

    query: str = ""
    # These fields are the same as in list_conversations.
    limit: int = 0
    cursor: str = ""
    is_pinned: bool | None = None
    is_muted: bool | None = None
    has_unread: bool | None = None
    include_avatars: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RebuildSearchIndexRequest:
    """Rebuilds the search index from the messages while the store is in use. Until it is complete, searches in all
    conversations are SEARCH_INDEX_INCOMPLETE. If the rebuild is interrupted, it continues by itself, also after
    a restart. Answers: progress, then rebuild_search_index.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class RebuildSearchIndexResponse:
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
)
describe(RebuildSearchIndexRequest)
describe(RebuildSearchIndexResponse)
