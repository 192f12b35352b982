import StoreProtocol

/// Looking after the store.
extension StoreClient {
    /// Exact counts, in constant time.
    public func statistics() async throws(StoreClientError) -> Statistics {
        let answered = try await answer(to: .getStatistics(WireGetStatisticsRequest()), .read) { result in
            if case .statistics(let statistics) = result { statistics } else { nil }
        }
        return Statistics(answered)
    }

    /// Reads every page and row.
    /// - Parameter progress: called on the connection's thread: return quickly.
    public func checkStore(
        progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
    ) async throws(StoreClientError) -> CheckReport {
        try await finish(RequestBody(.checkStore(WireCheckStoreRequest())), progress: progress) { result in
            if case .checkReport(let report) = result { CheckReport(report) } else { nil }
        }
    }

    /// Deletes every conversation, message, contact, scene and log. This cannot be undone.
    @discardableResult
    public func clearAllData(
        idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        var call = WireClearAllDataRequest()
        call.confirmation = "clear all data"
        return try await commit(.clearAllData_p(call), key: idempotencyKey)
    }
}
