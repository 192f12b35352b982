import Synchronization

/// A number of bytes or places that users share: a user takes more only while holding less than is left free.
///
/// One user alone gets half, whatever it does; a second one finds half of the rest, and so on. Nobody has to be told
/// apart, and nothing is set aside for users who are not there.
struct FairShare {
    let total: Int
    private(set) var used = 0
    private var heldByUser: [UInt32: Int] = [:]

    init(total: Int) {
        self.total = total
    }

    /// Below 0 where more had to be taken than there was.
    var free: Int {
        total - used
    }

    func held(by uid: UInt32) -> Int {
        heldByUser[uid] ?? 0
    }

    /// Whether the user may take so much: the last of it still while holding less than is left free.
    func admits(_ amount: Int, to uid: UInt32) -> Bool {
        amount <= free && held(by: uid) + amount - 1 < free - (amount - 1)
    }

    /// Takes it, admitted or not: what exists has to be counted.
    mutating func take(_ amount: Int, for uid: UInt32) {
        guard amount > 0 else { return }
        used += amount
        heldByUser[uid, default: 0] += amount
    }

    mutating func release(_ amount: Int, of uid: UInt32) {
        used -= amount
        let left = held(by: uid) - amount
        precondition(used >= 0 && left >= 0, "what is given back was taken")
        heldByUser[uid] = left == 0 ? nil : left
    }
}

/// Places that users share, from any thread.
final class SharedPlaces: Sendable {
    private let share: Mutex<FairShare>

    init(_ count: Int) {
        share = Mutex(FairShare(total: count))
    }

    /// False when the user has as many as are left.
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
