import StoreCrypto
import Synchronization

/// The ids of contents that are being received from other devices. `VaultCleaning` does not touch their files, not even
/// before a row refers to them.
final class StagedContentIDs: Sendable {
    private let ids = Mutex<Set<ContentID>>([])

    func insert(_ id: ContentID) {
        ids.withLock { _ = $0.insert(id) }
    }

    /// Removes ids after a commit has released the contents or completed them.
    func remove(_ released: [ContentID]) {
        ids.withLock { $0.subtract(released) }
    }

    func contains(_ id: ContentID) -> Bool {
        ids.withLock { $0.contains(id) }
    }
}
