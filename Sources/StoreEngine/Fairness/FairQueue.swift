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

/// What waits for a thread. Users take turns, and within the turn of a user the connections do; what came over one
/// connection keeps its order.
///
/// A turn is worth `turnCost`. What costs more is handed out whole, and its user and connection pass until they have
/// paid for it: deficit round robin, so that a step takes the same time however much waits.
struct FairQueue<Work> {
    struct Item {
        var work: Work
        let owner: WorkOwner
        /// About what it takes to do, in the unit of `turnCost`.
        let cost: Int
        /// What it holds while it waits.
        let byteCount: Int
    }

    /// What may wait, in all.
    struct Capacity {
        var items: Int
        var bytes: Int
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
    private(set) var count = 0
    private(set) var byteCount = 0

    init(capacity: Capacity, turnCost: Int) {
        self.capacity = capacity
        self.turnCost = turnCost
    }

    var isEmpty: Bool { count == 0 }

    /// Takes work in. A user who holds a part of the room may take more only while that is less than what is left: one
    /// who wants all gets half, and whoever else comes finds room.
    ///
    /// - Returns: false when there is no room for it.
    mutating func append(_ item: Item) -> Bool {
        let share = shares[item.owner.userID]
        let free = (items: capacity.items - count, bytes: capacity.bytes - byteCount)
        guard free.items > 0, item.byteCount <= free.bytes else { return false }
        guard share.map({ $0.items < free.items && $0.bytes < free.bytes }) ?? true else { return false }
        lanes[item.owner, default: []].append(item)
        join(item, .last(owing: 0))
        return true
    }

    /// Takes back what was handed out and not begun: it is handed out next, as if it had never been.
    mutating func putBack(_ item: Item) {
        lanes[item.owner, default: []].prepend(item)
        join(item, .first)
    }

    /// Takes back what was begun and is not finished: its turn comes again, before anything else of its connection.
    mutating func putBackUnfinished(_ item: Item) {
        lanes[item.owner, default: []].prepend(item)
        join(item, .last(owing: max(0, item.cost - turnCost)))
    }

    /// The work whose turn it is.
    ///
    /// - Parameter admits: whether it is wanted now; if not, it stays what comes next.
    mutating func next(where admits: (Item) -> Bool = { _ in true }) -> Item? {
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
    mutating func removeAll() -> [Item] {
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

/// Where somebody joins those who take turns.
enum TurnPlace {
    /// Behind the others, unless there is a place already.
    case last(owing: Int)
    /// Before all others, owing nothing.
    case first
}

/// Whose turn it is: each has one after the other, and whoever took more than a turn is worth passes until it is paid.
struct Turns<Key: Hashable> {
    private var order: Deque<Key> = []
    /// Everyone in `order`, with what is to be paid.
    private var debts: [Key: Int] = [:]

    mutating func join(_ key: Key, _ place: TurnPlace) {
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
    mutating func next(_ turnCost: Int) -> Key? {
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
    /// - Parameter isEmpty: it wants no more turns, and what it owes is forgotten.
    mutating func taken(debt: Int, isEmpty: Bool) {
        guard let key = order.popFirst() else { return }
        if isEmpty {
            debts[key] = nil
        } else {
            debts[key] = max(0, debt)
            order.append(key)
        }
    }
}
