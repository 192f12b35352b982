"""A message as the store shall have it: ids, limits and metadata in the form of the protocol."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from mimetypes import MimeTypes
from typing import Any

from .. import model as wire
from .identity import clean, message_id, session_id
from .reading import Reading
from .records import Attachment, Content, Message, Reaction

_TEXT_BYTES_MAX = 1_048_576
_METADATA_BYTES_MAX = 65_536
_NAME_BYTES_MAX = 255
_SOURCE_BYTES_MAX = 2048
_ATTACHMENTS_MAX = 32
_SENDER_NAME_BYTES_MAX = 256
KIND_BYTES_MAX = 64
# The limit of names of contacts, conversations and members.
NAME_BYTES_MAX = 1024
JSON_TYPE = "application/json"
_UNKNOWN_TYPE = "application/octet-stream"
# The system's tables of MIME types differ between machines, and the type of a file must not.
_TYPES = MimeTypes(filenames=())
_RESTRICTED_NAME = "[a-z0-9][a-z0-9!#$&^_.+-]{0,126}"
_MIME_TYPE = re.compile(f"{_RESTRICTED_NAME}/{_RESTRICTED_NAME}")


@dataclass(frozen=True, slots=True)
class WantedAttachment:
    """An attachment with a content."""

    content: Content
    name: str
    mime_type: str
    source: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """A message to save. `message` has no attachments yet."""

    message: wire.NewMessage
    # True if the source gives the status; false for the usual status of a message from the past.
    says_status: bool
    # False if neither the source nor `--self` says who the user is. The message is then incoming, or stays as it is.
    knows_direction: bool
    attachments: tuple[WantedAttachment, ...]
    # Pairs of an author and an emoji. A reaction that was removed in the source is removed from the store.
    reactions: tuple[tuple[str, str], ...]
    removed_reactions: tuple[tuple[str, str], ...]
    edited_microseconds: int | None
    # True if the export lacks a file that another export may have.
    lacks_content: bool
    place: str


class Shaper:
    """Makes wanted messages of the records of one format."""

    def __init__(self, format_name: str, reading: Reading) -> None:
        self._name, self._reading, self._notes = format_name, reading, reading.notes

    def is_outgoing(self, message: Message) -> bool:
        """Returns true if the user of the store sent the message."""
        if message.is_outgoing is False or not (message.sender or message.sender_name):
            return bool(message.is_outgoing)
        is_self = self._reading.is_self(message.sender, message.sender_name)
        return is_self or message.is_outgoing is True

    def shape(self, id: str, time_microseconds: int, message: Message) -> Wanted:
        """Returns the message in the form of the store."""
        text, attachments = self._within_limits(message)
        metadata = dict(message.metadata)
        present = self._attachments(attachments, metadata, message.place)
        reply = message.reply_to
        is_outgoing = self.is_outgoing(message)
        return Wanted(
            message=wire.NewMessage(
                id=id,
                conversation=wire.ConversationReference(session_id=session_id(self._name, message.conversation)),
                text=text,
                sender_session_id=session_id(self._name, message.sender) if message.sender else "",
                recipient_session_id=session_id(self._name, message.recipient) if message.recipient else "",
                timestamp_microseconds=time_microseconds,
                status=message.status or usual_status(is_outgoing),
                is_outgoing=is_outgoing,
                # An outgoing message is never unread.
                is_read=message.is_read or is_outgoing,
                reply_to_message_id=None
                if reply is None
                else message_id(self._name, message.reply_conversation or message.conversation, reply),
                kind=label(message.kind, KIND_BYTES_MAX),
                sender_name=label(message.sender_name, _SENDER_NAME_BYTES_MAX),
                metadata=self.metadata(metadata, message.place),
            ),
            says_status=bool(message.status),
            knows_direction=message.is_outgoing is not None or bool(self._reading.self_ids),
            attachments=present,
            reactions=self._reactions(message.reactions),
            removed_reactions=self._reactions(message.removed_reactions),
            edited_microseconds=message.edited_microseconds,
            lacks_content=any(one.content is None for one in attachments),
            place=message.place,
        )

    def metadata(self, metadata: Mapping[str, Any], place: str) -> wire.Metadata | None:
        """Returns metadata as JSON. If it is too long, its largest members are left out and reported."""
        if not metadata:
            return None
        data = encoded(metadata)
        if len(data) > _METADATA_BYTES_MAX:
            sizes = {name: len(encoded({name: value})) for name, value in metadata.items()}
            kept = dict(metadata)
            for name in sorted(sizes, key=lambda name: (-sizes[name], name)):
                del kept[name]
                self._notes.add_skipped(f"metadata {name} that makes more than 64 KiB", place)
                data = encoded(kept)
                if len(data) <= _METADATA_BYTES_MAX:
                    break
            if not kept:
                return None
        return wire.Metadata(data=data, type=JSON_TYPE)

    def _reactions(self, reactions: tuple[Reaction, ...]) -> tuple[tuple[str, str], ...]:
        return tuple((session_id(self._name, one.author), clean(one.emoji)) for one in reactions)

    def _within_limits(self, message: Message) -> tuple[str, tuple[Attachment, ...]]:
        text, attachments = clean(message.text), message.attachments
        # A character has at most four bytes, so most texts need not be encoded.
        if len(text) > _TEXT_BYTES_MAX // 4 and len(whole := text.encode()) > _TEXT_BYTES_MAX:
            what = "end of a text of more than 1 MiB, which is in the attachment message.txt"
            self._notes.add_skipped(what, message.place)
            content = Content(place=message.place, open=lambda: BytesIO(whole), byte_count=len(whole))
            attachments = (Attachment(content=content, name="message.txt", mime_type="text/plain"), *attachments)
            text = cut(text, _TEXT_BYTES_MAX)
        for _ in attachments[_ATTACHMENTS_MAX:]:
            self._notes.add_skipped("attachment after the 32nd of a message", message.place)
        return text, attachments[:_ATTACHMENTS_MAX]

    def _attachments(
        self, attachments: tuple[Attachment, ...], metadata: dict[str, Any], place: str
    ) -> tuple[WantedAttachment, ...]:
        present: list[WantedAttachment] = []
        described: list[dict[str, Any]] = []
        for one in attachments:
            name = attachment_name(one.name)
            mime_type = _mime_type(one.mime_type, name)
            source = clean(one.source)
            fields = dict(one.metadata)
            if len(source.encode()) > _SOURCE_BYTES_MAX:
                fields["source"], source = source, ""
            if one.content is not None:
                present.append(WantedAttachment(one.content, name, mime_type, source))
            else:
                is_damaged = "is_damaged" in fields
                what = "attachment that is damaged" if is_damaged else "attachment that is not in the export"
                self._notes.add_skipped(what, place)
                fields |= {"is_missing": True} | ({"source": source} if source else {})
            if fields:
                described.append({**fields, "name": one.name, "mime_type": mime_type})
        if described:
            metadata["attachments"] = described
        return tuple(present)


def usual_status(is_outgoing: bool) -> wire.MessageStatus:
    """Returns the status of a message from the past whose source gives no status."""
    return wire.MessageStatus.SENT if is_outgoing else wire.MessageStatus.DELIVERED


def encoded(metadata: Mapping[str, Any]) -> bytes:
    """Returns metadata as JSON that is the same in every run."""
    text = json.dumps(metadata, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return clean(text).encode()


def cut(text: str, byte_count: int) -> str:
    """Returns a text of at most so many bytes, cut between two characters."""
    text = clean(text)
    if len(text) * 4 <= byte_count:
        return text
    return text.encode()[:byte_count].decode("utf-8", "ignore")


def label(text: str, byte_count: int) -> str:
    """Returns a short text, cut and without NUL."""
    return cut(text.replace("\0", ""), byte_count)


def attachment_name(path: str) -> str:
    """Returns the last part of a path, cut before its extension if it is too long."""
    name = clean(path).replace("\\", "/").rstrip("/").rpartition("/")[2].replace("\0", "")
    if len(name.encode()) <= _NAME_BYTES_MAX:
        return name
    stem, dot, extension = name.rpartition(".")
    end = dot + extension if stem and len(extension.encode()) < 20 else ""
    return cut(name, _NAME_BYTES_MAX - len(end.encode())) + end


def _mime_type(given: str, name: str) -> str:
    found = given.partition(";")[0].strip().lower()
    if _MIME_TYPE.fullmatch(found):
        return found
    return _TYPES.guess_type(name)[0] or _UNKNOWN_TYPE
