"""Readable text of HTML and of format=flowed.

HTML of mail is tokenized with one regular expression that reads each character a bounded number of times. The parser of
the standard library needs quadratic time for some malformed tags, and a stranger writes the mail.
"""

from __future__ import annotations

import re
from html import unescape

_TOKEN = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|</?(?P<tag>[a-zA-Z][a-zA-Z0-9:-]{0,40})(?P<rest>(?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*+)>"
    r"|<[!?][^<>]*>"
    r"|(?P<text>[^<]+|<)",
    re.S,
)
_ATTRIBUTE = re.compile(r"([a-zA-Z-]{1,40})\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_SPACE = re.compile(r"[ \t\r\n\f]+")
_HIDDEN = frozenset(("script", "style", "title", "template"))
_LINES = frozenset((
    "address", "article", "aside", "br", "center", "dd", "div", "dl", "dt", "footer", "form", "header", "hr", "li",
    "main", "nav", "ol", "section", "table", "tbody", "tr", "ul",
))
_PARAGRAPHS = frozenset(("blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "p", "pre"))


class _Writer:
    """Collects text: spaces are joined, lines start where a block of HTML does, and quotations begin with ">"."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._line: list[str] = []
        self._needs_space = False
        self.quotes = 0
        self.is_preformatted = False

    def write(self, text: str) -> None:
        if self.is_preformatted:
            first, *others = text.replace("\r\n", "\n").split("\n")
            self._line.append(first)
            for other in others:
                self.break_line()
                self._line.append(other)
            return
        words = _SPACE.sub(" ", text)
        if (words.startswith(" ") or self._needs_space) and self._line:
            self._line.append(" ")
        self._needs_space = words.endswith(" ") and (len(words) > 1 or bool(self._line))
        if stripped := words.strip(" "):
            self._line.append(stripped)
        elif self._line and self._line[-1] == " ":
            self._line.pop()

    def ends_with(self, text: str) -> bool:
        return "".join(self._line[-2:]).rstrip(" /").endswith(text)

    def end_line(self) -> None:
        if self._line:
            self.break_line()

    def break_line(self) -> None:
        mark = ">" * min(self.quotes, 20)
        self.lines.append(f"{mark} {''.join(self._line)}".rstrip() if mark else "".join(self._line).rstrip())
        self._line, self._needs_space = [], False

    def end_paragraph(self) -> None:
        self.end_line()
        if self.lines and self.lines[-1].strip("> "):
            self.break_line()
        elif self.lines:
            # The empty line between two quotations belongs to the quotation around both.
            self.lines[-1] = ">" * min(self.quotes, 20)


def html_text(html: str) -> str:
    """Returns the readable text of HTML. The address of a link follows its text."""
    writer = _Writer()
    hidden = ""
    links: list[str] = []
    for match in _TOKEN.finditer(html):
        tag = (match["tag"] or "").lower()
        is_end = match[0].startswith("</")
        if hidden:
            hidden = "" if is_end and tag == hidden else hidden
        elif match["text"] is not None:
            writer.write(unescape(match["text"]))
        elif tag in _HIDDEN:
            hidden = "" if is_end or match["rest"].endswith("/") else tag
        elif tag == "a":
            _link(writer, links, "" if is_end else _attribute(match["rest"], "href"), is_end)
        elif tag == "img":
            writer.write(_attribute(match["rest"], "alt"))
        elif tag:
            _block(writer, tag, is_end)
    writer.end_line()
    return re.sub(r"\n{3,}", "\n\n", "\n".join(writer.lines)).replace("\xa0", " ").strip("\n ")


def _link(writer: _Writer, links: list[str], address: str, is_end: bool) -> None:
    if not is_end:
        if len(links) < 100:
            links.append(address)
        return
    address = links.pop() if links else ""
    shown = address.removeprefix("mailto:").removeprefix("https://").removeprefix("http://").rstrip("/")
    if address.startswith(("http://", "https://", "mailto:")) and shown and not writer.ends_with(shown):
        writer.write(f" <{address}>")


def _block(writer: _Writer, tag: str, is_end: bool) -> None:
    if tag == "br":
        writer.break_line()
    elif tag in ("td", "th"):
        writer.write(" ")
    elif tag in _PARAGRAPHS:
        writer.end_line()
        if tag == "blockquote" and is_end:
            writer.quotes = max(0, writer.quotes - 1)
        writer.end_paragraph()
        if tag == "blockquote" and not is_end:
            writer.quotes += 1
        if tag == "pre":
            writer.is_preformatted = not is_end
    elif tag in _LINES:
        writer.end_line()
        if tag == "li" and not is_end:
            writer.write("• ")


def _attribute(rest: str, name: str) -> str:
    for match in _ATTRIBUTE.finditer(rest):
        if match[1].lower() == name:
            return unescape(match[2] or match[3] or match[4] or "").strip()
    return ""


def unflowed(text: str, *, deletes_space: bool) -> str:
    """Joins the lines of format=flowed (RFC 3676): a line that ends with a space continues in the next one."""
    result: list[list[str]] = []
    open_depth = -1
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        content = line[depth:].removeprefix(" ")
        is_signature = content == "-- "
        is_open = content.endswith(" ") and not is_signature
        kept = content[:-1] if is_open and deletes_space else content
        if open_depth == depth and not is_signature:
            result[-1].append(kept)
        else:
            result.append([">" * depth + (" " if depth else "") + kept])
        open_depth = depth if is_open else -1
    return "\n".join("".join(pieces) for pieces in result)
