# Written by tools/generate.py from proto-docs; do not edit.
"""Calls of ghoststore/v1/contacts.proto."""

from __future__ import annotations

from ... import model as wire
from ...protocol import calls
from ...protocol.options import Options
from ..caller import AsyncCaller


class AsyncContactsCalls(AsyncCaller):
    """The calls of ghoststore/v1/contacts.proto."""

    async def save_contact(
        self,
        session_id: str,
        *,
        display_name: str | None = None,
        avatar: bytes | None = None,
        notes: str | None = None,
        is_blocked: bool | None = None,
        is_trusted: bool | None = None,
        id: str = "",
        options: Options | None = None,
    ) -> wire.Commit:
        """Creates the contact, or changes the fields that are present. An empty display name, avatar or notes
        removes it. For an existing contact, the given id is ignored. An id that another contact has is
        ALREADY_EXISTS. Answer: commit.
        """
        request = wire.SaveContactRequest(
            session_id=session_id,
            display_name=display_name,
            avatar=avatar,
            notes=notes,
            is_blocked=is_blocked,
            is_trusted=is_trusted,
            id=id,
        )
        return await self.call(calls.SAVE_CONTACT, request, options)

    async def get_contact(
        self,
        session_id: str,
        *,
        include_avatar: bool = False,
        options: Options | None = None,
    ) -> wire.Contact:
        """Returns a contact. Answer: contact, or NOT_FOUND CONTACT_NOT_FOUND."""
        request = wire.GetContactRequest(
            session_id=session_id,
            include_avatar=include_avatar,
        )
        return await self.call(calls.GET_CONTACT, request, options)

    async def list_contacts(
        self,
        *,
        limit: int = 0,
        cursor: str = "",
        is_blocked: bool | None = None,
        is_trusted: bool | None = None,
        include_avatars: bool = False,
        options: Options | None = None,
    ) -> wire.ListContactsResponse:
        """Lists contacts by display name: by Unicode code points after simple lower-casing. Contacts without a
        name come last, by session id. Answer: contacts.
        """
        request = wire.ListContactsRequest(
            limit=limit,
            cursor=cursor,
            is_blocked=is_blocked,
            is_trusted=is_trusted,
            include_avatars=include_avatars,
        )
        return await self.call(calls.LIST_CONTACTS, request, options)

    async def delete_contact(
        self,
        session_id: str,
        *,
        options: Options | None = None,
    ) -> wire.Commit:
        """Deletes a contact. Answer: commit, or CONTACT_NOT_FOUND."""
        request = wire.DeleteContactRequest(
            session_id=session_id,
        )
        return await self.call(calls.DELETE_CONTACT, request, options)

    async def set_contact_blocked(
        self,
        session_id: str,
        is_blocked: bool,
        *,
        options: Options | None = None,
    ) -> wire.Commit:
        """Blocks or unblocks a contact. Blocking creates a missing contact; unblocking a missing contact is
        CONTACT_NOT_FOUND. Answer: commit.
        """
        request = wire.SetContactBlockedRequest(
            session_id=session_id,
            is_blocked=is_blocked,
        )
        return await self.call(calls.SET_CONTACT_BLOCKED, request, options)
