"""Events whose message an earlier import saved: an edit in a later file, for example."""

from __future__ import annotations

from .. import model as wire
from ..errors import InvalidArgument, NotFound
from ..short_forms import by_id
from ..sync import Store
from .folding import deletion_metadata
from .identity import clean, message_id, session_id
from .records import Deletion, Edit, Event, ReactionEvent, Receipt
from .report import Report
from .spool import Spool
from .wanted import JSON_TYPE, encoded


def save_other_events(store: Store, spool: Spool, format_name: str, report: Report) -> None:
    """Applies the events whose message is not in the file. An event without a message in the store is reported."""
    for event in spool.other_events():
        found: wire.Message | None = None
        if event.conversation:
            try:
                found = store.get_message(message_id(format_name, event.conversation, event.source_id))
            except NotFound:
                pass
        if found is None:
            report.notes.add_skipped(f"{_name(event)} of a message that is not in the file", event.place)
        elif found.kind != "deleted" and not report.is_dry_run:
            try:
                _apply(store, format_name, event, found, report)
            except InvalidArgument as error:
                report.notes.add_skipped(f"{_name(event)} that the daemon refused: {error.message}", event.place)


def _name(event: Event) -> str:
    return {Edit: "edit", Deletion: "deletion", ReactionEvent: "reaction", Receipt: "receipt"}[type(event)]


def _apply(store: Store, format_name: str, event: Event, found: wire.Message, report: Report) -> None:
    commit: wire.Commit | None = None
    if isinstance(event, Edit):
        if event.time_microseconds > (found.edited_at_microseconds or 0):
            commit = _edit(store, format_name, event, found, report)
    elif isinstance(event, ReactionEvent):
        commit = _react(store, session_id(format_name, event.author), event, found)
    elif isinstance(event, Receipt):
        if event.is_delivered and found.status in (wire.MessageStatus.PENDING, wire.MessageStatus.SENT):
            commit = store.update_message_status([found.id], wire.MessageStatus.DELIVERED)
        if event.is_read and not found.is_read:
            commit = store.mark_messages_read([found.id])
    elif isinstance(event, Deletion):
        commit = store.save_message(_deleted(found, event))
    if commit is not None:
        report.messages.changed += commit.updated_count


def _edit(store: Store, format_name: str, edit: Edit, found: wire.Message, report: Report) -> wire.Commit | None:
    if edit.author and session_id(format_name, edit.author) != found.sender_session_id:
        report.notes.add_skipped("edit by a person who did not send the message", edit.place)
        return None
    return store.edit_message(found.id, clean(edit.text), edited_at_microseconds=edit.time_microseconds)


def _react(store: Store, author: str, event: ReactionEvent, found: wire.Message) -> wire.Commit:
    emoji = clean(event.emoji)
    if event.is_removed:
        return store.remove_reaction(found.id, emoji, author)
    for other in list(store.reactions(found.id)) if event.replaces else []:
        if other.author_session_id == author and other.emoji != emoji:
            store.remove_reaction(found.id, other.emoji, author)
    return store.add_reaction(found.id, emoji, author)


def _deleted(found: wire.Message, deletion: Deletion) -> wire.NewMessage:
    return wire.NewMessage(
        id=found.id,
        conversation=by_id(found.conversation_id),
        sender_session_id=found.sender_session_id,
        recipient_session_id=found.recipient_session_id,
        timestamp_microseconds=found.timestamp_microseconds,
        status=found.status,
        is_outgoing=found.is_outgoing,
        is_read=found.is_read,
        reply_to_message_id=found.reply_to_message_id,
        kind="deleted",
        sender_name=found.sender_name,
        metadata=wire.Metadata(data=encoded(deletion_metadata(deletion)), type=JSON_TYPE),
    )
