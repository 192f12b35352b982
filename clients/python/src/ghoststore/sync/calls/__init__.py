# Written by tools/generate.py from proto-docs; do not edit.
"""A method for each call of the protocol."""

from __future__ import annotations

from .administration import AdministrationCalls
from .archives import ArchivesCalls
from .attachments import AttachmentsCalls
from .backups import BackupsCalls
from .blobs import BlobsCalls
from .changes import ChangesCalls
from .contacts import ContactsCalls
from .conversations import ConversationsCalls
from .drafts import DraftsCalls
from .files import FilesCalls
from .keys import KeysCalls
from .logs import LogsCalls
from .maintenance import MaintenanceCalls
from .members import MembersCalls
from .messages import MessagesCalls
from .reactions import ReactionsCalls
from .replication import ReplicationCalls
from .scenes import ScenesCalls
from .search import SearchCalls
from .service import ServiceCalls


class Calls(
    AdministrationCalls,
    ArchivesCalls,
    AttachmentsCalls,
    BackupsCalls,
    BlobsCalls,
    ChangesCalls,
    ContactsCalls,
    ConversationsCalls,
    DraftsCalls,
    FilesCalls,
    KeysCalls,
    LogsCalls,
    MaintenanceCalls,
    MembersCalls,
    MessagesCalls,
    ReactionsCalls,
    ReplicationCalls,
    ScenesCalls,
    SearchCalls,
    ServiceCalls,
):
    """Every call of the protocol, as proto-docs define it."""


__all__ = ["Calls"]
