import DequeModule

/// Somebody who has one turn after the other with others.
protocol TurnTaking: AnyObject {
    var standing: TurnStanding { get set }
}

/// How somebody stands with their turns.
struct TurnStanding {
    /// Has a place in the order.
    fileprivate(set) var isQueued = false
    /// What is yet to be paid.
    fileprivate(set) var debt = 0
}

/// Whose turn it is: each has one after the other, and whoever took more than a turn is worth passes until it is paid.
struct Turns<Taker: TurnTaking>: ~Copyable {
    private var order: Deque<Taker> = []

    /// Whether one of those who take turns is meant.
    func contains(where isMeant: (Taker) -> Bool) -> Bool {
        order.contains(where: isMeant)
    }

    /// Joins behind the others, unless there is a place already.
    mutating func join(_ taker: Taker, owing debt: Int) {
        guard !taker.standing.isQueued else { return }
        order.append(taker)
        taker.standing = TurnStanding(isQueued: true, debt: debt)
    }

    /// Whose turn it is, which stays so until it is taken. Who is alone never passes.
    ///
    /// - Parameter passed: gets whoever passed their turn, in order.
    mutating func next(_ turnCost: Int, passed: inout [Taker]) -> Taker? {
        guard order.count > 1 else { return order.first }
        while let taker = order.first {
            guard taker.standing.debt > 0 else { return taker }
            taker.standing.debt -= turnCost
            order.removeFirst()
            order.append(taker)
            passed.append(taker)
        }
        return nil
    }

    /// The turn was taken by who had it.
    ///
    /// - Parameters:
    ///   - debt: what it took more than a turn is worth.
    ///   - isEmpty: it wants no more turns, and what it owes is forgotten.
    mutating func taken(debt: Int, isEmpty: Bool) {
        guard let taker = order.popFirst() else { return }
        if isEmpty {
            taker.standing = TurnStanding()
        } else {
            taker.standing.debt = max(0, debt)
            order.append(taker)
        }
    }

    /// As if a turn had not been taken; of several turns, the last is given back first.
    ///
    /// - Parameters:
    ///   - debt: what was owed before it.
    ///   - passed: what `next` told of it.
    mutating func giveBack(_ taker: Taker, owing debt: Int, passed: [Taker], _ turnCost: Int) {
        putFirst(taker, owing: debt)
        giveBack(passed: passed, turnCost)
    }

    /// Undoes that these passed their turns since the last turn was taken.
    mutating func giveBack(passed: [Taker], _ turnCost: Int) {
        for taker in passed.reversed() {
            putFirst(taker, owing: taker.standing.debt + turnCost)
        }
    }

    private mutating func putFirst(_ taker: Taker, owing debt: Int) {
        if taker.standing.isQueued {
            order.removeAll { $0 === taker }
        }
        order.prepend(taker)
        taker.standing = TurnStanding(isQueued: true, debt: debt)
    }
}
