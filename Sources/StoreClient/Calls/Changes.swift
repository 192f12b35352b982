import StoreProtocol
import Synchronization

/// Calls about the changes of the store, which are ordered by revision.
extension StoreClient {
    /// Lists the changes after `revision` that pass a filter, in the order of their revisions, up to the store's
    /// current revision. The list ends by throwing:
    ///
    /// - `.changesCompacted` if the store no longer has the changes;
    /// - `.revisionAhead` if the store has not reached the revision;
    /// - `.historyChanged` if a backup is restored meanwhile.
    ///
    /// If the filter has a session ID, each iteration resolves it to a conversation when it begins.
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

    /// Follows the store's changes. Returns when the daemon has confirmed the watch. From that moment on, the watch
    /// receives everything that is committed. The watch continues after a restart of the daemon, and after the store
    /// was locked, unless `with(waitsWhileLocked:)` says otherwise.
    ///
    /// - Parameters:
    ///   - revision: The watch first receives the changes after this revision; `nil` begins with the changes that are
    ///     committed from now on.
    ///   - history: The history of `revision`, from an earlier watch (`ChangeStream.historyID`).
    ///   - filter: The changes to receive; all by default.
    /// - Throws: `.historyChanged` if the store has another history than `history`, because a backup was restored or
    ///   commits were lost: the same revisions then mean other changes. Read the data itself again after this error,
    ///   and also after `.changesCompacted` and `.revisionAhead`. `.conversationNotFound` for a session ID in the
    ///   filter that no conversation has. `.tooManyWatches`.
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
        return ChangeStream(session: session, startRevision: session.consumedRevision)
    }

    /// Returns the filter with the conversation that has the session ID now.
    private func resolve(_ filter: WatchFilter) async throws(StoreClientError) -> WatchFilter {
        var resolved = filter
        resolved.conversation = try await conversationID(filter).map { .id($0) }
        return resolved
    }

    /// Returns the ID of the filter's conversation, because changes contain IDs of conversations, not session IDs.
    func conversationID(_ filter: WatchFilter) async throws(StoreClientError) -> String? {
        switch filter.conversation {
        case nil: nil
        case .id(let id): id
        case .sessionID(let sessionID): try await conversation(.sessionID(sessionID)).id
        }
    }
}

/// The filter of one iteration, in which the id of a conversation has replaced its session id. The daemon is asked for
/// this id only once. Only one task at a time uses this object.
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
