"""Messages of DiscordChatExporter's JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..elements import Element
from ..errors import SourceError
from ..reading import Reading
from ..records import Message, Reaction, Record
from ..source import Document
from ..times import from_iso
from ._discord_files import files, is_inside, unsigned
from ._discord_people import People, User, identifier, is_direct

# The exporter writes the number of a type that it has no name for. The numbers are Discord's.
_ORDINARY = ("Default", "Reply", "ThreadStarterMessage", "0", "19", "20", "21", "23")
_REPLIES = ("Reply", "19")
_CALLS = ("Call", "3")
_SERVICE = (
    "RecipientAdd RecipientRemove ChannelNameChange ChannelIconChange ChannelPinnedMessage GuildMemberJoin"
    " ThreadCreated"
).split()
_SERVICE_NUMBERS = frozenset(str(number) for number in (*range(1, 19), *range(22, 47)))
# Members that are stored in the metadata unchanged.
_KNOWN = ("callEndedTimestamp", "isPinned", "flags", "inlineEmojis", "components", "poll", "referencedMessage")
_USER_MENTION = re.compile(r"<@!?(\d{1,20})>")
_EMOJI = re.compile(r"<a?(:\w{1,64}:)\d{1,20}>")


@dataclass(slots=True)
class MessageReader:
    """Reads the messages of a file."""

    reading: Reading
    document: Document
    people: People

    def records(self, element: Element) -> Iterator[Record]:
        """Yields a message, and the people whom it names."""
        user, new = self.people.named(element.element("author"))
        yield from new
        mentioned: dict[str, str] = {}
        for one in element.elements("mentions"):
            other, new = self.people.named(one)
            yield from new
            if other is not None:
                mentioned[other.id] = other.shown
        metadata: dict[str, Any] = {"mentions": mentioned} if mentioned else {}
        reactions: list[Reaction] = []
        for reaction in element.elements("reactions"):
            authors: list[str] = []
            for one in reaction.elements("users"):
                other, new = self.people.named(one, is_member=False)
                yield from new
                if other is not None:
                    authors.append(other.id)
            found, others = self._reactions(reaction, authors)
            reactions += found
            if others is not None:
                metadata.setdefault("reactions", []).append(others)
        interaction = element.element("interaction")
        if interaction is not None:
            other, new = self.people.named(interaction.element("user"))
            yield from new
            rest = interaction.rest(self.reading, "an interaction", "id", "name")
            metadata["interaction"] = rest | ({"user": other.id} if other is not None else {})
        yield self._message(element, user, mentioned, tuple(reactions), metadata)

    def _message(
        self,
        element: Element,
        user: User | None,
        mentioned: dict[str, str],
        reactions: tuple[Reaction, ...],
        metadata: dict[str, Any],
    ) -> Message:
        place = element.place
        source_id = identifier(element, "id")
        sent = self._time(element, "timestamp")
        if not source_id or sent is None:
            raise SourceError(place, "the id or the timestamp of a message is missing")
        word = identifier(element, "type") or "Default"
        edited = self._time(element, "timestampEdited")
        content = element.text("content")
        text = readable(content, mentioned)
        metadata |= self._metadata(element, word, content if content != text else "", content)
        attachments = files(self.reading, self.document, element)
        forwarded = element.element("forwardedMessage")
        if forwarded is not None:
            text = text or readable(forwarded.text("content"), mentioned)
            attachments += files(self.reading, self.document, forwarded)
            metadata["forwardedMessage"] = without_files(forwarded)
        reply, reply_conversation = self._reply(element, word, metadata)
        is_outgoing = self._is_outgoing(user)
        kind = self._kind(element, word, text)
        return Message(
            conversation=self.people.conversation.key,
            source_id=source_id,
            time_microseconds=sent,
            sender=user.id if user is not None else "",
            sender_name=user.shown if user is not None else "",
            text=text,
            is_outgoing=is_outgoing,
            reply_to=reply,
            reply_conversation=reply_conversation,
            edited_microseconds=edited,
            kind=kind,
            metadata=metadata | element.rest(self.reading, "a message", *_KNOWN),
            reactions=reactions,
            attachments=attachments,
            place=place,
        )

    def _metadata(self, element: Element, word: str, raw: str, content: str) -> dict[str, Any]:
        metadata: dict[str, Any] = {}
        if word not in ("Default", "Reply"):
            metadata["type"] = word
        newer_raw = element.text("contentRaw")
        if newer_raw not in ("", content):
            raw = newer_raw
        if raw:
            metadata["contentRaw"] = raw
        if element.members.get("embeds"):
            metadata["embeds"] = unsigned(element.members["embeds"])
        return metadata

    def _reply(self, element: Element, word: str, metadata: dict[str, Any]) -> tuple[str | None, str]:
        """Returns the id of the message that this one answers, and the id of its channel if that is another channel.
        || Pins, threads and forwards also refer to a message, but do not answer it.
        """
        reference = element.element("reference")
        if reference is None:
            return None, ""
        message, channel = identifier(reference, "messageId"), identifier(reference, "channelId")
        if word in _REPLIES and message and reference.text("type") in ("", "Default"):
            return message, "" if channel == self.people.conversation.key else channel
        metadata["reference"] = reference.members
        return None, ""

    def _reactions(self, element: Element, authors: list[str]) -> tuple[list[Reaction], dict[str, Any] | None]:
        """Returns the reactions that have an emoji and an author, and the rest for the metadata."""
        emoji = element.element("emoji")
        if emoji is None:
            raise SourceError(element.place, "a reaction has no emoji")
        name = emoji.text("name")
        is_custom = bool(identifier(emoji, "id"))
        if is_inside(emoji.text("imageUrl")):
            self.reading.skipped("picture of an emoji", element.place)
        count = element.number("count")
        element.rest(self.reading, "a reaction")
        found = [Reaction(author=one, emoji=name) for one in authors if name and not is_custom]
        if len(found) == count:
            return found, None
        others = {"emoji": emoji.members, "count": count} | ({"users": authors} if authors and is_custom else {})
        return found, others

    def _is_outgoing(self, user: User | None) -> bool | None:
        if user is None:
            return None
        if self.reading.self_ids:
            return self.reading.is_self(*user.names)
        other = self.people.conversation.title
        # The name of a direct channel is the name of the other person.
        return other not in user.names if is_direct(self.people.conversation) and other else None

    def _kind(self, element: Element, word: str, text: str) -> str:
        if word in _CALLS:
            return "call"
        if word not in _ORDINARY:
            if word not in _SERVICE and word not in _SERVICE_NUMBERS:
                self.reading.unknown(f"message of type {word}", element.place)
            return "service"
        if element.members.get("poll"):
            return "poll"
        return "sticker" if element.members.get("stickers") and not text else ""

    def _time(self, element: Element, name: str) -> int | None:
        text = element.text(name)
        return from_iso(text, self.reading.zone, element.place) if text else None


def readable(content: str, mentioned: dict[str, str]) -> str:
    """Returns a text with names for ids. Only exports with --markdown false have the ids."""
    named = _USER_MENTION.sub(lambda match: "@" + mentioned.get(match[1], match[1]), content)
    return _EMOJI.sub(r"\1", named)


def without_files(forwarded: Element) -> dict[str, Any]:
    """Returns a forwarded message for the metadata. Its files are attachments."""
    kept = {name: value for name, value in forwarded.members.items() if name not in ("attachments", "stickers")}
    return {name: unsigned(value) for name, value in kept.items()}
