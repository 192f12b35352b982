import CSQLCipher

extension Connection {
    /// Runs `body` between BEGIN IMMEDIATE and COMMIT. An error rolls back all changes and is rethrown.
    package func transaction<Result>(
        _ body: () throws(SQLCipherError) -> Result
    ) throws(SQLCipherError) -> Result {
        try execute("BEGIN IMMEDIATE")
        do throws(SQLCipherError) {
            let result = try body()
            try commit()
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Commits the open transaction.
    ///
    /// - Throws: `.outcomeUnknown` if it is unknown whether the transaction is on disk; `.pageRefused` if the
    ///   transaction has read a page that cannot be authenticated.
    package func commit() throws(SQLCipherError) {
        try verifyPages()
        do throws(SQLCipherError) {
            try statement(Self.commitText).run()
        } catch {
            throw error.ofDurableChange
        }
    }

    /// Checks that all pages read so far are authentic.
    ///
    /// - Throws: `.pageRefused`, `.corrupt`.
    package func verifyPages() throws(SQLCipherError) {
        if hasUnverifiedPages {
            try verifyPagesRead()
        }
    }

    private static let commitText = StatementText("COMMIT")

    /// Rolls back the open transaction, unless SQLite has already done so after an error.
    package func rollBack() {
        guard !isInAutocommit else { return }
        // A failed ROLLBACK can be ignored, because SQLite rolls back when the connection is closed.
        try? statement(Self.rollbackText).run()
    }

    private static let rollbackText = StatementText("ROLLBACK")
}

/// The progress of a checkpoint. See https://www.sqlite.org/c3ref/wal_checkpoint_v2.html.
package struct CheckpointResult: Hashable, Sendable {
    /// The number of frames in the WAL after the call.
    package let walFrames: Int
    /// The number of frames of the WAL that were already copied to the database file.
    package let checkpointedFrames: Int

    /// True if the next writer may start the WAL from its beginning.
    package var isComplete: Bool {
        walFrames == checkpointedFrames
    }
}

package enum CheckpointMode: Hashable, Sendable {
    /// Copies as many frames as readers allow, without waiting.
    case passive
    /// Copies all frames and truncates the WAL to zero bytes, if no reader prevents it. Does not wait.
    case truncate
}

extension Connection {
    /// Copies WAL frames into the database file. Only the connection that writes may call this: SQLite 3.7.0 to 3.51.2
    /// can corrupt a database if one connection checkpoints while another writes.
    ///
    /// - Returns: the progress. If a reader prevents `.truncate`, the result is incomplete; this is not an error.
    /// - Throws: `.outcomeUnknown` if the state on disk is unknown.
    @discardableResult
    package func checkpoint(_ mode: CheckpointMode) throws(SQLCipherError) -> CheckpointResult {
        var walFrames: Int32 = -1
        var checkpointedFrames: Int32 = -1
        sqlite3_busy_timeout(handle, 0)
        defer { sqlite3_busy_timeout(handle, Self.busyTimeoutMilliseconds) }
        let code = mode == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
        let result = sqlite3_wal_checkpoint_v2(handle, nil, code, &walFrames, &checkpointedFrames)
        guard result == SQLITE_OK || result == SQLITE_BUSY else { throw lastError("checkpoint").ofDurableChange }
        if result == SQLITE_BUSY {
            return CheckpointResult(walFrames: max(1, Int(walFrames)), checkpointedFrames: 0)
        }
        if mode == .truncate {
            walObserver.forgetFrames()
        }
        return CheckpointResult(walFrames: Int(walFrames), checkpointedFrames: Int(checkpointedFrames))
    }
}

/// Records the number of frames in the WAL after each commit of a connection
/// (https://www.sqlite.org/c3ref/wal_hook.html). SQLite does not report commits that wrote no frame.
final class WALObserver {
    private let frames: UnsafeMutablePointer<Int>
    private let handle: OpaquePointer

    init(handle: OpaquePointer) {
        self.handle = handle
        frames = .allocate(capacity: 1)
        frames.initialize(to: 0)
        _ = sqlite3_wal_hook(
            handle,
            { context, _, _, frameCount in
                context?.assumingMemoryBound(to: Int.self).pointee = Int(frameCount)
                return SQLITE_OK
            }, frames)
    }

    var frameCount: Int { frames.pointee }

    /// Resets the number of frames, because the WAL was truncated to zero bytes.
    func forgetFrames() {
        frames.pointee = 0
    }

    func end() {
        _ = sqlite3_wal_hook(handle, nil, nil)
    }

    deinit {
        frames.deallocate()
    }
}
