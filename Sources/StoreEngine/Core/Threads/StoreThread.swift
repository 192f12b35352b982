import Glibc
import StoreBasics
import Synchronization

/// A named operating-system thread. Database work blocks, so it never runs on Swift's cooperative pool or an event
/// loop.
final class StoreThread: Sendable {
    /// The stack size. Swift and SQLite need little, so the default of 8 MiB would waste address space.
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

    /// - Parameter name: at most 15 bytes, as Linux requires.
    /// - Throws: `StoreError` with reason `.storageFailed` if the system cannot create another thread.
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

    /// Sets the thread's name through a file of the kernel, because Swift does not import `pthread_setname_np`.
    private static func setName(_ name: String) {
        let descriptor = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = name.withCString { write(descriptor, $0, strlen($0)) }
        close(descriptor)
    }

    /// Waits for the thread to end. Further calls do nothing, because a thread can be joined only once
    /// (pthread_join(3)).
    func join() {
        guard !isJoined.exchange(true, ordering: .acquiringAndReleasing) else { return }
        pthread_join(thread, nil)
    }
}

/// A read-write lock. Many reads may hold it together, but no read runs during short exclusive work. For example, a
/// rotation of the master key closes every reader and replaces the database file.
///
/// `@unchecked Sendable` because pthread read-write locks are made to be shared.
final class ReaderGate: @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_rwlock_t>

    init() {
        lock = .allocate(capacity: 1)
        var attributes = pthread_rwlockattr_t()
        pthread_rwlockattr_init(&attributes)
        // By default glibc lets new readers in before a waiting writer, so that overlapping reads would keep the gate
        // open for ever. With this attribute, a thread that passes the gate again from inside would deadlock with a
        // waiting `close`; no thread does so.
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

    /// Waits for running reads to end and blocks new ones while `body` runs.
    func close<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        pthread_rwlock_wrlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        return try body()
    }
}
