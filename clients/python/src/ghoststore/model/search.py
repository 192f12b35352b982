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
    # Of those with one timestamp the one that was saved last.
    NEWEST_FIRST = 1
    # Those that fit best. A page is about the newest 1,000 that are found, or as many as it has time for, and gives
    # at most limit of them; last_cursor is where it ended, behind the oldest that it looked at.
    BEST_FIRST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchMessagesRequest:
    """Messages that hold what is searched for. An answer is complete whatever the daemon still has to do for its
    index. SEARCH.md says what a query may say and what a word is. Answer: found_messages;
    CONVERSATION_NOT_FOUND, INVALID_ARGUMENT for a query that is empty or beyond a bound of SEARCH.md, or
    SEARCH_INDEX_INCOMPLETE.
    """

    # At most 4,096 bytes.
    query: str = ""
    # Only messages of this conversation; without it, of all.
    conversation: ConversationReference | None = None
    # 1 to 1,000; 0 means 100. A page ends sooner when its messages take 4 MiB, and after some time, maybe without a
    # message: only has_more tells whether it is the last.
    limit: int = 0
    # Only messages strictly older than this cursor.
    before_cursor: str = ""
    # The same conditions as those of list_messages.
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
    # A part of its text around what was found: at most 240 bytes, whole characters.
    snippet: str = ""
    # Where the snippet begins in the text, in bytes of UTF-8.
    snippet_offset: int = 0
    # What was found, in the snippet: at most 32, in order, none overlapping another.
    matches: tuple[ByteRange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ByteRange:
    """In bytes of UTF-8, from the beginning of one character to the end of another."""

    offset: int = 0
    count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchMessagesResponse:
    """`SearchMessagesResponse` of the protocol."""

    messages: tuple[FoundMessage, ...] = ()
    # Where this page ended, for before_cursor. Empty when it is empty and the last.
    last_cursor: str = ""
    # True when further messages may lie beyond this page.
    has_more: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchContactsRequest:
    """Contacts with names (their display name, session id or id) that hold what is searched for, in the order of
    list_contacts. A query is that of search_messages, but a word that it ends with may go on: ann finds Anna.
    Answer: contacts, or INVALID_ARGUMENT for a query that is empty or beyond a bound.
    """

    # At most 4,096 bytes.
    query: str = ""
    # The same as those of list_contacts. A page ends after some time, maybe without an entry: only an empty
    # next_cursor tells that it is the last.
    limit: int = 0
    cursor: str = ""
    is_blocked: bool | None = None
    is_trusted: bool | None = None
    include_avatars: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchConversationsRequest:
    """The same for conversations by their display name, session id or id, in the order of list_conversations.
    Answer: conversations, or INVALID_ARGUMENT.
    """

    query: str = ""
    # The same as those of list_conversations.
    limit: int = 0
    cursor: str = ""
    is_pinned: bool | None = None
    is_muted: bool | None = None
    has_unread: bool | None = None
    include_avatars: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RebuildSearchIndexRequest:
    """Makes the search index anew from the messages, while the store goes on serving; searches in all
    conversations are SEARCH_INDEX_INCOMPLETE meanwhile. What is interrupted goes on by itself, also after a
    restart. Answers: progress, then rebuild_search_index.
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
