package import StoreBasics

extension StoreEngine {
    /// Performs one command of an export or import that consists of parts. Commands are performed in the given order,
    /// on a thread of their own.
    ///
    /// A session belongs to the user who began it. It ends with its last part or report, with its first error, after
    /// `BlobLimits.idleSecondsMax` without use, and when the store is locked.
    ///
    /// - Parameters:
    ///   - history: The history for which the command was made. If the store has another history, the command is
    ///     refused. `nil` for any history.
    ///   - completion: Called once, on that thread, or at once if the command is refused.
    package func performBlobCommand(
        _ command: BlobCommand, userID: UInt32, history: HistoryID? = nil,
        completion: @escaping @Sendable (Result<BlobResult, StoreError>) -> Void
    ) {
        if command.isUseOfStore {
            status.recordActivity()
        }
        blobs.perform(command, userID: userID, history: history, completion: completion)
    }

    static func blobSource(
        _ registry: ReaderRegistry, _ status: EngineStatus, _ writer: Writer, _ directory: StateDirectory,
        _ clocks: SystemClocks, _ files: FileThread, allowsLowCost: Bool
    ) -> BlobSessions.Source {
        let write: @Sendable (Mutation, TransferOrigin) throws(StoreError) -> MutationResult = {
            (mutation, origin) throws(StoreError) in
            status.recordActivity()
            try status.admit(mutation)
            return try writer.write(
                WriteRequest(
                    mutation, owner: WorkOwner(userID: origin.userID, connection: 0), history: origin.history,
                    byteCount: origin.byteCount))
        }
        return BlobSessions.Source(
            makeReader: { registry.make() },
            history: { status.statistics?.history },
            save: { (messages, origin) throws(StoreError) in
                guard case .commit(let saved) = try write(.saveMessages(messages), origin) else {
                    throw .fault("messages were saved without a commit")
                }
                return saved
            },
            restore: { (batch, origin) throws(StoreError) in
                guard case .restored(let tally) = try write(.restore(batch), origin) else {
                    throw .fault("the restored records were not counted")
                }
                return tally
            },
            directory: directory,
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
