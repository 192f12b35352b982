"""People and channels of DiscordChatExporter's JSON."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..elements import Element
from ..errors import SourceError
from ..reading import Reading
from ..records import Conversation, Member, Person, Record
from ._discord_files import is_inside

_KNOWN_MAX = 2000
_TEXT_MAX = 4000
_DIRECT = ("DirectTextChat", "1")
_GROUP = ("DirectGroupTextChat", "3")
_THREADS = ("GuildNewsThread", "GuildPublicThread", "GuildPrivateThread", "10", "11", "12")
_CHANNELS = (
    "GuildTextChat GuildVoiceChat GuildCategory GuildNews GuildStore GuildStageVoice GuildDirectory GuildForum"
    " GuildMedia 0 2 4 5 6 13 14 15 16"
).split()


def identifier(element: Element, name: str) -> str:
    """Returns an id as text. Some programs that process exports turn ids into numbers."""
    value = element.any(name)
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise SourceError(element.place, f"{name} is neither a text nor a whole number")
    return str(value)


@dataclass(frozen=True, slots=True)
class User:
    """A user as a message names it."""

    id: str
    name: str
    nickname: str
    discriminator: str

    @property
    def shown(self) -> str:
        """The name that Discord shows."""
        return self.nickname or self.name

    @property
    def names(self) -> frozenset[str]:
        """Every form of the name that a person may give for --self."""
        return frozenset((self.id, self.name, self.nickname, f"{self.name}#{self.discriminator}"))


@dataclass(slots=True)
class People:
    """The people of a file: each becomes a contact, and a member of the channel."""

    reading: Reading
    conversation: Conversation
    # The users that were read lately, by the text of their JSON. A file can have any number, so older ones are removed.
    known: dict[str, User] = field(default_factory=dict)

    def named(self, element: Element | None, *, is_member: bool = True) -> tuple[User | None, tuple[Record, ...]]:
        """Returns a user, and the records about the user that were not returned lately."""
        if element is None:
            return None, ()
        text = f"{is_member} {element.members!r}"
        found = self.known.get(text)
        if found is not None:
            return found, ()
        user = _user(element)
        if len(text) <= _TEXT_MAX:
            if len(self.known) >= _KNOWN_MAX:
                self.known.clear()
            self.known[text] = user
        return user, self._records(user, element, is_member)

    def _records(self, user: User, element: Element, is_member: bool) -> tuple[Record, ...]:
        element.ignore("id", "nickname")
        metadata = {name: found for name in ("name", "discriminator") if (found := element.members.get(name))}
        role = ", ".join(one.text("name") for one in element.elements("roles"))
        if element.members.get("roles"):
            metadata["roles"] = element.members["roles"]
        metadata |= element.rest(self.reading, "a user", "color", "isBot", "avatarUrl")
        if is_inside(element.text("avatarUrl")):
            self.reading.skipped("picture of a person", element.place)
        person = Person(id=user.id, name=user.shown, metadata=metadata)
        if not is_member:
            return (person,)
        return person, replace(self.conversation, members=(Member(id=user.id, name=user.shown, role=role),))


def _user(element: Element) -> User:
    id = identifier(element, "id")
    if not id:
        raise SourceError(element.place, "a user has no id")
    return User(id, element.text("name"), element.text("nickname"), element.text("discriminator"))


def conversation(reading: Reading, guild: Element, channel: Element) -> Conversation:
    """Returns the conversation of a file. Channels of servers have the name of the server in the title."""
    key = identifier(channel, "id")
    if not key:
        raise SourceError(channel.place, "the channel has no id")
    word = identifier(channel, "type")
    name = channel.text("name")
    server = guild.text("name")
    kind = _kind(word)
    if not kind:
        reading.unknown(f"channel of type {word}", channel.place)
    title = name if kind in ("direct", "group") or not server else f"{server} / {name}"
    metadata = channel.rest(reading, "the channel", "categoryId", "category", "topic", "iconUrl")
    guild_rest = guild.rest(reading, "the server", "id", "iconUrl")
    server_metadata = {"name": server} | guild_rest
    return Conversation(
        key=key, title=title, kind=kind or word, metadata={"type": word, "guild": server_metadata} | metadata
    )


def is_direct(conversation: Conversation) -> bool:
    """Returns true for a conversation of two people."""
    return conversation.kind == "direct"


def _kind(word: str) -> str:
    if word in _DIRECT:
        return "direct"
    if word in _GROUP:
        return "group"
    return "thread" if word in _THREADS else "channel" if word in _CHANNELS else ""
