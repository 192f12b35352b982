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
        let write: @Sendable (Mutation, TransferOrigin) throws(StoreError) -> MutationResult = {
            (mutation, origin) throws(StoreError) in
            status.noteActivity()
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
                    throw StoreError(.internal, "messages were saved without a commit")
                }
                return saved
            },
            restore: { (batch, origin) throws(StoreError) in
                guard case .restored(let tally) = try write(.restore(batch), origin) else {
                    throw StoreError(.internal, "the restored records were not counted")
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
