"""A table with named columns is imported, and its faults are named with their lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from daemon import Daemon
from importing_help import read_all, run_import

from ghoststore import Store
from ghoststore.importing import Message, SourceError


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("ann,24.12.2020 18:30,x,", "ISO 8601; hint: --option time-format='%d.%m.%Y %H:%M'"),
        ("ann,1,x,ja", "outgoing is neither yes nor no; hint: yes, true, 1, no, false or 0"),
        ("ann,1,Gr\xfc\xdfe,", "the text is not UTF-8; hint: save it as CSV UTF-8, or: iconv -f cp1252"),
    ],
)
def test_errors_of_csv_name_the_line_and_a_remedy(tmp_path: Path, row: str, message: str) -> None:
    file = tmp_path / "chat.csv"
    file.write_bytes(f"conversation,time,text,outgoing\nann,1,x,no\n{row}\n".encode("cp1252"))
    with pytest.raises(SourceError) as found:
        read_all("csv", file)
    assert found.value.place == "chat.csv: line 3" and message in found.value.message


def test_csv_has_times_in_seconds_and_milliseconds(tmp_path: Path) -> None:
    file = tmp_path / "chat.csv"
    file.write_text("conversation,time\nann,1608834600\nann,1608834600123\nann,1608834600.123\n")
    times = [one.time_microseconds for one in read_all("csv", file) if isinstance(one, Message)]
    assert times == [1608834600_000_000, 1608834600_123_000, 1608834600_123_000]


def test_csv_is_imported(shared_daemon: Daemon, store: Store, tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"photo")
    (tmp_path / "chat.csv").write_text(
        "Chat;Wann;text;attachment;Farbe;conversation_name\n"
        "ann;24.12.2020 18:30;\"zwei\nZeilen\";a.jpg;rot;\n\nann;24.12.2020 18:31;;;;Anne\n"
    )
    options = {"conversation": "Chat", "time": "Wann", "time-format": "%d.%m.%Y %H:%M"}
    report = run_import(shared_daemon, "csv", tmp_path / "chat.csv", options=options)
    assert (report.messages.new, report.messages.changed, report.messages.known) == (2, 0, 0)
    second, first = store.messages("csv:ann")
    assert store.get_conversation("csv:ann").display_name == "Anne"
    assert first.text == "zwei\nZeilen" and second.text == ""
    assert first.timestamp_microseconds == 1_608_834_600_000_000
    assert store.read_attachment_bytes(first.id, 0) == b"photo"
