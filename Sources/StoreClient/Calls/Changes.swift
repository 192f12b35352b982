import StoreProtocol

/// What happened to the store, by revision.
extension StoreClient {
    /// The changes with a greater revision, up to the store's present one. It ends by throwing `.changesCompacted` when
    /// they are no longer kept.
    public func changes(after revision: UInt64 = 0) -> PagedList<ChangePage> {
        PagedList { (previous) throws(StoreClientError) in
            guard let previous else { return try await changePage(after: revision, limit: PageSize.following) }
            guard previous.hasMore, let last = previous.changes.last else { return nil }
            return try await changePage(after: last.revision, limit: PageSize.following)
        }
    }

    /// A page of changes with a greater revision. `.changesCompacted` when they are no longer kept.
    ///
    /// - Parameters:
    ///   - revision: of the last change that is not wanted; 0 starts at the oldest.
    ///   - limit: 1 to 10,000.
    public func changePage(after revision: UInt64, limit: Int = 1_000) async throws(StoreClientError) -> ChangePage {
        var call = WireListChangesRequest()
        call.afterRevision = revision
        call.limit = UInt32(clamping: limit)
        let answered = try await answer(to: .listChanges(call), .read) { result in
            if case .changes(let page) = result { page } else { nil }
        }
        return try ChangePage(answered, after: revision)
    }

    /// Follows the store's changes. Returns when the daemon has confirmed where the watch stands: whatever is
    /// committed from then on will be seen.
    ///
    /// - Parameters:
    ///   - revision: replay the changes with a greater revision first; without one, only what is committed from now on.
    ///   - filter: which changes; all by default.
    public func watch(
        after revision: UInt64? = nil, _ filter: WatchFilter = WatchFilter()
    ) async throws(StoreClientError) -> ChangeStream {
        let session = WatchSession(
            connection: connection, after: revision, filter: filter, startDeadline: uptimeDeadline(for: .read))
        try await session.start()
        return ChangeStream(session: session, startRevision: session.takenRevision)
    }

    /// Forgets changes up to and including a revision. Who has not seen them cannot watch from there any more.
    /// - Returns: changes with a greater revision than this are still kept.
    @discardableResult
    public func compactChanges(
        through revision: UInt64, idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> UInt64 {
        var call = WireCompactChangesRequest()
        call.throughRevision = revision
        return try await answer(to: .compactChanges(call), .mutation(idempotencyKey)) { result in
            if case .compactChanges(let compacted) = result { compacted.compactedThroughRevision } else { nil }
        }
    }
}
