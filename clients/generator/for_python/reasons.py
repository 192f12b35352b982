"""Writes the reasons of ERRORS.md as an enum."""

from __future__ import annotations

from errors import ReasonInfo
from for_python.text import HEADER, comment_lines


def module(reasons: list[ReasonInfo]) -> str:
    """Writes the reasons of ERRORS.md as an enum."""
    text = f'{HEADER}"""The reasons for which the daemon refuses a call, as proto-docs/ERRORS.md lists them."""\n\n'
    text += "from __future__ import annotations\n\n"
    text += "from enum import Enum\n\nfrom .model.errors import ErrorCode\n\n\n"
    text += "class Reason(str, Enum):\n"
    text += '    """The reason of an error, for programs. Unknown reasons are kept: `Reason("NEW_WORD")`."""\n\n'
    for one in reasons:
        text += comment_lines(one.meaning, "    ") + f'    {one.word} = "{one.word}"\n'
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
        \"\"\"True if this version knows the reason.\"\"\"
        return self._value_ in type(self).__members__


# The code of each reason, and True if the same call may succeed later without a change by a person.
CODES: dict[Reason, tuple[ErrorCode, bool]] = {
"""
    for one in reasons:
        text += f"    Reason.{one.word}: (ErrorCode.{one.code}, {one.is_retryable}),\n"
    return text + "}\n"
