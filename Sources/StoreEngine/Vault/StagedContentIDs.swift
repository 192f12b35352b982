import StoreCrypto
import Synchronization

/// Contents that come in from other devices: `VaultCleaning` leaves their files alone, also before a row names them.
final class StagedContentIDs: Sendable {
    private let ids = Mutex<Set<ContentID>>([])

    func insert(_ id: ContentID) {
        ids.withLock { _ = $0.insert(id) }
    }

    /// Commits have let go of these, or have made them contents like others.
    func remove(_ released: [ContentID]) {
        ids.withLock { $0.subtract(released) }
    }

    func contains(_ id: ContentID) -> Bool {
        ids.withLock { $0.contains(id) }
    }
}
