"""Short forms to name a conversation or a path in the vault."""

from __future__ import annotations

from .model import ConversationReference, FileArea, FilePath
from .wire import accept_text

_AREAS = {
    "cache": FileArea.CACHE,
    "document": FileArea.DOCUMENT,
    "library": FileArea.LIBRARY,
    "notSyncedLibrary": FileArea.NOT_SYNCED_LIBRARY,
    "temporary": FileArea.TEMPORARY,
}
_WORDS = {area: word for word, area in _AREAS.items()}


def by_id(conversation_id: str) -> ConversationReference:
    """Names the conversation with this id."""
    return ConversationReference(id=conversation_id)


def by_session(session_id: str) -> ConversationReference:
    """Names the conversation with this session id."""
    return ConversationReference(session_id=session_id)


def to_conversation(conversation: ConversationReference | str) -> ConversationReference:
    """Returns the reference. A string is a session id."""
    return by_session(conversation) if isinstance(conversation, str) else conversation


def to_path(path: FilePath | str) -> FilePath:
    """Returns the path. A string begins with the area, as in ids of changes: ``document/notes/today.txt``."""
    if not isinstance(path, str):
        return path
    area, _, rest = path.partition("/")
    if area not in _AREAS:
        raise ValueError(f"a path begins with its area; hint: one of {', '.join(_AREAS)}")
    return FilePath(area=_AREAS[area], path=rest)


def path_text(path: FilePath) -> str:
    """Returns the path as a string that begins with the area, as in ids of changes."""
    word = _WORDS.get(path.area, "")
    return f"{word}/{path.path}" if path.path else word


accept_text(ConversationReference, by_session)
accept_text(FilePath, to_path)
