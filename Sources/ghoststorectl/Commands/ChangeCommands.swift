import ArgumentParser
import StoreClient

struct ChangesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "changes", abstract: "What happened to the store, by revision.",
        subcommands: [ChangesListCommand.self, ChangesCompactCommand.self])
}

struct ChangesListCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List changes in the order of their revisions, the lowest first.")

    @OptionGroup var filter: ChangeFilterOptions
    @OptionGroup var page: PageOptions
    @OptionGroup var history: HistoryOptions
    @OptionGroup var global: GlobalOptions

    @Option(
        help: ArgumentHelp(
            "Changes with a greater revision; from the first one kept by default.", valueName: "revision"))
    var after: UInt64?

    @Option(help: ArgumentHelp("Only the newest so many, the newest at the end.", valueName: "number"))
    var last: Int?

    func validate() throws {
        guard last == nil || (after == nil && !page.all) else {
            throw ValidationError("--last excludes --after and --all")
        }
        guard (last ?? 1) > 0 else { throw ValidationError("--last is at least 1") }
    }

    func run(_ session: Session) async throws {
        let client = history.client(session)
        if let last {
            let found = try await NewestChanges(client: client, filter: filter.filter).last(last)
            return try session.output.show(found, emptyText: "no changes")
        }
        var revision = try await startRevision(client)
        let listing = Listing<Change>(session.output, emptyText: "no changes after revision \(revision)")
        var hasMore = false
        try await page.eachPage { wanted in
            let found = try await client.changePage(after: revision, limit: wanted, filter.filter)
            try listing.show(found.changes)
            (revision, hasMore) = (found.throughRevision, found.hasMore)
            return (found.changes.count, hasMore)
        }
        try listing.finish()
        session.hintAtMore("--after", hasMore ? String(revision) : nil)
    }

    private func startRevision(_ client: StoreClient) async throws(StoreClientError) -> UInt64 {
        if let after {
            return after
        }
        return try await client.status().compactedThroughRevision
    }
}

/// Which changes to show.
struct ChangeFilterOptions: ParsableArguments {
    @OptionGroup var conversation: OptionalConversationOption

    @Option(help: "Only changes of this kind. Can be repeated.")
    var kind: [ChangeKindOption] = []

    var filter: WatchFilter {
        WatchFilter(kinds: kind.map(\.kind), conversation: conversation.reference)
    }
}

/// Looks for the newest changes that pass a filter from the end of the store, in steps that grow.
struct NewestChanges {
    let client: StoreClient
    let filter: WatchFilter

    func last(_ count: Int) async throws(StoreClientError) -> [Change] {
        let status = try await client.status()
        let (newest, oldest) = (status.revision, status.compactedThroughRevision)
        var width = UInt64(clamping: count)
        while true {
            let start = newest > width ? max(oldest, newest - width) : oldest
            let found = try await client.changes(after: start, filter).collect()
            if found.count >= count || start == oldest {
                return found.suffix(count)
            }
            width = width > .max / 8 ? .max : width * 8
        }
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

    @OptionGroup var filter: ChangeFilterOptions
    @OptionGroup var history: HistoryOptions
    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Replay the changes with a greater revision first.", valueName: "revision"))
    var after: UInt64?

    @Option(help: ArgumentHelp("End after so many changes.", valueName: "number"))
    var count: Int?

    func validate() throws {
        guard (count ?? 1) > 0 else { throw ValidationError("--count is at least 1") }
    }

    var subjects: [String] { [filter.conversation.conversation].compactMap { $0 } }

    func run(_ session: Session) async throws {
        let following = RevisionFollowing(after: after, history: history.history?.id, count: count)
        try await following.printChanges(filter.filter, session)
    }
}

/// What comes after a revision of the store, as it comes.
struct RevisionFollowing {
    /// The revision to start after; `nil`: from now on.
    let after: UInt64?
    /// The history that it is of; `nil`: any.
    var history: HistoryID?
    /// How much to show; `nil`: until interrupted.
    let count: Int?

    func printChanges(_ filter: WatchFilter, _ session: Session) async throws {
        try await forEach(session) { (revision, history) throws(StoreClientError) in
            try await session.client.watch(after: revision, of: history, filter)
        } show: { change in
            try session.output.say(
                "\(session.text(change.committedAt))  \(change.sentence)", json: change.json)
            return true
        }
    }

    /// - Parameters:
    ///   - follow: the stream of what comes after a revision of a history.
    ///   - show: tells whether an element was one to count.
    func forEach<Stream: ResumableStream>(
        _ session: Session, _ follow: (UInt64?, HistoryID?) async throws(StoreClientError) -> Stream,
        show: (Stream.Element) throws -> Bool
    ) async throws {
        let following = Following(session: session)
        var remaining = count ?? .max
        var place: UInt64?
        var history = history
        try await following.run {
            try await following.acrossLocks(hasBegun: { place != nil }) {
                let stream = try await follow(place ?? after, history)
                history = stream.historyID ?? history
                if place == nil, after == nil {
                    Diagnostics.write("watching from revision \(stream.revision)")
                }
                // It moves on while nothing passes the filter, too.
                defer { place = stream.revision }
                for try await element in stream {
                    remaining -= try show(element) ? 1 : 0
                    guard remaining > 0 else { return }
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
