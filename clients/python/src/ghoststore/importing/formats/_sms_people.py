"""Addresses and conversations of SMS Backup & Restore, and ids of its messages."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from ..elements import Element
from ..errors import SourceError
from ..records import Conversation, Member, Person, Record
from ._seen import Seen

_MARKS = dict.fromkeys([0x200E, 0x200F, 0x061C, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
_BETWEEN_DIGITS = str.maketrans("", "", " -().\u00a0\u2011\u202f")
_UNKNOWN_NAME = "(Unknown)"
_UNKNOWN = "unknown"
_RCS_GROUP = "@rcs.google.com"


@dataclass(frozen=True, slots=True)
class Thread:
    """A conversation. It has the addresses of the other people, at least one."""

    key: str
    addresses: tuple[str, ...]
    name: str
    is_group: bool


class Threads:
    """Makes conversations from addresses, and remembers the ones that it yielded lately."""

    def __init__(self) -> None:
        self._given = Seen()

    def thread(self, addresses: str, name: str) -> Thread:
        """Returns the conversation with addresses that are joined by "~", as the app joins them."""
        found = tuple(sorted({one for one in map(address, addresses.split("~")) if one})) or (_UNKNOWN,)
        shown = "" if name == _UNKNOWN_NAME else name
        return Thread("~".join(found), found, shown, len(found) > 1 or found[0].endswith(_RCS_GROUP))

    def records(self, thread: Thread) -> Iterator[Record]:
        """Yields the conversation and its person, if they were not yielded lately."""
        if not self._given.is_new(thread):
            return
        kind = "group" if thread.is_group else "direct"
        members = () if thread.addresses[0].endswith(_RCS_GROUP) else tuple(Member(id=one) for one in thread.addresses)
        yield Conversation(key=thread.key, title=thread.name, kind=kind, members=members)
        if not thread.is_group and thread.key != _UNKNOWN:
            yield Person(id=thread.key, name=thread.name)


def address(text: str) -> str:
    """Returns an address in one form: a number without spaces and brackets, or another text as it is."""
    plain = text.translate(_MARKS).strip()
    digits = plain.translate(_BETWEEN_DIGITS)
    return digits if digits.removeprefix("+").isdecimal() else plain


def time_of(fields: Element) -> int:
    """Returns the number in the field `date` of a message."""
    if fields.any("date") is None:
        raise SourceError(fields.place, "the date is missing")
    return fields.number("date")


def identity(kind: str, time: int, sender: str, is_outgoing: bool, *contents: str) -> str:
    """Returns an id that is the same in every backup. The conversation is not a part of it."""
    digest = hashlib.blake2b(digest_size=16)
    for part in (kind, str(time), sender, str(is_outgoing), *contents):
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8))
        digest.update(data)
    return f"{kind}-{digest.hexdigest()}"
