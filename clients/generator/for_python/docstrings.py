"""Writes docstrings from the comments of .proto files."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence

import call_comments
from call_comments import joined, paragraphs
from errors import ReasonInfo
from for_python.text import model_type, python_name
from schema import CallInfo, FieldInfo, MessageInfo

# For each of these calls, the method that is simpler to use.
_PAGES = {
    "list_attachments": "attachments",
    "list_changes": "changes",
    "list_contacts": "contacts",
    "list_conversations": "conversations",
    "list_conversation_members": "members",
    "list_drafts": "drafts",
    "list_files": "files",
    "list_logs": "logs",
    "list_messages": "messages",
    "list_reactions": "reactions",
    "list_scenes": "scenes",
    "read_log": "log_entries",
    "search_contacts": "contacts_named",
    "search_conversations": "conversations_named",
    "search_messages": "search",
}
_TRANSFERS = {
    "begin_archive": "create_archive",
    "begin_archive_restore": "restore_archive",
    "begin_attachment_write": "upload_attachment",
    "begin_backup_upload": "upload_backup",
    "begin_blob_export": "export_conversation",
    "begin_blob_import": "import_conversation",
    "begin_file_write": "upload_file",
    "read_attachment": "download_attachment",
    "read_backup": "download_backup",
    "read_file": "download_file",
}
SIMPLER = _PAGES | _TRANSFERS
_EXCEPTIONS = {"INTERNAL": "InternalError"}
_WIDTH = 112


def method(call: CallInfo, parameters: Sequence[FieldInfo], reasons: dict[str, ReasonInfo]) -> str:
    """Returns the docstring of the method of a call."""
    comment = call_comments.of_request(call.request)
    texts = paragraphs(comment.text)
    if call.name in _PAGES:
        texts.append(f"`{_PAGES[call.name]}` is simpler: it requests one page after another.")
    if call.name in _TRANSFERS:
        texts.append(f"`{_TRANSFERS[call.name]}` is simpler: it makes all calls of the transfer.")
    arguments = [(python_name(one), one.comment) for one in parameters if one.comment.strip()]
    if call.has_progress:
        arguments.append(("on_progress", "Is called with the progress of the work."))
    returns = [f"{call.answer.name}{comment.answer}"] if call.answer.fields else []
    raises = [_raised(reason, rest, reasons) for reason, rest in comment.errors]
    return _written(texts, "        ", Args=_items(arguments), Returns=returns, Raises=raises)


def model(info: MessageInfo, call: CallInfo | None) -> str:
    """Returns the docstring of the class of a message, which may be the request of a call."""
    text = f"The request of `{call.name}`." if call else info.comment.strip() or f"`{info.name}` of the protocol."
    fields = [(f"{python_name(one)} ({model_type(one)})", one.comment) for one in info.fields]
    return _written(paragraphs(text), "    ", Attributes=_items(fields))


def enum(info: MessageInfo) -> str:
    """Returns the docstring of an enum."""
    values = [(name, comment) for name, _, comment in info.values if comment.strip()]
    text = info.comment.strip() or f"The values of `{info.name}`."
    return _written(paragraphs(text), "    ", Attributes=_items(values))


def _raised(reason: str, rest: str, reasons: dict[str, ReasonInfo]) -> str:
    known = reasons[reason]
    condition = rest or ". " + re.split(r"(?<=[.;]) ", known.meaning)[0].rstrip(";")
    exception = _EXCEPTIONS.get(known.code) or known.code.title().replace("_", "")
    return f"{exception}: {reason}{condition}".rstrip(".") + "."


def _items(named: Iterable[tuple[str, str]]) -> list[str]:
    return [f"{name}: {joined(comment)}".removesuffix(": ") for name, comment in named]


def _written(texts: list[str], indent: str, **sections: list[str]) -> str:
    blocks = [_wrapped(text, indent, "") for text in texts]
    for name, items in sections.items():
        if items:
            lines = [_wrapped(item, indent + "    ", "    ") for item in items]
            blocks.append(f"{indent}{name}:\n" + "\n".join(lines))
    text = "\n\n".join(blocks).replace("\\", "\\\\")
    closing = '"""' if "\n" not in text else f'\n{indent}"""'
    return f'{indent}"""{text.removeprefix(indent)}{closing}\n'


def _wrapped(text: str, indent: str, hanging: str) -> str:
    return textwrap.fill(text, _WIDTH, initial_indent=indent, subsequent_indent=indent + hanging)
