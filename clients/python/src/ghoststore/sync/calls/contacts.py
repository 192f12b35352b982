# Written by tools/generate.py from proto-docs; do not edit.
"""Calls of ghoststore/v1/contacts.proto."""

from __future__ import annotations

from ... import model as wire
from ...protocol import calls
from ...protocol.options import Options
from ..caller import Caller


class ContactsCalls(Caller):
    """The calls of ghoststore/v1/contacts.proto."""

    def save_contact(
        self,
        session_id: str,
        *,
        display_name: str | None = None,
        avatar: bytes | None = None,
        notes: str | None = None,
        is_blocked: bool | None = None,
        is_trusted: bool | None = None,
        id: str = "",
        metadata: wire.Metadata | None = None,
        options: Options | None = None,
    ) -> wire.Commit:
        """Creates a contact, or changes the fields of an existing contact that are present in the request. An
        empty display name, avatar or notes field, or metadata without bytes, removes the existing value. If the
        contact exists, the daemon ignores the id in the request.

        Args:
            session_id: The session id of the contact: 1 to 256 bytes of UTF-8 without NUL.
            display_name: The name to show.
            avatar: The bytes of a picture: at most 4 MiB.
            notes: Notes about the contact.
            is_blocked: True for a blocked contact.
            is_trusted: True for a trusted contact.
            id: The id of a new contact. If empty, the daemon creates a UUIDv7.
            metadata: Data of the application's own.

        Returns:
            Commit, with the contact's id.

        Raises:
            AlreadyExists: ALREADY_EXISTS if another contact has the given id.
        """
        request = wire.SaveContactRequest(
            session_id=session_id,
            display_name=display_name,
            avatar=avatar,
            notes=notes,
            is_blocked=is_blocked,
            is_trusted=is_trusted,
            id=id,
            metadata=metadata,
        )
        return self.call(calls.SAVE_CONTACT, request, options)

    def get_contact(
        self,
        session_id: str,
        *,
        include_avatar: bool = False,
        options: Options | None = None,
    ) -> wire.Contact:
        """Returns a contact.

        Args:
            session_id: The session id of the contact.
            include_avatar: Also returns the avatar.

        Returns:
            Contact, as it is now.

        Raises:
            NotFound: CONTACT_NOT_FOUND. The contact does not exist.
        """
        request = wire.GetContactRequest(
            session_id=session_id,
            include_avatar=include_avatar,
        )
        return self.call(calls.GET_CONTACT, request, options)

    def list_contacts(
        self,
        *,
        limit: int = 0,
        cursor: str = "",
        is_blocked: bool | None = None,
        is_trusted: bool | None = None,
        include_avatars: bool = False,
        options: Options | None = None,
    ) -> wire.ListContactsResponse:
        """Lists contacts, ordered by display name: by Unicode code points after simple lower-casing. Contacts
        without a name come last, ordered by session id.

        `contacts` is simpler: it requests one page after another.

        Args:
            limit: 1 to 1,000; 0 means 100. A page ends earlier if its texts and avatars need 4 MiB. A page with
                a filter also ends when the daemon has searched for about 10 milliseconds, possibly without an
                entry. Only an empty next_cursor means that a page is the last one.
            cursor: next_cursor of the previous page; empty starts at the top.
            is_blocked: True: only blocked contacts; false: only contacts that are not blocked.
            is_trusted: True: only trusted contacts; false: only contacts that are not trusted.
            include_avatars: Also returns the avatars.

        Returns:
            ListContactsResponse, with one page of the list.
        """
        request = wire.ListContactsRequest(
            limit=limit,
            cursor=cursor,
            is_blocked=is_blocked,
            is_trusted=is_trusted,
            include_avatars=include_avatars,
        )
        return self.call(calls.LIST_CONTACTS, request, options)

    def delete_contact(
        self,
        session_id: str,
        *,
        options: Options | None = None,
    ) -> wire.Commit:
        """Deletes a contact.

        Args:
            session_id: The session id of the contact.

        Returns:
            Commit, with the contact's id.

        Raises:
            NotFound: CONTACT_NOT_FOUND. The contact does not exist.
        """
        request = wire.DeleteContactRequest(
            session_id=session_id,
        )
        return self.call(calls.DELETE_CONTACT, request, options)

    def set_contact_blocked(
        self,
        session_id: str,
        is_blocked: bool,
        *,
        options: Options | None = None,
    ) -> wire.Commit:
        """Blocks or unblocks a contact. If the contact does not exist, blocking creates it.

        Args:
            session_id: The session id of the contact.
            is_blocked: True blocks the contact; false unblocks it.

        Returns:
            Commit, with the contact's id.

        Raises:
            NotFound: CONTACT_NOT_FOUND if the request unblocks a contact that does not exist.
        """
        request = wire.SetContactBlockedRequest(
            session_id=session_id,
            is_blocked=is_blocked,
        )
        return self.call(calls.SET_CONTACT_BLOCKED, request, options)
