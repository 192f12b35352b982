"""Saves messages in batches, each together with its attachments."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from .. import model as wire
from ..errors import InvalidArgument, NotFound, RefusedError, ResourceExhausted
from ..protocol import calls
from ..sync import Store
from .contents import digest, new_attachment
from .report import Report
from .sending import Sending
from .stored import State, difference, merged
from .wanted import Wanted

Reactions = tuple[tuple[str, str], ...]
# The limits of save_messages are 256 messages, 256 attachments and 8 MB.
_MESSAGES_MAX = 256
_ATTACHMENTS_MAX = 256
_BYTES_MAX = 6 * 1024 * 1024
_MESSAGE_BYTES = 1024
# The daemon deletes a content after an hour if no message has it by then. So a batch does not wait long.
_UPLOAD_SECONDS_MAX = 600


class Batches:
    """Collects messages and saves them in batches. A dry run only compares them with the store."""

    def __init__(self, store: Store, sending: Sending, report: Report) -> None:
        self._store, self._sending, self._report = store, sending, report
        self._wanted: list[Wanted] = []
        self._messages: list[wire.NewMessage] = []
        self._attachment_count = 0
        self._byte_count = 0
        self._started = 0.0

    def add(self, wanted: Wanted, stored: tuple[Any, ...] | None) -> None:
        """Saves what the store lacks of a message. `stored` is the message's state in the store, or None."""
        counts = self._report.messages
        if stored is None:
            if self._report.is_dry_run:
                # Read the contents, because an import would end at a damaged one.
                for one in wanted.attachments:
                    digest(one.content)
                counts.new += 1
                self._report.attachments_saved += len(wanted.attachments)
                self._report.reactions_added += len(set(wanted.reactions))
            else:
                if wanted.removed_reactions:
                    wanted = replace(wanted, removed_reactions=())
                self._append(wanted, self._with_attachments(wanted, wanted.message))
            return
        found = difference(wanted, State(*stored), lambda: [digest(one.content) for one in wanted.attachments])
        missing, stale = self._reaction_changes(wanted) if found.checks_reactions else ((), ())
        self._report.reactions_added += len(missing) if self._report.is_dry_run else 0
        marks = replace(wanted, reactions=missing, removed_reactions=stale)
        if not (found.saves or found.edits or missing or stale):
            counts.known += 1
        elif self._report.is_dry_run:
            counts.changed += 1
        elif found.saves:
            message = merged(wanted, self._store.get_message(wanted.message.id))
            if not message.keeps_attachments:
                message = self._with_attachments(wanted, message)
            edited = wanted.edited_microseconds if found.edits else None
            self._append(replace(marks, edited_microseconds=edited), message)
        else:
            # The daemon's answers say whether the marks change anything.
            counts.known += 1
            self._send_marks(marks, edits=found.edits, is_counted=False)

    def flush(self) -> None:
        """Sends the collected messages."""
        if not self._messages:
            return
        wanted, messages = self._wanted, self._messages
        request = wire.SaveMessagesRequest(messages=tuple(messages))

        def saved(commit: wire.Commit) -> None:
            self._count(commit, messages)

        def refused(error: RefusedError) -> None:
            self._save_singly(wanted, messages, error)

        self._sending.send(calls.SAVE_MESSAGES, request, saved, refused, self._byte_count)
        self._wanted, self._messages = [], []
        self._attachment_count = self._byte_count = 0
        for one in wanted:
            self._send_marks(one, edits=one.edited_microseconds is not None, is_counted=True)

    def _append(self, wanted: Wanted, message: wire.NewMessage) -> None:
        size = _MESSAGE_BYTES + 3 * len(message.text)
        size += len(message.metadata.data) if message.metadata is not None else 0
        size += sum(len(one.data or b"") + _MESSAGE_BYTES for one in message.attachments)
        is_full = self._attachment_count + len(message.attachments) > _ATTACHMENTS_MAX
        if is_full or self._byte_count + size > _BYTES_MAX:
            self.flush()
        if not self._messages:
            self._started = time.monotonic()
        # Keep no attachments here: a content inside of the document stays in memory as long as its attachment.
        self._wanted.append(replace(wanted, attachments=()) if wanted.attachments else wanted)
        self._messages.append(message)
        self._attachment_count += len(message.attachments)
        self._byte_count += size
        if len(self._messages) == _MESSAGES_MAX or time.monotonic() - self._started > _UPLOAD_SECONDS_MAX:
            self.flush()

    def _with_attachments(self, wanted: Wanted, message: wire.NewMessage) -> wire.NewMessage:
        if not wanted.attachments:
            return message
        return replace(message, attachments=tuple(new_attachment(self._store, one) for one in wanted.attachments))

    def _count(self, commit: wire.Commit, messages: list[wire.NewMessage]) -> None:
        counts = self._report.messages
        counts.new += commit.created_count
        counts.changed += commit.updated_count
        counts.known += len(messages) - commit.created_count - commit.updated_count
        self._report.attachments_saved += sum(len(one.attachments) for one in messages)

    def _save_singly(self, wanted: list[Wanted], messages: list[wire.NewMessage], error: RefusedError) -> None:
        """Saves each message of a refused batch, so that one message that the daemon refuses stops no other."""
        if not isinstance(error, InvalidArgument):
            raise error
        for one, message in zip(wanted, messages):
            try:
                self._count(self._store.save_messages([message]), [message])
            except InvalidArgument as refusal:
                self._report.notes.add_skipped(f"message that the daemon refused: {refusal.message}", one.place)

    def _send_marks(self, wanted: Wanted, *, edits: bool, is_counted: bool) -> None:
        """Sends what cannot be saved with a message: the time of an edit, and reactions."""
        id = wanted.message.id

        def changed(commit: wire.Commit) -> None:
            nonlocal is_counted
            if commit.updated_count + commit.created_count + commit.deleted_count and not is_counted:
                is_counted = True
                self._report.messages.known -= 1
                self._report.messages.changed += 1

        def reacted(commit: wire.Commit) -> None:
            self._report.reactions_added += commit.updated_count + commit.created_count
            changed(commit)

        def refused(error: RefusedError) -> None:
            self._lost(wanted, error)

        if edits:
            text = wanted.message.text
            edited = wanted.edited_microseconds or 0
            edit = wire.EditMessageRequest(id=id, text=text, edited_at_microseconds=edited)
            self._sending.send(calls.EDIT_MESSAGE, edit, changed, refused, 512 + 3 * len(text))
        for author, emoji in wanted.removed_reactions:
            removal = wire.RemoveReactionRequest(message_id=id, emoji=emoji, author_session_id=author)
            self._sending.send(calls.REMOVE_REACTION, removal, changed, refused)
        for author, emoji in wanted.reactions:
            reaction = wire.AddReactionRequest(message_id=id, emoji=emoji, author_session_id=author)
            self._sending.send(calls.ADD_REACTION, reaction, reacted, refused)

    def _lost(self, wanted: Wanted, error: RefusedError) -> None:
        # A message is missing in the store only if the daemon refused it earlier. Other failures end the import.
        if error.is_retryable or not isinstance(error, (NotFound, InvalidArgument, ResourceExhausted)):
            raise error
        if not isinstance(error, NotFound):
            what = f"reaction or edit that the daemon refused: {error.message}"
            self._report.notes.add_skipped(what, wanted.place)

    def _reaction_changes(self, wanted: Wanted) -> tuple[Reactions, Reactions]:
        """Returns the reactions to add and the reactions to remove. Others stay, even if the source lacks them."""
        existing = {(one.author_session_id, one.emoji) for one in self._store.reactions(wanted.message.id)}
        missing = tuple(one for one in dict.fromkeys(wanted.reactions) if one not in existing)
        return missing, tuple(one for one in wanted.removed_reactions if one in existing)
