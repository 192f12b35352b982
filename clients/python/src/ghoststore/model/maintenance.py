# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/maintenance.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, describe


@dataclass(frozen=True, slots=True, kw_only=True)
class GetStatisticsRequest:
    """Returns the counts of the store. Answer: statistics."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """All counts are exact and of one moment; only the size of the file may be of another moment. The answer takes
    constant time.
    """

    conversation_count: int = 0
    message_count: int = 0
    # 0 without the right to read contacts.
    contact_count: int = 0
    unread_count: int = 0
    revision: int = 0
    compacted_through_revision: int = 0
    database_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckStoreRequest:
    """Reads every page and row. The answer reports damage; it is not an error. After damage was found, the store's
    state is DATABASE_DAMAGED. Answers: progress, then check_report.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """`CheckReport` of the protocol."""

    # True if there are no findings.
    is_clean: bool = False
    # The problems found, at most 100 lines, without content.
    findings: tuple[str, ...] = ()
    pages_checked: int = 0
    rows_checked: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearAllDataRequest:
    """Deletes every conversation, message, draft, contact, scene, log and file, the changes that name them, and
    every idempotency key except its own. The keys of the store and the backups stay. `confirmation` must be the
    words "clear all data". Answer: commit; its `deleted_count` counts conversations, messages, drafts,
    contacts, values of scenes in both tiers, logs, files and directories. Nothing is deleted on the other
    devices of a replica group. A store that belongs to a group is cleared only if the request sets
    leave_replica_group; otherwise the answer is STORE_IN_REPLICA_GROUP.
    """

    confirmation: str = ""
    # The store also leaves its group, as with the call leave_replica_group. Has no effect without a group.
    leave_replica_group: bool = False


describe(GetStatisticsRequest)
describe(
    Statistics,
    Field(1, "conversation_count", Kind.UINT64),
    Field(2, "message_count", Kind.UINT64),
    Field(3, "contact_count", Kind.UINT64),
    Field(4, "unread_count", Kind.UINT64),
    Field(5, "revision", Kind.UINT64),
    Field(6, "compacted_through_revision", Kind.UINT64),
    Field(7, "database_bytes", Kind.UINT64),
)
describe(CheckStoreRequest)
describe(
    CheckReport,
    Field(1, "is_clean", Kind.BOOL),
    Field(2, "findings", Kind.STRING, is_repeated=True),
    Field(3, "pages_checked", Kind.UINT64),
    Field(4, "rows_checked", Kind.UINT64),
)
describe(
    ClearAllDataRequest,
    Field(1, "confirmation", Kind.STRING),
    Field(2, "leave_replica_group", Kind.BOOL),
)
