import sys
import threading
import unicodedata

from ghoststore import NewMessage, Store

me, you = sys.argv[1:]


def printable(text: str) -> str:
    """Others wrote what is shown here, and a terminal obeys control characters, and some of direction. Joiners stay."""
    obeyed = ("Cc", "Cf", "Zl", "Zp")
    return "".join("\ufffd" if unicodedata.category(c) in obeyed and c not in "\u200c\u200d" else c for c in text)


store = Store()
room = "+".join(sorted((me, you)))
store.get_or_create_conversation(room)

# Where the store is now. What is saved from here on, the thread below gets.
now = store.get_status()
history = store.list_messages(room, limit=10)
for message in reversed(history.messages):
    print(printable(f"{message.sender_session_id}: {message.text}"))


def listen() -> None:
    with store.new_messages(room, after_revision=now.revision, history_id=now.history_id) as messages:
        for message in messages:
            if message.sender_session_id != me:
                print(printable(f"{message.sender_session_id}: {message.text}"))


threading.Thread(target=listen, daemon=True).start()
for line in sys.stdin:
    # When this returns, the message is on disk.
    text = line.rstrip("\n")
    store.save_message(NewMessage(conversation=room, text=text, sender_session_id=me, recipient_session_id=you))
store.close()
