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
    func afterGroup(_ store: DurableStore) throws(StoreError) {
        guard let connection = store.connection else { return }
        let isCommitDue = store.isCommitDue
        if isCommitDue {
            try store.commitPages()
            store.writeBack?.start()
        }
        let walBytes = connection.walFrames * pageBytes
        // Callers wait for a commit or for a checkpoint, which comes behind the next group then, but not for both.
        let mayCheckpoint = !isCommitDue || walBytes >= 2 * bounds.checkpointBytes
        store.walFileBytes = max(store.walFileBytes, walBytes)
        if let due = store.walEmptyingDue, due < .now {
            try empty(store)
        } else if mayCheckpoint, store.checkpointPacing.isDue(walBytes: walBytes, bounds) {
            var startsOver = try store.checkpointPassively()
            if startsOver, store.walFileBytes >= 2 * bounds.checkpointBytes {
                // What it has copied somebody may still read.
                startsOver = try empty(store)
            }
            if !startsOver, walBytes >= bounds.heldBytesMax {
                isHeldTooLong(HeldWAL(bytes: walBytes))
            }
        }
    }

    func whenIdle(_ store: DurableStore) throws(StoreError) {
        guard let connection = store.connection, store.needsHousekeeping else { return }
        if store.walEmptyingDue != nil || store.walFileBytes > bounds.checkpointBytes {
            store.needsHousekeeping = try !empty(store)
        } else {
            store.needsHousekeeping = try !store.checkpointPassively()
        }
        store.reserve?.fill()
        connection.releaseMemory()
    }

    /// Takes old page images out of the WAL file, and gives back what it has grown to, by making it empty.
    ///
    /// - Returns: false when a reader is in the way.
    @discardableResult
    private func empty(_ store: DurableStore) throws(StoreError) -> Bool {
        if store.walEmptyingDue != nil {
            // Where this fails.
            store.walEmptyingDue = .now + .seconds(Self.removedContentRetrySeconds)
        }
        let isEmpty = try store.emptyLog()
        if isEmpty {
            store.walEmptyingDue = nil
            store.walFileBytes = 0
            store.checkpointPacing = CheckpointPacing()
        }
        return isEmpty
    }
}

/// A WAL that cannot start over, because readers need what is in it.
struct HeldWAL: Sendable {
    let bytes: Int
}
