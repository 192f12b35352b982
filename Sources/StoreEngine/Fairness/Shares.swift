import DequeModule

/// Somebody who shares a thread's time with others.
protocol ShareTaking: AnyObject {
    var share: ShareStanding { get set }
}

/// How somebody stands with their share.
struct ShareStanding {
    /// Has a place in the order.
    fileprivate(set) var isQueued = false
    /// The time of `Shares` at which everybody will have had as much as this one has had. After the current time, it
    /// has had more than its share: it owes the difference.
    fileprivate(set) var paidAt = 0
}

/// Whose turn it is among users: worst-case fair weighted fair queueing (WF²Q+, Bennett and Zhang 1997) with equal
/// weights. Its time passes by what is handed out, divided by the number of those who want something.
///
/// Those who owe nothing come first, small work before large. So they wait for what is being done and, at most, for one
/// piece of smaller or equal work of each other user who owes nothing. Only if everybody owes, the one whose debt ends
/// first is next. One who is alone never waits.
struct Shares<Taker: ShareTaking>: ~Copyable {
    /// Time passes in fractions of the unit of costs.
    private static var unit: Int { 1_024 }

    private var order: Deque<Taker> = []
    private var now = 0
    /// What was handed out last, for which no time has passed: how many it is to be divided by is known when the next
    /// piece is wanted, as others come while it is done.
    private var lastCost = 0
    private var lastTaker: Taker?

    /// How matters stood before a turn was taken.
    struct Taken {
        fileprivate let place: Int
        fileprivate let paidAt: Int
        fileprivate let now: Int
        fileprivate let lastCost: Int
        fileprivate let lastTaker: Taker?
    }

    /// Whose turn it is, at a time that has come when it is taken.
    struct Next {
        let taker: Taker
        fileprivate let place: Int
        fileprivate let time: Int
    }

    func contains(where isMeant: (Taker) -> Bool) -> Bool {
        order.contains(where: isMeant)
    }

    /// Joins behind the others, unless there is a place already.
    mutating func join(_ taker: Taker) {
        guard !taker.share.isQueued else { return }
        order.append(taker)
        // One who comes back while its work is being done has not been away, and keeps what it has had too little.
        let paidAt = taker === lastTaker ? taker.share.paidAt : max(now, taker.share.paidAt)
        taker.share = ShareStanding(isQueued: true, paidAt: paidAt)
    }

    /// Whose turn it is, which stays so until another joins.
    ///
    /// - Parameter cost: what the next piece of work of each costs.
    func next(_ cost: (Taker) -> Int) -> Next? {
        guard order.count > 1 else { return order.first.map { Next(taker: $0, place: 0, time: settledTime) } }
        // Nobody's debt is paid before then.
        let time = max(settledTime, order.lazy.map(\.share.paidAt).min() ?? 0)
        var next: (place: Int, cost: Int)?
        for (place, taker) in order.enumerated() where taker.share.paidAt <= time {
            let cost = cost(taker)
            if next.map({ cost < $0.cost }) ?? true {
                next = (place, cost)
            }
        }
        return next.map { Next(taker: order[$0.place], place: $0.place, time: time) }
    }

    /// The time when all that was handed out is done.
    private var settledTime: Int {
        guard lastCost > 0 else { return now }
        let count = order.count + (lastTaker.map { $0.share.isQueued ? 0 : 1 } ?? 0)
        return now + lastCost * Self.unit / max(1, count)
    }

    /// Nothing waits: what was had without others is nothing to pay for.
    mutating func settle() {
        now = settledTime
        lastCost = 0
        lastTaker = nil
    }

    /// The turn was taken by who had it.
    ///
    /// - Parameter isEmpty: it wants no more turns for now.
    mutating func taken(_ next: Next, cost: Int, isEmpty: Bool) -> Taken {
        let taker = next.taker
        let taken = Taken(
            place: next.place, paidAt: taker.share.paidAt, now: now, lastCost: lastCost, lastTaker: lastTaker)
        now = next.time
        lastCost = cost
        lastTaker = taker
        order.remove(at: next.place)
        taker.share = ShareStanding(isQueued: !isEmpty, paidAt: taker.share.paidAt + cost * Self.unit)
        if !isEmpty {
            order.append(taker)
        }
        return taken
    }

    /// As if a turn had not been taken; of several turns, the last is given back first.
    mutating func giveBack(_ taker: Taker, _ taken: Taken) {
        if taker.share.isQueued {
            order.removeAll { $0 === taker }
        }
        order.insert(taker, at: min(taken.place, order.count))
        taker.share = ShareStanding(isQueued: true, paidAt: taken.paidAt)
        now = taken.now
        lastCost = taken.lastCost
        lastTaker = taken.lastTaker
    }
}
