# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/contacts.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, Model, describe
from .metadata import Metadata


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Contact(Model):
    """A person that the application knows.

    Attributes:
        id (str): 1 to 128 bytes.
        session_id (str): The session id of the contact: the unique name by which the application identifies the
            contact. 1 to 256 bytes.
        display_name (str | None): The name to show; absent for a contact without a name.
        avatar (bytes | None): Present only if the request asked for avatars.
        has_avatar (bool): True if the store has an avatar of the contact.
        notes (str | None): Notes about the contact; absent if there are none.
        is_blocked (bool): True if the contact is blocked. The store only keeps this field for the application.
        is_trusted (bool): True if the contact is trusted. The store only keeps this field for the application.
        created_at_microseconds (int): When the contact was created, by the daemon's clock.
        updated_at_microseconds (int): When a field of the contact last changed.
        metadata (Metadata | None): Data of the application's own; absent if there is none.
    """

    id: str = ""
    session_id: str = ""
    display_name: str | None = None
    avatar: bytes | None = None
    has_avatar: bool = False
    notes: str | None = None
    is_blocked: bool = False
    is_trusted: bool = False
    created_at_microseconds: int = 0
    updated_at_microseconds: int = 0
    metadata: Metadata | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SaveContactRequest(Model):
    """The request of `save_contact`.

    Attributes:
        session_id (str): The session id of the contact: 1 to 256 bytes of UTF-8 without NUL.
        display_name (str | None): The name to show.
        avatar (bytes | None): The bytes of a picture: at most 4 MiB.
        notes (str | None): Notes about the contact.
        is_blocked (bool | None): True for a blocked contact.
        is_trusted (bool | None): True for a trusted contact.
        id (str): The id of a new contact. If empty, the daemon creates a UUIDv7.
        metadata (Metadata | None): Data of the application's own.
    """

    session_id: str = ""
    display_name: str | None = None
    avatar: bytes | None = None
    notes: str | None = None
    is_blocked: bool | None = None
    is_trusted: bool | None = None
    id: str = ""
    metadata: Metadata | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetContactRequest(Model):
    """The request of `get_contact`.

    Attributes:
        session_id (str): The session id of the contact.
        include_avatar (bool): Also returns the avatar.
    """

    session_id: str = ""
    include_avatar: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListContactsRequest(Model):
    """The request of `list_contacts`.

    Attributes:
        limit (int): 1 to 1,000; 0 means 100. A page ends earlier if its texts and avatars need 4 MiB. A page
            with a filter also ends when the daemon has searched for about 10 milliseconds, possibly without an
            entry. Only an empty next_cursor means that a page is the last one.
        cursor (str): next_cursor of the previous page; empty starts at the top.
        is_blocked (bool | None): True: only blocked contacts; false: only contacts that are not blocked.
        is_trusted (bool | None): True: only trusted contacts; false: only contacts that are not trusted.
        include_avatars (bool): Also returns the avatars.
    """

    limit: int = 0
    cursor: str = ""
    is_blocked: bool | None = None
    is_trusted: bool | None = None
    include_avatars: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListContactsResponse(Model):
    """A page of contacts, ordered by display name; contacts without a name come last.

    Attributes:
        contacts (tuple[Contact, ...]): At most as many as requested, and possibly none on a page that is not
            the last one.
        next_cursor (str): Empty on the last page.
    """

    contacts: tuple[Contact, ...] = ()
    next_cursor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DeleteContactRequest(Model):
    """The request of `delete_contact`.

    Attributes:
        session_id (str): The session id of the contact.
    """

    session_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SetContactBlockedRequest(Model):
    """The request of `set_contact_blocked`.

    Attributes:
        session_id (str): The session id of the contact.
        is_blocked (bool): True blocks the contact; false unblocks it.
    """

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
    Field(11, "metadata", Kind.MESSAGE, Metadata, has_presence=True),
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
    Field(8, "metadata", Kind.MESSAGE, Metadata, has_presence=True),
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
