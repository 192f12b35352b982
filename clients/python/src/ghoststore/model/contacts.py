# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/contacts.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, describe


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """`Contact` of the protocol."""

    id: str = ""
    session_id: str = ""
    display_name: str | None = None
    # Present only where the request asked for avatars.
    avatar: bytes | None = None
    has_avatar: bool = False
    notes: str | None = None
    is_blocked: bool = False
    is_trusted: bool = False
    created_at_microseconds: int = 0
    # When something of it last changed.
    updated_at_microseconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveContactRequest:
    """Creates the contact or changes what is present. An empty display name, avatar or notes removes it. An id
    given for one that is there is ignored; one that another contact has is ALREADY_EXISTS. Answer: commit.
    """

    session_id: str = ""
    display_name: str | None = None
    avatar: bytes | None = None
    notes: str | None = None
    is_blocked: bool | None = None
    is_trusted: bool | None = None
    # The id to give a new one; empty lets the daemon make a UUIDv7.
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GetContactRequest:
    """Answer: contact, or NOT_FOUND CONTACT_NOT_FOUND."""

    session_id: str = ""
    include_avatar: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ListContactsRequest:
    """By display name (Unicode code points after simple lower-casing; the nameless ones last, by session id).
    Answer: contacts.
    """

    # 1 to 1,000; 0 means 100. A page ends sooner when its texts and avatars take 4 MiB, and a filtered one after some
    # time, maybe without an entry: only an empty next_cursor tells that it is the last.
    limit: int = 0
    cursor: str = ""
    is_blocked: bool | None = None
    is_trusted: bool | None = None
    include_avatars: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ListContactsResponse:
    """`ListContactsResponse` of the protocol."""

    contacts: tuple[Contact, ...] = ()
    # Empty on the last page.
    next_cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteContactRequest:
    """Answer: commit, or CONTACT_NOT_FOUND."""

    session_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetContactBlockedRequest:
    """Blocking creates a missing contact; unblocking one that is missing is CONTACT_NOT_FOUND. Answer: commit."""

    session_id: str = ""
    is_blocked: bool = False


describe(
    Contact,
    Field(1, "id", Kind.STRING),
    Field(2, "session_id", Kind.STRING),
    Field(3, "display_name", Kind.STRING, has_presence=True),
    Field(4, "avatar", Kind.BYTES, has_presence=True),
    Field(5, "has_avatar", Kind.BOOL),
    Field(6, "notes", Kind.STRING, has_presence=True),
    Field(7, "is_blocked", Kind.BOOL),
    Field(8, "is_trusted", Kind.BOOL),
    Field(9, "created_at_microseconds", Kind.INT64),
    Field(10, "updated_at_microseconds", Kind.INT64),
)
describe(
    SaveContactRequest,
    Field(1, "session_id", Kind.STRING),
    Field(2, "display_name", Kind.STRING, has_presence=True),
    Field(3, "avatar", Kind.BYTES, has_presence=True),
    Field(4, "notes", Kind.STRING, has_presence=True),
    Field(5, "is_blocked", Kind.BOOL, has_presence=True),
    Field(6, "is_trusted", Kind.BOOL, has_presence=True),
    Field(7, "id", Kind.STRING),
)
describe(
    GetContactRequest,
    Field(1, "session_id", Kind.STRING),
    Field(2, "include_avatar", Kind.BOOL),
)
describe(
    ListContactsRequest,
    Field(1, "limit", Kind.UINT32),
    Field(2, "cursor", Kind.STRING),
    Field(3, "is_blocked", Kind.BOOL, has_presence=True),
    Field(4, "is_trusted", Kind.BOOL, has_presence=True),
    Field(5, "include_avatars", Kind.BOOL),
)
describe(
    ListContactsResponse,
    Field(1, "contacts", Kind.MESSAGE, Contact, is_repeated=True),
    Field(2, "next_cursor", Kind.STRING),
)
describe(
    DeleteContactRequest,
    Field(1, "session_id", Kind.STRING),
)
describe(
    SetContactBlockedRequest,
    Field(1, "session_id", Kind.STRING),
    Field(2, "is_blocked", Kind.BOOL),
)
