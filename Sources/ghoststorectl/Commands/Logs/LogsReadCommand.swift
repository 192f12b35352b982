import ArgumentParser
import StoreClient

struct LogsReadCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Show messages of a log, oldest first.",
        discussion: "A line each, as text. --json gives the sequence number too, and in base64 what is not UTF-8.")

    @Argument(help: "Name of the log.")
    var log: String

    @OptionGroup var page: PageOptions
    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Only messages with a greater sequence number.", valueName: "sequence"))
    var after: UInt64 = 0

    func run(_ session: Session) async throws {
        var last = after
        var hasMore = true
        var rows = page.limit
        while hasMore, page.all || rows > 0 {
            let found = try await session.client.logEntryPage(
                log, after: last, limit: page.all ? page.pageRows : rows)
            for entry in found.entries {
                try session.output.show(entry)
            }
            rows -= found.entries.count
            last = found.entries.last?.sequence ?? last
            hasMore = found.hasMore
        }
        session.hintAtMore("--after", hasMore ? String(last) : nil)
    }
}

struct LogsFollowCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow", abstract: "Show messages of a log as they are appended.",
        discussion: "Goes on until it is interrupted, across restarts of the daemon.")

    @Argument(help: "Name of the log.")
    var log: String

    @OptionGroup var global: GlobalOptions

    @Option(
        help: ArgumentHelp(
            "Start with the message after this one; 0 is the oldest. By default only new ones.", valueName: "sequence"))
    var after: UInt64?

    @Option(help: ArgumentHelp("End after so many messages.", valueName: "number"))
    var count: Int?

    func validate() throws {
        guard (count ?? 1) > 0 else {
            throw ValidationError("--count is at least 1")
        }
    }

    func run(_ session: Session) async throws {
        let newest = try await session.client.log(log).sequences?.upperBound ?? 0
        var remaining = count ?? .max
        for try await entry in session.client.followLog(log, after: after ?? newest) {
            try session.output.show(entry)
            remaining -= 1
            if remaining == 0 {
                return
            }
        }
    }
}
