import DequeModule

/// A participant in `Turns`, for example the waiting work of one connection.
protocol TakesTurns: AnyObject {
    var standing: TurnStanding { get set }
}

/// The state of one participant in `Turns`.
struct TurnStanding {
    /// True if the participant is in the order.
    fileprivate(set) var isQueued = false
    /// The debt that is still to be paid by skipping turns.
    fileprivate(set) var debt = 0
}

/// The order of turns: participants take turns one after the other. A participant that used more than a turn is worth
/// skips turns until its debt is paid.
struct Turns<Taker: TakesTurns>: ~Copyable {
    private var order: Deque<Taker> = []

    /// Returns true if a participant in the order satisfies the condition.
    func contains(where isMeant: (Taker) -> Bool) -> Bool {
        order.contains(where: isMeant)
    }

    /// Adds a participant at the end of the order, unless it is already in it.
    mutating func join(_ taker: Taker, owing debt: Int) {
        guard !taker.standing.isQueued else { return }
        order.append(taker)
        taker.standing = TurnStanding(isQueued: true, debt: debt)
    }

    /// Returns the participant whose turn it is. It stays the same until its turn is taken. A participant that is alone
    /// never skips a turn.
    ///
    /// - Parameter passed: the participants that skipped a turn are appended, in order.
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

    /// Records that the first participant has taken its turn.
    ///
    /// - Parameters:
    ///   - debt: the cost above the worth of a turn.
    ///   - isEmpty: true if the participant wants no more turns. Its debt is forgotten then.
    mutating func recordTurn(debt: Int, isEmpty: Bool) {
        guard let taker = order.popFirst() else { return }
        if isEmpty {
            taker.standing = TurnStanding()
        } else {
            taker.standing.debt = max(0, debt)
            order.append(taker)
        }
    }

    /// Undoes a turn as if it had not been taken. Several turns must be undone in reverse order.
    ///
    /// - Parameters:
    ///   - debt: the debt before the turn.
    ///   - passed: the participants that `next` reported for this turn.
    mutating func giveBack(_ taker: Taker, owing debt: Int, passed: [Taker], _ turnCost: Int) {
        putFirst(taker, owing: debt)
        giveBack(passed: passed, turnCost)
    }

    /// Undoes the skipping that `next` has done since a turn was last taken: the participants get their previous debts,
    /// and return to the front of the order.
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
