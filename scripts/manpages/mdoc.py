"""mdoc(7): words, sentences and pages."""

import email.utils
import pathlib
import re
import textwrap

LINE_COLUMNS = 78
# The order that mdoc(7) asks for; sections of our own stand behind DESCRIPTION.
LAST_SECTIONS = ["ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES", "SEE ALSO", "SECURITY CONSIDERATIONS"]

ESCAPES = {"\\": r"\e", "`": r"\(ga", "'": r"\(aq", "^": r"\(ha", "~": r"\(ti"}


def escaped(text: str) -> str:
    """The same characters, and not the typographic ones that formatters make of some."""
    marked = "".join(ESCAPES.get(letter, letter if letter < "\x7f" else f"\\[u{ord(letter):04X}]") for letter in text)
    # A hyphen at the beginning of a word is an option's.
    return re.sub(r"(?<![\w-])-{1,2}(?=\w)", lambda dashes: r"\-" * len(dashes.group()), marked)


def word(text: str) -> str:
    """One argument on a macro's line."""
    marked = escaped(text).replace('"', r"\(dq")
    if re.fullmatch(r"[A-Za-z]{2,3}|[.,:;()\[\]?!|]", marked):
        marked = r"\&" + marked
    return f'"{marked}"' if " " in marked else marked


def sentences(text: str) -> list[str]:
    """Lines of text, each sentence on lines of its own."""
    told = re.split(r"(?<=[.:?!]) (?=[A-Z0-9])", " ".join(text.split()))
    lines = (line for sentence in told for line in textwrap.wrap(
        escaped(sentence), LINE_COLUMNS, break_long_words=False, break_on_hyphens=False))
    return [protected(line) for line in lines]


def literal(lines: list[str]) -> list[str]:
    """Lines as they are, indented."""
    return [".Bd -literal -offset indent"] + [protected(escaped(line)) for line in lines] + [".Ed"]


def protected(line: str) -> str:
    """A line that is no macro."""
    return r"\&" + line if line.startswith((".", "'")) else line


def paragraph(text: str) -> list[str]:
    return [".Pp"] + sentences(text)


def tagged(items: list[tuple[str, list[str]]], width: str = "Ds") -> list[str]:
    """A list of marked-up tags and the lines below each."""
    if not items:
        return []
    lines = [f".Bl -tag -width {width}"]
    for tag, body in items:
        lines += [f".It {tag}"] + body
    return lines + [".El"]


def without_first_break(lines: list[str]) -> list[str]:
    """A section begins with text, not with an empty line before it."""
    return lines[1:] if lines and lines[0] == ".Pp" else lines


class Page:
    """A page in the making: sections by title, those written by hand put in where mdoc(7) wants them."""

    def __init__(self, root: pathlib.Path, name: str, section: int, summary: str):
        self.file = f"{name}.{section}"
        (day, version) = release(root)
        self.head = [
            r'.\" Made by scripts/make-man-pages.', f".Dd {day}",
            # The heading of groff's pages names BSD otherwise.
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
    """The sections of a part written by hand."""
    found: dict[str, list[str]] = {}
    for part in text.split(".Sh ")[1:]:
        title, _, body = part.partition("\n")
        found[title] = body.rstrip("\n").split("\n")
    return found


def release(root: pathlib.Path) -> tuple[str, str]:
    """Day and version of the newest entry of debian/changelog."""
    text = (root / "debian/changelog").read_text(encoding="utf-8")
    version = re.match(r"\S+ \(([^)]+)\)", text).group(1)
    day = email.utils.parsedate_to_datetime(re.search(r"(?m)^ -- .*>  (.*)$", text).group(1))
    return f"{day:%B} {day.day}, {day.year}", version
