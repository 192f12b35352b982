import Glibc
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
            throw StoreError(.storageFailed, "the system has no room for another thread; raise the task limit")
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
