"""The parts of the comment of a request: what the call does, `Answer:` and `Errors:` (PROTOCOL.md)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from schema import MessageInfo


@dataclass(frozen=True)
class CallComment:
    """The comment of a request in its parts."""

    text: str
    # The part of the comment about the answer, without the name of the result with which it begins.
    answer: str
    # Each error reason, with the rest of the sentence that begins with this reason.
    errors: tuple[tuple[str, str], ...]

    @staticmethod
    def of(comment: str, name: str) -> CallComment:
        """Reads the comment of a request with this name."""
        text, _, rest = re.sub(r"(?m)^ ", "", comment).partition("\nAnswer")
        if not rest:
            raise SystemExit(f"the comment of {name} does not say what answers it")
        answer, _, errors = rest.partition("\nErrors: ")
        answer = re.sub(r"^s?: (progress, then )?[a-z_]+", "", joined(answer))
        return CallComment(text, answer, tuple(_error(one, name) for one in joined(errors).split("; ") if one))


def of_request(request: MessageInfo) -> CallComment:
    """Reads the comment of a request."""
    return CallComment.of(request.comment, request.name)


def paragraphs(text: str) -> list[str]:
    """Returns the paragraphs of a comment, each in one line."""
    return [joined(part) for part in re.split(r"\n\s*\n", text)]


def joined(text: str) -> str:
    """Returns a text in one line."""
    return " ".join(text.split())


def _error(text: str, name: str) -> tuple[str, str]:
    found = re.match(r"([A-Z_]+)([, ].*?)?\.?$", text)
    if found is None:
        raise SystemExit(f"the comment of {name} lists something that is not a reason: {text}")
    return found[1], found[2] or ""
