import Synchronization

/// A value that several tasks of a test share; a `Mutex` itself cannot be captured by their closures.
final class Locked<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) {
        mutex = Mutex(value)
    }

    func withLock<Result: Sendable>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try mutex.withLock { value in
            var copy = value
            let result = try body(&copy)
            value = copy
            return result
        }
    }
}
