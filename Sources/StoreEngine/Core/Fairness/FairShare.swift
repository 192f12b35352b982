/// An amount of bytes or slots that users share by one rule: a user may take more only while holding less than what is
/// free. A user who holds nothing may take whatever is free.
///
/// A single user gets half of the total; a second user gets half of the rest, and so on. The rule needs no list of
/// users, and nothing is reserved for users who are absent.
package struct FairShare {
    package let total: Int
    package private(set) var used = 0
    private var heldByUser: [UInt32: Int] = [:]

    package init(total: Int) {
        self.total = total
    }

    /// Returns true if the rule allows taking `amount`. A user who holds nothing may take up to all that is free. For
    /// another user, several units are treated as if taken one by one: before each unit, the user must hold less than
    /// what is free.
    package static func admits(_ amount: Int, holding held: Int, free: Int) -> Bool {
        amount <= free && (held == 0 || held + amount - 1 < free - (amount - 1))
    }

    /// The free amount. It is negative if users hold more than the total.
    package var free: Int {
        total - used
    }

    package func held(by uid: UInt32) -> Int {
        heldByUser[uid] ?? 0
    }

    package func admits(_ amount: Int, to uid: UInt32) -> Bool {
        Self.admits(amount, holding: held(by: uid), free: free)
    }

    /// Records that a user holds more. Call it even if `admits` returned false, because everything that exists must be
    /// counted.
    package mutating func acquire(_ amount: Int, for uid: UInt32) {
        guard amount > 0 else { return }
        used += amount
        heldByUser[uid, default: 0] += amount
    }

    package mutating func release(_ amount: Int, of uid: UInt32) {
        used -= amount
        let left = held(by: uid) - amount
        precondition(used >= 0 && left >= 0, "a user released more of a share than the user had")
        heldByUser[uid] = left == 0 ? nil : left
    }
}
