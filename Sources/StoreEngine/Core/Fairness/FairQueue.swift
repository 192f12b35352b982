import DequeModule

/// The user and the connection that work is done for. Time is shared first among users, then among a user's
/// connections.
package struct WorkOwner: Hashable, Sendable {
    package let userID: UInt32
    /// Identifies a connection of the user. The work of one connection keeps its order.
    package let connection: UInt64

    package init(userID: UInt32, connection: UInt64) {
        self.userID = userID
        self.connection = connection
    }

    /// The owner of work that no client requested.
    package static let daemon = WorkOwner(userID: .max, connection: 0)
}

/// Work that waits for a thread. Every queue that several users share is a `FairQueue`. Users have equal shares, and
/// the connections of a user take turns; the work of one connection keeps its order. The capacity of the queue is
/// shared by the rule of `FairShare`, so that the work of one user never fills the queue for other users.
///
/// A turn is worth `turnCost`. Work that costs more is handed out whole and paid for later: its user is in debt
/// (`Shares`), and its connection skips turns (`Turns`).
///
/// Not thread-safe. Users, connections and items are objects, so a turn copies nothing, however large the work is. A
/// turn costs two look-ups and a pass over the waiting users.
package final class FairQueue<Work> {
    package final class Item {
        package let work: Work
        package let owner: WorkOwner
        /// The approximate cost of the work, in the unit of `turnCost`.
        package let cost: Int
        /// The memory that the work holds while it waits.
        package let byteCount: Int
        fileprivate var turn: TurnUndoState?

        package init(work: Work, owner: WorkOwner, cost: Int, byteCount: Int) {
            self.work = work
            self.owner = owner
            self.cost = cost
            self.byteCount = byteCount
        }
    }

    /// The state of the turns before an item was handed out: the debts, and the connections that skipped a turn.
    fileprivate struct TurnUndoState {
        var ofUser: Shares<User>.UndoState
        var laneDebt = 0
        /// The owners of the lanes that skipped a turn. The lanes themselves are not stored, because a lane that
        /// becomes empty is replaced by another object.
        var passedConnections: [WorkOwner] = []
    }

    /// The limits for all waiting work together.
    package struct Capacity {
        package var items: Int
        package var bytes: Int

        package init(items: Int = .max, bytes: Int = .max) {
            self.items = items
            self.bytes = bytes
        }
    }

    /// The waiting work of one connection, in its order.
    fileprivate final class Lane: TakesTurns {
        let owner: WorkOwner
        var items: Deque<Item> = []
        var standing = TurnStanding()

        init(_ owner: WorkOwner) {
            self.owner = owner
        }
    }

    /// The waiting work of one user.
    fileprivate final class User: SharesTime {
        let userID: UInt32
        var lanes: [WorkOwner: Lane] = [:]
        var turns = Turns<Lane>()
        /// The connections that have skipped turns since the last turn was taken.
        var passedConnections: [WorkOwner] = []
        var itemCount = 0
        var byteCount = 0
        var share = ShareStanding()

        init(_ userID: UInt32) {
            self.userID = userID
        }

        func lane(_ owner: WorkOwner) -> Lane {
            if let lane = lanes[owner] { return lane }
            let lane = Lane(owner)
            lanes[owner] = lane
            return lane
        }

        /// Returns the next connection. It stays the same until its turn is taken.
        func nextLane(_ turnCost: Int) -> Lane? {
            var passed: [Lane] = []
            let lane = turns.next(turnCost, passed: &passed)
            passedConnections += passed.lazy.map(\.owner)
            return lane
        }
    }

    private let capacity: Capacity
    private let turnCost: Int
    private var shares = Shares<User>()
    /// All users with present or past work.
    private var users: [UInt32: User] = [:]
    package private(set) var count = 0
    package private(set) var byteCount = 0

    package init(capacity: Capacity, turnCost: Int) {
        self.capacity = capacity
        self.turnCost = turnCost
    }

    package var isEmpty: Bool { count == 0 }

    package func hasWork(of userID: UInt32) -> Bool {
        users[userID].map { $0.itemCount > 0 } ?? false
    }

    /// Returns true if a user who satisfies `isMeant` has waiting work.
    package func hasWork(where isMeant: (UInt32) -> Bool) -> Bool {
        shares.contains { isMeant($0.userID) }
    }

    func hasWork(of owner: WorkOwner) -> Bool {
        users[owner.userID]?.lanes[owner].map { !$0.items.isEmpty } ?? false
    }

    /// The next work of each connection, in no particular order.
    var heads: [Work] {
        users.values.flatMap { $0.lanes.values.compactMap { $0.items.first?.work } }
    }

    /// The item that is handed out next if nothing is added.
    var upcoming: Item? { nextUser?.taker.nextLane(turnCost)?.items.first }

    private var nextUser: Shares<User>.Next? {
        shares.next { max(turnCost, $0.nextLane(turnCost)?.items.first?.cost ?? 0) }
    }

    /// All waiting work, in no particular order.
    package var waiting: [Work] {
        users.values.flatMap { $0.lanes.values.flatMap { $0.items.map(\.work) } }
    }

    /// Adds work to the queue.
    ///
    /// - Returns: false if there is no room for it.
    package func append(_ item: Item) -> Bool {
        let user = user(item.owner.userID)
        guard FairShare.admits(1, holding: user.itemCount, free: capacity.items - count),
            FairShare.admits(item.byteCount, holding: user.byteCount, free: capacity.bytes - byteCount)
        else { return false }
        let lane = user.lane(item.owner)
        lane.items.append(item)
        hold(item, of: user)
        join(user, lane, owing: 0)
        return true
    }

    /// Puts an item back that was handed out but not begun. It is handed out next, as if it had never left the queue.
    /// Several items must be put back in reverse order.
    package func putBack(_ item: Item) {
        let user = user(item.owner.userID)
        let lane = user.lane(item.owner)
        guard let turn = item.turn else { return putBackUnfinished(item) }
        item.turn = nil
        lane.items.prepend(item)
        hold(item, of: user)
        shares.giveBack(user, turn.ofUser)
        user.turns.giveBack(passed: user.passedConnections.compactMap { user.lanes[$0] }, turnCost)
        user.passedConnections.removeAll()
        user.turns.giveBack(
            lane, owing: turn.laneDebt, passed: turn.passedConnections.compactMap { user.lanes[$0] }, turnCost)
    }

    /// Puts an item back that was begun but not finished. It is handed out before the other work of its connection.
    package func putBackUnfinished(_ item: Item) {
        let user = user(item.owner.userID)
        let lane = user.lane(item.owner)
        item.turn = nil
        lane.items.prepend(item)
        hold(item, of: user)
        join(user, lane, owing: max(0, item.cost - turnCost))
    }

    /// Removes and returns the next work.
    ///
    /// - Parameter admits: returns false if the work must not be handed out now. The work then stays next.
    package func next(where admits: (Item) -> Bool = { _ in true }) -> Item? {
        guard let next = nextUser else {
            shares.forgetDebt()
            return nil
        }
        let user = next.taker
        guard let lane = user.nextLane(turnCost), let item = lane.items.first, admits(item) else { return nil }
        lane.items.removeFirst()
        release(item, of: user)
        let laneDebt = lane.standing.debt
        let isLaneEmpty = lane.items.isEmpty
        user.turns.recordTurn(debt: item.cost - turnCost, isEmpty: isLaneEmpty)
        if isLaneEmpty {
            user.lanes[item.owner] = nil
        }
        let undo = shares.recordTurn(next, cost: max(turnCost, item.cost), isEmpty: user.itemCount == 0)
        item.turn = TurnUndoState(ofUser: undo, laneDebt: laneDebt, passedConnections: user.passedConnections)
        user.passedConnections.removeAll()
        return item
    }

    /// Removes and returns all work, in the order in which `next` hands it out.
    package func removeAll() -> [Item] {
        var items: [Item] = []
        while let item = next() {
            items.append(item)
        }
        return items
    }

    private func user(_ userID: UInt32) -> User {
        if let user = users[userID] { return user }
        let user = User(userID)
        users[userID] = user
        return user
    }

    private func hold(_ item: Item, of user: User) {
        count += 1
        byteCount += item.byteCount
        user.itemCount += 1
        user.byteCount += item.byteCount
    }

    private func release(_ item: Item, of user: User) {
        count -= 1
        byteCount -= item.byteCount
        user.itemCount -= 1
        user.byteCount -= item.byteCount
    }

    private func join(_ user: User, _ lane: Lane, owing debt: Int) {
        shares.join(user)
        user.turns.join(lane, owing: debt)
    }
}

// @unchecked Sendable because each owner of a queue uses it on one event loop or under a lock, together with its other
// state, and waiting work belongs to the queue alone until it is handed out.
extension FairQueue: @unchecked Sendable where Work: Sendable {}
// @unchecked Sendable because an item belongs to its queue until it is handed out.
extension FairQueue.Item: @unchecked Sendable where Work: Sendable {}
