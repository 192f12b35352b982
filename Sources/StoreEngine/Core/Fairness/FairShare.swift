/// A number of bytes or places that users share, by the one rule there is for that: a user takes more only while
/// holding less than is left free. Who holds nothing may take whatever there is room for.
///
/// One user alone gets half, whatever it does; a second one finds half of the rest, and so on. Nobody has to be told
/// apart, and nothing is set aside for users who are not there.
package struct FairShare {
    package let total: Int
    package private(set) var used = 0
    private var heldByUser: [UInt32: Int] = [:]

    package init(total: Int) {
        self.total = total
    }

    /// The rule, wherever what is held is counted: several at once are taken as if one after the other, the last of
    /// them still while holding less than is left free.
    package static func admits(_ amount: Int, holding held: Int, free: Int) -> Bool {
        amount <= free && (held == 0 || held + amount - 1 < free - (amount - 1))
    }

    /// Below 0 where more had to be taken than there was.
    package var free: Int {
        total - used
    }

    package func held(by uid: UInt32) -> Int {
        heldByUser[uid] ?? 0
    }

    package func admits(_ amount: Int, to uid: UInt32) -> Bool {
        Self.admits(amount, holding: held(by: uid), free: free)
    }

    /// Takes it, admitted or not: what exists has to be counted.
    package mutating func take(_ amount: Int, for uid: UInt32) {
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
