"""Writes words, sentences and pages in the language mdoc(7)."""

import email.utils
import pathlib
import re
import textwrap

LINE_COLUMNS = 78
# The order that mdoc(7) requires. Sections with other titles come after DESCRIPTION.
LAST_SECTIONS = ["ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES", "SEE ALSO", "SECURITY CONSIDERATIONS"]

ESCAPES = {"\\": r"\e", "`": r"\(ga", "'": r"\(aq", "^": r"\(ha", "~": r"\(ti"}


def escaped(text: str) -> str:
    """Escapes characters that formatters would replace by typographic ones."""
    marked = "".join(ESCAPES.get(letter, letter if letter < "\x7f" else f"\\[u{ord(letter):04X}]") for letter in text)
    # A hyphen at the beginning of a word belongs to an option.
    return re.sub(r"(?<![\w-])-{1,2}(?=\w)", lambda dashes: r"\-" * len(dashes.group()), marked)


def word(text: str) -> str:
    """Returns a text as one argument of a macro."""
    marked = escaped(text).replace('"', r"\(dq")
    if re.fullmatch(r"[A-Za-z]{2,3}|[.,:;()\[\]?!|]", marked):
        marked = r"\&" + marked
    return f'"{marked}"' if " " in marked else marked


def sentences(text: str) -> list[str]:
    """Returns lines of text. Each sentence begins on a new line."""
    told = re.split(r"(?<=[.:?!]) (?=[A-Z0-9])", " ".join(text.split()))
    lines = (line for sentence in told for line in textwrap.wrap(
        escaped(sentence), LINE_COLUMNS, break_long_words=False, break_on_hyphens=False))
    return [protected(line) for line in lines]


def literal(lines: list[str]) -> list[str]:
    """Returns an indented block of literal lines."""
    return [".Bd -literal -offset indent"] + [protected(escaped(line)) for line in lines] + [".Ed"]


def protected(line: str) -> str:
    """Returns a line that formatters do not take for a macro."""
    return r"\&" + line if line.startswith((".", "'")) else line


def paragraph(text: str) -> list[str]:
    return [".Pp"] + sentences(text)


def tagged(items: list[tuple[str, list[str]]], width: str = "Ds") -> list[str]:
    """Returns a list of tags, each with its lines."""
    if not items:
        return []
    lines = [f".Bl -tag -width {width}"]
    for tag, body in items:
        lines += [f".It {tag}"] + body
    return lines + [".El"]


def without_first_break(lines: list[str]) -> list[str]:
    """Removes a paragraph break at the beginning, because a section begins with text."""
    return lines[1:] if lines and lines[0] == ".Pp" else lines


class Page:
    """A page with its generated sections and the sections that were written by hand, in the order of mdoc(7)."""

    def __init__(self, root: pathlib.Path, name: str, section: int, summary: str):
        self.file = f"{name}.{section}"
        (day, version) = release(root)
        self.head = [
            r'.\" Made by scripts/make-man-pages.', f".Dd {day}",
            # Otherwise groff's page heading would name BSD.
            ".ds doc-volume-operating-system ghoststore", f".Dt {name.upper()} {section}",
            f".Os ghoststore {version}", ".Sh NAME", f".Nm {name}", f".Nd {escaped(summary)}",
        ]
        self.sections: dict[str, list[str]] = {}
        written = root / "docs/man" / f"{self.file}.mdoc"
        self.written = sections_of(written.read_text(encoding="utf-8")) if written.exists() else {}

    def add(self, title: str, lines: list[str]) -> None:
        if lines:
            self.sections.setdefault(title, []).extend(without_first_break(lines))

    def text(self) -> str:
        every = dict(self.sections)
        for title, lines in self.written.items():
            every[title] = every.get(title, []) + lines
        titles = [title for title in every if title not in LAST_SECTIONS]
        titles += [title for title in LAST_SECTIONS if title in every]
        lines = list(self.head)
        for title in titles:
            lines += [f".Sh {title}"] + every[title]
        return "\n".join(lines) + "\n"


def sections_of(text: str) -> dict[str, list[str]]:
    """Returns the sections of a file that was written by hand."""
    found: dict[str, list[str]] = {}
    for part in text.split(".Sh ")[1:]:
        title, _, body = part.partition("\n")
        found[title] = body.rstrip("\n").split("\n")
    return found


def release(root: pathlib.Path) -> tuple[str, str]:
    """Returns the day and the version of the newest entry of debian/changelog."""
    text = (root / "debian/changelog").read_text(encoding="utf-8")
    version = re.match(r"\S+ \(([^)]+)\)", text).group(1)
    day = email.utils.parsedate_to_datetime(re.search(r"(?m)^ -- .*>  (.*)$", text).group(1))
    return f"{day:%B} {day.day}, {day.year}", version
