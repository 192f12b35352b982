# Written by tools/generate.py from proto-docs; do not edit.
"""A method for each call of the protocol."""

from __future__ import annotations

from .administration import AsyncAdministrationCalls
from .archives import AsyncArchivesCalls
from .attachments import AsyncAttachmentsCalls
from .backups import AsyncBackupsCalls
from .blobs import AsyncBlobsCalls
from .changes import AsyncChangesCalls
from .contacts import AsyncContactsCalls
from .conversations import AsyncConversationsCalls
from .drafts import AsyncDraftsCalls
from .files import AsyncFilesCalls
from .keys import AsyncKeysCalls
from .logs import AsyncLogsCalls
from .maintenance import AsyncMaintenanceCalls
from .members import AsyncMembersCalls
from .messages import AsyncMessagesCalls
from .reactions import AsyncReactionsCalls
from .replication import AsyncReplicationCalls
from .scenes import AsyncScenesCalls
from .search import AsyncSearchCalls
from .service import AsyncServiceCalls


class AsyncCalls(
    AsyncAdministrationCalls,
    AsyncArchivesCalls,
    AsyncAttachmentsCalls,
    AsyncBackupsCalls,
    AsyncBlobsCalls,
    AsyncChangesCalls,
    AsyncContactsCalls,
    AsyncConversationsCalls,
    AsyncDraftsCalls,
    AsyncFilesCalls,
    AsyncKeysCalls,
    AsyncLogsCalls,
    AsyncMaintenanceCalls,
    AsyncMembersCalls,
    AsyncMessagesCalls,
    AsyncReactionsCalls,
    AsyncReplicationCalls,
    AsyncScenesCalls,
    AsyncSearchCalls,
    AsyncServiceCalls,
):
    """Every call of the protocol, as proto-docs define it."""


__all__ = ["AsyncCalls"]
