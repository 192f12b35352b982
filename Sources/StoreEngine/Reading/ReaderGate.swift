import Glibc

/// Lets reads run side by side and, for moments, nobody: a rotation of the master key closes every reader and swaps
/// the database file under them.
///
/// `@unchecked Sendable` because pthread read-write locks are made to be shared.
final class ReaderGate: @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_rwlock_t>

    init() {
        lock = .allocate(capacity: 1)
        var attributes = pthread_rwlockattr_t()
        pthread_rwlockattr_init(&attributes)
        // glibc lets new readers in before a waiting writer unless told otherwise: reads that overlap would keep the
        // gate open for ever. No thread passes the gate twice at once, which would stop it behind a waiting `close`.
        pthread_rwlockattr_setkind_np(&attributes, Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
        pthread_rwlock_init(lock, &attributes)
        pthread_rwlockattr_destroy(&attributes)
    }

    deinit {
        pthread_rwlock_destroy(lock)
        lock.deallocate()
    }

    func pass<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        pthread_rwlock_rdlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        return try body()
    }

    /// Waits for running reads to end and keeps new ones waiting.
    func close<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        pthread_rwlock_wrlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        return try body()
    }
}
