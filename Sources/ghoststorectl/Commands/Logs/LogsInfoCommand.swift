import ArgumentParser
import StoreClient

struct LogsInfoCommand: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "info", abstract: "Show what is known of a log.")

    @Argument(help: "Name of the log.")
    var log: String

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.output.show(try await session.client.log(log))
    }
}

struct LogsListCommand: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List logs by name.")

    @OptionGroup var page: PageOptions
    @OptionGroup var global: GlobalOptions

    @Option(help: "Go on where a page ended.")
    var cursor: String?

    func run(_ session: Session) async throws {
        var cursor = cursor
        repeat {
            let found = try await session.client.logPage(limit: page.pageRows, cursor: cursor)
            try session.output.show(found.logs, emptyText: "no logs")
            cursor = found.nextCursor
        } while page.all && cursor != nil
        session.hintAtMore("--cursor", cursor)
    }
}

struct LogsDeleteCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a log with its messages.")

    @Argument(help: "Name of the log.")
    var log: String

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.show(try await session.client.deleteLog(log))
    }
}
