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
    let bounds: WALBounds
    /// A reader has held the WAL until it grew past `WALBounds.heldBytesMax`.
    let isHeldTooLong: @Sendable (HeldWAL) -> Void

    /// Behind each group. Leaves `needsHousekeeping` as it is: the rest is done when the writer is idle.
    func afterGroup(_ context: WriterContext) throws(StoreError) {
        guard let connection = context.connection else { return }
        let isCommitDue = context.isCommitDue
        if isCommitDue {
            try context.commitPages()
            context.writeBack?.start()
        }
        let walBytes = connection.walFrames * pageBytes
        // Callers wait for a commit or for a checkpoint, which comes behind the next group then, but not for both.
        let mayCheckpoint = !isCommitDue || walBytes >= 2 * bounds.checkpointBytes
        context.walFileBytes = max(context.walFileBytes, walBytes)
        if let due = context.walEmptyingDue, due < .now {
            try empty(context)
        } else if mayCheckpoint, context.checkpointPacing.isDue(walBytes: walBytes, bounds) {
            var startsOver = try context.checkpointPassively()
            if startsOver, context.walFileBytes >= 2 * bounds.checkpointBytes {
                // What it has copied somebody may still read.
                startsOver = try empty(context)
            }
            if !startsOver, walBytes >= bounds.heldBytesMax {
                isHeldTooLong(HeldWAL(bytes: walBytes))
            }
        }
    }

    func whenIdle(_ context: WriterContext) throws(StoreError) {
        guard let connection = context.connection, context.needsHousekeeping else { return }
        if context.walEmptyingDue != nil || context.walFileBytes > bounds.checkpointBytes {
            context.needsHousekeeping = try !empty(context)
        } else {
            context.needsHousekeeping = try !context.checkpointPassively()
        }
        context.reserve?.fill()
        connection.releaseMemory()
    }

    /// Takes old page images out of the WAL file, and gives back what it has grown to, by making it empty.
    ///
    /// - Returns: false when a reader is in the way.
    @discardableResult
    private func empty(_ context: WriterContext) throws(StoreError) -> Bool {
        if context.walEmptyingDue != nil {
            // Where this fails.
            context.walEmptyingDue = .now + .seconds(Self.removedContentRetrySeconds)
        }
        let isEmpty = try context.emptyLog()
        if isEmpty {
            context.walEmptyingDue = nil
            context.walFileBytes = 0
            context.checkpointPacing = CheckpointPacing()
        }
        return isEmpty
    }
}

/// A WAL that cannot start over, because readers need what is in it.
struct HeldWAL: Sendable {
    let bytes: Int
}

/// How often a WAL that a reader keeps from starting over is checkpointed while it grows: each time costs two fsyncs
/// and gets nothing but what was written since the last.
struct CheckpointPacing {
    private var bytesAtLast = 0

    /// Asked after each commit; true counts as a checkpoint.
    mutating func isDue(walBytes: Int, _ bounds: WALBounds) -> Bool {
        guard walBytes >= bounds.checkpointBytes else {
            bytesAtLast = 0
            return false
        }
        // Fewer bytes than before: the WAL has started over in between.
        guard walBytes < bytesAtLast || walBytes - bytesAtLast >= bounds.checkpointBytes / 4 else { return false }
        bytesAtLast = walBytes
        return true
    }
}
