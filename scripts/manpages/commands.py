"""Manual pages of programs and of groups of commands, made from the dump of swift-argument-parser."""

import pathlib
import re

from manpages.mdoc import Page, literal, paragraph, sentences, tagged, word

# The largest number of options that a synopsis lists. If a command has more, the synopsis says "options".
OPTIONS_IN_SYNOPSIS = 6


class Argument:
    """A positional argument, an option with a value, or a flag."""

    def __init__(self, told: dict):
        self.is_positional = told["kind"] == "positional"
        self.value = told.get("valueName", "") if told["kind"] != "flag" else ""
        # Short names first, as in the help.
        names = sorted(told.get("names", []), key=lambda name: name["kind"] != "short")
        self.flags = [("-" if name["kind"] != "short" else "") + name["name"] for name in names]
        self.is_optional = told["isOptional"]
        self.is_repeating = told["isRepeating"]
        self.section = told.get("sectionTitle")
        self.text = [part for part in (told.get("abstract"), told.get("discussion")) if part]
        values, default = told.get("allValues"), told.get("defaultValue")
        if values:
            self.text.append("One of " + ", ".join(values) + ".")
        if default:
            self.text.append(f"Default: {default}")

    def is_of(self, others: list["Argument"]) -> bool:
        return any(self.flags and self.flags == other.flags and self.text == other.text for other in others)

    @property
    def tag(self) -> str:
        value = f" Ar {word(self.value)}" if self.value else ""
        return " , ".join(f"Fl {word(flag)}" for flag in self.flags) + value if self.flags else value.lstrip()

    @property
    def item(self) -> tuple[str, list[str]]:
        return self.tag, [line for text in self.text for line in sentences(text)]

    @property
    def usage(self) -> str:
        """Returns the argument as a line of the synopsis."""
        name = f"Fl {word(self.flags[0])}" if self.flags else ""
        value = f"Ar {word(self.value)}" if self.value else ""
        whole = " ".join(part for part in (name, value) if part) + (" ..." if self.is_repeating else "")
        return f".Op {whole}" if self.is_optional else f".{whole}"


class Command:
    """A command, with its visible subcommands."""

    def __init__(self, told: dict):
        self.name: str = told["commandName"]
        self.summary: str = told.get("abstract", "").rstrip(".")
        (self.blocks, self.statuses) = discussion(told.get("discussion", ""))
        self.arguments = [Argument(argument) for argument in told.get("arguments", []) if argument["shouldDisplay"]]
        shown = [below for below in told.get("subcommands", []) if below["shouldDisplay"]]
        self.commands = [Command(below) for below in shown if below["commandName"] != "help"]
        self.default = told.get("defaultSubcommand")

    @property
    def groups(self) -> list["Command"]:
        return [command for command in self.commands if command.commands]

    def leaves(self, path: list[str]) -> list[tuple["Command", list[str]]]:
        """Returns the commands below this one that have no subcommands, each with its path."""
        below = [(command, [*path, command.name]) for command in self.commands]
        return [leaf for one, way in below for leaf in (one.leaves(way) if one.commands else [(one, way)])]

    def synopsis(self, path: list[str], common: list[Argument]) -> list[str]:
        own = [argument for argument in self.arguments if not argument.is_of(common)]
        lines = [".Nm " + word(path[0])]
        if len(path) > 1:
            lines.append(".Cm " + " ".join(word(part) for part in path[1:]))
        options = [argument for argument in own if not argument.is_positional]
        if len(options) > OPTIONS_IN_SYNOPSIS:
            lines += [argument.usage for argument in options if not argument.is_optional] + [".Op Ar options"]
        else:
            lines += [argument.usage for argument in options]
        return lines + [argument.usage for argument in own if argument.is_positional]

    def options(self, common: list[Argument]) -> list[str]:
        """Returns the arguments and options of this command, without the common ones, by section."""
        own = [argument for argument in self.arguments if not argument.is_of(common)]
        lines: list[str] = []
        for title in dict.fromkeys(argument.section for argument in sorted(own, key=lambda one: bool(one.section))):
            lines += paragraph(f"{title}:") if title else []
            lines += tagged([argument.item for argument in own if argument.section == title])
        return lines

    def described(self, path: list[str], common: list[Argument]) -> list[str]:
        """Returns a subsection for this command."""
        names = " ".join(word(part) for part in path)
        body = [f".Ss {names}"] + self.synopsis(path, common) + paragraph(self.summary + ".") + self.blocks
        return body + self.options(common)


def discussion(text: str) -> tuple[list[str], list[tuple[str, str]]]:
    """Returns the paragraphs and lists of a text in mdoc, and its exit codes."""
    lines: list[str] = []
    statuses: list[tuple[str, str]] = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        parts = block.split("\n")
        rows = [re.fullmatch(r"\s+(\d+)\s+(.*)", part) for part in parts[1:]]
        named = [re.fullmatch(r" +([\w-]+): (.*)", part) for part in parts]
        if re.fullmatch(r"(?i)exit (codes|status):", parts[0]) and rows and all(rows):
            statuses = [(row.group(1), row.group(2)) for row in rows]
        elif all(named):
            items = [(f"Cm {word(row.group(1))}", sentences(row.group(2))) for row in named]
            lines += tagged(items)
        elif len(parts) > 1 or re.match(r"ghost\S+ .*[<|]", block):
            lines += literal(parts)
        elif block:
            lines += paragraph(block)
    return lines, statuses


def exit_status(statuses: list[tuple[str, str]]) -> list[str]:
    return tagged([(code, sentences(text)) for code, text in statuses], width="255")


def summary(command: Command) -> str:
    """Returns the summary for the section NAME, which has neither a capital nor a full stop."""
    return command.summary[:1].lower() + command.summary[1:]


def overview(command: Command, common: list[Argument]) -> list[str]:
    """Returns the list of subcommands, one line each. Groups have pages of their own."""
    items = []
    for below in command.commands:
        tag = f"Xr {command.name}-{below.name} 1" if below.commands else f"Cm {word(below.name)}"
        items.append((tag, sentences(below.summary + ".")))
    return [".Pp", "Commands:"] + tagged(items) if items else []


def command_page(root: pathlib.Path, command: Command, section: int) -> str:
    page = Page(root, command.name, section, summary(command))
    page.add("SYNOPSIS", command.synopsis([command.name], []) + ([".Op Ar command"] if command.commands else []))
    page.add("DESCRIPTION", paragraph(command.summary + ".") + command.blocks + overview(command, []))
    page.add("OPTIONS", command.options([]))
    single = [below for below in command.commands if not below.commands]
    paths = [(below, [command.name, below.name]) for below in single]
    page.add("COMMANDS", [line for below, path in paths for line in below.described(path, command.arguments)])
    page.add("EXIT STATUS", exit_status(command.statuses))
    return page.text()


def group_page(root: pathlib.Path, program: Command, group: Command) -> str:
    """Returns the page of a group of commands, such as ghoststorectl-files(1)."""
    page = Page(root, f"{program.name}-{group.name}", 1, summary(group))
    common = program.arguments
    paths = group.leaves([program.name, group.name])
    page.add("SYNOPSIS", [line for below, path in paths for line in below.synopsis(path, common)])
    page.add("DESCRIPTION", paragraph(group.summary + ".") + group.blocks + group.options(common))
    page.add("COMMANDS", [line for below, path in paths for line in below.described(path, common)])
    page.add("COMMON OPTIONS", program.options([]))
    page.add("EXIT STATUS", ["The exit codes are listed in", f".Xr {program.name} 1 ."])
    page.add("SEE ALSO", [f".Xr {program.name} 1 ,", ".Xr ghoststored 8"])
    return page.text()
