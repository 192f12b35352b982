import StoreEngine
import Synchronization

/// A limited number of slots that users share. Safe to use from any thread.
final class SharedPlaces: Sendable {
    private let share: Mutex<FairShare>

    init(_ count: Int) {
        share = Mutex(FairShare(total: count))
    }

    /// Takes a slot. Returns false if the user already has its share.
    func take(for uid: UInt32) -> Bool {
        share.withLock { share in
            guard share.admits(1, to: uid) else { return false }
            share.take(1, for: uid)
            return true
        }
    }

    func release(of uid: UInt32) {
        share.withLock { $0.release(1, of: uid) }
    }
}
