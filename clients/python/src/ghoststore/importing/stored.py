"""Compares a message with what the store has under its id."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, NamedTuple

from .. import model as wire
from ..errors import NotFound
from ..short_forms import by_session
from ..sync import Store
from .wanted import Wanted, usual_status

_PAGE_MESSAGES = 1000
_BATCH = 1000
_RANKS = {wire.MessageStatus.PENDING: 0, wire.MessageStatus.FAILED: 0, wire.MessageStatus.SENT: 1}


class State(NamedTuple):
    """The compared properties of a message in the store, as values that `marshal` can write."""

    fields: bytes
    is_outgoing: bool
    text: bytes
    metadata: bytes
    status: int
    is_read: bool
    edited_microseconds: int
    is_deleted: bool
    attachments: tuple[tuple[str, str, str, bytes], ...]
    reactions: tuple[tuple[str, int], ...]


@dataclass(slots=True)
class Difference:
    """The steps that an import has to take for an existing message."""

    saves: bool = False
    edits: bool = False
    checks_reactions: bool = False


def states(store: Store, session_id: str, first: int, last: int) -> Iterator[list[tuple[str, State]]]:
    """Yields the states of the messages of a conversation between two times, in batches."""
    batch: list[tuple[str, State]] = []
    try:
        for message in store.messages(
            by_session(session_id),
            order=wire.MessageOrder.OLDEST_FIRST,
            from_microseconds=first,
            until_microseconds=last,
            page_size=_PAGE_MESSAGES,
        ):
            batch.append((message.id, state(message)))
            if len(batch) == _BATCH:
                yield batch
                batch = []
    except NotFound:
        return
    yield batch


def state(message: wire.Message) -> State:
    """Returns the compared properties of a message."""
    return State(
        fields=_fields(message),
        is_outgoing=message.is_outgoing,
        text=_digest(message.text),
        metadata=_metadata(message),
        status=int(message.status),
        is_read=message.is_read,
        edited_microseconds=message.edited_at_microseconds or 0,
        is_deleted=message.kind == "deleted",
        attachments=tuple((one.name, one.mime_type, one.source, one.digest) for one in message.attachments),
        reactions=tuple(sorted((one.emoji, one.count) for one in message.reactions)),
    )


def difference(wanted: Wanted, stored: State, digests: Callable[[], list[bytes]]) -> Difference:
    """Returns the differences. Changes that the user made in the store since the last import stay and do not count."""
    found = Difference()
    message = wanted.message
    if stored.is_deleted and message.kind != "deleted":
        return found
    keeps_content = wanted.lacks_content and bool(stored.attachments)
    found.saves = (
        _fields(message) != stored.fields
        or (wanted.knows_direction and message.is_outgoing != stored.is_outgoing)
        or (not keeps_text(wanted, stored.edited_microseconds) and _digest(message.text) != stored.text)
        or (not keeps_content and _metadata(message) != stored.metadata)
        or message.is_read > stored.is_read
        or _status(wanted, stored.is_outgoing, stored.status) != stored.status
        or (not keeps_content and not _has_attachments(wanted, stored, digests))
    )
    found.edits = (wanted.edited_microseconds or 0) > stored.edited_microseconds
    found.checks_reactions = _counts(wanted) != stored.reactions
    return found


def keeps_text(wanted: Wanted, edited_microseconds: int) -> bool:
    """Returns true if the message was edited in the store after its last edit in the source."""
    return edited_microseconds > (wanted.edited_microseconds or 0)


def merged(wanted: Wanted, existing: wire.Message) -> wire.NewMessage:
    """Returns the message to save over an existing one, with the data that only the store has."""
    message = wanted.message
    return replace(
        message,
        text=existing.text if keeps_text(wanted, existing.edited_at_microseconds or 0) else message.text,
        is_outgoing=message.is_outgoing if wanted.knows_direction else existing.is_outgoing,
        status=_status(wanted, existing.is_outgoing, existing.status),
        is_read=message.is_read or existing.is_read,
        attachment_url=existing.attachment_url,
        attachment_type=existing.attachment_type,
        metadata=existing.metadata if wanted.lacks_content and existing.attachments else message.metadata,
        keeps_attachments=wanted.lacks_content and bool(existing.attachments),
    )


def _status(wanted: Wanted, is_outgoing: bool, stored: int) -> wire.MessageStatus:
    """Returns the status to save. A status that an import chose for the other direction is corrected with it."""
    status, existing = wanted.message.status, wire.MessageStatus(stored)
    is_turned = wanted.knows_direction and wanted.message.is_outgoing != is_outgoing
    if is_turned and existing == usual_status(is_outgoing):
        return status
    is_better = wanted.says_status and _RANKS.get(status, 2) >= _RANKS.get(existing, 2)
    return status if is_better else existing


def _counts(wanted: Wanted) -> tuple[tuple[str, int], ...]:
    counts: dict[str, int] = {}
    for _, emoji in set(wanted.reactions):
        counts[emoji] = counts.get(emoji, 0) + 1
    return tuple(sorted(counts.items()))


def _has_attachments(wanted: Wanted, stored: State, digests: Callable[[], list[bytes]]) -> bool:
    named = [(one.name, one.mime_type, one.source) for one in wanted.attachments]
    if named != [one[:3] for one in stored.attachments]:
        return False
    return not named or digests() == [one[3] for one in stored.attachments]


def _fields(message: wire.Message | wire.NewMessage) -> bytes:
    return _digest(
        (
            message.timestamp_microseconds,
            message.sender_session_id,
            message.recipient_session_id,
            message.reply_to_message_id,
            message.kind,
            message.sender_name,
        )
    )


def _metadata(message: wire.Message | wire.NewMessage) -> bytes:
    return b"" if message.metadata is None else _digest((message.metadata.data, message.metadata.type))


def _digest(value: Any) -> bytes:
    return blake2b(repr(value).encode(), digest_size=16).digest()
