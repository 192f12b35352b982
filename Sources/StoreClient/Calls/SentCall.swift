import Synchronization

/// A call that was handed to the connection. Its caller can wait for the final answer later.
final class SentCall: Sendable {
    private struct State {
        var result: Result<Answer, StoreClientError>?
        var waiter: CheckedContinuation<Result<Answer, StoreClientError>, Never>?
    }

    let id: UInt64
    private let driver: ConnectionDriver
    private let state = Mutex(State())

    init(_ driver: ConnectionDriver) {
        self.driver = driver
        id = driver.makeID()
    }

    func end(_ result: Result<Answer, StoreClientError>) {
        let waiter = state.withLock { state in
            state.result = result
            return state.waiter.take()
        }
        waiter?.resume(returning: result)
    }

    /// Waits for the answer. Only one task may wait. If the task is cancelled meanwhile, the call is cancelled.
    func answer() async throws(StoreClientError) -> Answer {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ended = state.withLock { state in
                    if state.result == nil {
                        state.waiter = continuation
                    }
                    return state.result
                }
                if let ended {
                    continuation.resume(returning: ended)
                }
            }
        } onCancel: {
            driver.cancel(id)
        }
        return try result.get()
    }
}
