"""Finds broken links in a folder of HTML pages. A link must lead to a file in it, and the part after # to an id of that
page.
"""

import html.parser
import pathlib
import posixpath
import urllib.parse


class Marks(html.parser.HTMLParser):
    """The links and ids of a page."""

    def __init__(self, path: pathlib.Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in ("href", "srcset", "src") and value is not None:
                self.links.append(value)
            if name == "id" and value is not None:
                self.ids.add(value)


def broken_links(folder: pathlib.Path) -> list[str]:
    """Returns a line for each broken link. DocC has already checked the links within libraries/."""
    pages = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*.html"))}
    marks = {name: Marks(path) for name, path in pages.items() if not name.startswith("libraries/")}
    broken = []
    for name, page in marks.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            path = urllib.parse.unquote(parts.path)
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            if not (folder / target).is_file():
                broken.append(f"{name}: {link} is no file of the site")
            elif parts.fragment and target in marks:
                if urllib.parse.unquote(parts.fragment) not in marks[target].ids:
                    broken.append(f"{name}: {link} names no heading")
    return broken
