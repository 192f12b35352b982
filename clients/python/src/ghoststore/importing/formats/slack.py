"""Slack's export: a zip or folder with users.json, channels.json and a folder of days for each conversation.

The export has the messages that Slack's search finds, and not their files: a file is a link with a token of the export.
The tool slackdump writes the same format, with the files beside it; such files become attachments.

The key of a direct conversation is the other person's id if `--self` names the user (an id, a name or an address), and
Slack's own id of the conversation otherwise. A reply in a thread answers the first message of the thread.

Read for this module:

- https://slack.com/help/articles/220556107-How-to-read-Slack-data-exports, older and newer texts in several languages
- https://docs.slack.dev/reference/events/message, and message.d.ts of @slack/types 2.15.0: members of messages
- the subtypes that the crate slack-morphism and https://gist.github.com/andy0130tw/73291812d3851a178cbc list
- https://github.com/rusq/slackdump, cmd/slackdump/internal/export/assets/export.md, functions StdFilepath and
  MattermostFilepath, and the example in internal/fixtures/assets/source_export_dir: where files are
- https://github.com/hfaran/slack-export-viewer, slackviewer/message.py: what old exports have, and blocks
- events message_changed and message_deleted, and tombstones, in tests of public programs
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..elements import Element
from ..errors import SourceError
from ..json_stream import JsonReader
from ..reading import Format, Reading
from ..records import Conversation, Member, Person, Record
from ..source import Document, Source
from ..times import from_seconds
from ._slack_message import Chat, Messages
from ._slack_text import Names

_LISTS = {
    "channels.json": "channel", "groups.json": "private channel", "mpims.json": "group", "dms.json": "direct",
}
_USERS = ("users.json", "org_users.json")
_CHATS_MAX = 200_000
_USER_FIELDS = (
    "team_id", "name", "deleted", "color", "real_name", "tz", "tz_label", "tz_offset", "profile", "is_admin",
    "is_owner", "is_primary_owner", "is_restricted", "is_ultra_restricted", "is_bot", "is_app_user", "updated",
    "is_email_confirmed", "who_can_share_contact_card", "is_invited_user", "enterprise_user", "has_2fa", "presence",
    "is_stranger", "is_workflow_bot", "is_connector_bot", "teams", "locale", "two_factor_type", "status",
)
_CHAT_FIELDS = (
    "id", "created", "creator", "is_archived", "is_general", "pins", "topic", "purpose", "is_channel", "is_group",
    "is_im", "is_mpim", "is_private", "is_shared", "is_org_shared", "is_ext_shared", "is_member", "is_open", "user",
    "name_normalized", "previous_names", "num_members", "unlinked", "context_team_id", "updated", "properties",
    "priority", "last_read", "latest", "unread_count", "unread_count_display", "locale", "shared_team_ids",
    "pending_shared", "pending_connected_team_ids", "is_pending_ext_shared", "is_user_deleted", "parent_conversation",
    "internal_team_ids", "connected_team_ids", "is_frozen", "is_global_shared", "is_moved", "is_read_only",
    "is_non_threadable", "is_thread_only", "contact", "conversation_host_id",
)


@dataclass(slots=True)
class _Export:
    """Data of the export's lists: names of people and channels, the user of the store, and the conversations."""

    reading: Reading
    # The folder inside of the export that has the lists, with a slash at its end.
    root: str
    names: Names
    # The ids of the user, each with its form in `--self`.
    selves: dict[str, str]
    chats: dict[str, Chat]


def _read(reading: Reading) -> Iterator[Record]:
    export = _Export(reading, _root(reading.source), Names(), {id: id for id in reading.self_ids}, {})
    for name in _USERS:
        for element in _elements(export, name):
            yield _person(export, element)
    for name, kind in _LISTS.items():
        for element in _elements(export, name):
            yield _conversation(export, element, kind)
    messages = Messages(reading, export.root, export.names, export.selves)
    for document in reading.source.documents("*.json"):
        inside = document.name.removeprefix(export.root)
        folder, slash, day = inside.partition("/")
        if not slash and inside not in _LISTS and inside not in _USERS:
            reading.skipped(f"list {inside} of the export", document.name)
        if not slash or inside.startswith("__uploads/") or "/attachments/" in inside:
            continue
        if "/" in day:
            reading.skipped("file in a folder that is no conversation", document.name)
            continue
        if folder not in export.chats:
            yield _unlisted(export, folder, document.name)
        yield from messages.of_day(document, export.chats[folder])


def _root(source: Source) -> str:
    if source.is_file:
        raise SourceError(source.name, "is one file of an export; hint: name the zip or the folder that has users.json")
    for name in source.names():
        folder, _, last = name.rpartition("/")
        if last in _USERS or last in _LISTS and "/" not in folder:
            return f"{folder}/" if folder else ""
    raise SourceError(source.name, "has neither users.json nor channels.json; hint: is it the whole export?")


def _elements(export: _Export, name: str) -> Iterator[Element]:
    source = export.reading.source
    if source.content(export.root + name) is None:
        return
    document = Document(source, export.root + name)
    with document.open() as stream:
        reader = JsonReader(stream, document.name)
        for _ in reader.elements():
            yield Element(reader.value(), reader.place)
        reader.end()


def _person(export: _Export, element: Element) -> Person:
    id = _id(element)
    profile = element.members.get("profile")
    profile = profile if isinstance(profile, dict) else {}
    names = [profile.get("display_name"), profile.get("real_name"), element.any("real_name"), element.any("name")]
    shown = [name for name in names if isinstance(name, str) and name]
    for given in reversed([id, *shown, str(profile.get("email"))]):
        if given in export.reading.self_ids:
            export.selves[id] = given
    name = shown[0] if shown else ""
    export.names.add(id, name)
    # Keep the name as the source has it, too, because the conversation can show another name.
    return Person(id=id, name=name, metadata={**element.rest(export.reading, "user", *_USER_FIELDS), **_named(element)})


def _named(element: Element) -> dict[str, Any]:
    return {name: element.members[name] for name in ("name", "real_name") if element.members.get(name)}


def _conversation(export: _Export, element: Element, kind: str) -> Conversation:
    id, title = _id(element), element.text("name")
    listed = element.array("members")
    members = [member for member in listed if isinstance(member, str) and member]
    if len(members) < len(listed):
        raise SourceError(element.place, "a member is not an id")
    others = [member for member in members if member not in export.selves]
    key = id
    if kind == "direct":
        title = ", ".join(export.names.get(member) or member for member in others[:2])
        # An export of slackdump contains the id of the other person.
        other = element.text("user")
        if other:
            key = other
        elif members and len(others) < len(members) and len(others) < 2:
            key = (others or members)[0]
    elif kind == "group":
        title = ", ".join(export.names.get(member) or member for member in others[:5])
    else:
        export.names.add(id, title)
    last_read = element.text("last_read")
    if len(export.chats) >= _CHATS_MAX:
        raise SourceError(element.place, f"the export has more than {_CHATS_MAX:,} conversations")
    chat = Chat(key, from_seconds(last_read, element.place) if last_read else None)
    export.chats[id] = chat
    if name := element.text("name"):
        export.chats[name] = chat
    return Conversation(
        key=key,
        title=title,
        kind=kind,
        members=tuple(Member(id=member, name=export.names.get(member)) for member in dict.fromkeys(members)),
        metadata={**element.rest(export.reading, "conversation", *_CHAT_FIELDS), "id": id, "name": name},
    )


def _unlisted(export: _Export, folder: str, place: str) -> Conversation:
    export.reading.unknown("folder of a conversation that no list names", place)
    if len(export.chats) >= _CHATS_MAX:
        raise SourceError(place, f"the export has more than {_CHATS_MAX:,} conversations")
    export.chats[folder] = Chat(folder, None)
    return Conversation(key=folder, title=folder, kind="channel")


def _id(element: Element) -> str:
    id = element.text("id")
    if not id:
        raise SourceError(element.place, "id is missing")
    return id


def _detect(source: Source) -> bool:
    if source.is_file:
        return False
    return source.content("users.json") is not None and any(source.content(name) is not None for name in _LISTS)


FORMAT = Format(name="slack", title="Slack, export (zip or folder; also slackdump)", read=_read, detect=_detect)
