"""Brings events together with their message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..model import MessageStatus
from .records import Deletion, Edit, Event, Message, Reaction, ReactionEvent, Receipt


def with_events(message: Message, events: Sequence[Event]) -> Message:
    """Returns the message as it is after its events, whatever their order in the file."""
    # The sort is stable, so events of the same time stay in the order of the file.
    for event in sorted(events, key=lambda event: event.time_microseconds):
        if isinstance(event, Deletion):
            return _deleted(message, event)
        if isinstance(event, Edit):
            message = _edited(message, event)
        elif isinstance(event, ReactionEvent):
            message = replace(message, reactions=_reacted(message.reactions, event))
        elif isinstance(event, Receipt):
            message = _received(message, event)
    return message


def _edited(message: Message, edit: Edit) -> Message:
    if edit.time_microseconds < (message.edited_microseconds or 0):
        return message
    written = message.edited_microseconds or message.time_microseconds
    version = {"text": message.text, "time_microseconds": written}
    versions = [*message.metadata.get("versions", ()), version]
    return replace(
        message,
        text=edit.text,
        edited_microseconds=edit.time_microseconds,
        metadata={**message.metadata, "versions": versions},
    )


def _deleted(message: Message, deletion: Deletion) -> Message:
    return replace(
        message,
        text="",
        kind="deleted",
        attachments=(),
        reactions=(),
        edited_microseconds=None,
        metadata={"deleted_microseconds": deletion.time_microseconds},
    )


def _reacted(reactions: tuple[Reaction, ...], event: ReactionEvent) -> tuple[Reaction, ...]:
    reaction = Reaction(author=event.author, emoji=event.emoji)
    others = tuple(one for one in reactions if one != reaction)
    return others if event.is_removed else (*others, reaction)


def _received(message: Message, receipt: Receipt) -> Message:
    is_better = message.status in (None, MessageStatus.PENDING, MessageStatus.SENT)
    return replace(
        message,
        status=MessageStatus.DELIVERED if receipt.is_delivered and is_better else message.status,
        is_read=message.is_read or receipt.is_read,
    )
