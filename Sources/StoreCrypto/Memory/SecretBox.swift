import Synchronization

/// Carries a `SecretBytes`, which cannot be copied, across an escaping closure: put in once, taken out once.
package final class SecretBox: Sendable {
    private let content: Mutex<SecretBytes?>

    package init(_ secret: consuming SecretBytes) {
        content = Mutex(consume secret)
    }

    /// The secret the first time, nil afterwards. A box never taken from wipes its secret when it ends.
    package func take() -> SecretBytes? {
        content.withLock { $0.take() }
    }
}
