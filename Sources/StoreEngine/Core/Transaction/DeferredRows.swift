import SQLCipher

/// Rows that an area writes once for many requests. They wait in memory until the pages of those requests are
/// committed.
protocol DeferredRows: AnyObject {
    /// Writes the waiting rows.
    func write(_ connection: Connection) throws(StoreError)
    /// Discards the waiting rows.
    func removeAll()
    /// Returns the number of rows that requests have written on the connection, not counting the deferred rows.
    func rowsWrittenByRequests(_ connection: Connection) -> Int
    /// True if so few rows wait that writing them takes negligible time.
    var isShort: Bool { get }
}
