"""Saves conversations and contacts, and leaves alone what the user of the store has set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

from .. import model as wire
from ..errors import NotFound, RefusedError
from ..protocol import calls
from ..protocol.call import Call
from ..short_forms import by_session
from ..sync import Store
from .identity import session_id
from .records import Person
from .report import Report
from .sending import Sending
from .spool import Chat, Spool
from .stored import states
from .wanted import KIND_BYTES_MAX, NAME_BYTES_MAX, Shaper, cut, label

Item = TypeVar("Item")
Answer = TypeVar("Answer")
_AT_ONCE = 200
# Microseconds. Messages with equal times are saved with times that are up to a second later.
_SPREAD = 1_000_000


def save_conversations(
    store: Store, sending: Sending, spool: Spool, format_name: str, shaper: Shaper, report: Report
) -> bool:
    """Saves the conversations. Returns true if the store had messages in them, which are now in the spool."""
    has_stored = False
    for chats in _chunks(spool.chats()):
        names = [session_id(format_name, chat.key) for chat in chats]
        requests = [wire.GetConversationRequest(conversation=by_session(name)) for name in names]
        existing = _ask(sending, calls.GET_CONVERSATION, requests)
        for chat, name, found in zip(chats, names, existing):
            report.add_conversation(name)
            _save_conversation(sending, chat, name, found, shaper, report)
            if found is None:
                spool.add_created(chat.key)
            if found is not None and chat.count:
                for batch in states(store, name, chat.first, chat.last + _SPREAD):
                    spool.add_stored(batch)
                    has_stored = has_stored or bool(batch)
    sending.finish()
    return has_stored


def delete_empty(store: Store, spool: Spool, format_name: str, report: Report) -> None:
    """Deletes the conversations that this import created, and that have no message yet."""
    for key in spool.created():
        name = by_session(session_id(format_name, key))
        try:
            if not store.get_conversation(name).message_count:
                store.delete_conversation(name)
                report.conversations.new -= 1
        except NotFound:
            pass


def _save_conversation(
    sending: Sending, chat: Chat, name: str, found: wire.Conversation | None, shaper: Shaper, report: Report
) -> None:
    metadata = shaper.metadata(chat.metadata, chat.title)
    title = cut(chat.title, NAME_BYTES_MAX)
    kind = label(chat.kind, KIND_BYTES_MAX)
    existing = found or wire.Conversation()
    new_title = title if title and not existing.display_name else None
    new_kind = kind if kind and not existing.kind else None
    new_metadata = metadata if metadata != existing.metadata else None
    is_changed = new_title is not None or new_kind is not None or new_metadata is not None
    if found is None:
        report.conversations.new += 1
    elif is_changed:
        report.conversations.changed += 1
    else:
        report.conversations.known += 1
    if report.is_dry_run:
        return
    if found is None:
        create = wire.GetOrCreateConversationRequest(session_id=name, display_name=new_title)
        sending.send(calls.GET_OR_CREATE_CONVERSATION, create, _ignore, None, 512 + NAME_BYTES_MAX)
        new_title = None
    if new_title is not None or new_kind is not None or new_metadata is not None:
        update = wire.UpdateConversationRequest(
            conversation=by_session(name), display_name=new_title, kind=new_kind, metadata=new_metadata
        )
        sending.send(calls.UPDATE_CONVERSATION, update, _ignore, None, 2048 + _bytes(new_metadata))


def save_people(
    store: Store, sending: Sending, spool: Spool, format_name: str, shaper: Shaper, report: Report
) -> None:
    """Saves the names of people as contacts. A contact that has a name keeps it."""
    for people in _chunks(spool.people()):
        names = [session_id(format_name, person.id) for person in people]
        requests = [wire.GetContactRequest(session_id=name) for name in names]
        existing = _ask(sending, calls.GET_CONTACT, requests)
        for person, name, found in zip(people, names, existing):
            _save_contact(sending, person, name, found, shaper, report)
    sending.finish()


def _save_contact(
    sending: Sending, person: Person, name: str, found: wire.Contact | None, shaper: Shaper, report: Report
) -> None:
    existing = found or wire.Contact()
    metadata = shaper.metadata(person.metadata, "")
    display_name = cut(person.name, NAME_BYTES_MAX)
    new_name = display_name if display_name and not existing.display_name else None
    new_metadata = metadata if metadata != existing.metadata else None
    if found is None:
        report.contacts.new += 1
    elif new_name is None and new_metadata is None:
        report.contacts.known += 1
        return
    else:
        report.contacts.changed += 1
    if not report.is_dry_run:
        save = wire.SaveContactRequest(session_id=name, display_name=new_name, metadata=new_metadata)
        sending.send(calls.SAVE_CONTACT, save, _ignore, None, 2048 + _bytes(new_metadata))


def _ask(sending: Sending, call: Call[Answer], requests: Iterable[object]) -> list[Answer | None]:
    """Makes calls that return an entity each. Returns None for an entity that does not exist."""
    answers: list[Answer | None] = []

    def refused(error: RefusedError) -> None:
        if not isinstance(error, NotFound):
            raise error
        answers.append(None)

    for request in requests:
        sending.send(call, request, lambda answer: answers.append(answer), refused)
    sending.finish()
    return answers


def _chunks(items: Iterator[Item]) -> Iterator[list[Item]]:
    while chunk := list(islice(items, _AT_ONCE)):
        yield chunk


def _bytes(metadata: wire.Metadata | None) -> int:
    return 0 if metadata is None else len(metadata.data)


def _ignore(answer: Any) -> None:
    """Does nothing with an answer: only a refusal matters."""
