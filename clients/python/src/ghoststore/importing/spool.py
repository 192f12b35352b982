"""The data that an import remembers about a file of any size, in a temporary database without a name on disk."""

from __future__ import annotations

import json
import marshal
import pickle
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .errors import SourceError
from .identity import clean
from .records import Conversation, Event, Metadata, Person

_TABLES = """
CREATE TABLE person (id TEXT PRIMARY KEY, name TEXT, metadata TEXT, is_self INTEGER DEFAULT 0) WITHOUT ROWID;
CREATE TABLE conversation (key TEXT PRIMARY KEY, title TEXT, kind TEXT, metadata TEXT,
    count INTEGER DEFAULT 0, first INTEGER, last INTEGER) WITHOUT ROWID;
CREATE TABLE created (key TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE member (key TEXT, id TEXT, name TEXT, role TEXT, PRIMARY KEY (key, id)) WITHOUT ROWID;
CREATE TABLE sender (key TEXT, id TEXT, name TEXT, PRIMARY KEY (key, id)) WITHOUT ROWID;
CREATE TABLE event (number INTEGER PRIMARY KEY, source_id TEXT, key TEXT, event BLOB);
CREATE INDEX event_of ON event (source_id, key);
CREATE TABLE seen (digest BLOB PRIMARY KEY, count INTEGER) WITHOUT ROWID;
CREATE TABLE stored (id TEXT PRIMARY KEY, state BLOB) WITHOUT ROWID;
"""
_CACHED_MAX = 10_000
_SENDERS_MAX = 10
# The largest number of people, and of conversations, in one import.
ENTITIES_MAX = 200_000


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation with the number and times of its messages."""

    key: str
    title: str
    kind: str
    metadata: dict[str, Any]
    count: int
    first: int
    last: int


class Spool:
    """The temporary database. Its pages above two megabytes are in a file that has no name.

    SQLite removes the file when the process ends, whatever ends it.
    """

    def __init__(self) -> None:
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute("PRAGMA synchronous = OFF")
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.executescript(_TABLES)
        self._database.execute("BEGIN")
        # Counts and times of conversations that are not in the database yet.
        self._times: dict[str, list[int]] = {}
        self._senders: set[tuple[str, str, str, bool]] = set()
        self._counted = {"person": 0, "conversation": 0}
        self.has_events = False

    def close(self) -> None:
        """Removes everything."""
        self._database.close()

    # ---- People ----

    def _check_count(self, table: str, place: str) -> None:
        """Refuses a file that would fill the store with people or conversations. Counts only at every 1,024th call."""
        self._counted[table] += 1
        if self._counted[table] % 1024 == 0:
            [count] = self._database.execute(f"SELECT count(*) FROM {table}").fetchone()
            if count > ENTITIES_MAX:
                many = {"person": "people", "conversation": "conversations"}[table]
                raise SourceError(place, f"the file has more than {ENTITIES_MAX:,} {many}")

    def add_person(self, person: Person, place: str) -> None:
        """Adds a person. A later name replaces the earlier one, and so does a member of later metadata."""
        self._database.execute(
            "INSERT INTO person (id, name, metadata) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
            " name = iif(excluded.name != '', excluded.name, name),"
            " metadata = json_patch(metadata, excluded.metadata)",
            (clean(person.id), clean(person.name), _dumped(person.metadata)),
        )
        self._check_count("person", place)

    def add_sender(self, key: str, id: str, name: str, is_self: bool, place: str) -> None:
        """Adds the sender of a message, whose name counts only if the source does not list the person."""
        sender = (key, id, name, is_self)
        if sender in self._senders:
            return
        if len(self._senders) >= _CACHED_MAX:
            self._senders.clear()
        self._senders.add(sender)
        self._database.execute(
            "INSERT INTO sender VALUES (?, ?, ?) ON CONFLICT (key, id) DO UPDATE SET"
            " name = iif(excluded.name != '', excluded.name, name)",
            (clean(key), clean(id), clean(name)),
        )
        if not (is_self or name):
            return
        self._database.execute(
            "INSERT INTO person (id, name, metadata, is_self) VALUES (?, ?, '{}', ?) ON CONFLICT (id) DO UPDATE SET"
            " name = iif(name = '', excluded.name, name), is_self = max(is_self, excluded.is_self)",
            (clean(id), clean(name), is_self),
        )
        self._check_count("person", place)

    def people(self) -> Iterator[Person]:
        """Yields the people with a name or metadata, without the user of the store."""
        cursor = self._database.execute(
            "SELECT id, name, metadata FROM person WHERE NOT is_self AND (name != '' OR metadata != '{}') ORDER BY id"
        )
        for id, name, metadata in cursor:
            yield Person(id=id, name=name, metadata=json.loads(metadata))

    def senders(self) -> Iterator[tuple[str, str]]:
        """Yields id and name of ten senders. Senders of the most conversations, such as the user, are first."""
        yield from self._database.execute(
            "SELECT id, max(name) FROM sender GROUP BY id ORDER BY count(*) DESC, id LIMIT ?", (_SENDERS_MAX,)
        )

    # ---- Conversations ----

    def add_conversation(self, conversation: Conversation, place: str) -> None:
        """Adds a conversation, or what a later record says about it."""
        key = clean(conversation.key)
        self._database.execute(
            "INSERT INTO conversation (key, title, kind, metadata) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET"
            " title = iif(excluded.title != '', excluded.title, title),"
            " kind = iif(excluded.kind != '', excluded.kind, kind),"
            " metadata = json_patch(metadata, excluded.metadata)",
            (key, clean(conversation.title), clean(conversation.kind), _dumped(conversation.metadata)),
        )
        self._database.executemany(
            "INSERT OR REPLACE INTO member (key, id, name, role) VALUES (?, ?, ?, ?)",
            [(key, clean(one.id), clean(one.name), clean(one.role)) for one in conversation.members],
        )
        self._check_count("conversation", place)

    def add_time(self, key: str, time: int, place: str) -> None:
        """Counts a message of a conversation."""
        times = self._times.get(key)
        if times is not None:
            times[0] += 1
            times[1] = min(times[1], time)
            times[2] = max(times[2], time)
            return
        if len(self._times) >= _CACHED_MAX:
            self.flush()
        self._check_count("conversation", place)
        self._times[key] = [1, time, time]

    def flush(self) -> None:
        """Writes the counts and times that are only in memory."""
        self._database.executemany(
            "INSERT INTO conversation (key, title, kind, metadata, count, first, last)"
            " VALUES (?, '', '', '{}', ?, ?, ?) ON CONFLICT (key) DO UPDATE SET count = count + excluded.count,"
            " first = min(ifnull(first, excluded.first), excluded.first),"
            " last = max(ifnull(last, excluded.last), excluded.last)",
            [(clean(key), *times) for key, times in self._times.items()],
        )
        self._times.clear()

    def complete(self) -> None:
        """Adds what the source does not list: a group's senders as members, and a person's name as a chat's title."""
        self.flush()
        self._database.execute(
            "INSERT INTO member SELECT key, sender.id, sender.name, '' FROM sender JOIN conversation USING (key)"
            " WHERE kind = 'group' AND sender.id != key AND key NOT IN (SELECT key FROM member)"
        )
        self._database.execute(
            "UPDATE conversation SET title = person.name FROM person"
            " WHERE conversation.title = '' AND person.id = conversation.key"
        )

    def chats(self) -> Iterator[Chat]:
        """Yields the conversations."""
        for key, title, kind, metadata, count, first, last in self._database.execute(
            "SELECT key, title, kind, metadata, count, first, last FROM conversation ORDER BY key"
        ):
            yield Chat(key, title, kind, json.loads(metadata), count, first or 0, last or 0)

    def add_created(self, key: str) -> None:
        """Remembers that this import created a conversation."""
        self._database.execute("INSERT INTO created VALUES (?)", (key,))

    def created(self) -> Iterator[str]:
        """Yields the keys of the conversations that this import created."""
        for [key] in self._database.execute("SELECT key FROM created ORDER BY key"):
            yield key

    def members(self, key: str) -> Iterator[tuple[str, str, str]]:
        """Yields id, name and role of the members of a conversation."""
        yield from self._database.execute("SELECT id, name, role FROM member WHERE key = ? ORDER BY id", (clean(key),))

    def keys_with_members(self) -> Iterator[str]:
        """Yields the keys of the conversations whose members the source lists."""
        for [key] in self._database.execute("SELECT DISTINCT key FROM member ORDER BY key"):
            yield key

    def member_count(self, key: str) -> int:
        """Returns the number of members of a conversation."""
        [count] = self._database.execute("SELECT count(*) FROM member WHERE key = ?", (key,)).fetchone()
        return int(count)

    # ---- Events ----

    def add_event(self, event: Event) -> None:
        """Adds an event about a message."""
        self.has_events = True
        self._database.execute(
            "INSERT INTO event (source_id, key, event) VALUES (?, ?, ?)",
            (clean(event.source_id), clean(event.conversation), pickle.dumps(event)),
        )

    def take_events(self, key: str, source_id: str) -> list[Event]:
        """Removes and returns the events of a message, in the order of the file."""
        found = self._database.execute(
            "SELECT number, event FROM event WHERE source_id = ? AND key IN (?, '') ORDER BY number",
            (clean(source_id), clean(key)),
        ).fetchall()
        self._database.executemany("DELETE FROM event WHERE number = ?", [(number,) for number, _ in found])
        return [pickle.loads(event) for _, event in found]

    def other_events(self) -> Iterator[Event]:
        """Yields the events that no message took."""
        for [event] in self._database.execute("SELECT event FROM event ORDER BY number"):
            yield pickle.loads(event)

    # ---- Messages ----

    def count_earlier(self, digest: bytes) -> int:
        """Counts a digest, and returns how often it was counted before."""
        [count] = self._database.execute(
            "INSERT INTO seen VALUES (?, 0) ON CONFLICT (digest) DO UPDATE SET count = count + 1 RETURNING count",
            (digest,),
        ).fetchone()
        return int(count)

    def add_stored(self, states: Sequence[tuple[str, tuple[Any, ...]]]) -> None:
        """Remembers the state of messages in the store."""
        self._database.executemany(
            "INSERT OR REPLACE INTO stored VALUES (?, ?)", [(id, marshal.dumps(tuple(state))) for id, state in states]
        )

    def stored(self, id: str) -> tuple[Any, ...] | None:
        """Returns the state of a message in the store, or None."""
        row = self._database.execute("SELECT state FROM stored WHERE id = ?", (id,)).fetchone()
        return None if row is None else marshal.loads(row[0])


def _dumped(metadata: Metadata) -> str:
    return clean(json.dumps(metadata, sort_keys=True, ensure_ascii=False, default=str)) if metadata else "{}"
