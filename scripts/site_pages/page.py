"""Converts a Markdown document to a page of the site."""

import html
import pathlib
import posixpath
import re
import subprocess

from site_pages.pictures import OMITTED, with_pictures


def site_path(path: str) -> str:
    """Returns the path of a document's page on the site."""
    return path.removesuffix(".md") + ".html"


def anchor(heading: str) -> str:
    """Returns the anchor that GitHub makes of a heading's text."""
    kept = (letter for letter in heading.lower() if letter.isalnum() or letter in " -_")
    return "".join(kept).replace(" ", "-")


def parsed(text: str, form: str) -> str:
    """Returns a Markdown text in a form that cmark-gfm writes: html, or xml for the parsed document."""
    command = ["cmark-gfm", "--validate-utf8", "--extension", "table", "--to", form]
    return subprocess.run(command, input=text, capture_output=True, check=True, encoding="utf-8").stdout


def framed(title: str, home: str, body: str) -> str:
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
<link rel="stylesheet" href="{home}style.css">
</head>
<body>
<nav><a href="{home}index.html">ghoststore</a></nav>
{body}</body>
</html>
"""


class Page:
    def __init__(self, root: pathlib.Path, path: pathlib.Path) -> None:
        self.root = root
        self.path = path.relative_to(root).as_posix()
        # Marks for scripts are removed, because they do not belong on the page.
        text = re.sub(r"^<!-- .* -->\n", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        body: str | None = parsed(text, "html")
        if OMITTED in body:
            body = with_pictures(self.path, body, parsed(text, "xml"))
        if body is None:
            raise SystemExit(
                f"{self.path} holds HTML; hint: write what looks like a tag as code, and a picture in the form of "
                "scripts/site_pages/pictures.py"
            )
        self.body = body
        found = re.search(r"<h1>(.*?)</h1>", self.body)
        self.title = text_of(found.group(1)) if found else self.path

    def html(self) -> str:
        home = "../" * self.path.count("/")
        body = re.sub(r'<a href="([^"]*)">(.*?)</a>', self.without_folder, self.body, flags=re.DOTALL)
        body = re.sub(r'(href|srcset|src)="([^"]*)"', lambda match: f'{match[1]}="{self.target(match[2])}"', body)
        body = re.sub(r"<table>.*?</table>", lambda match: f"<div>{match[0]}</div>", body, flags=re.DOTALL)
        return framed(self.title, home, with_anchors(body))

    def target(self, link: str) -> str:
        """Converts a link of the document to a link of the site, where documents are pages."""
        path, mark, fragment = link.partition("#")
        return site_path(path) + mark + fragment if path.endswith(".md") and not is_outside(link) else link

    def without_folder(self, link: re.Match[str]) -> str:
        """Replaces a link to a folder of the repository by its text, because the site has no page for it."""
        if link[1].startswith("#"):
            return link[0]
        return link[2] if (self.root / self.beside(link[1])).is_dir() else link[0]

    def beside(self, link: str) -> str:
        """Returns the path in the repository to which a link leads."""
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.path), link.partition("#")[0]))

    def files(self) -> list[str]:
        """Returns the files of the repository that the document links to and that are not documents."""
        links = re.findall(r'(?:href|srcset|src)="([^"]*)"', self.body)
        paths = [self.beside(link) for link in links if not is_outside(link)]
        return [path for path in paths if not path.endswith(".md") and (self.root / path).is_file()]


def is_outside(link: str) -> bool:
    return re.match(r"[a-z]+:", link) is not None


def text_of(fragment: str) -> str:
    """Returns the text of HTML without its tags."""
    return html.unescape(re.sub(r"<[^>]*>", "", fragment))


def with_anchors(body: str) -> str:
    used: dict[str, int] = {}

    def mark(match: re.Match[str]) -> str:
        name = anchor(text_of(match[2]))
        count = used[name] = used.get(name, -1) + 1
        return f'<h{match[1]} id="{name if count == 0 else f"{name}-{count}"}">{match[2]}</h{match[1]}>'

    return re.sub(r"<h([1-6])>(.*?)</h\1>", mark, body)


def index_page(groups: dict[str, list[Page]], libraries: list[str]) -> str:
    body = "<h1>ghoststore</h1>\n"
    for title, pages in groups.items():
        links = "".join(f'<li><a href="{site_path(page.path)}">{html.escape(page.title)}</a></li>\n' for page in pages)
        body += f"<h2>{title}</h2>\n<ul>\n{links}</ul>\n"
    if libraries:
        links = "".join(
            f'<li><a href="libraries/documentation/{name}/index.html">{name}</a></li>\n' for name in libraries
        )
        body += f"<h2>The Swift libraries</h2>\n<ul>\n{links}</ul>\n"
    return framed("ghoststore", "", body)
