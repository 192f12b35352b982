import StoreClient

extension StorageManager {
    /// Exact counts, in constant time.
    public func getStatistics() async throws(StorageError) -> StorageStatistics {
        try await storing { () throws(StoreClientError) in
            StorageStatistics(try await client.statistics())
        }
    }

    /// Deletes every conversation, message and contact of the store, and the scenes and logs that other libraries keep
    /// in it. This cannot be undone.
    public func clearAllData() async throws(StorageError) {
        try await storing(isSave: true) { () throws(StoreClientError) in
            try await client.clearAllData()
        }
    }
}
