"""Brings events together with their message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..model import MessageStatus
from .notes import Notes
from .records import Deletion, Edit, Event, Message, Reaction, ReactionEvent, Receipt


def with_events(message: Message, events: Sequence[Event], notes: Notes) -> Message:
    """Returns the message as it is after its events, whatever their order in the file."""
    # The sort is stable, so events of the same time stay in the order of the file.
    for event in sorted(events, key=lambda event: event.time_microseconds):
        if isinstance(event, Deletion):
            return _deleted(message, event)
        if isinstance(event, Edit):
            if event.author and event.author != message.sender:
                notes.add_skipped("edit by a person who did not send the message", event.place)
            else:
                message = _edited(message, event)
        elif isinstance(event, ReactionEvent):
            message = _reacted(message, event)
        elif isinstance(event, Receipt):
            message = _received(message, event)
    return message


def _edited(message: Message, edit: Edit) -> Message:
    if edit.time_microseconds < (message.edited_microseconds or 0):
        return message
    metadata = {**message.metadata, **edit.metadata}
    # Some sources have the last edit twice: in the message, and as an event.
    if edit.text != message.text:
        written = message.edited_microseconds or message.time_microseconds
        version = {"text": message.text, "time_microseconds": written}
        metadata["versions"] = [*message.metadata.get("versions", ()), version]
    return replace(message, text=edit.text, edited_microseconds=edit.time_microseconds, metadata=metadata)


def _deleted(message: Message, deletion: Deletion) -> Message:
    return replace(
        message,
        text="",
        kind="deleted",
        attachments=(),
        reactions=(),
        edited_microseconds=None,
        metadata=deletion_metadata(deletion),
    )


def deletion_metadata(deletion: Deletion) -> dict[str, Any]:
    """Returns the metadata of a deleted message."""
    return {**deletion.metadata, "deleted_microseconds": deletion.time_microseconds}


def _reacted(message: Message, event: ReactionEvent) -> Message:
    reaction = Reaction(author=event.author, emoji=event.emoji)
    replaced = [one for one in message.reactions if event.replaces and one.author == event.author]
    removed = dict.fromkeys([*message.removed_reactions, *replaced, reaction])
    if not event.is_removed:
        del removed[reaction]
    kept = tuple(one for one in message.reactions if one not in removed and one != reaction)
    reactions = kept if event.is_removed else (*kept, reaction)
    return replace(message, reactions=reactions, removed_reactions=tuple(removed))


def _received(message: Message, receipt: Receipt) -> Message:
    is_better = message.status in (None, MessageStatus.PENDING, MessageStatus.SENT)
    return replace(
        message,
        status=MessageStatus.DELIVERED if receipt.is_delivered and is_better else message.status,
        is_read=message.is_read or receipt.is_read,
    )
