# Written by tools/generate.py from proto-docs; do not edit.
"""Calls of ghoststore/v1/changes.proto."""

from __future__ import annotations

from collections.abc import Sequence

from ... import model as wire
from ...protocol import calls
from ...protocol.options import Options
from ..caller import Caller


class ChangesCalls(Caller):
    """The calls of ghoststore/v1/changes.proto."""

    def list_changes(
        self,
        after_revision: int,
        *,
        limit: int = 0,
        kinds: Sequence[wire.EntityKind] = (),
        conversation_id: str = "",
        scene: str = "",
        kind_name: str = "",
        options: Options | None = None,
    ) -> wire.ListChangesResponse:
        """Lists changes in the order of their revisions, the lowest first.

        `changes` is simpler: it requests one page after another.

        Args:
            after_revision: The page has changes with a greater revision.
            limit: 1 to 10,000; 0 means 1,000. A page ends earlier when the daemon has examined 10,000 changes.
            kinds: These filters are the same as in WatchRequest.

        Returns:
            ListChangesResponse, with one page of the list.

        Raises:
            OutOfRange: CHANGES_COMPACTED if the store no longer keeps all changes after after_revision.
            OutOfRange: REVISION_AHEAD if the store has not reached after_revision.
        """
        request = wire.ListChangesRequest(
            after_revision=after_revision,
            limit=limit,
            kinds=tuple(kinds),
            conversation_id=conversation_id,
            scene=scene,
            kind_name=kind_name,
        )
        return self.call(calls.LIST_CHANGES, request, options)

    def compact_changes(
        self,
        through_revision: int,
        *,
        options: Options | None = None,
    ) -> wire.CompactChangesResponse:
        """Removes changes up to and including a revision from the change log. A revision greater than the store's
        revision means the store's revision. In a replica group, the store keeps changes that are not in a
        message for the group yet.

        Args:
            through_revision: The revision of the last change to remove.

        Returns:
            CompactChangesResponse, with the revision after which changes are still kept.
        """
        request = wire.CompactChangesRequest(
            through_revision=through_revision,
        )
        return self.call(calls.COMPACT_CHANGES, request, options)
