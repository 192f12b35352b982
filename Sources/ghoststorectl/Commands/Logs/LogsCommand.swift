import ArgumentParser

struct LogsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logs", abstract: "Append logs: named, bounded, readable in order.",
        subcommands: [
            LogsOpenCommand.self, LogsAppendCommand.self, LogsReadCommand.self, LogsFollowCommand.self,
            LogsInfoCommand.self, LogsListCommand.self, LogsDeleteCommand.self, LogsExportCommand.self,
            LogsImportCommand.self,
        ])
}
