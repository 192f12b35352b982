import DequeModule

/// For whom work is done. Shares go first by user, then by connection.
package struct WorkOwner: Hashable, Sendable {
    package let userID: UInt32
    /// Tells the connections of a user apart; the work of one keeps its order.
    package let connection: UInt64

    package init(userID: UInt32, connection: UInt64) {
        self.userID = userID
        self.connection = connection
    }

    /// Work that nobody asked for.
    package static let daemon = WorkOwner(userID: .max, connection: 0)
}

/// What waits for a thread, of whatever kind: every queue in which users meet is one of these. Users take turns, and
/// within the turn of a user the connections do; what came over one connection keeps its order. The room is shared by
/// the rule of `FairShare`, so that nobody's work keeps another's out.
///
/// A turn is worth `turnCost`. What costs more is handed out whole, and its user and connection pass until they have
/// paid for it: deficit round robin, so that a step takes the same time however much waits.
package struct FairQueue<Work> {
    package struct Item {
        package var work: Work
        package let owner: WorkOwner
        /// About what it takes to do, in the unit of `turnCost`.
        package let cost: Int
        /// What it holds while it waits.
        package let byteCount: Int

        package init(work: Work, owner: WorkOwner, cost: Int, byteCount: Int) {
            self.work = work
            self.owner = owner
            self.cost = cost
            self.byteCount = byteCount
        }
    }

    /// What may wait, in all.
    package struct Capacity {
        package var items: Int
        package var bytes: Int

        package init(items: Int = .max, bytes: Int = .max) {
            self.items = items
            self.bytes = bytes
        }
    }

    /// What waits for one user.
    private struct Share {
        var connections = Turns<UInt64>()
        var items = 0
        var bytes = 0

        mutating func take(_ item: Item, _ place: TurnPlace) {
            items += 1
            bytes += item.byteCount
            connections.join(item.owner.connection, place)
        }
    }

    private let capacity: Capacity
    private let turnCost: Int
    private var users = Turns<UInt32>()
    /// Of every user who ever had one.
    private var shares: [UInt32: Share] = [:]
    private var lanes: [WorkOwner: Deque<Item>] = [:]
    package private(set) var count = 0
    package private(set) var byteCount = 0

    package init(capacity: Capacity, turnCost: Int) {
        self.capacity = capacity
        self.turnCost = turnCost
    }

    package var isEmpty: Bool { count == 0 }

    package func hasWork(of userID: UInt32) -> Bool {
        shares[userID].map { $0.items > 0 } ?? false
    }

    /// Whether something waits of a user who is meant.
    package func hasWork(where isMeant: (UInt32) -> Bool) -> Bool {
        users.contains(where: isMeant)
    }

    /// All that waits, in no order.
    package var waiting: some Sequence<Work> {
        lanes.values.lazy.joined().map(\.work)
    }

    /// Takes work in.
    ///
    /// - Returns: false when there is no room for it.
    package mutating func append(_ item: Item) -> Bool {
        let share = shares[item.owner.userID]
        guard FairShare.admits(1, holding: share?.items ?? 0, free: capacity.items - count),
            FairShare.admits(item.byteCount, holding: share?.bytes ?? 0, free: capacity.bytes - byteCount)
        else { return false }
        lanes[item.owner, default: []].append(item)
        join(item, .last(owing: 0))
        return true
    }

    /// Takes back what was handed out and not begun: it is handed out next, as if it had never been.
    package mutating func putBack(_ item: Item) {
        lanes[item.owner, default: []].prepend(item)
        join(item, .first)
    }

    /// Takes back what was begun and is not finished: its turn comes again, before anything else of its connection.
    package mutating func putBackUnfinished(_ item: Item) {
        lanes[item.owner, default: []].prepend(item)
        join(item, .last(owing: max(0, item.cost - turnCost)))
    }

    /// The work whose turn it is.
    ///
    /// - Parameter admits: whether it is wanted now; if not, it stays what comes next.
    package mutating func next(where admits: (Item) -> Bool = { _ in true }) -> Item? {
        guard let user = users.next(turnCost), let connection = shares[user]?.connections.next(turnCost) else {
            return nil
        }
        let owner = WorkOwner(userID: user, connection: connection)
        guard let item = lanes[owner]?.first, admits(item) else { return nil }
        lanes[owner]?.removeFirst()
        let isLaneEmpty = lanes[owner]?.isEmpty ?? true
        if isLaneEmpty {
            lanes[owner] = nil
        }
        count -= 1
        byteCount -= item.byteCount
        let debt = item.cost - turnCost
        shares[user]?.items -= 1
        shares[user]?.bytes -= item.byteCount
        shares[user]?.connections.taken(debt: debt, isEmpty: isLaneEmpty)
        users.taken(debt: debt, isEmpty: shares[user]?.items == 0)
        return item
    }

    /// Takes out everything.
    package mutating func removeAll() -> [Item] {
        var items: [Item] = []
        while let item = next() {
            items.append(item)
        }
        return items
    }

    private mutating func join(_ item: Item, _ place: TurnPlace) {
        count += 1
        byteCount += item.byteCount
        users.join(item.owner.userID, place)
        shares[item.owner.userID, default: Share()].take(item, place)
    }
}

extension FairQueue: Sendable where Work: Sendable {}
extension FairQueue.Item: Sendable where Work: Sendable {}
