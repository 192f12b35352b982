package import DequeModule

/// Whose turn it is: each has one after the other, and whoever took more than a turn is worth passes until it is paid.
///
/// Inlinable, so that whoever tells thousands of followers in turns is compiled for its keys.
package struct Turns<Key: Hashable> {
    @usableFromInline var order: Deque<Key> = []
    /// Everyone in `order`, with what is to be paid.
    @usableFromInline var debts: [Key: Int] = [:]

    @inlinable package init() {}

    @inlinable package var isEmpty: Bool { order.isEmpty }

    /// Whether one of those who take turns is meant.
    package func contains(where isMeant: (Key) -> Bool) -> Bool {
        order.contains(where: isMeant)
    }

    /// Joins behind the others, unless there is a place already.
    @inlinable package mutating func join(_ key: Key, owing debt: Int) {
        guard debts[key] == nil else { return }
        order.append(key)
        debts[key] = debt
    }

    /// What somebody has yet to pay.
    @inlinable package func debt(of key: Key) -> Int {
        debts[key] ?? 0
    }

    /// Whose turn it is, which stays so until it is taken. Who is alone never passes.
    ///
    /// - Parameter passing: told of each turn that somebody passed, in order.
    @inlinable package mutating func next(_ turnCost: Int, passing: (Key) -> Void = { _ in }) -> Key? {
        guard order.count > 1 else { return order.first }
        while let key = order.first {
            guard let debt = debts[key], debt > 0 else { return key }
            debts[key] = debt - turnCost
            order.append(order.removeFirst())
            passing(key)
        }
        return nil
    }

    /// The turn was taken by who had it.
    ///
    /// - Parameters:
    ///   - debt: what it took more than a turn is worth.
    ///   - isEmpty: it wants no more turns, and what it owes is forgotten.
    @inlinable package mutating func taken(debt: Int, isEmpty: Bool) {
        guard let key = order.popFirst() else { return }
        if isEmpty {
            debts[key] = nil
        } else {
            debts[key] = max(0, debt)
            order.append(key)
        }
    }

    /// As if a turn had not been taken; of several turns, the last is given back first.
    ///
    /// - Parameters:
    ///   - debt: what was owed before it.
    ///   - passed: what `next` told of it.
    mutating func giveBack(_ key: Key, owing debt: Int, passed: [Key], _ turnCost: Int) {
        putFirst(key, owing: debt)
        for key in passed.reversed() {
            putFirst(key, owing: (debts[key] ?? 0) + turnCost)
        }
    }

    private mutating func putFirst(_ key: Key, owing debt: Int) {
        if debts[key] != nil {
            order.removeAll { $0 == key }
        }
        order.prepend(key)
        debts[key] = debt
    }
}

extension Turns: Sendable where Key: Sendable {}
