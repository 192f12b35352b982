package import StoreBasics

extension StoreEngine {
    /// Exports a conversation as a message blob, or imports one, piece by piece. Commands are performed in the order
    /// given, on a thread of their own.
    ///
    /// A session belongs to the user who began it. It ends with its last piece or report, with its first error, when
    /// nobody uses it for `BlobLimits.idleSecondsMax`, and when the store is locked.
    ///
    /// - Parameters:
    ///   - history: the history that the command is about: another one refuses it; `nil`: any.
    ///   - completion: called once, on that thread, or at once when the command is refused.
    package func performBlobCommand(
        _ command: BlobCommand, userID: UInt32, history: HistoryID? = nil,
        completion: @escaping @Sendable (Result<BlobResult, StoreError>) -> Void
    ) {
        if command.isUseOfStore {
            status.noteActivity()
        }
        blobs.perform(command, userID: userID, history: history, completion: completion)
    }

    static func blobSource(
        _ registry: ReaderRegistry, _ status: EngineStatus, _ writer: Writer, _ directory: StateDirectory,
        _ clocks: SystemClocks, _ files: FileThread, allowsLowCost: Bool
    ) -> BlobSessions.Source {
        let commit: @Sendable (WriteRequest) -> Result<MutationResult, StoreError> = { request in
            let done = OneShot<Result<MutationResult, StoreError>>()
            do throws(StoreError) {
                status.noteActivity()
                try status.admit(request.mutation)
                try writer.submit(WriteQueue.Write(request: request) { done.set($0) })
            } catch {
                return .failure(error)
            }
            return done.wait()
        }
        return BlobSessions.Source(
            makeReader: { registry.make() },
            history: { status.statistics?.history },
            commit: commit, directory: directory,
            holdCleaning: { () throws(StoreError) in
                guard VaultFolder.exists(in: directory) else { return {} }
                try files.holdCleaning()
                return { files.releaseCleaning() }
            },
            holdContent: { (id) throws(StoreError) in
                try files.holdContent(id)
                return { files.releaseContent(id) }
            },
            now: { clocks.wall() },
            allowsLowCost: allowsLowCost)
    }
}

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
