import Synchronization

/// A container that carries a value which cannot be copied into an escaping closure. The value is put in once and taken
/// out once. If it is never taken out, it ends with the container.
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
