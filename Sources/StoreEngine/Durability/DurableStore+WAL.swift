import SQLCipher

/// What becomes of the WAL, and with it of the journal's segments.
extension DurableStore {
    /// How often, and after how many milliseconds, a reader that is about to end is looked for once more when the store
    /// is closed: what is not emptied then holds removed content until the store is opened again.
    private static let triesAtEnd = 20
    private static let millisecondsBetweenTries = 5

    /// Brings everything to the database file, makes the WAL an empty file, and lets go of the journal: nothing that
    /// was removed can be read from either afterwards.
    ///
    /// - Returns: false when a reader is in the way.
    func emptyLog() throws(StoreError) -> Bool {
        guard try checkpointPassively(), try afterSnapshots({ () throws(StoreError) in try checkpoint(.truncate) })
        else { return false }
        try journal?.letGo(through: committed, erasing: walEmptyingDue != nil)
        return true
    }

    /// Copies what readers allow from the WAL to the database file.
    ///
    /// - Returns: whether it is all there.
    func checkpointPassively() throws(StoreError) -> Bool {
        try afterSnapshots { () throws(StoreError) in try checkpoint(.passive) }
    }

    /// Once more where a snapshot was in the way: one that reads share is given up at the next of them, at the latest
    /// when an event loop has done what came of one look at its sockets.
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
            mark?.note(revision: statistics.revision)
            try journal?.letGo(through: committed, erasing: false)
        }
        return result
    }

    /// Before the connection is closed; no reader may be opened any more.
    ///
    /// - Returns: false when a reader is in the way that does not end.
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
