import StoreClient

/// Applies the caller's deadline to the opening of a scene, which consists of several calls.
enum OpeningDeadline {
    /// Runs `body`, and cancels its task at the deadline.
    ///
    /// - Parameters:
    ///   - deadline: `nil` for no deadline.
    ///   - body: must throw soon after its task is cancelled.
    static func run<Value: Sendable>(
        _ deadline: Duration?, _ body: @escaping @Sendable () async throws(StoreClientError) -> Value
    ) async throws(StoreClientError) -> Value {
        guard let deadline else { return try await body() }
        let result = await withTaskGroup(of: Result<Value, StoreClientError>?.self) { group in
            group.addTask { () -> Result<Value, StoreClientError>? in
                do throws(StoreClientError) {
                    return .success(try await body())
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await Task.sleep(for: deadline)
                return nil
            }
            defer { group.cancelAll() }
            if let first = await group.next(), let result = first {
                return result
            }
            let isCancelled = Task.isCancelled
            group.cancelAll()
            // If the body still finishes with a result, that result counts.
            let last: Result<Value, StoreClientError> =
                await group.next().flatMap { $0 } ?? .failure(.openingTimedOut)
            if case .failure(let error) = last, error.reason == .cancelled, !isCancelled {
                return .failure(.openingTimedOut)
            }
            return last
        }
        return try result.get()
    }
}

extension StoreClientError {
    static let openingCancelled = StoreClientError(
        code: .cancelled, reason: .cancelled, message: "the task was cancelled before the scene was read")

    fileprivate static let openingTimedOut = StoreClientError(
        code: .deadlineExceeded, reason: .deadlineExceeded,
        message: "the deadline passed before the scene was read", isRetryable: true)
}
