import ArgumentParser
import StoreClient

struct ChangesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "changes", abstract: "List the recorded changes of the store, and delete old ones.",
        subcommands: [ChangesListCommand.self, ChangesCompactCommand.self])
}

struct ChangesListCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List changes by revision, the lowest first.")

    @OptionGroup var filter: ChangeFilterOptions
    @OptionGroup var page: PageOptions
    @OptionGroup var columns: ColumnOptions<Change>
    @OptionGroup var history: HistoryOptions
    @OptionGroup var global: GlobalOptions

    @Option(
        help: ArgumentHelp(
            "Begin after this revision (default: with the oldest change that is kept).", valueName: "revision"))
    var after: UInt64?

    @Option(help: ArgumentHelp("Only this many of the newest changes, the newest last.", valueName: "number"))
    var last: Int?

    @Option(help: ArgumentHelp("Only changes committed at or after this time: \(TimeOption.help).", valueName: "time"))
    var from: TimeOption?

    var subjects: [String] { filter.subjects }

    func validate() throws {
        guard last == nil || (after == nil && !page.all) else {
            throw ValidationError("--last cannot be combined with --after or --all")
        }
        guard from == nil || (after == nil && last == nil) else {
            throw ValidationError("--from cannot be combined with --after or --last")
        }
        guard (last ?? 1) > 0 else { throw ValidationError("--last must be at least 1") }
    }

    func run(_ session: Session) async throws {
        let client = history.client(session)
        if let last {
            let found = try await NewestChanges(client: client, filter: filter.filter).last(last)
            return try session.output.show(found, columns.names, emptyText: "no changes")
        }
        var revision = try await startRevision(client)
        let listing = try Listing<Change>(
            session.output, columns.names, emptyText: "no changes after revision \(revision)")
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
        let status = try await client.status()
        guard let from else { return status.compactedThroughRevision }
        return try await lastRevision(before: from.timestamp, client, status)
    }

    /// Finds the newest revision before a time by binary search, because revisions are committed in the order of time.
    private func lastRevision(
        before time: Timestamp, _ client: StoreClient, _ status: Status
    ) async throws(StoreClientError) -> UInt64 {
        var (low, high) = (status.compactedThroughRevision, status.revision)
        while low < high {
            let middle = low + (high - low) / 2
            let found = try await client.changePage(after: middle, limit: 1).changes.first
            if let found, found.committedAt < time {
                low = min(high, max(middle + 1, found.revision))
            } else {
                high = middle
            }
        }
        return low
    }
}

/// Finds the newest changes that pass a filter, searching backward from the end of the store in growing steps.
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
        commandName: "compact",
        abstract: "Delete old changes from the change log. Programs that still need them must read the store again.")

    @Option(help: ArgumentHelp("Delete the changes up to this revision, inclusive.", valueName: "revision"))
    var through: UInt64

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) async throws {
        let revision = try await session.client.compactChanges(through: through)
        try session.output.say(
            "deleted the changes up to revision \(revision)", json: ["compacted_through_revision": revision])
    }
}

struct WatchCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Show changes of the store live, or only the changes of one conversation.",
        discussion: "Changes are shown with ids and without content; 'messages follow' shows messages with their text. "
            + Following.helpText
    )

    @OptionGroup var filter: ChangeFilterOptions
    @OptionGroup var watch: WatchOptions
    @OptionGroup var global: GlobalOptions

    var endsWithTimeout: Bool { true }

    var subjects: [String] { filter.subjects }

    func run(_ session: Session) async throws {
        try await watch.following.printChanges(filter.filter, session)
    }
}
