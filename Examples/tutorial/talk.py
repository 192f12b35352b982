import sys
import threading
import unicodedata

from ghoststore import NewMessage, Store

me, you = sys.argv[1:]


def printable(text: str) -> str:
    """Replace the control characters and directional characters in texts of others: a terminal would obey them."""
    obeyed = ("Cc", "Cf", "Zl", "Zp")
    return "".join("\ufffd" if unicodedata.category(c) in obeyed and c not in "\u200c\u200d" else c for c in text)


store = Store()
room = "+".join(sorted((me, you)))
store.get_or_create_conversation(room)

# The current revision. The thread below receives everything that is saved after it.
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
    # When this call returns, the message is on disk.
    text = line.rstrip("\n")
    store.save_message(NewMessage(conversation=room, text=text, sender_session_id=me, recipient_session_id=you))
store.close()
