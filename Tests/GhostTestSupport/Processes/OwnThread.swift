import Glibc

/// Threads for work that blocks, so that the cooperative pool never waits for a socket.
enum OwnThread {
    /// - Throws: when the system gives no thread.
    static func start(_ body: @escaping @Sendable () -> Void) throws {
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument {
                    Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                }
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            work.release()
            throw TestSupportError("could not start a thread: \(String(cString: strerror(code)))")
        }
        pthread_detach(thread)
    }

    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}
