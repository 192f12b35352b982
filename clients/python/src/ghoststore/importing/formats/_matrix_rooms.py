"""The facts about rooms and people from all files of a Matrix export. They are read before the messages."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

from ..elements import Element
from ..identity import clean
from ..records import Conversation, Member, Person, Record

_TABLES = """
CREATE TABLE room (id TEXT PRIMARY KEY, title TEXT DEFAULT '', kind TEXT DEFAULT 'group') WITHOUT ROWID;
CREATE TABLE fact (room TEXT, name TEXT, value TEXT, time INTEGER, PRIMARY KEY (room, name)) WITHOUT ROWID;
CREATE TABLE member (room TEXT, user TEXT, name TEXT, avatar TEXT, role TEXT, time INTEGER,
    PRIMARY KEY (room, user)) WITHOUT ROWID;
CREATE TABLE relation (id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE redacted (id TEXT PRIMARY KEY) WITHOUT ROWID;
"""
_MEMBERS_AT_ONCE = 500
# The kinds of state of a room that are a text, with the member of the content that has the text.
_FACTS = {
    "m.room.name": "name",
    "m.room.topic": "topic",
    "m.room.canonical_alias": "alias",
    "m.room.avatar": "url",
    "m.room.encryption": "algorithm",
}


class Rooms:
    """The rooms, in a temporary database that SQLite moves to the disk if it grows.

    Pages of a server have the newest event first, so the latest state need not be the last one in the file.
    """

    def __init__(self) -> None:
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.executescript(_TABLES)
        self._database.execute("BEGIN")

    def close(self) -> None:
        """Removes everything."""
        self._database.close()

    def add_title(self, room: str, title: str) -> None:
        """Adds the name that Element shows for a room. A name in the room's events has precedence."""
        self._add_room(room)
        self._database.execute("UPDATE room SET title = ? WHERE id = ?", (clean(title), clean(room)))

    def add_fact(self, room: str, name: str, value: str, time: int) -> None:
        """Adds a fact about a room. The latest value counts."""
        self._add_room(room)
        self._database.execute(
            "INSERT INTO fact VALUES (?, ?, ?, ?) ON CONFLICT (room, name) DO UPDATE SET"
            " value = excluded.value, time = excluded.time WHERE excluded.time >= time",
            (clean(room), name, clean(value), time),
        )

    def add_state(self, room: str, type: str, state_key: str, content: Element, time: int) -> None:
        """Adds what a state event says."""
        self._add_room(room)
        if type in _FACTS and state_key == "":
            self.add_fact(room, type.removeprefix("m.room."), content.text(_FACTS[type]), time)
        elif type == "m.room.create":
            if content.text("type") == "m.space":
                self.set_kind(room, "space")
        elif type == "m.room.member" and state_key:
            if content.flag("is_direct"):
                self.set_kind(room, "direct")
            self._add_member(room, state_key, content, time)

    def set_kind(self, room: str, kind: str) -> None:
        """Sets the kind of a room."""
        self._add_room(room)
        self._database.execute("UPDATE room SET kind = ? WHERE id = ?", (kind, clean(room)))

    def add_relation(self, id: str) -> None:
        """Remembers that an event is a reaction or an edit, so that its deletion deletes no message."""
        self._database.execute("INSERT OR IGNORE INTO relation VALUES (?)", (clean(id),))

    def add_redacted(self, id: str) -> None:
        """Remembers that an event was removed."""
        self._database.execute("INSERT OR IGNORE INTO redacted VALUES (?)", (clean(id),))

    def is_relation(self, id: str) -> bool:
        """Returns true for a reaction or an edit."""
        return self._has("SELECT 1 FROM relation WHERE id = ?", id)

    def is_redacted(self, id: str) -> bool:
        """Returns true if an event of the file says that this event was removed."""
        return self._has("SELECT 1 FROM redacted WHERE id = ?", id)

    def records(self) -> Iterator[Record]:
        """Yields the people and the rooms."""
        # With max(time), SQLite returns the other columns from the row with the latest time.
        for user, name, avatar, _ in self._database.execute(
            "SELECT user, name, avatar, max(time) FROM member WHERE name != '' GROUP BY user ORDER BY user"
        ):
            yield Person(id=user, name=name, metadata={"avatar_url": avatar} if avatar else {})
        for room, title, kind in self._database.execute("SELECT id, title, kind FROM room ORDER BY id"):
            facts = self._facts(room)
            name = facts.pop("name", "") or title or facts.get("canonical_alias", "")
            yield Conversation(key=room, title=name, kind=kind, metadata=facts)
            yield from self._members(room)

    def _members(self, room: str) -> Iterator[Record]:
        cursor = self._database.execute("SELECT user, name, role FROM member WHERE room = ? ORDER BY user", (room,))
        while rows := cursor.fetchmany(_MEMBERS_AT_ONCE):
            yield Conversation(key=room, members=tuple(Member(id=id, name=name, role=role) for id, name, role in rows))

    def _facts(self, room: str) -> dict[str, Any]:
        rows = self._database.execute("SELECT name, value FROM fact WHERE room = ? AND value != ''", (room,))
        return dict(rows.fetchall())

    def _add_room(self, room: str) -> None:
        self._database.execute("INSERT OR IGNORE INTO room (id) VALUES (?)", (clean(room),))

    def _add_member(self, room: str, user: str, content: Element, time: int) -> None:
        name, avatar = content.text("displayname"), content.text("avatar_url")
        # The event of a person who leaves has no name. The previous name stays.
        self._database.execute(
            "INSERT INTO member VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (room, user) DO UPDATE SET"
            " name = iif(excluded.name != '' AND (excluded.time >= time OR name = ''), excluded.name, name),"
            " avatar = iif(excluded.avatar != '' AND (excluded.time >= time OR avatar = ''), excluded.avatar, avatar),"
            " role = iif(excluded.time >= time, excluded.role, role), time = max(time, excluded.time)",
            (clean(room), clean(user), clean(name), clean(avatar), clean(content.text("membership")), time),
        )

    def _has(self, query: str, id: str) -> bool:
        return self._database.execute(query, (clean(id),)).fetchone() is not None
