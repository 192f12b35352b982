internal import Dispatch

/// Runs work that may block (storage, name look-ups) off the cooperative threads, and waits for it.
func runBlocking<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: body()) }
    }
}
