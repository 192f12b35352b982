import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests that users get equal shares of one thread. A share is measured by the cost of the work, not by the number of
/// items.
@Suite struct SharesTests {
    /// A simulated thread, which works on one item after the other. An item takes as long as it costs.
    private struct Thread {
        let queue = FairQueue<Int>(capacity: .init(), turnCost: 64)
        var now = 0
        var work: FairQueue<Int>.Item?
        var workEnd = 0
        /// The cost of the completed work by user.
        var done: [UInt32: Int] = [:]

        func want(_ cost: Int, user: UInt32, connection: UInt64 = 0) {
            let isTaken = queue.append(
                .init(work: now, owner: WorkOwner(userID: user, connection: connection), cost: cost, byteCount: 0))
            #expect(isTaken)
        }

        mutating func begin() {
            work = queue.next()
            // A second call that accepts nothing, as for a batch that looks for more work. It must have no effect.
            _ = queue.next { _ in false }
            workEnd = now + (work?.cost ?? 0)
        }

        mutating func end() -> FairQueue<Int>.Item? {
            now = workEnd
            if let work { done[work.owner.userID, default: 0] += work.cost }
            return work
        }
    }

    /// Checks how long one user waits while other users save large items. Each of them has `connections` connections,
    /// and each connection sends its next item as soon as it gets an answer.
    @Test(arguments: [(1, 1), (1, 50), (2, 1), (2, 50), (4, 1), (4, 3), (20, 2)])
    func `a user without debts waits only for running work, however many users save large items`(
        users: Int, connections: Int
    ) {
        for cost in [1, 64, 8_192] {
            var thread = Thread()
            for user in 1...UInt32(users) {
                for connection in 1...UInt64(connections) { thread.want(8_192, user: user, connection: connection) }
            }
            var longest = 0
            for round in 0..<TestTier.count(100, long: 500) {
                thread.begin()
                // Items that cost at most one turn (64) leave no debt, so the victim can be the same user each time.
                // Larger items leave debts, so each victim is a new user.
                let victim: UInt32? = round % 5 == 4 ? 1_000 + (cost > 64 ? UInt32(round) : 0) : nil
                if let victim { thread.want(cost, user: victim) }
                var passed = 0
                while let done = thread.end(), done.owner.userID < 1_000 {
                    thread.want(8_192, user: done.owner.userID, connection: done.owner.connection)
                    guard victim != nil else { break }
                    passed += 1
                    thread.begin()
                }
                longest = max(longest, passed)
            }
            // One item was running when the victim's item arrived. Large items of users without debts are done in the
            // order of arrival.
            #expect(longest <= (cost > 64 ? users + 1 : 1), "\(cost)")
        }
    }

    @Test func `users who always have work get equal shares, whatever their items cost`() {
        var thread = Thread()
        let costs: [UInt32: Int] = [1: 64, 2: 64, 3: 500, 4: 8_192]
        for (user, cost) in costs { thread.want(cost, user: user) }
        for _ in 0..<TestTier.count(5_000, long: 20_000) {
            thread.begin()
            guard let item = thread.end() else { break }
            thread.want(item.cost, user: item.owner.userID)
        }
        let shares = costs.keys.map { thread.done[$0] ?? 0 }
        #expect(Double(shares.min() ?? 0) > 0.9 * Double(shares.max() ?? 0), "\(thread.done)")
    }

    @Test func `large work of a user without debts does not wait for endless small work`() {
        var thread = Thread()
        thread.want(1, user: 1)
        for _ in 0..<1_000 {
            thread.begin()
            _ = thread.end()
            thread.want(1, user: 1)
        }
        thread.begin()
        thread.want(8_192, user: 2)
        _ = thread.end()
        thread.want(1, user: 1)
        var passed = 0
        while true {
            thread.begin()
            if thread.work?.owner.userID == 2 || thread.work == nil { break }
            _ = thread.end()
            thread.want(1, user: 1)
            passed += 1
        }
        #expect(passed <= 1)
    }

    @Test func `a user who worked alone has no debt after the queue was empty`() {
        var thread = Thread()
        for _ in 0..<10 {
            thread.want(8_192, user: 1)
            thread.begin()
            _ = thread.end()
        }
        thread.begin()
        thread.want(64, user: 1)
        thread.want(64, user: 2)
        thread.begin()
        #expect(thread.work?.owner.userID == 1)
    }
}
