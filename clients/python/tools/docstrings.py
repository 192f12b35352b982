"""Writes docstrings from the comments of .proto files.

The comment of a request has three parts: what the call does, `Answer:`, and `Errors:` (PROTOCOL.md, "Requests and
responses").
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from protos import CallInfo, FieldInfo, MessageInfo

# Methods that are simpler to use than a call of the protocol.
_PAGES = {
    "list_attachments": "attachments",
    "list_changes": "changes",
    "list_contacts": "contacts",
    "list_conversations": "conversations",
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


@dataclass(frozen=True)
class Reason:
    """A reason of ERRORS.md."""

    code: str
    meaning: str

    @property
    def exception(self) -> str:
        """The name of the exception that is raised."""
        return _EXCEPTIONS.get(self.code) or self.code.title().replace("_", "")


@dataclass(frozen=True)
class CallComment:
    """The comment of a request in its parts."""

    text: str
    # The name of the result, and the rest of the sentence.
    answer: str
    # Each reason, and the rest of the sentence.
    errors: tuple[tuple[str, str], ...]

    @staticmethod
    def of(request: MessageInfo) -> CallComment:
        """Reads the comment of a request."""
        text, _, rest = re.sub(r"(?m)^ ", "", request.comment).partition("\nAnswer")
        if not rest:
            raise SystemExit(f"the comment of {request.name} does not say what answers it")
        answer, _, errors = rest.partition("\nErrors: ")
        answer = re.sub(r"^s?: (progress, then )?[a-z_]+", "", _joined(answer))
        return CallComment(text, answer, tuple(_error(one, request) for one in _joined(errors).split("; ") if one))


def _error(text: str, request: MessageInfo) -> tuple[str, str]:
    found = re.match(r"([A-Z_]+)([, ].*?)?\.?$", text)
    if found is None:
        raise SystemExit(f"the comment of {request.name} lists something that is not a reason: {text}")
    return found[1], found[2] or ""


def method(call: CallInfo, parameters: Sequence[FieldInfo], reasons: dict[str, Reason]) -> str:
    """Returns the docstring of the method of a call."""
    comment = CallComment.of(call.request)
    texts = _paragraphs(comment.text)
    if call.name in _PAGES:
        texts.append(f"`{_PAGES[call.name]}` is simpler: it requests one page after another.")
    if call.name in _TRANSFERS:
        texts.append(f"`{_TRANSFERS[call.name]}` is simpler: it makes all calls of the transfer.")
    arguments = [(one.name, one.comment) for one in parameters if one.comment.strip()]
    if call.has_progress:
        arguments.append(("on_progress", "Is called with the progress of the work."))
    returns = [f"{call.answer.name}{comment.answer}"] if call.answer.fields else []
    raises = [_raised(reason, rest, reasons) for reason, rest in comment.errors]
    return _written(texts, "        ", Args=_items(arguments), Returns=returns, Raises=raises)


def model(info: MessageInfo, call: CallInfo | None) -> str:
    """Returns the docstring of the class of a message, which may be the request of a call."""
    text = f"The request of `{call.name}`." if call else info.comment.strip() or f"`{info.name}` of the protocol."
    fields = [(f"{one.name} ({one.model_type})", one.comment) for one in info.fields]
    return _written(_paragraphs(text), "    ", Attributes=_items(fields))


def enum(info: MessageInfo) -> str:
    """Returns the docstring of an enum."""
    values = [(name, comment) for name, _, comment in info.values if comment.strip()]
    text = info.comment.strip() or f"The values of `{info.name}`."
    return _written(_paragraphs(text), "    ", Attributes=_items(values))


def _raised(reason: str, rest: str, reasons: dict[str, Reason]) -> str:
    known = reasons[reason]
    condition = rest or ". " + re.split(r"(?<=[.;]) ", known.meaning)[0].rstrip(";")
    return f"{known.exception}: {reason}{condition}".rstrip(".") + "."


def _items(named: Iterable[tuple[str, str]]) -> list[str]:
    return [f"{name}: {_joined(comment)}".removesuffix(": ") for name, comment in named]


def _paragraphs(text: str) -> list[str]:
    return [_joined(part) for part in re.split(r"\n\s*\n", text)]


def _joined(text: str) -> str:
    return " ".join(text.split())


def _written(paragraphs: list[str], indent: str, **sections: list[str]) -> str:
    blocks = [_wrapped(text, indent, "") for text in paragraphs]
    for name, items in sections.items():
        if items:
            lines = [_wrapped(item, indent + "    ", "    ") for item in items]
            blocks.append(f"{indent}{name}:\n" + "\n".join(lines))
    text = "\n\n".join(blocks).replace("\\", "\\\\")
    closing = '"""' if "\n" not in text else f'\n{indent}"""'
    return f'{indent}"""{text.removeprefix(indent)}{closing}\n'


def _wrapped(text: str, indent: str, hanging: str) -> str:
    return textwrap.fill(text, _WIDTH, initial_indent=indent, subsequent_indent=indent + hanging)
