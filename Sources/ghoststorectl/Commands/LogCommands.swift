import ArgumentParser
import StoreClient

struct LogsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logs", abstract: "Write and read append logs, which have a name and a size limit.",
        subcommands: [
            LogsOpenCommand.self, LogsAppendCommand.self, LogsReadCommand.self, LogsFollowCommand.self,
            LogsInfoCommand.self, LogsListCommand.self, LogsDeleteCommand.self, LogsExportCommand.self,
            LogsImportCommand.self,
        ])
}

struct LogsOpenCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Create a log, or find the existing one.",
        discussion: """
            The size and the rule for overwriting are fixed when a log is created. If the log exists with other \
            settings, the command leaves it as it is and exits 3. --replicated also makes an existing log replicated.
            """)

    @Argument(help: "Name of the log, 1 to 256 bytes.", completion: .live(.logs))
    var log: String

    @OptionGroup var options: LogConfigurationOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let opened = try await session.client.openLog(
            log, options.configuration, isReplicated: options.replicated)
        guard opened.configuration == options.configuration else { throw opened.isMadeOtherwise }
        try session.output.show(opened)
    }
}

struct LogsInfoCommand: LogNaming {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Show the settings and size of a log.")

    @Argument(help: "Name of the log.", completion: .live(.logs))
    var log: String

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.output.show(try await session.client.log(log))
    }
}

struct LogsListCommand: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List all logs, sorted by name.")

    @OptionGroup var list: ListOptions<Log>
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try await list.show(session, emptyText: "no logs") { session.client.logs(from: $0) }
    }
}

struct LogsDeleteCommand: LogNaming {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a log with its messages.",
        discussion: """
            A replicated log is deleted on all devices of the group, with every message that any device appended \
            before.
            """)

    @Argument(help: "Name of the log.", completion: .live(.logs))
    var log: String

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.show(try await session.client.deleteLog(log))
    }
}
