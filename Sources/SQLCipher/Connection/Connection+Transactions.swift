import CSQLCipher

extension Connection {
    /// Runs `body` between BEGIN IMMEDIATE and COMMIT; any error rolls all of it back and is thrown on.
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
    /// - Throws: `.outcomeUnknown` when the failure leaves open whether the transaction is on disk; `.pageRefused` when
    ///   it rests on a page that is not as it was written.
    package func commit() throws(SQLCipherError) {
        try verifyPages()
        do throws(SQLCipherError) {
            try statement(Self.commitText).run()
        } catch {
            throw error.ofDurableChange
        }
    }

    /// Whether all pages that were read are as they were written.
    ///
    /// - Throws: `.pageRefused`, `.corrupt`.
    package func verifyPages() throws(SQLCipherError) {
        if hasUnverifiedPages {
            try verifyPagesRead()
        }
    }

    private static let commitText = StatementText("COMMIT")

    /// Rolls the open transaction back, if SQLite has not done so by itself after an error.
    package func rollBack() {
        guard !isInAutocommit else { return }
        // A failed ROLLBACK leaves nothing to do: SQLite rolls back when the connection is closed.
        try? statement(Self.rollbackText).run()
    }

    private static let rollbackText = StatementText("ROLLBACK")
}

/// How far a checkpoint came. See https://www.sqlite.org/c3ref/wal_checkpoint_v2.html.
package struct CheckpointResult: Hashable, Sendable {
    /// Frames in the WAL after the call.
    package let walFrames: Int
    /// Of these, frames that are in the database file now.
    package let checkpointedFrames: Int

    /// The next writer may start the WAL from its beginning.
    package var isComplete: Bool {
        walFrames == checkpointedFrames
    }
}

package enum CheckpointMode: Hashable, Sendable {
    /// As far as readers allow, without waiting.
    case passive
    /// When no reader is in the way, copies all and makes the WAL an empty file; does not wait.
    case truncate
}

extension Connection {
    /// Copies WAL frames into the database file. Only the one connection that writes may do this: SQLite 3.7.0 to
    /// 3.51.2 can corrupt a database when one connection checkpoints while another writes.
    ///
    /// - Returns: how far it came; a reader in the way of `.truncate` is an incomplete result, not an error.
    /// - Throws: `.outcomeUnknown` when the failure leaves open what is on disk.
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

/// Learns after each commit of a connection how many frames its WAL has (https://www.sqlite.org/c3ref/wal_hook.html).
/// Nothing is told of a commit that wrote none.
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

    /// The WAL is an empty file now.
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
