import Synchronization

/// A call that was handed to the connection, and whose final answer is waited for when it is wanted.
final class SentCall: Sendable {
    private typealias Waiter = CheckedContinuation<Result<Answer, StoreClientError>, Never>

    private enum State {
        case open([Waiter])
        case ended(Result<Answer, StoreClientError>)
    }

    let id: UInt64
    private let driver: ConnectionDriver
    private let state = Mutex(State.open([]))

    init(_ driver: ConnectionDriver) {
        self.driver = driver
        id = driver.makeID()
    }

    func end(_ result: Result<Answer, StoreClientError>) {
        let waiting: [Waiter] = state.withLock { state in
            guard case .open(let waiting) = state else { return [] }
            state = .ended(result)
            return waiting
        }
        waiting.forEach { $0.resume(returning: result) }
    }

    /// Waits for the answer; a task that is cancelled meanwhile cancels the call.
    func answer() async throws(StoreClientError) -> Answer {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ended: Result<Answer, StoreClientError>? = state.withLock { state in
                    switch state {
                    case .open(let waiting):
                        state = .open(waiting + [continuation])
                        return nil
                    case .ended(let result):
                        return result
                    }
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
