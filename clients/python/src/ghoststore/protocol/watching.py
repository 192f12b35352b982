"""The state of a watch, and the rule that decides if the watch continues after an error."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from ..errors import ConnectFailed, ConnectionLost, GhoststoreError, RefusedError
from ..model import Change, ConversationReference, EntityKind, WatchEvent, WatchRequest
from ..reasons import Reason
from .attempt import pause_seconds

# The pause after which the client asks a locked store again if it is open.
LOCKED_PAUSE_SECONDS = 1.0


class Watching:
    """A watch from its first event to its last, over any number of connections."""

    def __init__(
        self,
        after_revision: int | None,
        history_id: bytes,
        kinds: Sequence[EntityKind],
        conversation: ConversationReference | None,
        scene: str,
        kind_name: str,
        patience_seconds: float | None,
        waits_while_locked: bool,
    ) -> None:
        # The revision up to which every change that passes the filter was delivered, including the revision itself.
        self.revision = after_revision
        # The history to which the revision belongs.
        self.history_id = history_id
        # The conversation while its id is unknown. Changes contain ids and not session ids.
        self.unresolved = conversation if conversation is not None and conversation.id is None else None
        self._conversation_id = "" if conversation is None else conversation.id or ""
        self._kinds, self._scene, self._kind_name = tuple(kinds), scene, kind_name
        self._patience_seconds = patience_seconds
        self._waits_while_locked = waits_while_locked
        self._changes: deque[Change] = deque()
        self._received = after_revision
        self._failures = 0
        self._failing_since = 0.0
        self._has_stood = False

    def resolve(self, conversation_id: str) -> None:
        """Stores the id of the conversation that was unresolved."""
        self.unresolved, self._conversation_id = None, conversation_id

    def request(self) -> WatchRequest:
        """Returns the request for the changes that have not been received yet."""
        return WatchRequest(
            after_revision=self._received,
            kinds=self._kinds,
            conversation_id=self._conversation_id,
            scene=self._scene,
            kind_name=self._kind_name,
        )

    def receive(self, event: WatchEvent) -> None:
        """Stores the changes of an event."""
        self._changes += event.changes
        self._received, self.history_id = event.revision, event.history_id
        self.note_answer()

    def note_answer(self) -> None:
        """Records that the daemon has answered. The time without a daemon then starts at zero again."""
        self._failures, self._has_stood = 0, True

    def take(self) -> Change | None:
        """Returns the next received change, or None if another event must come first."""
        if not self._changes:
            self.revision = self._received
            return None
        change = self._changes.popleft()
        self.revision = change.revision
        return change

    def pause_after(self, error: GhoststoreError, now: float) -> float:
        """Returns the seconds to wait before the watch is requested again. Raises the error if the watch has to end."""
        if self._waits_while_locked and error.reason is Reason.STORE_LOCKED:
            # It may take days until a person unlocks the store. The daemon is running, so the time of its absence
            # starts at zero again.
            self.note_answer()
            return LOCKED_PAUSE_SECONDS
        if isinstance(error, ConnectFailed) and not self._has_stood:
            raise error
        if not error.is_retryable or not isinstance(error, (ConnectFailed, ConnectionLost, RefusedError)):
            raise error
        if self._failures == 0:
            self._failing_since = now
        self._failures += 1
        if self._patience_seconds is not None and now - self._failing_since > self._patience_seconds:
            raise error
        return pause_seconds(self._failures)
