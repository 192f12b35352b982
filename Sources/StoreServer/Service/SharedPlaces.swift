import StoreEngine
import Synchronization

/// Counts the uses of a limited resource, such as watches, that users share. Safe to use from any thread.
final class SharedPlaces: Sendable {
    private let share: Mutex<FairShare>

    init(_ count: Int) {
        share = Mutex(FairShare(total: count))
    }

    /// Counts one more use. Returns false if the user already has its share.
    func acquire(for uid: UInt32) -> Bool {
        share.withLock { share in
            guard share.admits(1, to: uid) else { return false }
            share.acquire(1, for: uid)
            return true
        }
    }

    func release(of uid: UInt32) {
        share.withLock { $0.release(1, of: uid) }
    }
}
