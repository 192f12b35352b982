import Synchronization

/// Carries a value that cannot be copied across an escaping closure: put in once, taken out once. A value that nobody
/// takes ends with this.
package final class TakeOnce<Value: ~Copyable & Sendable>: Sendable {
    private let content: Mutex<Value?>

    package init(_ value: consuming Value) {
        content = Mutex(consume value)
    }

    /// The value the first time, `nil` afterwards.
    package func take() -> Value? {
        content.withLock { $0.take() }
    }
}
