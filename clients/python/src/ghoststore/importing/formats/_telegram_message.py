"""Messages of Telegram Desktop's result.json."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..elements import Element
from ..errors import SourceError
from ..reading import Reading
from ..records import Attachment, Conversation, Message, Person, Reaction, Record
from ..source import Document
from ..times import from_iso, from_seconds
from ._seen import Seen
from ._telegram_text import has_formats, plain, rich

_CALLS = ("phone_call", "conference_call", "group_call")
# Members that only messages of one kind have, with this kind.
_KINDS = {
    "poll": "poll",
    "location_information": "location",
    "contact_information": "contact",
    "game_title": "game",
    "invoice_information": "invoice",
    "giveaway_information": "giveaway",
    "giveaway_results": "giveaway",
    "todo_list": "todo",
    "paid_stars_amount": "paid_media",
}
# Texts in place of the path of a file that was not exported. They are English, whatever the program's language is.
_NOT_EXPORTED = {
    "(File unavailable, please try again later)": "unavailable",
    "(File exceeds maximum size. Change data exporting settings to download.)": "file_size",
    "(File not included. Change data exporting settings to download.)": "file_type",
}
_TYPES = {"webp": "image/webp", "tgs": "application/x-tgsticker", "ogg": "audio/ogg", "webm": "video/webm"}
# The exporter counts the files of each export from 1. A name without the number is the same in the next export.
_NUMBER = re.compile(r"^(photo|video|audio|file|contact)_\d+(?=[@.])")
_STICKER_NUMBER = re.compile(r" \(\d+\)(?=\.\w+$)")
_PHOTO = ("photo_file_size", "width", "height", "media_spoiler")
_FILE = (
    "file_size media_type sticker_emoji performer title duration_seconds width height media_spoiler"
    " thumbnail_file_size"
).split()
# Members that are stored in the metadata unchanged.
_KNOWN = (
    "action actor additional address amount amount_nano amount_whole author boost_peer_id boost_peer_name boosts bot"
    " button_id charge_id closed comment community_id completed contact_information cost currency day days"
    " discard_reason distance duration duration_seconds emoticon expired file_size forwarded_from forwarded_from_id"
    " from from_id game_description game_link game_message_id game_title gift_code gift_id gift_text"
    " giveaway_information giveaway_msg_id giveaway_results height hidden incompleted information_text"
    " inline_bot_buttons inviter invoice_information invoice_message_id is_active is_anonymous"
    " is_broadcast_messages_allowed is_limited is_missed is_unclaimed items live_location_period_seconds"
    " location_information media_spoiler members message_id messages_count month months new_creator new_icon_emoji_id"
    " new_title new_value option paid_stars_amount peer_id peer_name peers period photo_file_size place_name poll"
    " price_amount_nano price_amount_whole price_currency price_stars reason_app_id reason_app_name reason_domain"
    " recurring rejected reply_to_peer_id saved_from schedule_date scheduled_date score self_destruct_period_seconds"
    " stars stars_count title to to_id todo_list transaction_id unclaimed user_initiated values via_bot via_giveaway"
    " width winners year"
).split()


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat that is being read, with its number and the id of the user of the account, if it is known."""

    conversation: Conversation
    number: int
    self_id: str

    @property
    def key(self) -> str:
        """The key of the conversation."""
        return self.conversation.key


@dataclass(slots=True)
class MessageReader:
    """Reads the messages of a document."""

    reading: Reading
    document: Document
    seen: Seen

    def records(self, chat: Chat, element: Element) -> Iterator[Record]:
        """Yields a message, and people who reacted to it."""
        word = element.text("type")
        if word == "unsupported":
            self.reading.skipped("message that Telegram Desktop could not export, without a date", element.place)
            return
        if word not in ("message", "service"):
            self.reading.unknown(f"message of type {word}", element.place)
        reactions: list[Reaction] = []
        for person, reaction in self._reactions(chat, element):
            reactions.append(reaction)
            if person.name and self.seen.is_new(person.id, person.name):
                yield person
        yield self._message(chat, element, word == "service", tuple(reactions))

    def _message(self, chat: Chat, element: Element, is_service: bool, reactions: tuple[Reaction, ...]) -> Message:
        sent = self._time(element, "date")
        if sent is None:
            raise SourceError(element.place, "the date is missing")
        edited = self._time(element, "edited")
        label = "actor" if is_service and element.members.get("actor_id") is not None else "from"
        sender_name = element.text(label)
        sender = peer(element.any(f"{label}_id"), chat, element.place) or sender_name
        if self.reading.self_ids:
            is_outgoing: bool | None = self.reading.is_self(sender, sender_name)
        else:
            is_outgoing = _is_outgoing(chat, sender)
        text, attachments, metadata = self._content(element)
        reply, reply_conversation = _reply(chat, element)
        kind = _kind(element, is_service)
        return Message(
            conversation=chat.key,
            source_id=_id(element),
            time_microseconds=sent,
            sender=sender,
            sender_name=sender_name,
            text=text,
            is_outgoing=is_outgoing,
            recipient=_recipient(chat, is_outgoing),
            reply_to=reply,
            reply_conversation=reply_conversation,
            # Old exports have the time 0 if a message was never edited.
            edited_microseconds=edited if edited is not None and edited >= sent else None,
            kind=kind,
            metadata=metadata | element.rest(self.reading, "service message" if is_service else "message", *_KNOWN),
            reactions=reactions,
            attachments=attachments,
            place=element.place,
        )

    def _content(self, element: Element) -> tuple[str, tuple[Attachment, ...], dict[str, Any]]:
        """Returns the text, the attachments, and the formats of the text for the metadata."""
        metadata: dict[str, Any] = {}
        value = element.any("text")
        text = plain(value, element.place)
        parts = element.array("text_entities") or (value if isinstance(value, list) else [])
        if has_formats(parts):
            metadata["text_entities"] = parts
            self._count_emoji(parts, element.place)
        if element.members.get("reactions"):
            metadata["reactions"] = element.members["reactions"]
        attachments = self._attachments(element)
        rich_message = element.any("rich_message")
        if rich_message is not None:
            rich_text, files = rich(rich_message)
            text = text or rich_text
            metadata["rich_message"] = rich_message
            for block, name in files:
                attachments += self._file(Element(block, f"{element.place}.rich_message"), name, ())
        if not text:
            text = element.text("information_text")
        return text, attachments, metadata

    def _attachments(self, element: Element) -> tuple[Attachment, ...]:
        photo = self._file(element, "photo", _PHOTO)
        file = self._file(element, "file", _FILE)
        card = self._file(element, "contact_vcard", ("contact_vcard_file_size",))
        if element.any("thumbnail") and file:
            self.reading.skipped("thumbnail of a file, which is derived from it", element.place)
        return photo + file + card

    def _file(self, element: Element, label: str, names: tuple[str, ...] | list[str]) -> tuple[Attachment, ...]:
        path = element.text(label) if label in element.members else ""
        if not path:
            return ()
        fields = {name: found for name in names if (found := element.any(name)) not in (None, "")}
        name = element.text("file_name") if label == "file" else ""
        mime_type = element.text("mime_type") if label == "file" else _type(label)
        for placeholder, reason in _NOT_EXPORTED.items():
            if path.endswith(placeholder):
                name = name or path.removesuffix(placeholder).strip()
                fields["skip_reason"] = reason
                return (Attachment(content=None, name=name or label, mime_type=mime_type, metadata=fields),)
        content = self.reading.source.content(path, beside=self.document, place=element.place)
        mime_type = mime_type or _TYPES.get(path.rpartition(".")[2].lower(), "")
        name = name or _lasting(path, fields.get("media_type") == "sticker")
        return (Attachment(content=content, name=name, mime_type=mime_type, metadata=fields),)

    def _reactions(self, chat: Chat, element: Element) -> Iterator[tuple[Person, Reaction]]:
        for one in element.elements("reactions"):
            word = one.text("type")
            if word not in ("emoji", "custom_emoji", "paid"):
                self.reading.unknown(f"reaction of type {word}", one.place)
            emoji = one.text("emoji")
            for recent in one.elements("recent"):
                author = peer(recent.any("from_id"), chat, recent.place)
                if emoji and author:
                    yield Person(id=author, name=recent.text("from")), Reaction(author=author, emoji=emoji)
            self._count_emoji([one.members], one.place)
            one.rest(self.reading, "reaction", "count", "document_id")

    def _count_emoji(self, parts: list[Any], place: str) -> None:
        """Reports the files of custom emoji, which the export contains for each text with such an emoji."""
        for one in parts:
            if isinstance(one, dict) and one.get("type") == "custom_emoji" and "/" in str(one.get("document_id", "")):
                self.reading.skipped("picture of a custom emoji", place)

    def _time(self, element: Element, name: str) -> int | None:
        seconds = element.any(f"{name}_unixtime")
        text = element.text(name)
        if seconds is not None:
            if not isinstance(seconds, str | int):
                raise SourceError(element.place, f"{name}_unixtime is not a whole number")
            return from_seconds(seconds, element.place)
        return from_iso(text, self.reading.zone, element.place) if text else None


def peer(value: object, chat: Chat | None, place: str) -> str:
    """Returns the id of a person or chat: "user1", "chat2", "channel3". Old exports have numbers."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, bool) or not isinstance(value, int):
        raise SourceError(place, "an id is neither a text nor a whole number")
    number = value & 0xFFFF_FFFF
    if value >> 32 == 2:
        # Groups and channels share these numbers.
        return chat.key if chat is not None and chat.number == number else f"channel{number}"
    return f"user{number}" if value >> 32 == 1 else f"user{value}"


def _id(element: Element) -> str:
    value = element.any("id")
    if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
        raise SourceError(element.place, "the id is missing, or not a number")
    return str(value)


def _is_outgoing(chat: Chat, sender: str) -> bool | None:
    if chat.self_id:
        return sender == chat.self_id
    if chat.conversation.kind == "channel":
        return False
    # In a chat of two people, the key is the id of the other person, so any other sender is the user.
    return sender != chat.key if chat.conversation.kind == "direct" and sender else None


def _recipient(chat: Chat, is_outgoing: bool | None) -> str:
    # The export of one chat does not say who the user is. So incoming messages have no recipient, whichever export is
    # read.
    return chat.key if is_outgoing and chat.conversation.kind == "direct" else ""


def _reply(chat: Chat, element: Element) -> tuple[str | None, str]:
    value = element.any("reply_to_message_id")
    if value is None:
        return None, ""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise SourceError(element.place, "reply_to_message_id is not a number")
    conversation = peer(element.any("reply_to_peer_id"), chat, element.place)
    return str(value), "" if conversation == chat.key else conversation


def _kind(element: Element, is_service: bool) -> str:
    if is_service:
        return "call" if element.members.get("action") in _CALLS else "service"
    if element.members.get("media_type") == "sticker":
        return "sticker"
    return next((kind for name, kind in _KINDS.items() if name in element.members), "")


def _lasting(path: str, is_sticker: bool) -> str:
    name = path.replace("\\", "/").rpartition("/")[2]
    return _STICKER_NUMBER.sub("", name) if is_sticker else _NUMBER.sub(r"\1", name)


def _type(label: str) -> str:
    return "text/vcard" if label == "contact_vcard" else "image/jpeg" if label.endswith("photo") else ""
