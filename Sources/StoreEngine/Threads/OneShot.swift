/// Hands one value from the thread that makes it to the one that waits for it.
final class OneShot<Value: Sendable>: Sendable {
    private let lock = ConditionLock<Value?>(nil)

    func set(_ value: Value) {
        lock.broadcast { $0 = value }
    }

    func wait() -> Value {
        guard let value = lock.wait(until: { $0 }) else {
            preconditionFailure("a wait without a time-out ended without a value")
        }
        return value
    }
}
