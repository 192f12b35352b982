import Glibc
import StoreBasics

/// Threads for work that blocks, so that the cooperative pool never waits for a socket.
package enum OwnThread {
    /// - Throws: when the system gives no thread.
    package static func start(_ body: @escaping @Sendable () -> Void) throws {
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
            throw SystemError(code)
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

/// Runs blocking work on a thread of its own and gives what it gave.
package func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        do {
            try OwnThread.start { continuation.resume(with: Result(catching: body)) }
        } catch {
            continuation.resume(throwing: error)
        }
    }
}
