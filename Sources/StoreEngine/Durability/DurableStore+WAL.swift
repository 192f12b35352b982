import SQLCipher

/// Checkpoints of the WAL, and the release of journal segments that follows them.
extension DurableStore {
    /// The number of attempts to empty the WAL on close, and the wait between them, for readers that are about to end.
    /// If all attempts fail, the WAL may contain removed content until the store is next opened.
    private static let triesAtEnd = 20
    private static let millisecondsBetweenTries = 5

    /// Copies all committed pages to the database file, truncates the WAL to zero bytes, and erases the journal
    /// segments that are no longer needed. Removed content cannot be read from the WAL or the journal afterwards.
    ///
    /// - Returns: `false` if a reader prevents it.
    func emptyLog() throws(StoreError) -> Bool {
        guard try checkpointPassively(), try afterSnapshots({ () throws(StoreError) in try checkpoint(.truncate) })
        else { return false }
        try journal?.releaseSegments(through: committed, erasing: walEmptyingDue != nil)
        return true
    }

    /// Copies as many pages from the WAL to the database file as the current readers allow.
    ///
    /// - Returns: `true` if all pages were copied.
    func checkpointPassively() throws(StoreError) -> Bool {
        try afterSnapshots { () throws(StoreError) in try checkpoint(.passive) }
    }

    /// Runs the checkpoint, and runs it a second time if a reader's snapshot prevented its completion. Before the
    /// second attempt, readers are asked to give up their shared snapshot. They do so at their next read, or at the
    /// latest when the event loop has handled one round of socket events.
    private func afterSnapshots(_ body: () throws(StoreError) -> CheckpointResult) throws(StoreError) -> Bool {
        if try body().isComplete { return true }
        visibility.askForNewSnapshots()
        wait(milliseconds: 1)
        return try body().isComplete
    }

    private func checkpoint(_ mode: CheckpointMode) throws(StoreError) -> CheckpointResult {
        try commitPages()
        let connection = try openConnection()
        let result = try mapped(connection.checkpoint(mode))
        if result.isComplete, journal?.last == committed {
            mark?.writeMark(revision: statistics.revision)
            try journal?.releaseSegments(through: committed, erasing: false)
        }
        return result
    }

    /// Empties the WAL before the connection is closed. The caller must make sure that no reader is opened any more.
    ///
    /// - Returns: `false` if a reader prevents it and does not end.
    func emptyLogAtEnd() -> Bool {
        for _ in 0..<Self.triesAtEnd {
            do throws(StoreError) {
                if try emptyLog() { return true }
            } catch {
                return false
            }
            wait(milliseconds: Self.millisecondsBetweenTries)
        }
        return false
    }

    private func wait(milliseconds: Int) {
        _ = pause.wait(timeoutMilliseconds: milliseconds) { _ in nil as Void? }
    }
}
