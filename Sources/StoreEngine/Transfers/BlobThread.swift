import StoreBasics

/// The thread of exports and imports, which also derives keys.
typealias BlobThread = SessionThread<BlobSessions>

extension SessionThread<BlobSessions> {
    /// - Parameter completion: Called once, on the thread, or at once if the command is refused.
    func perform(
        _ command: BlobCommand, userID: UInt32, history: HistoryID?,
        completion: @escaping @Sendable (Result<BlobResult, StoreError>) -> Void
    ) {
        answer(completion, session: command.session, userID: userID) { sessions throws(StoreError) in
            try sessions.perform(command, userID: userID, history: history)
        }
    }

    /// Ends every export before other waiting requests, because snapshots of exports keep the WAL from starting over.
    func endExports() {
        interject { $0.endExports() }
    }
}
