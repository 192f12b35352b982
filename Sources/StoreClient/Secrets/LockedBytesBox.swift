import Synchronization

/// Carries locked bytes through an escaping closure to the one who takes them.
final class LockedBytesBox: Sendable {
    private let bytes: Mutex<LockedBytes?>

    init(_ bytes: consuming LockedBytes) {
        self.bytes = Mutex(consume bytes)
    }

    /// The bytes; `nil` the second time.
    func take() -> LockedBytes? {
        bytes.withLock { $0.take() }
    }
}
