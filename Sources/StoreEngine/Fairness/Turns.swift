package import DequeModule

/// Where somebody joins those who take turns.
package enum TurnPlace {
    /// Behind the others, unless there is a place already.
    case last(owing: Int)
    /// Before all others, owing nothing.
    case first
}

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

    @inlinable package mutating func join(_ key: Key, _ place: TurnPlace) {
        let hasPlace = debts[key] != nil
        switch place {
        case .last(let debt):
            guard !hasPlace else { return }
            order.append(key)
            debts[key] = debt
        case .first:
            if hasPlace {
                order.removeAll { $0 == key }
            }
            order.prepend(key)
            debts[key] = 0
        }
    }

    /// Whose turn it is, which stays so until it is taken. Who is alone never passes.
    @inlinable package mutating func next(_ turnCost: Int) -> Key? {
        guard order.count > 1 else { return order.first }
        while let key = order.first {
            guard let debt = debts[key], debt > 0 else { return key }
            debts[key] = debt - turnCost
            order.append(order.removeFirst())
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
}

extension Turns: Sendable where Key: Sendable {}
