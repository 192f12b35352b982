import Synchronization

/// Carries a `SlotSecret`, which cannot be copied, across an escaping closure: put in once, taken out once.
package final class SlotSecretBox: Sendable {
    private let content: Mutex<SlotSecret?>

    package init(_ secret: consuming SlotSecret) {
        content = Mutex(consume secret)
    }

    /// The secret the first time, nil afterwards. A box never taken from wipes its secret when it ends.
    package func take() -> SlotSecret? {
        content.withLock { $0.take() }
    }
}
