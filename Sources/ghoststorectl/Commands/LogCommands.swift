import ArgumentParser
import StoreClient

struct LogsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logs", abstract: "Append logs: named, bounded, readable in order.",
        subcommands: [
            LogsOpenCommand.self, LogsAppendCommand.self, LogsReadCommand.self, LogsFollowCommand.self,
            LogsInfoCommand.self, LogsListCommand.self, LogsDeleteCommand.self, LogsExportCommand.self,
            LogsImportCommand.self,
        ])
}

struct LogsOpenCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Make a log, or find the one of this name.",
        discussion: """
            Size and overwriting are fixed for the life of a log. One that was made otherwise is left as it is: exit \
            status 3, as its appends would be refused. --replicated makes one that is there replicated, too.
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

struct LogsInfoCommand: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "info", abstract: "Show what is known of a log.")

    @Argument(help: "Name of the log.", completion: .live(.logs))
    var log: String

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [log] }

    func run(_ session: Session) async throws {
        try session.output.show(try await session.client.log(log))
    }
}

struct LogsListCommand: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List logs by name.")

    @OptionGroup var list: ListOptions<Log>
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try await list.show(session, emptyText: "no logs") { session.client.logs(from: $0) }
    }
}

struct LogsDeleteCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a log with its messages.",
        discussion: """
            One that is replicated is deleted on all devices of the group, with what was appended anywhere before.
            """)

    @Argument(help: "Name of the log.", completion: .live(.logs))
    var log: String

    @OptionGroup var global: GlobalOptions

    var subjects: [String] { [log] }

    func run(_ session: Session) async throws {
        try session.show(try await session.client.deleteLog(log))
    }
}
