import SQLCipher

/// When the writer empties its WAL: it is the only connection that may.
struct WALHousekeeping {
    /// How long the writer may be idle with a dirty WAL.
    static let idleMilliseconds = 1_000
    /// How long removed content may stay in the WAL under constant writing.
    static let removedContentSeconds = 5
    /// After a reader stood in the way of that.
    static let removedContentRetrySeconds = 1

    let pageBytes: Int

    /// Leaves `needsHousekeeping` as it is: the rest is done when the writer is idle.
    func afterCommit(_ context: WriterContext) throws(StoreError) {
        guard let connection = context.connection else { return }
        if let due = context.walEmptyingDue, due < .now {
            try empty(context)
        } else if context.checkpointPacing.isDue(walBytes: connection.walFrames * pageBytes) {
            _ = try context.checkpointPassively()
        }
    }

    func whenIdle(_ context: WriterContext) throws(StoreError) {
        guard let connection = context.connection, context.needsHousekeeping else { return }
        if context.walEmptyingDue != nil {
            context.needsHousekeeping = try !empty(context)
        } else {
            context.needsHousekeeping = try !context.checkpointPassively()
        }
        context.reserve?.fill()
        connection.releaseMemory()
    }

    /// Takes old page images out of the WAL file by making it empty.
    ///
    /// - Returns: false when a reader is in the way.
    @discardableResult
    private func empty(_ context: WriterContext) throws(StoreError) -> Bool {
        let isEmpty = try context.emptyLog()
        context.walEmptyingDue = isEmpty ? nil : .now + .seconds(Self.removedContentRetrySeconds)
        return isEmpty
    }
}

/// How often a WAL that a reader keeps from starting over is checkpointed while it grows: each time costs two fsyncs
/// and gets nothing but what was written since the last.
struct CheckpointPacing {
    private static let growthBytes = EngineLimits.walBytesMax / 4

    private var bytesAtLast = 0

    /// Asked after each commit; true counts as a checkpoint.
    mutating func isDue(walBytes: Int) -> Bool {
        guard walBytes >= EngineLimits.walBytesMax else {
            bytesAtLast = 0
            return false
        }
        // Fewer bytes than before: the WAL has started over in between.
        guard walBytes < bytesAtLast || walBytes - bytesAtLast >= Self.growthBytes else { return false }
        bytesAtLast = walBytes
        return true
    }
}
