import ArgumentParser

/// Arranges the help that ArgumentParser writes. ArgumentParser wraps all lines to the terminal, except the usage line.
enum HelpText {
    private static let title = "USAGE: "

    static func fitted(_ text: String, columns: Int) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { $0.hasPrefix(title) ? usage($0.dropFirst(title.count), columns) : String($0) }
            .joined(separator: "\n")
    }

    /// Returns the usage and the commands of a group, for a command line that contains the group but no command of it.
    static func commands(of group: any ParsableCommand.Type) -> String {
        let columns = Terminal.textColumns
        let help = fitted(RootCommand.helpMessage(for: group, columns: columns), columns: columns)
        return joined(sections(help).filter { $0[0].hasPrefix(title) || isOfCommands($0[0]) })
    }

    /// Returns true for help, and false for other texts of ArgumentParser, such as a version.
    static func isHelp(_ text: String) -> Bool {
        sections(text).contains { $0[0].hasPrefix(title) }
    }

    /// Moves the usage and the commands of a group to the beginning, because people look for them first. Moves the exit
    /// codes to the end.
    static func ordered(_ text: String) -> String {
        let sections = sections(text)
        let commands = sections.indices.filter { isOfCommands(sections[$0][0]) }
        guard let usage = sections.firstIndex(where: { $0[0].hasPrefix(title) }), usage > 0, !commands.isEmpty else {
            return text
        }
        let last = sections.indices.filter { sections[$0][0].hasPrefix("EXIT STATUS:") }
        let others = sections.indices.filter { ![[0, usage], commands, last].joined().contains($0) }
        // The first section consists of the abstract, an empty line and the discussion.
        let abstract = Array(sections[0].prefix { !$0.isEmpty })
        let discussion = Array(sections[0].dropFirst(abstract.count).drop(while: \.isEmpty))
        // The lists of commands stay in their order, because the last list ends with a line about `help`.
        return joined(
            [abstract, sections[usage]] + commands.map { sections[$0] } + (discussion.isEmpty ? [] : [discussion])
                + (others + last).map { sections[$0] })
    }

    /// Joins sections with one empty line between them.
    private static func joined(_ sections: [[String]]) -> String {
        sections.map { lines in
            lines.reversed().drop(while: \.isEmpty).reversed().joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    private static func isOfCommands(_ heading: String) -> Bool {
        heading.hasSuffix("SUBCOMMANDS:")
    }

    /// Splits a text into sections, which begin with a heading in capitals.
    private static func sections(_ text: String) -> [[String]] {
        var sections: [[String]] = [[]]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.prefixMatch(of: /[A-Z][A-Z, ]*:/) != nil, sections.last?.isEmpty == false {
                sections.append([])
            }
            sections[sections.count - 1].append(line)
        }
        return sections
    }

    /// Returns the usage line of an error in short form: `[<options>]` replaces all options that are not required.
    static func shortUsage(_ line: Substring) -> String {
        let words = words(line)
        let wanted = words.filter { !$0.hasPrefix("[-") && $0 != "[<options>]" }
        return (wanted + (wanted.count < words.count ? ["[<options>]"] : [])).joined(separator: " ")
    }

    /// Returns the usage line, wrapped to the given columns. The common options, which all commands have, are replaced
    /// by one word.
    private static func usage(_ line: Substring, _ columns: Int) -> String {
        let words = words(line)
        let isShortened = words.contains("[<options>]")
        let shown = (isShortened ? whole(words) : nil) ?? own(words)
        return TextFill.lines([String(title.dropLast())] + shown, columns: columns, indent: title.count)
            .joined(separator: "\n")
    }

    private static func own(_ words: [String]) -> [String] {
        let common = Set(Self.words(GlobalOptions.usageString()[...]).filter { $0.hasPrefix("[") })
        let own = words.filter { !common.contains($0) }
        return own.count < words.count ? own + ["[<common options>]"] : own
    }

    /// Returns the words of the usage line with all of the command's own options. If a command has many options,
    /// ArgumentParser writes `[<options>]` instead of them.
    private static func whole(_ words: [String]) -> [String]? {
        let root = CommandSyntax.root
        var (node, path) = (root, Array(words.prefix(1)))
        for word in words.dropFirst() {
            guard let next = node.commands[word] else { break }
            (node, path) = (next, path + [word])
        }
        guard path.count > 1 else { return nil }
        let common = Set(root.usage)
        return path + node.usage.filter { !common.contains($0) } + ["[<common options>]"]
    }

    /// Returns the words of a usage line. Text in brackets is one word.
    private static func words(_ line: Substring) -> [String] {
        var words = [""]
        var depth = 0
        for character in line {
            depth += "[<".contains(character) ? 1 : "]>".contains(character) ? -1 : 0
            if character == " ", depth == 0 {
                words.append("")
            } else {
                words[words.count - 1].append(character)
            }
        }
        return words.filter { !$0.isEmpty }
    }
}
