"""Writes the reasons of ERRORS.md as an enum."""

from __future__ import annotations

import re

from protos import HEADER, comment_lines

_ROW = re.compile(r"^\| `([A-Z_]+)` \| ([A-Z_]+) \| (yes|no) \| (.*) \|$", re.MULTILINE)


def module(errors: str) -> str:
    """The text of reasons.py."""
    text = f'{HEADER}"""Why the daemon refuses: the words of proto-docs/ERRORS.md."""\n\n'
    text += "from __future__ import annotations\n\n"
    text += "from enum import Enum\n\nfrom .model.errors import ErrorCode\n\n\n"
    text += "class Reason(str, Enum):\n"
    text += '    """Programs decide on this. A word that is not known here is kept: `Reason("NEW_WORD")`."""\n\n'
    rows = _ROW.findall(errors)
    for word, _, _, meaning in rows:
        text += comment_lines(meaning, "    ") + f'    {word} = "{word}"\n'
    text += """
    @classmethod
    def _missing_(cls, value: object) -> Reason | None:
        if not isinstance(value, str):
            return None
        unknown = str.__new__(cls, value)
        unknown._name_ = unknown._value_ = value
        return unknown

    @property
    def is_known(self) -> bool:
        \"\"\"Whether it is one of the words above.\"\"\"
        return self._value_ in type(self).__members__


# The code that each reason has, and whether it may be gone without anybody doing something.
CODES: dict[Reason, tuple[ErrorCode, bool]] = {
"""
    for word, code, retryable, _ in rows:
        text += f"    Reason.{word}: (ErrorCode.{code}, {retryable == 'yes'}),\n"
    return text + "}\n"
