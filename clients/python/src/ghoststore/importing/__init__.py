"""Imports messages of other programs: `ghoststore-import FORMAT FILE`.

For the author of a format
==========================

A format is one module in `formats`, with the name of the format. A module whose name begins with an underscore is a
helper. The module has a `FORMAT` (see `reading.Format`) with a reading function. `formats/csv.py` is an example.

    def _read(reading: Reading) -> Iterator[Record]:
        document = reading.source.document("result.json")
        with document.open() as stream:
            reader = JsonReader(stream, document.name)
            for key in reader.members():
                if key == "messages":
                    for _ in reader.elements():
                        yield _message(reading, document, Element(reader.value(), reader.place))

    FORMAT = Format(name="telegram", title="Telegram Desktop, result.json", read=_read, detect=_is_telegram)

The reading function is a generator over the records of `records`. The writer calls it twice with the same source: the
first time checks the whole file and collects people, conversations and events, and the second time saves messages. So:

- **It is deterministic.** It yields the same records in the same order both times. It keeps no state outside of the
  call, and does not use the clock.
- **It streams.** Its memory does not grow with the file. Read JSON with `JsonReader` or `json_lines`, text with
  `lines`, XML with `xml_elements`. State of a fixed size, such as the current conversation, is fine; a dictionary with
  all people or messages of the file is not. An event (`Edit`, `Deletion`, `ReactionEvent`, `Receipt`) may come before
  or after its message at any distance: the writer brings them together.
- **It gives ids as the source has them.** `Message.source_id`, `Person.id` and `Conversation.key` are the source's own
  ids, equal in every export of the same data. Never make an id from a position. If messages have no ids, leave
  `source_id` out: the writer then derives an id that also stays the same when a later export is longer. People and
  conversations have ids in one namespace: the key of a conversation of two people is the other person's id.
- **It ignores the limits of the store.** The writer cuts long texts, encodes metadata, chooses ids, and reports what
  does not fit.
- **It drops nothing silently.** Data without a field goes to `metadata` as plain JSON values, under the names of the
  source. `Element.rest(reading, "message", "forwarded_from", ...)` returns every member that was not read, and counts
  the names that you did not list. Call `reading.unknown(...)` for a kind of element that you do not know, and
  `reading.skipped(...)` for something that is left out on purpose. Both texts name the kind of thing, and never quote
  what people wrote.
- **It raises `SourceError(place, message)`** if the file is malformed: cut off, of a wrong type, impossible. The place
  is what a person can find: "chat.txt: line 12", or `reader.place`. A message that is only unusual is no error: count
  it with `reading.unknown`, and keep what can be kept. No other exception may leave the function, whatever the file
  holds. Strings with control characters, lone surrogates, any length and right-to-left marks are allowed in texts.
- **It opens files only through `reading.source`**, which refuses paths that lead out of the export, links, and zip
  bombs. An attachment is `Attachment(content=reading.source.content(path, beside=document, place=place), ...)`;
  `content` returns None if the export does not have the file, and None is a valid content. Nothing is read from it
  before the writer needs it.
- **Times** come from `times`: `from_seconds`, `from_milliseconds`, `from_iso`, `from_local`. Local times use
  `reading.zone`.
- **`is_outgoing`** is None if the format does not say it: the writer compares the sender with `--self`. If a sender has
  names that the message does not show, give `reading.is_self(id, name, ...)`. `--self` is refused if no sender has it.
- **`detect`** reads at most `document.head()` and returns true only if no other format can look the same. It raises
  nothing: the caller treats a SourceError as false.

Test a format with `importing_help.read_all(name, path)` in clients/python/tests, which returns the records without a
daemon, and with `importing_help.run_import(daemon, name, path)`, which saves them.
"""

from .elements import Element
from .errors import SourceError, UnreadableSource
from .importer import import_file
from .json_stream import JsonReader, json_lines
from .lines import lines
from .reading import Format, Reading
from .records import (
    Attachment,
    Content,
    Conversation,
    Deletion,
    Edit,
    Event,
    Member,
    Message,
    Metadata,
    Person,
    Reaction,
    ReactionEvent,
    Receipt,
    Record,
)
from .source import Document, Source
from .times import from_iso, from_local, from_milliseconds, from_seconds
from .xml_stream import xml_elements

__all__ = [
    "Attachment",
    "Content",
    "Conversation",
    "Deletion",
    "Document",
    "Edit",
    "Element",
    "Event",
    "Format",
    "JsonReader",
    "Member",
    "Message",
    "Metadata",
    "Person",
    "Reaction",
    "ReactionEvent",
    "Reading",
    "Receipt",
    "Record",
    "Source",
    "SourceError",
    "UnreadableSource",
    "from_iso",
    "from_local",
    "from_milliseconds",
    "from_seconds",
    "import_file",
    "json_lines",
    "lines",
    "xml_elements",
]
