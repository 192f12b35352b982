"""The command `ghoststore-import`."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

from .._version import VERSION
from ..sync import Store
from .errors import SourceError, UnreadableSource
from .failures import INTERRUPTED, WRONG_COMMAND_LINE, described, exit_status
from .formats import all_formats, format_named, format_names
from .importer import Importer, Stopped
from .progress import Progress
from .reading import Format
from .source import Source
from .zones import machine_zone, zone_named

_NAME = "ghoststore-import"
_DESCRIPTION = """\
Save the messages of another program in the store.

Importing a file again changes nothing, and a longer export adds only what is
new. What was set in the store stays: names, edits, and messages marked read.
After Ctrl-C or an error, the same command continues. --list-formats lists the
formats; auto finds the format where no other format looks the same."""
_EPILOG = """\
ghoststorectl has the same exit statuses: 0 done, 64 wrong command line,
65 malformed file, 66 unreadable file, 69 no daemon, 75 try again later,
77 no permission, 130 ended by Ctrl-C."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        fail(message, WRONG_COMMAND_LINE, is_json="--json" in sys.argv)


def fail(message: str, status: int, code: str = "", reason: str = "", *, is_json: bool = False) -> NoReturn:
    """Prints one message on standard error, and exits."""
    if is_json:
        words = {"code": code, "reason": reason}
        error = {"exit_status": status, "message": message} | {name: word for name, word in words.items() if word}
        print(json.dumps({"error": error}, ensure_ascii=False), file=sys.stderr)
    else:
        words_after = " ".join(dict.fromkeys(word for word in (code, reason) if word))
        print(f"{_NAME}: {message}" + (f" [{words_after}]" if words_after else ""), file=sys.stderr)
    sys.exit(status)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command."""
    options = _parser().parse_args(arguments)
    if options.list_formats:
        _list_formats()
        return
    if options.file is None:
        fail(f"name a format and a file; hint: {_NAME} --help", WRONG_COMMAND_LINE, is_json=options.json)
    progress = Progress(options.quiet)
    importer: Importer | None = None
    try:
        source = Source(options.file)
        format = _format(options, source)
        with Store(options.socket, client_name=_NAME, timeout_seconds=options.timeout) as store:
            importer = Importer(
                store,
                format,
                source,
                is_dry_run=options.dry_run,
                skips_damaged=options.skip_damaged,
                zone=options.zone or machine_zone(),
                self_ids=frozenset(options.self),
                options=_format_options(options, format),
                on_progress=progress.show,
            )
            _run(importer)
        source.close()
    except BrokenPipeError:
        raise
    except (Exception, KeyboardInterrupt) as error:
        progress.end()
        _report_failure(error, importer, options.json)
    progress.end()
    if options.json:
        print(json.dumps(importer.report.as_json(), ensure_ascii=False))
    elif not options.quiet:
        print(importer.report.as_text())


def _run(importer: Importer) -> None:
    def stop(number: int, frame: FrameType | None) -> None:
        # The second signal ends the command at once.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        importer.stop()

    previous = signal.signal(signal.SIGINT, stop)
    try:
        importer.run()
    except (Stopped, SourceError):
        importer.finish()
        raise
    finally:
        importer.close()
        signal.signal(signal.SIGINT, previous)


def _report_failure(error: BaseException, importer: Importer | None, is_json: bool) -> NoReturn:
    saved = 0 if importer is None or importer.report.is_dry_run else importer.report.messages.new
    so_far = f" ({saved:,} new messages are in the store; the same command continues)" if saved else ""
    if isinstance(error, (Stopped, KeyboardInterrupt)):
        fail(f"interrupted{so_far}", INTERRUPTED, is_json=is_json)
    assert isinstance(error, Exception)
    message, code, reason = described(error)
    cause, semicolon, hint = message.partition("; ")
    fail(f"{cause}{so_far}{semicolon}{hint}", exit_status(error), code, reason, is_json=is_json)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog=_NAME,
        usage=f"{_NAME} FORMAT FILE [options]",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, width=78, max_help_position=24),
        allow_abbrev=False,
        add_help=False,
    )
    add = parser.add_argument
    add("format", nargs="?", metavar="FORMAT", help="The format, or auto.")
    add("file", nargs="?", metavar="FILE", help="The exported file, folder or zip.")
    add("--dry-run", action="store_true", help="Save nothing, and report what would be saved.")
    add("--skip-damaged", action="store_true", help="Save messages without their damaged attachments.")
    add("--self", action="append", default=[], metavar="ID", help="An id or name of the store's user in the file.")
    add("--zone", type=_zone, metavar="ZONE", help="Time zone of times without one (default: the machine's).")
    add("--option", action="append", default=[], metavar="NAME=VALUE", help="An option of the format.")
    add("--list-formats", action="store_true", help="List the formats and their options.")
    add("--socket", metavar="PATH", help="Path of the daemon's socket.")
    add("--timeout", type=_seconds, default=30, metavar="SECONDS", help="End a call after this time (default: 30).")
    add("--json", action="store_true", help="Print the report as JSON.")
    add("-q", "--quiet", action="store_true", help="Print no report and no progress.")
    add("--version", action="version", version=f"{_NAME} {VERSION}", help="Show the version.")
    add("-h", "--help", action="help", help="Show this help.")
    return parser


def _zone(name: str) -> object:
    try:
        return zone_named(name)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
        if 0 <= seconds < float("inf"):
            return seconds
    except ValueError:
        pass
    raise argparse.ArgumentTypeError("not a number of seconds")


def _format(options: argparse.Namespace, source: Source) -> Format:
    if options.format != "auto":
        try:
            return format_named(options.format)
        except KeyError:
            known = ", ".join(format_names())
            fail(f"there is no such format; hint: auto, {known}", WRONG_COMMAND_LINE, is_json=options.json)
    found = [one for one in all_formats().values() if _is_detected(one, source)]
    if len(found) != 1:
        problem = "no format is recognized" if not found else "more than one format is possible"
        fail(f"{problem}; hint: name the format, see --list-formats", WRONG_COMMAND_LINE, is_json=options.json)
    return found[0]


def _is_detected(format: Format, source: Source) -> bool:
    try:
        return format.detect is not None and format.detect(source)
    except UnreadableSource:
        raise
    except SourceError:
        return False


def _format_options(options: argparse.Namespace, format: Format) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in options.option:
        name, equals, value = text.partition("=")
        if name not in format.options or not equals:
            known = ", ".join(f"{one}=…" for one in format.options) or f"{format.name} has none"
            fail(f"there is no option {name!r}; hint: {known}", WRONG_COMMAND_LINE, is_json=options.json)
        found[name] = value
    return found


def _list_formats() -> None:
    for one in all_formats().values():
        print(f"{one.name:<12} {one.title}")
        for name, text in one.options.items():
            print(f"  --option {name}=…".ljust(32) + text)


def run() -> None:
    """Runs the command as a program. Ends it quietly if the reader of standard output goes away."""
    try:
        main()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
