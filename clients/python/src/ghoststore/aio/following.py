"""Watches of changes and of new messages."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from .. import model as wire
from ..protocol.watching import Watching
from ..short_forms import to_conversation
from .caller import AsyncCaller
from .message_watch import AsyncMessageWatch
from .session import AsyncSession
from .watch import AsyncWatch


class AsyncFollowing(AsyncCaller):
    """Watches of the store."""

    @abstractmethod
    def new_session(self) -> AsyncSession:
        """Returns another connection with the settings of this store."""

    def watch(
        self,
        after_revision: int | None = None,
        *,
        history_id: bytes = b"",
        kinds: Sequence[wire.EntityKind] = (),
        conversation: wire.ConversationReference | str | None = None,
        scene: str = "",
        kind_name: str = "",
        patience_seconds: float | None = 300,
        waits_while_locked: bool = True,
    ) -> AsyncWatch:
        """Follows the changes of the store. `new_messages` follows messages with their text.

        The watch begins when the first change is requested.

        Args:
            after_revision: Begins with the changes after this revision. None: begins with the changes that are made
                from now on.
            history_id: The history that was kept with the revision. The watch raises HISTORY_CHANGED if a backup has
                replaced the store.
            kinds: Only changes of these kinds, at most 32. Empty: all kinds.
            conversation: Only this conversation, its messages and its draft. A string is a session id. A session id
                stands for the conversation that has it when the watch begins.
            scene: Only values of this scene, and the global ones. Cannot be combined with `conversation`.
            kind_name: Only messages and conversations to which the application has given this kind.
            patience_seconds: If the connection is lost, the watch tries for this time to connect again. None: without a
                limit.
            waits_while_locked: While the store is locked, even after a restart of the daemon, the watch waits until the
                store is unlocked, however long that takes. False: it raises STORE_LOCKED instead.

        Returns:
            AsyncWatch, an iterator that ends when it is closed, or by raising an error.

        Raises:
            NotFound: CONVERSATION_NOT_FOUND if no conversation has the session id.
            OutOfRange: CHANGES_COMPACTED if the changes after the revision are no longer kept. Read the data itself
                again, then watch after the revision that the store has now.
            OutOfRange: REVISION_AHEAD if the store has not reached the revision.
            FailedPrecondition: HISTORY_CHANGED, at the beginning of the watch or later.
            FailedPrecondition: STORE_LOCKED with `waits_while_locked=False`.
            PermissionDenied: PERMISSION_DENIED, even if the right to changes is taken away only during the watch.
            ConnectFailed: No daemon answered within `patience_seconds`, or none at the beginning of the watch.
        """
        reference = None if conversation is None else to_conversation(conversation)
        watching = Watching(
            after_revision, history_id, kinds, reference, scene, kind_name, patience_seconds, waits_while_locked
        )
        return AsyncWatch(self.new_session(), watching)

    def new_messages(
        self,
        conversation: wire.ConversationReference | str | None = None,
        *,
        after_revision: int | None = None,
        history_id: bytes = b"",
        patience_seconds: float | None = 300,
        waits_while_locked: bool = True,
    ) -> AsyncMessageWatch:
        """Follows the messages that are added to the store, with their text.

        A message that was edited is returned as it is when it is read. A message that was deleted before it is read is
        left out. The watch begins when the first message is requested.

        Args:
            conversation: Only messages of this conversation. A string is a session id. None: of all conversations.
            after_revision: Begins with the messages that were added after this revision. None: begins with the messages
                that are added from now on.
            history_id: As in `watch`.
            patience_seconds: As in `watch`.
            waits_while_locked: As in `watch`.

        Returns:
            AsyncMessageWatch, an iterator that ends when it is closed, or by raising an error.

        Raises:
            GhoststoreError: Everything that `watch` raises.
            PermissionDenied: PERMISSION_DENIED without the right to read messages.
        """
        kinds = [wire.EntityKind.MESSAGE]
        watch = self.watch(
            after_revision,
            history_id=history_id,
            kinds=kinds,
            conversation=conversation,
            patience_seconds=patience_seconds,
            waits_while_locked=waits_while_locked,
        )
        return AsyncMessageWatch(watch, self)
