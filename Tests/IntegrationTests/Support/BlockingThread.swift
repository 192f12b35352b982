import Glibc

/// Runs blocking work on a thread of its own, so that the cooperative pool never waits for a socket.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let work = Unmanaged.passRetained(Work { continuation.resume(with: Result(catching: body)) })
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, runWork, work.toOpaque())
        if code == 0 {
            pthread_detach(thread)
        } else {
            work.takeRetainedValue().run()
        }
    }
}

private final class Work {
    let run: () -> Void

    init(_ run: @escaping () -> Void) {
        self.run = run
    }
}

private func runWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument {
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
    }
    return nil
}
