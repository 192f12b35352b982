import StoreProtocol
import Synchronization

/// What happened to the store, by revision.
extension StoreClient {
    /// The changes with a greater revision that pass a filter, in the order of their revisions, up to the store's
    /// present one. It ends by throwing `.changesCompacted` when they are no longer kept, `.revisionAhead` when the
    /// store has not reached the revision, `.historyChanged` when a backup takes the store's place meanwhile. Every
    /// iteration is of the one conversation that had the filter's session id when it began.
    public func changes(
        after revision: UInt64 = 0, _ filter: WatchFilter = WatchFilter()
    ) -> PagedList<ChangePage> {
        PagedList(eachIteration: {
            let resolution = FilterResolution()
            return { (previous, limit) throws(StoreClientError) in
                if let previous, !previous.hasMore { return nil }
                let resolved = try await resolution.value { () throws(StoreClientError) in try await resolve(filter) }
                return try await with(history: previous?.historyID ?? history).changePage(
                    after: previous?.throughRevision ?? revision, limit: limit ?? PageSize.following, resolved)
            }
        })
    }

    /// Follows the store's changes. Returns when the daemon has confirmed the watch: it will see everything that is
    /// committed from then on. It continues after a restart of the daemon, and after the store was locked, unless
    /// `with(waitsWhileLocked:)` says otherwise.
    ///
    /// - Parameters:
    ///   - revision: replay the changes with a greater revision first; without one, only what is committed from now on.
    ///   - history: the one that `revision` is of, as an earlier watch told it (`ChangeStream.historyID`).
    ///   - filter: which changes; all by default.
    /// - Throws: `.historyChanged` when a backup took the store's place since, or commits were lost, so that its
    ///   revisions are other ones: read the data itself again; so, too, after `.changesCompacted` and `.revisionAhead`.
    ///   `.conversationNotFound` for a session id in the filter that no conversation has. `.tooManyWatches`.
    public func watch(
        after revision: UInt64? = nil, of history: HistoryID? = nil, _ filter: WatchFilter = WatchFilter()
    ) async throws(StoreClientError) -> ChangeStream {
        var request = WireWatchRequest()
        request.apply(filter)
        request.conversationID = try await conversationID(filter) ?? ""
        let session = WatchSession(
            connection: connection, request, after: revision, of: history ?? self.history,
            startDeadline: uptimeDeadline(for: .read), waitsWhileLocked: waitsWhileLocked)
        try await session.start()
        return ChangeStream(session: session, startRevision: session.takenRevision)
    }

    /// The filter with the conversation that has the session id now.
    private func resolve(_ filter: WatchFilter) async throws(StoreClientError) -> WatchFilter {
        var resolved = filter
        resolved.conversation = try await conversationID(filter).map { .id($0) }
        return resolved
    }

    /// Changes have ids of conversations, not session ids.
    func conversationID(_ filter: WatchFilter) async throws(StoreClientError) -> String? {
        switch filter.conversation {
        case nil: nil
        case .id(let id): id
        case .sessionID(let sessionID): try await conversation(.sessionID(sessionID)).id
        }
    }
}

/// What a filter of one iteration stands for: asked once. One task at a time asks.
private final class FilterResolution: Sendable {
    private let resolved = Mutex<WatchFilter?>(nil)

    func value(
        _ resolve: () async throws(StoreClientError) -> WatchFilter
    ) async throws(StoreClientError) -> WatchFilter {
        if let known = resolved.withLock({ $0 }) {
            return known
        }
        let found = try await resolve()
        resolved.withLock { $0 = found }
        return found
    }
}

extension ChangePage: NumberedPage {
    static func number(of change: Change) -> UInt64 { change.revision }

    var nextStart: UInt64? { hasMore ? throughRevision : nil }
}
