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
        let listing = Listing<Change>(session.output, emptyText: "no changes after revision \(revision)")
        while true {
            let found = try await session.client.changePage(after: revision, limit: page.pageRows)
            try listing.show(found.changes)
            revision = found.changes.last?.revision ?? revision
            if !page.all || !found.hasMore {
                try listing.finish()
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
        try session.output.say(
            "changes through revision \(revision) are forgotten", json: ["compacted_through_revision": revision])
    }
}

struct WatchCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Follow the store's changes, or those of a conversation and its messages.",
        discussion: Following.helpText)

    @OptionGroup var conversation: OptionalConversationOption
    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Replay the changes with a greater revision first.", valueName: "revision"))
    var after: UInt64?

    @Option(help: "Only changes of this kind. Can be repeated.")
    var kind: [ChangeKindOption] = []

    @Option(help: ArgumentHelp("End after so many changes.", valueName: "number"))
    var count: Int?

    func validate() throws {
        guard (count ?? 1) > 0 else { throw ValidationError("--count is at least 1") }
    }

    var subjects: [String] { [conversation.conversation].compactMap { $0 } }

    func run(_ session: Session) async throws {
        let filter = WatchFilter(kinds: kind.map(\.kind), conversationID: try await conversation.id(session.client))
        try await ChangeFollowing(after: after, count: count).run(filter, session)
    }
}

/// Prints changes as they come.
struct ChangeFollowing {
    /// The revision to start after; `nil`: from now on.
    let after: UInt64?
    /// How many changes to print; `nil`: until interrupted.
    let count: Int?

    func run(_ filter: WatchFilter, _ session: Session) async throws {
        var remaining = count ?? .max
        try await forEach(filter, session) { change in
            let sentence = "\(session.text(change.committedAt))  \(change.sentence)"
            try session.output.say(sentence, json: change.json)
            remaining -= 1
            return remaining > 0
        }
    }

    /// - Parameter body: tells whether to go on.
    func forEach(_ filter: WatchFilter, _ session: Session, _ body: (Change) async throws -> Bool) async throws {
        let following = Following(session: session)
        // Where to go on: a change whose handling fails is told again.
        var place: UInt64?
        try await following.run {
            try await following.acrossLocks(hasBegun: { place != nil }) {
                let changes = try await session.client.watch(after: place ?? after, filter)
                if place == nil, after == nil {
                    Diagnostics.write("watching from revision \(changes.startRevision)")
                }
                place = place ?? changes.startRevision
                for try await change in changes {
                    guard try await body(change) else { return }
                    place = change.revision
                }
            }
        }
    }
}

/// A kind of change, on the command line.
struct ChangeKindOption: ExpressibleByArgument {
    let kind: Change.Kind

    init?(argument: String) {
        guard let kind = Change.Kind(word: argument) else { return nil }
        self.kind = kind
    }

    static var allValueStrings: [String] {
        Change.Kind.allCases.filter { $0 != .unknown }.map(\.word)
    }
}
