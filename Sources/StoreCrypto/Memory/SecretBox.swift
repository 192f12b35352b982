import Synchronization

/// Carries a `SecretBytes`, which cannot be copied, across an escaping closure: put in once, taken out once.
public final class SecretBox: Sendable {
    private let content: Mutex<SecretBytes?>

    public init(_ secret: consuming SecretBytes) {
        content = Mutex(consume secret)
    }

    /// The secret the first time, nil afterwards. A box never taken from wipes its secret when it ends.
    public func take() -> SecretBytes? {
        content.withLock { $0.take() }
    }
}
