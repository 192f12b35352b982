"""The output of scripts/tell-failures for a failed run, which makes the end of a log in CI name the cause."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from daemon import REPOSITORY

SCRIPT = REPOSITORY / "scripts" / "tell-failures"
FAILING = """
import pytest

def deep(text):
    raise ValueError(text)

def test_compares():
    assert [1, 2] == [1, 3], "said"

@pytest.mark.parametrize("half", ["sync", "async"])
def test_raises(half):
    deep(f"the upload of {half} has 3 bytes")

def test_prints():
    print("the daemon's own words, error: none")
    assert not 7

@pytest.fixture
def broken():
    raise OSError("there is no daemon")

def test_needs(broken):
    pass

def test_has_much_to_say():
    assert not "\\n".join(f"line {number}" for number in range(300))

def test_passes():
    pass
"""
SWIFT = """◇ Test `a write is kept` started.
✘ Test `a write is kept` recorded an issue at Kept.swift:7:9: Expectation failed: (a → 1) == 2
✔ Test `another` passed after 0.001 seconds.
✘ Test `a write is kept` failed after 0.002 seconds with 1 issue.
FAILED a check of the guest
"""


def report(*outputs: Path) -> list[str]:
    result = subprocess.run([SCRIPT, *outputs], capture_output=True, text=True, check=True)
    assert not result.stderr
    return result.stdout.splitlines()


@pytest.fixture
def pytest_output(tmp_path: Path) -> Path:
    """The output of a pytest run with failures."""
    (tmp_path / "test_failing.py").write_text(FAILING)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_failing.py"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    output = tmp_path / "pytest.log"
    output.write_text(result.stdout)
    return output


def test_the_failures_of_pytest_are_named_with_their_cause(pytest_output: Path) -> None:
    lines = report(pytest_output)
    names = ["compares", "raises[sync]", "raises[async]", "prints", "has_much_to_say"]
    assert [line.split()[1] for line in lines if line.startswith("FAILED ")] == [
        f"test_failing.py::test_{name}" for name in names
    ]
    assert [line.split()[1] for line in lines if line.startswith("ERROR ")] == ["test_failing.py::test_needs"]
    for cause in (
        '>       assert [1, 2] == [1, 3], "said"',
        "E       AssertionError: said",
        "E         At index 1 diff: 2 != 3",
        "E       ValueError: the upload of sync has 3 bytes",
        "E       ValueError: the upload of async has 3 bytes",
        "E       assert not 7",
        "E       OSError: there is no daemon",
        "test_failing.py:8: AssertionError",
    ):
        assert lines.count(cause) == 1, cause
    text = "\n".join(lines)
    assert "own words" not in text and "test_passes" not in text
    # A failure with much output does not hide the other failures.
    assert len(lines) < 80 and "__ test_has_much_to_say __" in text


def test_the_issues_of_swift_come_before_the_failures_of_pytest(tmp_path: Path, pytest_output: Path) -> None:
    swift = tmp_path / "swift.log"
    swift.write_text(SWIFT)
    lines = report(pytest_output, swift)
    _, issue, _, failed, _ = SWIFT.splitlines()
    assert [line for line in lines if line.startswith(("✘", "✔", "◇"))] == [issue, failed]
    assert lines.index(failed) < lines.index("E       assert not 7")
    assert lines[: len(report(swift))] == report(swift)
    assert not any(line.startswith("FAILED a") for line in lines[len(report(swift)) :])


def test_a_failed_import_and_a_finding_of_mypy_are_reported(tmp_path: Path) -> None:
    (tmp_path / "test_broken.py").write_text("def broken(:\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_broken.py"]
    output = tmp_path / "output.log"
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    finding = "src/a.py:2: error: Incompatible return value type  [return-value]"
    output.write_text(f"{finding}\n{result.stdout}")
    lines = report(output)
    assert lines[0] == finding and "ERROR test_broken.py" in lines[-1]
    assert any(line.startswith("E ") and "SyntaxError" in line for line in lines)
