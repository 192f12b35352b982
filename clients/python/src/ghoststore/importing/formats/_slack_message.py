"""The messages of a day of a Slack conversation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..elements import Element
from ..errors import SourceError
from ..json_stream import JsonReader
from ..reading import Reading
from ..records import Attachment, Deletion, Edit, Message, Reaction, Record
from ..source import Document
from ..times import from_seconds
from ._slack_emoji import emoji
from ._slack_text import Names

_ORDINARY = frozenset((
    "", "bot_message", "file_share", "thread_broadcast", "reply_broadcast", "file_mention", "file_comment",
    "slackbot_response", "document_mention", "share_shortcut", "assistant_app_thread",
))
_SERVICE = frozenset((
    "channel_join", "channel_leave", "channel_topic", "channel_purpose", "channel_name", "channel_archive",
    "channel_unarchive", "channel_convert_to_private", "channel_convert_to_public", "channel_posting_permissions",
    "channel_canvas_updated", "tabbed_canvas_updated", "canvas_updated", "group_join", "group_leave", "group_topic",
    "group_purpose", "group_name", "group_archive", "group_unarchive", "pinned_item", "unpinned_item", "reminder_add",
    "bot_add", "bot_remove", "bot_enable", "bot_disable", "joiner_notification", "joiner_notification_for_inviter",
    "ekm_access_denied", "app_conversation_join", "app_conversation_leave", "reminder_delete", "added_to_team",
))
_KINDS = {"me_message": "action", "tombstone": "deleted", "sh_room_created": "call", "huddle_thread": "call"}
_FIELDS = (
    "type", "subtype", "ts", "user", "text", "client_msg_id", "team", "user_team", "source_team", "blocks", "thread_ts",
    "parent_user_id", "reply_count", "reply_users_count", "latest_reply", "reply_users", "replies", "subscribed",
    "last_read", "is_locked", "bot_id", "bot_profile", "app_id", "username", "icons", "upload", "display_as_bot",
    "inviter", "topic", "purpose", "old_name", "name", "members", "pinned_to", "pinned_info", "is_starred", "room",
    "root", "channel", "comment", "hidden", "item", "item_type", "permalink", "x_files", "metadata", "no_notifications",
    "event_ts", "channel_type", "unread_count", "is_ephemeral", "saved", "language", "assistant_thread", "is_intro",
    "replace_original", "delete_original", "streaming_state", "bot_link", "opaque_attachments", "app_context",
)


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation of the export. The time is the time of the last message that the user read, if it is known."""

    key: str
    read_microseconds: int | None


class Messages:
    """Reads the messages of conversations, day by day."""

    def __init__(self, reading: Reading, root: str, names: Names, selves: dict[str, str]) -> None:
        self._reading, self._root, self._names, self._selves = reading, root, names, selves

    def of_day(self, document: Document, chat: Chat) -> Iterator[Record]:
        """Yields the messages of a file, and the edits and deletions that some exports have."""
        with document.open() as stream:
            reader = JsonReader(stream, document.name)
            for _ in reader.elements():
                element = Element(reader.value(), reader.place)
                subtype = element.text("subtype")
                if subtype == "message_changed":
                    yield from self._changed(element, chat)
                elif subtype == "message_deleted":
                    yield from self._deleted(element, chat)
                else:
                    yield self._message(element, document, chat, subtype)
            reader.end()

    def _message(self, element: Element, document: Document, chat: Chat, subtype: str) -> Message:
        kind = self._kind(element, subtype)
        id = _time_id(element, "ts")
        time = from_seconds(id, element.place)
        sender, sender_name = self._sender(element)
        edited = element.element("edited")
        reactions, others = self._reactions(element)
        cards, blocks = element.array("attachments"), element.array("blocks")
        raw = element.text("text")
        text = self._names.plain(raw) if raw.strip() else self._names.of_apps(blocks, cards)
        thread = element.text("thread_ts")
        files = tuple(self._files(element, document))
        metadata = element.rest(self._reading, "message", *_FIELDS)
        raw_members = ("user_profile", "bot_profile", "comment", "blocks", "thread_ts")
        kept = {name: element.any(name) for name in raw_members} | {
            "subtype": subtype,
            "reactions": others,
            # The name "attachments" is taken: the writer describes the files of a message under it.
            "message_attachments": cards,
            "mrkdwn": raw if raw != text else "",
            "edited_by": edited.text("user") if edited is not None else "",
        }
        metadata |= {name: value for name, value in kept.items() if value}
        return Message(
            conversation=chat.key,
            time_microseconds=time,
            source_id=id,
            sender="" if kind == "deleted" else sender,
            sender_name="" if kind == "deleted" else sender_name,
            text="" if kind == "deleted" else text,
            is_outgoing=self._is_outgoing(sender),
            is_read=chat.read_microseconds is None or time <= chat.read_microseconds,
            reply_to=thread if thread and thread != id else None,
            edited_microseconds=from_seconds(edited.any("ts"), edited.place) if edited is not None else None,
            kind=kind,
            metadata=metadata,
            reactions=reactions,
            attachments=() if kind == "deleted" else files,
            place=element.place,
        )

    def _is_outgoing(self, sender: str) -> bool | None:
        return self._reading.is_self(self._selves.get(sender, "")) if self._selves else None

    def _kind(self, element: Element, subtype: str) -> str:
        if element.text("type", "message") != "message":
            self._reading.unknown(f"record of type {element.text('type')}", element.place)
            return "service"
        if subtype in _ORDINARY:
            return ""
        if subtype in _SERVICE:
            return "service"
        if subtype not in _KINDS:
            self._reading.unknown(f"message of subtype {subtype}", element.place)
        return _KINDS.get(subtype, subtype)

    def _sender(self, element: Element) -> tuple[str, str]:
        """Returns the id and the name of the sender, as they were when the message was sent."""
        shown = element.text("username")
        for name, fields in (("user_profile", ("display_name", "real_name", "name")), ("bot_profile", ("name",))):
            profile = element.element(name)
            for field in fields if profile is not None and not shown else ():
                shown = shown or profile.text(field) if profile is not None else shown
        comment = element.element("comment")
        author = comment.text("user") if comment is not None else ""
        sender = element.text("user") or author or element.text("bot_id") or element.text("username")
        return sender, shown or self._names.get(sender)

    def _reactions(self, element: Element) -> tuple[tuple[Reaction, ...], list[dict[str, Any]]]:
        """Returns the reactions with a Unicode emoji, and the reactions with a workspace's own emoji."""
        found: list[Reaction] = []
        others: list[dict[str, Any]] = []
        for one in element.elements("reactions"):
            name, users = one.text("name"), one.array("users")
            if not all(isinstance(user, str) and user for user in users):
                raise SourceError(one.place, "a person is not an id")
            for _ in range(min(one.number("count") - len(users), 1000)):
                self._reading.skipped("reaction of a person that the export does not name", one.place)
            character = emoji(name)
            if character:
                found += [Reaction(author=user, emoji=character) for user in dict.fromkeys(users)]
            else:
                others.append(one.members)
        return tuple(found), others

    def _files(self, element: Element, document: Document) -> Iterator[Attachment]:
        single = element.element("file")
        for file in element.elements("files") or ([single] if single is not None else []):
            name = file.text("name") or file.text("title")
            link = file.text("url_private_download") or file.text("url_private") or file.text("permalink")
            id, place = file.text("id"), file.place
            content = None
            if id.isalnum() and name.isprintable() and not name.startswith(".") and not set("/\\") & set(name):
                for path in (f"{self._root}__uploads/{id}/{name}", f"{_folder(document)}attachments/{id}-{name}"):
                    content = content or self._reading.source.content(path, place=place)
            rest = {key: value for key, value in file.members.items() if value and value not in (name, link)}
            yield Attachment(content=content, name=name, mime_type=file.text("mimetype"), source=link, metadata=rest)

    def _changed(self, element: Element, chat: Chat) -> Iterator[Record]:
        """Yields an edit, or a deletion: the first message of a thread is replaced by a note when it is deleted."""
        message = element.element("message")
        if message is None:
            raise SourceError(element.place, "the changed message is missing")
        id, time = _time_id(message, "ts"), from_seconds(_time_id(element, "ts"), element.place)
        if message.text("subtype") == "tombstone":
            yield Deletion(conversation=chat.key, source_id=id, time_microseconds=time, place=element.place)
            return
        edited = message.element("edited")
        if edited is not None:
            time = from_seconds(edited.any("ts"), edited.place)
        text = self._names.plain(message.text("text"))
        yield Edit(conversation=chat.key, source_id=id, time_microseconds=time, place=element.place, text=text)

    def _deleted(self, element: Element, chat: Chat) -> Iterator[Record]:
        """Yields the deletion, and the deleted message without its text, because no other record has the message."""
        id, time = _time_id(element, "deleted_ts"), from_seconds(_time_id(element, "ts"), element.place)
        original = element.element("previous_message") or element.element("original")
        sender, name = self._sender(original) if original is not None else ("", "")
        yield Deletion(conversation=chat.key, source_id=id, time_microseconds=time, place=element.place)
        yield Message(
            conversation=chat.key,
            time_microseconds=from_seconds(id, element.place),
            source_id=id,
            sender=sender,
            sender_name=name,
            is_outgoing=self._is_outgoing(sender),
            kind="deleted",
            place=element.place,
        )


def _folder(document: Document) -> str:
    return document.name.rpartition("/")[0] + "/"


def _time_id(element: Element, name: str) -> str:
    """Returns the time that is the id of a message."""
    id = element.text(name)
    if not id:
        raise SourceError(element.place, f"{name} is missing")
    return id
