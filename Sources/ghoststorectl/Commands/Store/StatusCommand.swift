import ArgumentParser
import StoreClient

struct StatusCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the daemon and the state of its store, in every state.",
        discussion: "Exits 0 whenever the daemon answers, whatever the store's state; --require-open changes that.")

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Exit 3 when the store is not open for reading and writing.")
    var requireOpen = false

    func run(_ session: Session) async throws {
        let status = try await session.client.status()
        try session.output.show(status)
        if requireOpen, status.storeState != .open {
            throw CommandFailure(.precondition, "the store is \(status.storeState.word)")
        }
    }
}

struct StatsCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Count conversations, messages and contacts: exact, in constant time.")

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        try session.output.show(try await session.client.statistics())
    }
}

struct MetricsCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics", abstract: "Print the daemon's metrics in Prometheus text format.")

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let text = try await session.client.metrics()
        if session.output.isJSON {
            var object = JSONObject()
            object.add("text", text)
            try session.output.line(object.closed)
        } else {
            try session.output.raw(Array(text.utf8))
        }
    }
}
