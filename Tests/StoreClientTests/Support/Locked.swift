import Synchronization

/// A value that several tasks of a test share. It is a class because closures cannot capture a `Mutex` itself.
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
