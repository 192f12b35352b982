import Glibc
import StoreBasics
import Synchronization

/// A named operating-system thread: database work blocks, so it never runs on the cooperative pool or an event loop.
final class StoreThread: Sendable {
    /// Swift and SQLite need little stack; the default of 8 MiB would only be address space, but guard it anyway.
    private static let stackBytes = 1 << 20

    private final class Start {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    private let thread: pthread_t
    private let isJoined = Atomic(false)

    /// - Parameter name: at most 15 bytes, as Linux shows it.
    /// - Throws: `StoreError` with reason `.storageFailed` when the system has no room for another thread.
    init(name: String, body: @escaping @Sendable () -> Void) throws(StoreError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, Self.stackBytes)
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                StoreThread.setName(start.name)
                start.body()
                return nil
            }, start.toOpaque())
        guard result == 0 else {
            start.release()
            throw StoreError(.storageFailed, "the system allows no more threads; raise the task limit")
        }
        self.thread = thread
    }

    /// Swift does not see `pthread_setname_np`; the kernel takes the name through this file as well.
    private static func setName(_ name: String) {
        let descriptor = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = name.withCString { write(descriptor, $0, strlen($0)) }
        close(descriptor)
    }

    /// Waits for the thread to end, the first time: a thread can be joined once (pthread_join(3)).
    func join() {
        guard !isJoined.exchange(true, ordering: .acquiringAndReleasing) else { return }
        pthread_join(thread, nil)
    }
}

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
