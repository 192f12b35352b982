import ArgumentParser
import StoreClient

struct ChangesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "changes", abstract: "What happened to the store, by revision.",
        subcommands: [ChangesListCommand.self, ChangesCompactCommand.self])
}

struct ChangesListCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List changes in the order of their revisions.")

    @OptionGroup var page: PageOptions
    @OptionGroup var global: GlobalOptions

    @Option(
        help: ArgumentHelp(
            "Changes with a greater revision; from the first one kept by default.", valueName: "revision"))
    var after: UInt64?

    func run(_ session: Session) async throws {
        var revision = try await startRevision(session)
        while true {
            let found = try await session.client.changePage(after: revision, limit: page.pageRows)
            try session.output.show(found.changes, emptyText: "no changes after revision \(revision)")
            revision = found.changes.last?.revision ?? revision
            if !page.all || !found.hasMore {
                session.hintAtMore("--after", found.hasMore ? String(revision) : nil)
                return
            }
        }
    }

    private func startRevision(_ session: Session) async throws(StoreClientError) -> UInt64 {
        if let after {
            return after
        }
        return try await session.client.statistics().compactedThroughRevision
    }
}

struct ChangesCompactCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact", abstract: "Forget old changes. Watchers that still need them have to read anew.")

    @Option(help: ArgumentHelp("The last revision to forget.", valueName: "revision"))
    var through: UInt64

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let revision = try await session.client.compactChanges(through: through)
        var object = JSONObject()
        object.add("compacted_through_revision", revision)
        try session.output.say("changes through revision \(revision) are forgotten", json: object)
    }
}
