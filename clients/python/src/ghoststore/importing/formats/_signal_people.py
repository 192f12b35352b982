"""People, the user of the account, and the ids of messages in the output of signal-cli."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field

from ..elements import Element
from ..identity import clean
from ..reading import Reading

_REMEMBERED_MAX = 4096
_OWN_IDS_MAX = 16
_ACCOUNTS_MAX = 256


@dataclass(frozen=True, slots=True)
class Address:
    """A person: an ACI, which is a UUID, and a phone number. Old versions of signal-cli write only one of them."""

    uuid: str = ""
    number: str = ""

    @property
    def id(self) -> str:
        """The id of the person."""
        return self.uuid or self.number

    @classmethod
    def of(cls, element: Element, prefix: str) -> Address:
        """Returns the person whose members begin with a prefix, such as source, sourceNumber and sourceUuid."""
        old = element.text(prefix)
        uuid, number = element.text(f"{prefix}Uuid"), element.text(f"{prefix}Number")
        if uuid or number:
            return cls(uuid, number)
        return cls(number=old) if old.startswith("+") else cls(uuid=old)


@dataclass(slots=True)
class Account:
    """The user of the store, with the ids that the file shows."""

    reading: Reading
    name: str = ""
    ids: set[str] = field(default_factory=set)

    def is_own(self, address: Address) -> bool:
        """Returns true if the address is the user's own."""
        is_self = self.reading.is_self(address.uuid, address.number)
        return is_self or not self.ids.isdisjoint({address.uuid, address.number} - {""})

    def learn(self, address: Address) -> None:
        """Adds an address of the user: the sender of a message that another device of the user sent."""
        if len(self.ids) < _OWN_IDS_MAX:
            self.ids.update({address.uuid, address.number} - {""})


class Accounts:
    """The accounts of a file. The daemon can serve several."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._accounts: dict[str, Account] = {}

    def account(self, name: str) -> Account:
        """Returns the account of a line; the name is a phone number or an ACI, or empty in old versions."""
        found = self._accounts.get(name)
        if found is None:
            found = Account(self._reading, name, {name} - {""})
            if len(self._accounts) < _ACCOUNTS_MAX:
                self._accounts[name] = found
        return found


class Changes:
    """Finds out whether a record says something new. It remembers a limited number of keys."""

    def __init__(self) -> None:
        self._last: dict[str, object] = {}

    def is_new(self, key: str, value: object) -> bool:
        """Returns true if the value is not the last value of the key."""
        if self._last.get(key) == value:
            return False
        if len(self._last) >= _REMEMBERED_MAX:
            self._last.clear()
        self._last[key] = value
        return True


class MessageIds:
    """The ids of messages, which consist of the sender and the time in milliseconds.

    After an edit, other messages may name the time of the edit. Receipts do not say in which conversation the message
    is. So edits and the user's own messages are kept, in a temporary database, which SQLite moves to the disk if it
    grows.
    """

    def __init__(self) -> None:
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute("CREATE TABLE edit (id TEXT PRIMARY KEY, first TEXT) WITHOUT ROWID")
        self._database.execute("CREATE TABLE own (id TEXT PRIMARY KEY, conversation TEXT) WITHOUT ROWID")
        self._database.execute("BEGIN")

    def close(self) -> None:
        """Removes what was kept."""
        self._database.close()

    def first(self, id: str) -> str:
        """Returns the id of the message that an id belongs to: the id itself, or for an edit the id of its message."""
        row = self._database.execute("SELECT first FROM edit WHERE id = ?", (clean(id),)).fetchone()
        return id if row is None else str(row[0])

    def add_edit(self, id: str, first: str) -> None:
        """Remembers that an edit belongs to a message."""
        self._database.execute("INSERT OR IGNORE INTO edit VALUES (?, ?)", (clean(id), clean(first)))

    def add_own(self, id: str, conversation: str) -> None:
        """Remembers the conversation of a message of the user."""
        self._database.execute("INSERT OR IGNORE INTO own VALUES (?, ?)", (clean(id), clean(conversation)))

    def conversation_of_own(self, id: str) -> str | None:
        """Returns the conversation of a message that the user sent, if that message was read before."""
        row = self._database.execute("SELECT conversation FROM own WHERE id = ?", (clean(id),)).fetchone()
        return None if row is None else str(row[0])


def message_id(account: Account, sender: Address, milliseconds: int) -> str:
    """Returns the id of a message, or of one of its edits."""
    return own_message_id(milliseconds) if account.is_own(sender) else f"{sender.id}-{milliseconds}"


def own_message_id(milliseconds: int) -> str:
    """Returns the id of a message that the user sent.
    || It does not contain the sender, because files name the user by a number or an ACI, or not at all.
    """
    return f"self-{milliseconds}"

