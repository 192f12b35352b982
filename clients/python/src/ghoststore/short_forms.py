"""Short ways to say what a conversation or a place in the vault is."""

from __future__ import annotations

from .model import ConversationReference, FileArea, FilePath

_AREAS = {
    "cache": FileArea.CACHE,
    "document": FileArea.DOCUMENT,
    "library": FileArea.LIBRARY,
    "notSyncedLibrary": FileArea.NOT_SYNCED_LIBRARY,
    "temporary": FileArea.TEMPORARY,
}
_WORDS = {area: word for word, area in _AREAS.items()}


def by_id(conversation_id: str) -> ConversationReference:
    """The conversation with this id."""
    return ConversationReference(id=conversation_id)


def by_session(session_id: str) -> ConversationReference:
    """The conversation with the party of this session id."""
    return ConversationReference(session_id=session_id)


def to_conversation(conversation: ConversationReference | str) -> ConversationReference:
    """A text is a session id."""
    return by_session(conversation) if isinstance(conversation, str) else conversation


def to_path(path: FilePath | str) -> FilePath:
    """A text has the area first, as ids of changes have it: ``document/notes/today.txt``."""
    if not isinstance(path, str):
        return path
    area, _, rest = path.partition("/")
    if area not in _AREAS:
        raise ValueError(f"a path begins with its area; hint: one of {', '.join(_AREAS)}")
    return FilePath(area=_AREAS[area], path=rest)


def path_text(path: FilePath) -> str:
    """The path as ids of changes have it."""
    word = _WORDS.get(path.area, "")
    return f"{word}/{path.path}" if path.path else word
