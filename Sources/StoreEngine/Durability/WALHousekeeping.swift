import SQLCipher

/// Decides when the writer checkpoints or empties the WAL. Only the writer's connection checkpoints the WAL.
struct WALHousekeeping {
    /// The time after which an idle writer checkpoints the WAL, or empties it if it contains removed content or its
    /// file is large.
    static let idleMilliseconds = 1_000
    /// The longest time that removed content stays in the WAL under constant writing.
    static let removedContentSeconds = 5
    /// The time until the next attempt if a reader prevented the emptying.
    static let removedContentRetrySeconds = 1

    let pageBytes: Int
    let bounds: WALBounds
    /// Called when a reader has held the WAL until it grew past `WALBounds.heldBytesMax`.
    let isHeldTooLong: @Sendable (HeldWAL) -> Void

    /// Runs after each batch. Leaves `needsHousekeeping` set, because the rest of the work is done when the writer is
    /// idle.
    func afterGroup(_ store: DurableStore) throws(StoreError) {
        guard let connection = store.connection else { return }
        let isCommitDue = store.isCommitDue
        if isCommitDue {
            try store.commitPages()
            store.writeBack?.start()
        }
        let walBytes = connection.walFrames * pageBytes
        // Avoid a commit and a checkpoint after the same batch, because callers wait for both. The checkpoint then
        // follows the next batch.
        let mayCheckpoint = !isCommitDue || walBytes >= 2 * bounds.checkpointBytes
        store.walFileBytes = max(store.walFileBytes, walBytes)
        if let due = store.walEmptyingDue, due < .now {
            try empty(store)
        } else if mayCheckpoint, store.checkpointPacing.isDue(walBytes: walBytes, bounds) {
            var startsOver = try store.checkpointPassively()
            if startsOver, store.walFileBytes >= 2 * bounds.checkpointBytes {
                // All pages were copied, but a reader may still use the WAL, which then cannot be emptied.
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

    /// Empties the WAL file, which removes old page images and frees the disk space.
    ///
    /// - Returns: `false` if a reader prevents it.
    @discardableResult
    private func empty(_ store: DurableStore) throws(StoreError) -> Bool {
        if store.walEmptyingDue != nil {
            // Schedule the next attempt in case this one fails.
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
