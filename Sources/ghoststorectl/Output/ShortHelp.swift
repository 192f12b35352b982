import ArgumentParser

/// The help for a command line without any command: the commands that people use most, the groups of commands, and
/// where to read more.
enum ShortHelp {
    private static let mostUsed: [(name: String, command: any ParsableCommand.Type)] = [
        ("init", InitCommand.self), ("unlock", UnlockCommand.self), ("status", StatusCommand.self),
        ("doctor", DoctorCommand.self), ("conversations list", ConversationsListCommand.self),
        ("messages list", MessagesListCommand.self), ("messages save", MessagesSaveCommand.self),
        ("messages follow", MessagesFollowCommand.self), ("search messages", SearchMessagesCommand.self),
        ("backup create", BackupCreateCommand.self),
    ]
    private static let readOn = [
        ("ghoststorectl --help", "all commands, common options and exit codes"),
        ("ghoststorectl help COMMAND", "one command, such as 'messages list'"),
        ("man ghoststorectl", "the manual page"),
    ]

    static func text(columns: Int) -> String {
        let groups = RootCommand.configuration.groupedSubcommands.map { group in
            (group.name, group.subcommands.compactMap { $0.configuration.commandName }.joined(separator: ", "))
        }
        let parts = [
            ["USAGE: ghoststorectl <command> [<options>]"],
            ["MOST USED COMMANDS:"] + lines(mostUsed.map { ($0.name, $0.command.configuration.abstract) }, columns),
            ["GROUPS OF COMMANDS:"] + lines(groups, columns), ["READ ON:"] + lines(readOn, columns),
        ]
        return parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    /// Returns an entry for each pair, with the second texts in one column.
    private static func lines(_ entries: [(String, String)], _ columns: Int) -> [String] {
        let width = entries.map(\.0.count).max() ?? 0
        return entries.flatMap { name, text in
            let padded = "  " + name + String(repeating: " ", count: width - name.count + 1)
            return TextFill.lines(
                [padded] + text.split(separator: " ").map(String.init), columns: columns, indent: width + 4)
        }
    }
}
