import Synchronization

/// A container that makes it possible to pass a non-copyable value to an escaping closure. The value is put in once and
/// taken out once. If the value is never taken out, it is destroyed with the container.
package final class TakeOnce<Value: ~Copyable & Sendable>: Sendable {
    private let content: Mutex<Value?>

    package init(_ value: consuming Value) {
        content = Mutex(consume value)
    }

    /// Returns the value the first time, and `nil` afterwards.
    package func take() -> Value? {
        content.withLock { $0.take() }
    }
}
