"""Pictures for light and dark, the only HTML that a document may hold:

<picture>
  <source media="(prefers-color-scheme: dark)" srcset="pictures/x-dark.svg">
  <img alt="What it shows" src="pictures/x-light.svg" width="700">
</picture>
"""

import html
import posixpath
import re
from xml.etree import ElementTree

# The text that cmark-gfm writes in place of each piece of HTML.
OMITTED = "<!-- raw HTML omitted -->"

PICTURE = re.compile(r"<picture>\s*<source(?P<source>[^<>]*)>\s*<img(?P<img>[^<>]*)>\s*</picture>\s*")
ATTRIBUTES = re.compile(r'(?:\s+[a-z]+="[^"]*")*\s*')
ATTRIBUTE = re.compile(r'([a-z]+)="([^"]*)"')
DARK = "(prefers-color-scheme: dark)"
FILE = re.compile(r"(?:\.\./)*\w[\w.-]*(?:/\w[\w.-]*)*")


def with_pictures(path: str, body: str, xml: str) -> str | None:
    """Returns the page of the document `path` with its pictures, or None if it holds any other HTML.

    body: the page as cmark-gfm writes it, without the HTML
    xml: the parsed document, which has the HTML in the same order
    """
    nodes = [node for node in ElementTree.fromstring(xml).iter() if node.tag.rpartition("}")[2].startswith("html_")]
    if body.count(OMITTED) != len(nodes):
        return None
    for node in nodes:
        # A picture within a paragraph is several nodes, and none of them is a whole picture.
        picture = parsed_picture(path, node.text or "")
        if picture is None:
            return None
        body = body.replace(OMITTED, picture, 1)
    return body


def parsed_picture(path: str, text: str) -> str | None:
    """Returns the HTML of a picture, rebuilt from its attributes, or None if `text` is anything else."""
    match = PICTURE.fullmatch(text)
    source = attributes(match["source"]) if match else None
    image = attributes(match["img"]) if match else None
    if source is None or image is None:
        return None
    if set(source) != {"media", "srcset"} or set(image) - {"width"} != {"alt", "src"}:
        return None
    if source["media"] != DARK or not image["alt"].strip() or not re.fullmatch("[0-9]+", image.get("width", "0")):
        return None
    if not is_file_of_repository(path, source["srcset"]) or not is_file_of_repository(path, image["src"]):
        return None
    return f"<p><picture>{tag('source', source)}{tag('img', image)}</picture></p>"


def attributes(text: str) -> dict[str, str] | None:
    """Returns the attributes of a tag, or None if one is repeated or `text` holds anything else."""
    if not ATTRIBUTES.fullmatch(text):
        return None
    pairs = ATTRIBUTE.findall(text)
    values = {name: html.unescape(value) for name, value in pairs}
    return values if len(values) == len(pairs) else None


def is_file_of_repository(path: str, link: str) -> bool:
    """Returns whether `link`, seen from the document `path`, can be a file below the repository's root."""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(path), link))
    return FILE.fullmatch(link) is not None and not target.startswith("..")


def tag(name: str, values: dict[str, str]) -> str:
    return f"<{name}" + "".join(f' {key}="{html.escape(value)}"' for key, value in sorted(values.items())) + ">"
