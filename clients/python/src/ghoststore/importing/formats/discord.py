"""DiscordChatExporter's JSON: one file of a channel, or a folder or zip of many, with or without the media.

Sources that were read, all of https://github.com/Tyrrrz/DiscordChatExporter:

- DiscordChatExporter.Core/Exporting/Writers/JsonMessageWriter.cs (2021), Exporting/Json/JsonMessageWriter.cs (2022)
  and Exporting/JsonMessageWriter.cs (2023 to 2026: users of reactions, roles, interactions, forwarded messages,
  components, polls); a fork with raw texts and referenced messages;
- Exporting/ExportContext.cs and ExportAssetDownloader.cs (the URL of a file is a path relative to the JSON file, an
  absolute path if the media are elsewhere, or the link itself without --media), ExportRequest.cs (names of the files
  and of the folder of the media), PlainTextMarkdownVisitor.cs and PlainTextMessageExtensions.cs (what the texts are);
- Discord/Data/MessageKind.cs, ChannelKind.cs, Message.cs, Channel.cs and Emoji.cs.

Texts of service messages are English, as the exporter writes them. The export does not say who exported it: `--self`
takes the id or a name. In a direct channel without `--self`, the other person is the user whose name the channel has.
Read marks, deletions and earlier texts are not in the export.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from ..elements import Element
from ..errors import SourceError
from ..json_stream import JsonReader
from ..reading import Format, Reading
from ..records import Record
from ..source import Document, Source
from ._discord_message import MessageReader
from ._discord_people import People, conversation

# The most files to examine for the detection: a folder of another program can have a million files.
_DETECTED_MAX = 20
_IGNORED = ("dateRange", "exportedAt", "messageCount", "mod")
_HEAD = re.compile(rb'^[\s\xef\xbb\xbf]*\{\s*("mod":\s*\{[^{}]*\},\s*)?"guild":\s*\{\s*"id":')
_CHANNEL = re.compile(rb'"channel":\s*\{\s*"id":')


def _read(reading: Reading) -> Iterator[Record]:
    is_empty = True
    for document in reading.source.documents("*.json"):
        if not reading.source.is_file and (_is_media(document) or not _is_export(document)):
            if not _is_media(document):
                reading.skipped("JSON file that DiscordChatExporter did not write", document.name)
            continue
        is_empty = False
        yield from _records(reading, document)
    if is_empty:
        raise SourceError(
            reading.source.name, "has no file of DiscordChatExporter; hint: export again in the format Json"
        )


def _records(reading: Reading, document: Document) -> Iterator[Record]:
    with document.open() as stream:
        reader = JsonReader(stream, document.name)
        yield from _channel(reading, document, reader)
        reader.end()


def _channel(reading: Reading, document: Document, reader: JsonReader) -> Iterator[Record]:
    header: dict[str, Element] = {}
    has_messages = False
    for key in reader.members():
        if key in ("guild", "channel"):
            header[key] = Element(reader.value(), reader.place)
        elif key == "messages":
            has_messages = True
            if len(header) < 2:
                raise SourceError(reader.place, "the messages come before guild and channel; hint: export again")
            yield from _messages(reading, document, reader, header)
        elif key == "conversionData":
            reading.skipped("data for conversions by DiscordChatExporter", reader.place)
        elif key not in _IGNORED:
            reading.unknown(f"section {key}", reader.place)
    if not has_messages:
        raise SourceError(reader.place, "is no export of DiscordChatExporter: it has no messages")


def _messages(
    reading: Reading, document: Document, reader: JsonReader, header: dict[str, Element]
) -> Iterator[Record]:
    chat = conversation(reading, header["guild"], header["channel"])
    yield chat
    messages = MessageReader(reading, document, People(reading, chat))
    for _ in reader.elements():
        yield from messages.records(Element(reader.value(), reader.place))


def _is_media(document: Document) -> bool:
    """Returns true for a file below a folder of media: an attachment can be a JSON file, too."""
    return any(folder.endswith("_Files") for folder in document.name.split("/")[:-1])


def _is_export(document: Document) -> bool:
    head = document.head()
    return _HEAD.match(head) is not None and _CHANNEL.search(head) is not None


def _is_discord(source: Source) -> bool:
    documents = (one for one in source.documents("*.json") if not _is_media(one))
    return any(_is_export(document) for document in islice(documents, _DETECTED_MAX))


FORMAT = Format(name="discord", title="DiscordChatExporter, JSON", read=_read, detect=_is_discord)
