"""Saves the members of conversations. A name stays, and so does what the source does not list or say any more."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from .. import model as wire
from ..errors import NotFound
from ..protocol import calls
from ..short_forms import by_session
from ..sync import Store
from .identity import session_id
from .report import Report
from .sending import Sending
from .spool import Spool
from .wanted import KIND_BYTES_MAX, NAME_BYTES_MAX, cut, label

_AT_ONCE = 256
_PAGE_MEMBERS = 1000
# The largest number of members of a conversation in the store.
_MEMBERS_MAX = 8192


def save_members(store: Store, sending: Sending, spool: Spool, format_name: str, report: Report) -> None:
    """Saves the members of all conversations, which exist by now unless this is a dry run."""
    for key in spool.keys_with_members():
        name = session_id(format_name, key)
        existing = _members(store, name)
        members = [
            wire.ConversationMember(
                session_id=session_id(format_name, id),
                name=cut(member_name, NAME_BYTES_MAX),
                role=label(role, KIND_BYTES_MAX),
            )
            for id, member_name, role in islice(spool.members(key), _MEMBERS_MAX)
        ]
        members = [_merged(one, existing.get(one.session_id, one)) for one in members]
        changed = [one for one in members if existing.get(one.session_id) != one]
        room = _MEMBERS_MAX - len(existing)
        new = [one for one in changed if one.session_id not in existing][:room]
        replaced = [one for one in changed if one.session_id in existing]
        report.members.new += len(new)
        report.members.changed += len(replaced)
        report.members.known += len(members) - len(changed)
        left_out = spool.member_count(key) - (len(members) - len(changed)) - len(new) - len(replaced)
        for _ in range(left_out):
            report.notes.add_skipped(f"member after the {_MEMBERS_MAX:,}th of a conversation", format_name)
        to_save = [*new, *replaced]
        for start in range(0, 0 if report.is_dry_run else len(to_save), _AT_ONCE):
            request = wire.SetConversationMembersRequest(
                conversation=by_session(name), members=tuple(to_save[start : start + _AT_ONCE])
            )
            sending.send(calls.SET_CONVERSATION_MEMBERS, request, lambda commit: None, None, _AT_ONCE * 512)
    sending.finish()


def _merged(member: wire.ConversationMember, existing: wire.ConversationMember) -> wire.ConversationMember:
    return replace(member, name=existing.name or member.name, role=member.role or existing.role)


def _members(store: Store, name: str) -> dict[str, wire.ConversationMember]:
    found: dict[str, wire.ConversationMember] = {}
    cursor = ""
    while True:
        try:
            page = store.list_conversation_members(by_session(name), limit=_PAGE_MEMBERS, cursor=cursor)
        except NotFound:
            return found
        found.update({one.session_id: one for one in page.members})
        cursor = page.next_cursor
        if not cursor:
            return found
