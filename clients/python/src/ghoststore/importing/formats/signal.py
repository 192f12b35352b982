"""JSON lines of signal-cli: the output of `receive` and `daemon`, and notifications of its JSON-RPC interface.

Sources that were read: github.com/AsamK/signal-cli, src/main/java/org/asamk/signal/json/*.java in versions from 2021 to
the present (JsonMessageEnvelope, JsonDataMessage, JsonSyncMessage, JsonSyncDataMessage, JsonEditMessage, JsonReaction,
JsonQuote, JsonMention, JsonAttachment, JsonGroupInfo, JsonReceiptMessage, JsonSyncReadMessage, JsonCallMessage,
JsonStoryMessage, JsonPollCreate, JsonPinMessage, JsonAdminDelete and others), JsonReceiveMessageHandler.java,
lib/src/main/java/org/asamk/signal/manager/storage/AttachmentStore.java, and man/signal-cli-jsonrpc.5.adoc.

A message has no id of its own: its sender and its time in milliseconds identify it in all of Signal.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing

from ..elements import Element
from ..errors import SourceError
from ..json_stream import json_lines
from ..reading import Format, Reading
from ..records import Message, Receipt, Record
from ..source import Document, Source
from ..times import from_milliseconds
from ._signal_data import Envelope, data_records, edit_records
from ._signal_media import Media
from ._signal_people import Accounts, Address, Changes, MessageIds, message_id, own_message_id

_NAMES = ("*.jsonl", "*.ndjson", "*.log")
# Folders of signal-cli whose files are no messages.
_DATA_FOLDERS = ("attachments", "avatars", "data", "stickers")
_DETECTED_LINES_MAX = 20
_CALLS = {"offerMessage": "offer", "answerMessage": "answer", "busyMessage": "busy", "hangupMessage": "hangup"}


def _read(reading: Reading) -> Iterator[Record]:
    accounts, changes = Accounts(reading), Changes()
    with closing(MessageIds()) as ids:
        is_empty = True
        for document in _documents(reading.source):
            media = Media(reading, document)
            with document.open() as stream:
                for place, value in json_lines(stream, document.name):
                    is_empty = False
                    found = _received(reading, Element(value, place))
                    if found is not None:
                        yield from _records(reading, found, accounts, changes, ids, media)
        if is_empty:
            raise SourceError(reading.source.name, "is empty; hint: signal-cli --output=json receive > FILE")


def _documents(source: Source) -> list[Document]:
    found = [one for one in source.documents(*_NAMES) if not _is_data(one.name)]
    return found or [source.document(*_NAMES)]


def _is_data(name: str) -> bool:
    return any(folder in _DATA_FOLDERS for folder in name.split("/")[:-1])


def _received(reading: Reading, line: Element) -> Element | None:
    """Returns the object with the envelope: the line itself, or an object inside of a notification."""
    if "jsonrpc" not in line.members:
        return line
    method = line.text("method")
    if method == "receive":
        params = line.element("params") or Element({}, line.place)
        return params.element("result") or params
    if method and "id" not in line.members:
        reading.unknown(f"notification {method}", line.place)
    else:
        reading.skipped("request or response of JSON-RPC", line.place)
    return None


def _records(
    reading: Reading, line: Element, accounts: Accounts, changes: Changes, ids: MessageIds, media: Media
) -> Iterator[Record]:
    envelope = line.element("envelope")
    line.ignore("subscription")
    account = accounts.account(line.text("account"))
    failure = line.any("exception") or line.any("error")
    line.rest(reading, "line")
    if envelope is None:
        reading.skipped("line without an envelope", line.place)
        return
    around = Envelope(
        reading=reading,
        media=media,
        ids=ids,
        changes=changes,
        account=account,
        sender=Address.of(envelope, "source"),
        sender_name=envelope.text("sourceName"),
        milliseconds=envelope.number("timestamp"),
        place=line.place,
    )
    parts = {name: envelope.element(name) for name in _PARTS if name in envelope.members}
    around.metadata = envelope.rest(
        reading, "envelope", "sourceDevice", "relay", "serverReceivedTimestamp", "serverDeliveredTimestamp"
    )
    if failure:
        reading.skipped("message that signal-cli could not decrypt", line.place)
    elif not around.sender.id:
        reading.skipped("message without a sender", line.place)
    elif not any(parts.values()):
        reading.skipped("envelope without a message", line.place)
    for name, part in parts.items():
        if part is not None and around.sender.id:
            yield from _PARTS[name](around, part)


def _data(envelope: Envelope, data: Element) -> Iterator[Record]:
    yield from data_records(envelope, data, envelope.sender)


def _edit(envelope: Envelope, edit: Element) -> Iterator[Record]:
    yield from edit_records(envelope, edit, envelope.sender)


def _sync(envelope: Envelope, sync: Element) -> Iterator[Record]:
    """Yields what another device of the user sent or did."""
    envelope.account.learn(envelope.sender)
    sent = sync.element("sentMessage")
    if sent is not None:
        yield from data_records(envelope, sent, Address.of(sent, "destination"))
    story = sync.element("sentStoryMessage")
    if story is not None:
        story.ignore("destinationNumber", "destinationUuid")
        yield from _story(envelope, story)
    for read in sync.elements("readMessages"):
        time = read.number("timestamp")
        yield Receipt(
            conversation="",
            source_id=envelope.ids.first(message_id(envelope.account, Address.of(read, "sender"), time)),
            time_microseconds=envelope.time(envelope.milliseconds),
            is_read=True,
            place=envelope.place,
        )
    if sync.rest(envelope.reading, "message of another device", "blockedNumbers", "blockedGroupIds", "type"):
        envelope.reading.skipped("settings of another device", envelope.place)


def _story(envelope: Envelope, story: Element) -> Iterator[Record]:
    yield from envelope.people()
    written = story.element("textAttachment")
    file = story.element("fileAttachment")
    metadata = dict(envelope.metadata) | story.rest(envelope.reading, "story", "groupId", "allowsReplies")
    if written is not None:
        metadata["textAttachment"] = written.members
    yield Message(
        conversation=story.text("groupId") or envelope.sender.id,
        time_microseconds=envelope.time(envelope.milliseconds),
        source_id=message_id(envelope.account, envelope.sender, envelope.milliseconds),
        sender=envelope.sender.id,
        sender_name=envelope.sender_name,
        text="" if written is None else written.text("text"),
        is_outgoing=envelope.account.is_own(envelope.sender),
        kind="story",
        metadata=metadata,
        attachments=() if file is None else (envelope.media.attachment(file),),
        place=envelope.place,
    )


def _call(envelope: Envelope, call: Element) -> Iterator[Record]:
    yield from envelope.people()
    for name, event in _CALLS.items():
        part = call.element(name)
        if part is None:
            continue
        part.ignore("opaque")
        yield Message(
            conversation=envelope.sender.id,
            time_microseconds=envelope.time(envelope.milliseconds),
            source_id=f"{message_id(envelope.account, envelope.sender, envelope.milliseconds)}-{event}",
            sender=envelope.sender.id,
            sender_name=envelope.sender_name,
            is_outgoing=envelope.account.is_own(envelope.sender),
            kind="call",
            metadata={
                **envelope.metadata, "event": event, **part.rest(envelope.reading, "call", "id", "type", "deviceId")
            },
            place=envelope.place,
        )
    if call.any("iceUpdateMessages"):
        envelope.reading.skipped("connection data of a call", envelope.place)
    call.rest(envelope.reading, "call")


def _receipt(envelope: Envelope, receipt: Element) -> Iterator[Record]:
    time = envelope.time(receipt.number("when", envelope.milliseconds))
    is_read = any([receipt.flag("isRead"), receipt.flag("isViewed")])
    is_delivered = receipt.flag("isDelivery")
    for index, value in enumerate(receipt.array("timestamps")):
        place = f"{receipt.place}.timestamps[{index}]"
        from_milliseconds(value, place)
        if not isinstance(value, int):
            raise SourceError(place, "a time is not a whole number")
        # A receipt is about a message of the user. If an earlier file has the message, its conversation is not known,
        # but most likely it is no group.
        id = envelope.ids.first(own_message_id(value))
        yield Receipt(
            conversation=envelope.ids.conversation_of_own(id) or envelope.sender.id,
            source_id=id,
            time_microseconds=time,
            is_delivered=is_delivered or is_read,
            is_read=is_read,
            place=envelope.place,
        )
    receipt.rest(envelope.reading, "receipt")


def _typing(envelope: Envelope, _: Element) -> Iterator[Record]:
    envelope.reading.skipped("typing notice", envelope.place)
    yield from ()


_PARTS = {
    "dataMessage": _data,
    "editMessage": _edit,
    "syncMessage": _sync,
    "storyMessage": _story,
    "callMessage": _call,
    "receiptMessage": _receipt,
    "typingMessage": _typing,
}


def _is_signal(source: Source) -> bool:
    document = _documents(source)[0]
    for line in document.head().split(b"\n")[:_DETECTED_LINES_MAX]:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            params = value.get("params") if value.get("method") == "receive" else value
            result = params.get("result", params) if isinstance(params, dict) else None
            envelope = result.get("envelope") if isinstance(result, dict) else None
            if isinstance(envelope, dict) and ("source" in envelope or "sourceUuid" in envelope):
                return True
    return False


FORMAT = Format(
    name="signal",
    title="signal-cli, JSON lines of receive or JSON-RPC",
    read=_read,
    detect=_is_signal,
    options={"attachments": "folder with signal-cli's attachments, if it is not beside the file"},
)
