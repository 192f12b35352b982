"""The texts that `help()` shows for calls and messages."""

from __future__ import annotations

import inspect
import re

import pytest
from errors import ReasonInfo
from for_python import docstrings
from schema import CallInfo, FieldInfo, MessageInfo

from ghoststore import AsyncStore, Message, NewMessage, Reason, Store, model
from ghoststore import errors as refusals
from ghoststore.protocol import calls
from ghoststore.wire.fields import described_models, plan_of

WITHOUT_METHOD = {"watch", "cancel"}
METHODS = sorted(set(calls.ALL) - WITHOUT_METHOD)


def section(of: object, name: str) -> str:
    """Returns the text of a section of a docstring, empty without the section."""
    found = re.search(rf"^{name}:\n((?:    .*\n?)+)", f"{inspect.getdoc(of)}\n", re.MULTILINE)
    return found[1] if found else ""


@pytest.mark.parametrize("half", [AsyncStore, Store])
@pytest.mark.parametrize("name", METHODS)
def test_every_call_says_what_it_does_returns_and_raises(half: type, name: str) -> None:
    method = getattr(half, name)
    first = (inspect.getdoc(method) or "").split()[0]
    assert first[0].isupper() and first.endswith("s")
    answer = inspect.signature(method).return_annotation
    assert bool(section(method, "Returns")) == (answer != "None")
    assert section(method, "Returns").strip().startswith(answer.removeprefix("wire.") if answer != "None" else "")
    for line in re.findall(r"^    (\S.*)", section(method, "Raises"), re.MULTILINE):
        found = re.match(r"(\w+): ([A-Z_]+)\b", line)
        assert found is not None and Reason(found[2]).is_known, line
        refusal = refusals.refusal(model.Error(reason=found[2]))
        assert type(refusal).__name__ == found[1], line


def test_most_calls_raise_something_of_their_own() -> None:
    assert sum(bool(section(getattr(Store, name), "Raises")) for name in METHODS) > 75


def test_a_call_with_a_simpler_method_names_it() -> None:
    for name, simpler in docstrings.SIMPLER.items():
        assert callable(getattr(AsyncStore, simpler)), simpler
        assert f"`{simpler}` is simpler" in (inspect.getdoc(getattr(AsyncStore, name)) or "")


@pytest.mark.parametrize("half", [AsyncStore, Store])
def test_every_public_method_has_a_docstring(half: type) -> None:
    for name, member in inspect.getmembers(half, callable):
        if not name.startswith("_"):
            assert inspect.getdoc(member), name


def test_every_message_lists_its_fields() -> None:
    for one in described_models():
        fields = re.findall(r"^    (\w+) \(", section(one, "Attributes"), re.MULTILINE)
        assert sorted(fields) == sorted(field.name for field in plan_of(one).fields), one
    assert "edited_at_microseconds (int | None): When edit_message last" in section(Message, "Attributes")
    assert "conversation (ConversationReference" in section(NewMessage, "Attributes")


def call_with(comment: str) -> CallInfo:
    """Returns a call whose request has a comment and two fields."""
    fields = [
        FieldInfo(1, "name", "STRING", None, False, False, "", ""),
        FieldInfo(2, "limit", "UINT32", None, False, False, "", " 1 to 10.\n 0 means 5.\n"),
    ]
    answer = MessageInfo("Thing", "things", "", fields)
    return CallInfo("get_thing", 1, MessageInfo("GetThingRequest", "things", comment, fields), "thing", 2, answer, True)


REASONS = {
    "THING_NOT_FOUND": ReasonInfo(
        "THING_NOT_FOUND", "NOT_FOUND", False, "The thing does not exist; look again. It may have moved.", "Things"
    ),
    "INTERNAL": ReasonInfo("INTERNAL", "INTERNAL", False, "A fault of the daemon.", "Things"),
}


def test_a_docstring_has_the_parts_of_the_comment() -> None:
    call = call_with(
        " Returns a thing.\n Now.\n\n A second paragraph.\n Answers: progress, then thing, as it\n is.\n"
        " Errors: THING_NOT_FOUND; INTERNAL, if\n all is lost.\n"
    )
    assert inspect.cleandoc(docstrings.method(call, call.request.fields, REASONS)) == inspect.cleandoc(
        '''"""Returns a thing. Now.

        A second paragraph.

        Args:
            limit: 1 to 10. 0 means 5.
            on_progress: Is called with the progress of the work.

        Returns:
            Thing, as it is.

        Raises:
            NotFound: THING_NOT_FOUND. The thing does not exist.
            InternalError: INTERNAL, if all is lost.
        """'''
    )


@pytest.mark.parametrize("comment", [" Returns a thing.\n", " Returns it.\n Answer: thing.\n Errors: it fails.\n"])
def test_a_comment_without_its_parts_is_refused(comment: str) -> None:
    call = call_with(comment)
    with pytest.raises(SystemExit, match="GetThingRequest"):
        docstrings.method(call, call.request.fields, REASONS)
