"""ghoststored.yaml(5) and ghoststore-sync.yaml(5), made from the files in config and the tables of keys in docs."""

import pathlib
import re

from manpages.mdoc import Page, literal, paragraph, tagged, without_first_break, word


class Entry:
    """A key or a group of keys with the comment above it."""

    def __init__(self, key: str, comment: list[str]):
        self.key = key
        self.comment = comment


def entries(text: str) -> tuple[list[str], list[Entry]]:
    """Returns the comment at the beginning of the file, and its keys in order."""
    head: list[str] | None = None
    found: list[Entry] = []
    comment: list[str] = []
    group = ""
    for line in text.split("\n"):
        told = re.fullmatch(r" *#(?: (.*))?", line)
        key = re.fullmatch(r"( *)(\w+):.*", line)
        if told:
            comment.append(told.group(1) or "")
            continue
        if key:
            group = group if key.group(1) else ""
            found.append(Entry(group + key.group(2), comment))
            if line.endswith(":"):
                group = key.group(2) + "."
        elif head is None:
            head = comment
        comment = []
    return head or [], found


def rendered(comment: list[str]) -> list[str]:
    """Returns the paragraphs of a comment. Indented lines stay as they are."""
    lines: list[str] = []
    # The files mark code with backticks, as Markdown does. A manual page shows them as characters.
    for block in re.split(r"\n\n", "\n".join(comment).replace("`", "")):
        parts = block.split("\n")
        indented = [part for part in parts if part.startswith(" ")]
        plain = [part for part in parts if not part.startswith(" ")]
        if any(plain):
            lines += paragraph(" ".join(plain))
        if indented:
            lines += literal([part[2:] for part in indented])
    return lines


def rows(table: str) -> dict[str, list[str]]:
    """Returns the rows of the table whose first column is `key`."""
    found = {}
    for line in table.split("| key |", 1)[1].split("\n")[2:]:
        if not line.startswith("|"):
            break
        cells = [cell.strip().replace("`", "") for cell in line.strip("|").split("|")]
        found[cells[0]] = cells
    return found


def facts(cells: list[str]) -> list[str]:
    """Returns the default and the values of a key, and its variable and option."""
    if len(cells) == 3:
        return paragraph(f"Default: {cells[1]}.")
    _, variable, option, default, values, in_force = cells
    lines = paragraph(f"Default: {default}. Values: {values}. A change takes effect at the next {in_force}.")
    if variable:
        lines += ["Variable:", f".Ev {word(variable)} ."]
    if option:
        lines += ["Option:", f".Fl {word(option[1:])} ."]
    return lines


def configuration_page(root: pathlib.Path, program: str, document: str) -> str:
    head, found = entries((root / f"config/{program}.yaml").read_text(encoding="utf-8"))
    table = rows((root / document).read_text(encoding="utf-8"))
    page = Page(root, f"{program}.yaml", 5, f"configuration of {program}")
    page.add("DESCRIPTION", rendered(head))
    items: list[tuple[str, list[str]]] = []
    for entry in found:
        body = rendered(entry.comment)
        if entry.key in table:
            body += facts(table[entry.key])
        # A group without a comment of its own is described by its keys.
        if body:
            items.append((f"Cm {word(entry.key)}", without_first_break(body)))
    page.add("KEYS", ["A dot separates a key from the group that contains it."] + tagged(items))
    return page.text()
