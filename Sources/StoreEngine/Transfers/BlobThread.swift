import StoreBasics

/// The one thread of exports and imports, which also derives keys.
typealias BlobThread = SessionThread<BlobSessions>

extension SessionThread<BlobSessions> {
    /// - Parameter completion: called once, on the thread or at once when the command is refused.
    func perform(
        _ command: BlobCommand, userID: UInt32, history: HistoryID?,
        completion: @escaping @Sendable (Result<BlobResult, StoreError>) -> Void
    ) {
        answer(completion, session: command.session, userID: userID) { sessions throws(StoreError) in
            try sessions.perform(command, userID: userID, history: history)
        }
    }

    /// Ends every export before anything else that waits: their snapshots keep the WAL from starting over.
    func endExports() {
        interject { $0.endExports() }
    }
}
