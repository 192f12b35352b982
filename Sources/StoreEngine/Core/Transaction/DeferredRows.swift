import SQLCipher

/// Rows that an area writes once for many requests. They wait in memory until the pages of those requests are
/// committed.
protocol DeferredRows: AnyObject {
    /// Writes the rows that wait.
    func write(_ connection: Connection) throws(StoreError)
    /// Forgets the rows that wait.
    func removeAll()
    /// Returns how many rows requests have written on the connection, without the rows that waited.
    func rowsWrittenByRequests(_ connection: Connection) -> Int
    /// True if few rows wait, so that writing them takes no time of note.
    var isShort: Bool { get }
}
