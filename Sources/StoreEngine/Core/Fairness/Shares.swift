import DequeModule

/// A user who shares a thread's time with others.
protocol SharesTime: AnyObject {
    var share: ShareStanding { get set }
}

/// The state of one user in `Shares`.
struct ShareStanding {
    /// True if the user is waiting in the order.
    fileprivate(set) var isQueued = false
    /// The time of `Shares` at which every user will have had as much of the thread's time as this user. If `paidAt` is
    /// later than the current time, the user has had more than its share and owes the difference.
    fileprivate(set) var paidAt = 0
}

/// The order of users: worst-case fair weighted fair queueing (WF²Q+, Bennett and Zhang 1997) with equal weights. The
/// time of this order advances by the cost of each piece of work that is handed out, divided by the number of waiting
/// users.
///
/// Users without debt come first, small work before large. Therefore such a user waits for the piece in progress and at
/// most for one piece of smaller or equal work of each other user without debt. If every user is in debt, the user
/// whose debt ends first is next. A user who is alone never waits.
struct Shares<Taker: SharesTime>: ~Copyable {
    /// The number of units of time for one unit of cost. It is large, so that a division by the number of users loses
    /// little.
    private static var unit: Int { 1_024 }

    private var order: Deque<Taker> = []
    private var now = 0
    /// The cost of the last piece, for which no time has passed yet. It is divided by the number of users who wait when
    /// the next piece is wanted, because other users join while the last piece is in progress.
    private var lastCost = 0
    private var lastTaker: Taker?

    /// The state before a turn was taken, for undoing the turn.
    struct UndoState {
        fileprivate let place: Int
        fileprivate let paidAt: Int
        fileprivate let now: Int
        fileprivate let lastCost: Int
        fileprivate let lastTaker: Taker?
    }

    /// The next user, and the time that the order has reached when the user takes its turn.
    struct Next {
        let taker: Taker
        fileprivate let place: Int
        fileprivate let time: Int
    }

    func contains(where isMeant: (Taker) -> Bool) -> Bool {
        order.contains(where: isMeant)
    }

    /// Adds a user at the end of the order, unless the user is already in it.
    mutating func join(_ taker: Taker) {
        guard !taker.share.isQueued else { return }
        order.append(taker)
        // A user who joins again while its own work is in progress was not idle, so its credit is kept.
        let paidAt = taker === lastTaker ? taker.share.paidAt : max(now, taker.share.paidAt)
        taker.share = ShareStanding(isQueued: true, paidAt: paidAt)
    }

    /// Returns the next user. It stays the same until another user joins.
    ///
    /// - Parameter cost: returns the cost of a user's next piece of work.
    func next(_ cost: (Taker) -> Int) -> Next? {
        guard order.count > 1 else { return order.first.map { Next(taker: $0, place: 0, time: completionTime) } }
        // If every user is in debt, this is the time at which the first debt ends.
        let time = max(completionTime, order.lazy.map(\.share.paidAt).min() ?? 0)
        var next: (place: Int, cost: Int)?
        for (place, taker) in order.enumerated() where taker.share.paidAt <= time {
            let cost = cost(taker)
            if next.map({ cost < $0.cost }) ?? true {
                next = (place, cost)
            }
        }
        return next.map { Next(taker: order[$0.place], place: $0.place, time: time) }
    }

    /// The time at which all work that was handed out is done.
    private var completionTime: Int {
        guard lastCost > 0 else { return now }
        let count = order.count + (lastTaker.map { $0.share.isQueued ? 0 : 1 } ?? 0)
        return now + lastCost * Self.unit / max(1, count)
    }

    /// Forgets the debt of work that was handed out while no other user waited.
    mutating func forgetDebt() {
        now = completionTime
        lastCost = 0
        lastTaker = nil
    }

    /// Records that a user has taken its turn.
    ///
    /// - Parameter isEmpty: true if the user wants no more turns for now.
    mutating func recordTurn(_ next: Next, cost: Int, isEmpty: Bool) -> UndoState {
        let taker = next.taker
        let undo = UndoState(
            place: next.place, paidAt: taker.share.paidAt, now: now, lastCost: lastCost, lastTaker: lastTaker)
        now = next.time
        lastCost = cost
        lastTaker = taker
        order.remove(at: next.place)
        taker.share = ShareStanding(isQueued: !isEmpty, paidAt: taker.share.paidAt + cost * Self.unit)
        if !isEmpty {
            order.append(taker)
        }
        return undo
    }

    /// Undoes a turn as if it had not been taken. Several turns must be undone in reverse order.
    mutating func giveBack(_ taker: Taker, _ undo: UndoState) {
        if taker.share.isQueued {
            order.removeAll { $0 === taker }
        }
        order.insert(taker, at: min(undo.place, order.count))
        taker.share = ShareStanding(isQueued: true, paidAt: undo.paidAt)
        now = undo.now
        lastCost = undo.lastCost
        lastTaker = undo.lastTaker
    }
}
