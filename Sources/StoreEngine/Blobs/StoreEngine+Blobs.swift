extension StoreEngine {
    /// Exports a conversation as a message blob, or imports one, piece by piece. Commands are performed in the order
    /// given, on a thread of their own.
    ///
    /// A session belongs to the user who began it. It ends with its last piece or report, with its first error, when
    /// nobody uses it for `BlobLimits.idleSecondsMax`, and when the store is locked.
    ///
    /// - Parameter completion: called once, on that thread, or at once when the command is refused.
    package func performBlobCommand(
        _ command: BlobCommand, userID: UInt32,
        completion: @escaping @Sendable (Result<BlobResult, StoreError>) -> Void
    ) {
        status.noteActivity()
        blobs.perform(command, userID: userID, completion: completion)
    }

    static func blobSource(
        _ registry: ReaderRegistry, _ status: EngineStatus, _ writer: Writer, allowsLowCost: Bool
    ) -> BlobSessions.Source {
        BlobSessions.Source(
            makeReader: { registry.make() },
            save: { messages, byteCount in
                let saved = OneShot<Result<MutationResult, StoreError>>()
                do throws(StoreError) {
                    status.noteActivity()
                    let request = WriteRequest(.saveMessages(messages), byteCount: byteCount)
                    try status.admit(request.mutation)
                    try writer.submit(WriteQueue.Write(request: request) { saved.set($0) })
                } catch {
                    return .failure(error)
                }
                return saved.wait()
            },
            allowsLowCost: allowsLowCost)
    }
}
