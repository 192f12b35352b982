#!/usr/bin/env python3
"""Saves what signal-cli receives, and sends the outgoing messages of "signal:" conversations that are pending.
Usage: bridge.py FOLDER COMMAND...    for example: bridge.py ~/.bridge signal-cli -a +4912345 jsonRpc
Nothing is lost if this program, signal-cli or the daemon is killed: signal-cli writes to a file instead of a pipe, and
forgets a message only after it has written it. Ids come from the messages, so saving a line again changes nothing.
"""

import base64
import fcntl
import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ghoststore import Message, MessageStatus, NotFound, Store, by_id
from ghoststore.importing import SourceError, import_file

PENDING = MessageStatus.PENDING


def run(store: Store, folder: Path, command: list[str], lock: int) -> None:
    """Runs signal-cli until it ends."""
    sent: set[str] = set()
    revision = store.get_status().revision
    with open(folder / "inbox.jsonl", "a+b", 0) as inbox, store.new_messages(after_revision=revision) as added:
        # End the half line that a killed signal-cli left: after its start, it writes the whole line again.
        if inbox.tell() and os.pread(inbox.fileno(), 1, inbox.tell() - 1) != b"\n":
            inbox.write(b"\n")
        # Process the answers that came after a kill of the bridge, so that these messages are not sent again.
        while take_in(store, folder):
            pass
        process: Any = subprocess.Popen(command, stdin=-1, stdout=inbox, text=True, pass_fds=[lock])
        for chat in store.conversations():
            for message in store.messages(chat.session_id, is_outgoing=True, status=PENDING):
                send(store, message, process.stdin, sent)
        while process.poll() is None:
            new = added.next_within(0.1)
            if new is not None:
                send(store, new, process.stdin, sent)
            take_in(store, folder)


def take_in(store: Store, folder: Path) -> bool:
    """Saves the complete lines that are new, and the results of sending. Returns true if there were any."""
    offset: Any = store.scene("bridge-signal").get("offset", 0)
    with open(folder / "inbox.jsonl", "rb") as file:
        file.seek(offset)
        lines = [line for line in file.readlines(1 << 20) if line.endswith(b"\n")]
    save(store, folder, lines)
    for line in lines:
        with suppress(ValueError, KeyError, TypeError, NotFound):
            answer = json.loads(line)
            if "method" not in answer:
                store.update_message_status([answer["id"]], MessageStatus["FAILED" if "error" in answer else "SENT"])
    if lines:
        store.set_scene("bridge-signal", {"offset": offset + sum(map(len, lines))})
    return bool(lines)


def save(store: Store, folder: Path, lines: list[bytes]) -> None:
    """Imports lines. A line that cannot be imported stops no other line, and stays in the inbox."""
    (folder / "batch.jsonl").write_bytes(b"".join(lines))
    attachments = Path("~/.local/share/signal-cli/attachments").expanduser()
    options = {"attachments": str(attachments)} if attachments.is_dir() else {}
    try:
        import_file(store, "signal", folder / "batch.jsonl", options=options)
    except SourceError as error:
        print(f"bridge: {error.message}", file=sys.stderr)
        for line in lines if len(lines) > 1 else []:
            save(store, folder, [line])


def send(store: Store, message: Message, requests: Any, sent: set[str]) -> None:
    """Asks signal-cli to send a message, under the message's id."""
    service, _, key = store.get_conversation(by_id(message.conversation_id)).session_id.partition(":")
    if service == "signal" and message.is_outgoing and message.status == PENDING and message.id not in sent:
        to: dict[str, Any] = {"groupId": key} if key.endswith("=") else {"recipient": [key]}
        to |= {"message": message.text, "attachments": []}
        for number, one in enumerate(message.attachments):
            data = base64.b64encode(store.read_attachment_bytes(message.id, number)).decode()
            to["attachments"].append(f"data:{one.mime_type};filename={quote(one.name)};base64,{data}")
        sent.add(message.id)
        request = {"jsonrpc": "2.0", "id": message.id, "method": "send", "params": to}
        print(json.dumps(request), file=requests, flush=True)


if __name__ == "__main__":
    (folder := Path(sys.argv[1])).mkdir(mode=0o700, exist_ok=True)
    with open(folder / "lock", "w") as lock, Store() as store:
        # signal-cli inherits the lock: after a kill of the bridge, the next one waits for its last lines.
        fcntl.flock(lock, fcntl.LOCK_EX)
        while True:
            with suppress(BrokenPipeError):
                run(store, folder, sys.argv[2:], lock.fileno())
            time.sleep(1)
