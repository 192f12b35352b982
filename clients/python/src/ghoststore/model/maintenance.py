# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/maintenance.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, Model, describe


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetStatisticsRequest(Model):
    """The request of `get_statistics`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Statistics(Model):
    """The counts of the store. All counts are exact and show the store at one moment; only the size of the file
    may be from another moment. The time that the daemon needs to answer does not depend on the size of the
    store.

    Attributes:
        conversation_count (int): The number of conversations, with or without messages.
        message_count (int): The number of messages in all conversations.
        contact_count (int): The number of contacts; 0 if the caller may not read contacts.
        unread_count (int): The number of incoming messages that are not marked read.
        revision (int): The revision of the last change.
        compacted_through_revision (int): The store still keeps all changes with a greater revision.
        database_bytes (int): The size of the database file.
    """

    conversation_count: int = 0
    message_count: int = 0
    contact_count: int = 0
    unread_count: int = 0
    revision: int = 0
    compacted_through_revision: int = 0
    database_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CheckStoreRequest(Model):
    """The request of `check_store`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CheckReport(Model):
    """The result of reading every page and row of the store.

    Attributes:
        is_clean (bool): True if there are no findings.
        findings (tuple[str, ...]): The problems that the daemon found, at most 100 lines, without content of
            the store.
        pages_checked (int): The number of pages of the database that the daemon read.
        rows_checked (int): The number of rows of all tables that the daemon read.
    """

    is_clean: bool = False
    findings: tuple[str, ...] = ()
    pages_checked: int = 0
    rows_checked: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ClearAllDataRequest(Model):
    """The request of `clear_all_data`.

    Attributes:
        confirmation (str)
        leave_replica_group (bool): The store also leaves its group, as with the call leave_replica_group. Has
            no effect without a group.
    """

    confirmation: str = ""
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
