"""The package is complete: it has every call, every reason, both halves, and one version."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from daemon import REPOSITORY, Daemon, program

import ghoststore
from ghoststore import AsyncStore, Reason, Store
from ghoststore.protocol import calls
from ghoststore.protocol.rules import NOT_REPEATABLE, REPEATABLE, UNBOUNDED
from ghoststore.reasons import CODES

PROTO_DOCS = REPOSITORY / "proto-docs"
PACKAGE = REPOSITORY / "clients" / "python"
# The iterators of watches make the call `watch`. The client makes the call `cancel` when a caller gives up a call that
# waits.
WITHOUT_METHOD = {"watch", "cancel"}


def protocol() -> str:
    return (PROTO_DOCS / "PROTOCOL.md").read_text()


def test_every_call_of_the_protocol_is_a_method_of_both_halves() -> None:
    service = (PROTO_DOCS / "ghoststore/v1/service.proto").read_text()
    request = service[service.index("oneof call") : service.index("message Response")]
    found = dict(re.findall(r"^\s+\w+Request (\w+) = (\d+);", request, re.MULTILINE))
    assert {name: int(number) for name, number in found.items()} == {one.name: one.number for one in calls.ALL.values()}
    for name in set(found) - WITHOUT_METHOD:
        assert inspect.iscoroutinefunction(getattr(AsyncStore, name)), name
        assert inspect.isfunction(getattr(Store, name)), name


def test_both_halves_have_the_same_methods() -> None:
    def methods(of: type) -> set[str]:
        return {name for name in dir(of) if not name.startswith("_")}

    assert methods(Store) == methods(AsyncStore)


def test_the_writes_are_those_that_the_protocol_names() -> None:
    sentence = r"Writes are ([^.]*), and every call with the answer `commit` except `(\w+)`\."
    [text] = re.findall(sentence, " ".join(protocol().split()))
    writes = set(re.findall(r"\w+", text[0]))
    by_commit = {one.name for one in calls.ALL.values() if one.result == "commit"}
    assert {one.name for one in calls.ALL.values() if one.takes_key} == writes | by_commit
    assert text[1] == "finish_file_write"


def test_every_call_is_repeatable_or_not_and_never_both() -> None:
    writes = {one.name for one in calls.ALL.values() if one.takes_key}
    for first, second in ((writes, REPEATABLE), (writes, NOT_REPEATABLE), (REPEATABLE, NOT_REPEATABLE)):
        assert not set(first) & set(second)
    assert writes | REPEATABLE | NOT_REPEATABLE == set(calls.ALL)
    assert UNBOUNDED <= set(calls.ALL)


def test_the_repeatable_calls_are_those_of_the_protocol() -> None:
    areas = "conversations|messages|contacts|scenes|logs|files|changes"
    rows = re.findall(rf"^\| read (?:{areas}) \| (.*) \|$", protocol(), re.MULTILINE)
    reads = {name.strip() for row in rows for name in row.split(",")} - {"watch"}
    again = re.findall(r"^\| (.*`.*) \| yes \|$", protocol(), re.MULTILINE)
    named = {name for row in again for name in re.findall(r"`(\w+)`", row)}
    assert len(rows) == 7 and reads | named == REPEATABLE


def test_every_documented_reason_is_known_with_its_code() -> None:
    rows = re.findall(
        r"^\| `([A-Z_]+)` \| ([A-Z_]+) \| (yes|no) \|", (PROTO_DOCS / "ERRORS.md").read_text(), re.MULTILINE
    )
    assert len(rows) > 60
    known = {reason.value: (code.name, "yes" if retryable else "no") for reason, (code, retryable) in CODES.items()}
    assert known == {word: (code, retryable) for word, code, retryable in rows}
    assert {reason.value for reason in Reason} == set(known)


def test_every_error_code_but_success_has_an_exception() -> None:
    codes = {code for code, _ in CODES.values()}
    for code in codes:
        error = ghoststore.errors.refusal(ghoststore.model.Error(code=code, reason="X"))
        assert type(error) is not ghoststore.RefusedError, code


def test_the_generated_modules_are_up_to_date() -> None:
    command = [sys.executable, str(PACKAGE / "tools" / "generate.py"), "--check"]
    checked = subprocess.run(command, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_there_is_one_version() -> None:
    told = subprocess.run([program(), "--version"], capture_output=True, text=True, check=True).stdout
    assert ghoststore.__version__ in told.split()


def test_the_wheel_has_all_of_the_package_and_imports(tmp_path: Path) -> None:
    subprocess.run([str(REPOSITORY / "scripts/build-wheel"), str(tmp_path)], check=True, stdout=subprocess.DEVNULL)
    [wheel] = tmp_path.glob("ghoststore-*-py3-none-any.whl")
    held = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("ghoststore/")}
    sources = PACKAGE / "src"
    kept = [*sources.rglob("*.py"), sources / "ghoststore/py.typed"]
    assert held == {str(path.relative_to(sources)) for path in kept}
    command = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(wheel)!r}); import ghoststore"]
    subprocess.run(command, check=True)


def test_every_exported_name_exists() -> None:
    assert sorted(ghoststore.__all__) == list(ghoststore.__all__)
    for name in ghoststore.__all__:
        assert getattr(ghoststore, name) is not None


def python_blocks(path: Path) -> list[Any]:
    blocks = re.findall(r"^```python\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL)
    return [pytest.param(block, id=f"{path.parent.name}-{number}") for number, block in enumerate(blocks)]


BLOCKS = python_blocks(REPOSITORY / "README.md") + python_blocks(PACKAGE / "README.md")


@pytest.mark.parametrize("block", BLOCKS)
def test_the_python_of_the_documents_runs(
    block: str, daemon: Daemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GHOSTSTORE_SOCKET", str(daemon.socket))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "film.mkv").write_bytes(bytes(2_000_000))
    (tmp_path / "photo.jpg").write_bytes(bytes(100_000))
    with Store() as store:
        store.set_scene("window", {"width": 1})
    exec(compile(block, "block", "exec"), {"__name__": "__main__"})


def test_the_python_of_the_documents_passes_a_strict_check_of_types(tmp_path: Path) -> None:
    files = []
    for number, block in enumerate(BLOCKS + python_blocks(REPOSITORY / "docs/tutorial.md")):
        files.append(tmp_path / f"block_{number}.py")
        files[-1].write_text(str(block.values[0]))
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(REPOSITORY / ".build/mypy-documents")]
    environment = {"MYPYPATH": str(PACKAGE / "src"), "PATH": "/usr/bin:/bin"}
    checked = subprocess.run(
        [*command, *map(str, files)], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_documents_show_the_package() -> None:
    assert len(BLOCKS) >= 6
    first = BLOCKS[0].values[0]
    assert isinstance(first, str) and len(first.splitlines()) <= 12


def is_written_by_hand(path: Path) -> bool:
    return not path.read_text().startswith("# Written by tools/generate.py")


def test_files_functions_and_lines_have_at_most_the_allowed_length() -> None:
    paths = [path for folder in ("src", "tests", "tools", "../generator") for path in (PACKAGE / folder).rglob("*.py")]
    assert len(paths) > 100
    for path in paths:
        lines = path.read_text().splitlines()
        assert max(map(len, lines), default=0) <= 120, path
        if is_written_by_hand(path):
            assert len(lines) <= 400, path
            for node in ast.walk(ast.parse("\n".join(lines))):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    assert node.end_lineno is not None and node.end_lineno - node.lineno < 70, (path, node.name)
