"""Telegram Desktop's machine-readable export: result.json of one chat, or of a whole account.

Sources that were read:

- https://core.telegram.org/import-export, the schema and the layout of the folder;
- https://github.com/telegramdesktop/tdesktop, Telegram/SourceFiles/export/output/export_output_json.cpp in the
  versions of 2021 (no date_unixtime and text_entities), 2023 and 2024 (reactions, buttons), the version of 2018 in a
  fork (numbers as ids, "edited" of the year 1970 for messages that were never edited), and data/export_data_types.cpp
  (ids of a group that became a supergroup are negative);
- a reimplementation of version 7.2.10 in Python with tests (telethon_secret_chat/tdexport), for actions, todo lists,
  rich messages and the escapes that are not JSON;
- sample exports of 2018 and 2020 in the tests of other importers, for the form of old ids.

Ids are "user1", "chat2" and "channel3", as the exporter writes them for senders. A chat has only its number, and its
type says which of the three it is. Read marks and deletions are not in the export. Edited messages have their last
text. Times without date_unixtime are local times of the exporting computer: `--zone`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from ..elements import Element
from ..errors import SourceError
from ..json_stream import JsonReader
from ..reading import Format, Reading
from ..records import Conversation, Member, Person, Record
from ..source import Document, Source
from ._seen import Seen
from ._telegram_json import repaired
from ._telegram_message import Chat, MessageReader

# The type of a chat, with the kind of the conversation and the beginning of its key.
_CHATS = {
    "personal_chat": ("direct", "user"),
    "bot_chat": ("direct", "user"),
    "saved_messages": ("saved_messages", "user"),
    "replies": ("replies", "user"),
    "verification_codes": ("verification_codes", "user"),
    "private_group": ("group", "chat"),
    "public_group": ("group", "chat"),
    "private_supergroup": ("group", "channel"),
    "public_supergroup": ("group", "channel"),
    "private_channel": ("channel", "channel"),
    "public_channel": ("channel", "channel"),
}
_SKIPPED = {
    "profile_pictures": "profile picture",
    "stories": "story",
    "profile_music": "music of the profile",
    "frequent_contacts": "entry of the frequent contacts",
    "sessions": "session of the account",
    "web_sessions": "web session of the account",
    "other_data": "other data of the account",
}
_NAMES = ("result.json", "result*.json")
_EXPORTS_MAX = 1000
_ONE_CHAT = re.compile(rb'"type":\s*"(%s)",\s*"id":\s*\d+,\s*"messages":\s*\[' % "|".join(_CHATS).encode())
_ACCOUNT = re.compile(rb'^[\s\xef\xbb\xbf]*\{\s*"about":\s*"')
_ACCOUNT_PART = re.compile(rb'"(personal_information|contacts|chats)":\s*\{')


def _read(reading: Reading) -> Iterator[Record]:
    for document in _documents(reading.source):
        yield from _Export(reading, document).records()


def _documents(source: Source) -> list[Document]:
    """Returns the exports of a folder or zip. Files below an export are media, even if they are named result.json."""
    found = list(islice(source.documents(*_NAMES), _EXPORTS_MAX + 1))
    if not found:
        raise SourceError(source.name, "has no result.json; hint: export again in the format Machine-readable JSON")
    if len(found) > _EXPORTS_MAX:
        raise SourceError(source.name, f"has more than {_EXPORTS_MAX:,} files result.json; hint: import fewer at once")
    folders = {_folders(one) for one in found}
    return [one for one in found if not any(_folders(one)[:count] in folders for count in range(len(_folders(one))))]


def _folders(document: Document) -> tuple[str, ...]:
    return tuple(document.name.split("/")[:-1])


@dataclass(slots=True)
class _Export:
    """One result.json."""

    reading: Reading
    document: Document
    self_id: str = ""
    seen: Seen = field(default_factory=Seen)

    def records(self) -> Iterator[Record]:
        with self.document.open() as stream:
            reader = JsonReader(repaired(stream), self.document.name)
            yield from self._sections(reader)
            reader.end()

    def _sections(self, reader: JsonReader) -> Iterator[Record]:
        header: dict[str, object] = {}
        is_known = False
        for key in reader.members():
            is_known = is_known or key in ("messages", "chats", "left_chats", "contacts", "personal_information")
            if key in ("name", "type", "id"):
                header[key] = reader.value()
            elif key == "messages":
                yield from self._messages(reader, header, False)
            elif key in ("chats", "left_chats"):
                yield from self._chats(reader, key == "left_chats")
            elif key == "contacts":
                yield from self._contacts(reader)
            elif key == "personal_information":
                yield self._own(Element(reader.value(), reader.place))
            elif key in _SKIPPED:
                self._skip(reader, _SKIPPED[key])
            elif key != "about":
                self.reading.unknown(f"section {key}", reader.place)
        if not is_known:
            raise SourceError(reader.place, "is no export of Telegram Desktop: it has neither chats nor messages")

    def _chats(self, reader: JsonReader, is_left: bool) -> Iterator[Record]:
        for key in reader.members():
            if key == "list":
                for _ in reader.elements():
                    yield from self._chat(reader, is_left)
            elif key != "about":
                self.reading.unknown(f"field {key} of the chats", reader.place)

    def _chat(self, reader: JsonReader, is_left: bool) -> Iterator[Record]:
        header: dict[str, object] = {}
        for key in reader.members():
            if key == "messages":
                yield from self._messages(reader, header, is_left)
            elif key in ("name", "type", "id"):
                header[key] = reader.value()
            else:
                self.reading.unknown(f"field {key} of a chat", reader.place)

    def _messages(self, reader: JsonReader, header: dict[str, object], is_left: bool) -> Iterator[Record]:
        if "id" not in header or "type" not in header:
            raise SourceError(reader.place, "the messages come before the id and type of the chat; hint: export again")
        place = reader.place
        messages = MessageReader(self.reading, self.document, self.seen)
        chat: Chat | None = None
        for _ in reader.elements():
            element = Element(reader.value(), reader.place)
            if chat is None:
                # The first message shows in which form the ids are.
                chat = self._header(Element(header, place), _has_old_ids(element), is_left)
                yield from _about(chat)
            yield from messages.records(chat, element)
        if chat is None:
            yield from _about(self._header(Element(header, place), False, is_left))

    def _header(self, element: Element, has_old_ids: bool, is_left: bool) -> Chat:
        word = element.text("type")
        if word not in _CHATS:
            self.reading.unknown(f"chat of type {word}", element.place)
        kind, prefix = _CHATS.get(word, (word, "peer"))
        number = element.any("id")
        if isinstance(number, bool) or not isinstance(number, int):
            raise SourceError(element.place, "the id of a chat is not a whole number")
        if has_old_ids:
            number &= 0xFFFF_FFFF
        key = f"{prefix}{number}"
        title = element.text("name") or ("Saved Messages" if word == "saved_messages" else "")
        self_id = self.self_id or (key if word == "saved_messages" else "")
        metadata: dict[str, object] = {"type": word} | ({"is_left": True} if is_left else {})
        members: tuple[Member, ...] = (Member(id=key, name=title),) if kind == "direct" else ()
        if self_id and kind in ("direct", "saved_messages"):
            members += (Member(id=self_id),)
        conversation = Conversation(key=key, title=title, kind=kind, members=members, metadata=metadata)
        return Chat(conversation, number, self_id)

    def _own(self, element: Element) -> Person:
        """Returns the user of the account, and keeps the id: messages of this sender are outgoing."""
        self.self_id = f"user{_number(element)}"
        name = _name(element)
        metadata = element.rest(self.reading, "the personal information", "phone_number", "username", "bio")
        return Person(id=self.self_id, name=name, metadata=metadata)

    def _contacts(self, reader: JsonReader) -> Iterator[Record]:
        for key in reader.members():
            if key == "list":
                for _ in reader.elements():
                    yield from self._contact(Element(reader.value(), reader.place))
            elif key != "about":
                self.reading.unknown(f"field {key} of the contacts", reader.place)

    def _contact(self, element: Element) -> Iterator[Record]:
        phone = element.text("phone_number")
        has_id = element.members.get("user_id") is not None
        if not has_id and not phone:
            self.reading.skipped("contact without an id and a number", element.place)
            return
        id = f"user{_number(element)}" if has_id else phone
        name = _name(element)
        rest = element.rest(self.reading, "a contact", "date", "date_unixtime")
        yield Person(id=id, name=name, metadata=rest | ({"phone_number": phone} if phone else {}))

    def _skip(self, reader: JsonReader, what: str) -> None:
        """Counts the entries of a section, which is an array, or an object with an array named list."""
        if reader.kind() == "[":
            for _ in reader.elements():
                self.reading.skipped(what, reader.place)
        elif reader.kind() == "{":
            for key in reader.members():
                if key == "list" and reader.kind() == "[":
                    for _ in reader.elements():
                        self.reading.skipped(what, reader.place)
                elif key != "about":
                    self.reading.skipped(what, reader.place)
        else:
            self.reading.skipped(what, reader.place)


def _about(chat: Chat) -> Iterator[Record]:
    yield chat.conversation
    if chat.conversation.kind == "direct" and chat.conversation.title:
        yield Person(id=chat.key, name=chat.conversation.title)


def _has_old_ids(element: Element) -> bool:
    sender = element.members.get("from_id", element.members.get("actor_id"))
    if sender is not None:
        return isinstance(sender, int)
    return str(element.members.get("edited", "")).startswith(("1970-01-01", "1969-12-31"))


def _number(element: Element) -> int:
    value = element.any("user_id")
    if isinstance(value, bool) or not isinstance(value, int):
        raise SourceError(element.place, "user_id is not a whole number")
    return value


def _name(element: Element) -> str:
    return f"{element.text('first_name')} {element.text('last_name')}".strip()


def _is_telegram(source: Source) -> bool:
    head = _documents(source)[0].head()
    is_account = _ACCOUNT.search(head) is not None and _ACCOUNT_PART.search(head) is not None
    return is_account or _ONE_CHAT.search(head) is not None


FORMAT = Format(name="telegram", title="Telegram Desktop, result.json", read=_read, detect=_is_telegram)
