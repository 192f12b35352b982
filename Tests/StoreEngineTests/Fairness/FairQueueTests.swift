import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct FairQueueTests {
    private func queue(items: Int = 1_000, bytes: Int = 1_000_000, turnCost: Int = 10) -> FairQueue<String> {
        FairQueue(capacity: .init(items: items, bytes: bytes), turnCost: turnCost)
    }

    private func item(
        _ name: String, user: UInt32 = 1, connection: UInt64 = 1, cost: Int = 1, bytes: Int = 0
    ) -> FairQueue<String>.Item {
        .init(
            work: name, owner: WorkOwner(userID: user, connection: connection), cost: cost, byteCount: bytes)
    }

    private func add(_ item: FairQueue<String>.Item, to queue: FairQueue<String>) {
        let isTaken = queue.append(item)
        #expect(isTaken)
    }

    private func order(_ queue: FairQueue<String>) -> [String] {
        queue.removeAll().map(\.work)
    }

    @Test func `users take turns, and the connections of a user share the turns of the user`() {
        let queue = queue()
        for index in 1...4 {
            add(item("a\(index)", user: 1, connection: 1), to: queue)
        }
        for index in 1...2 {
            add(item("b\(index)", user: 1, connection: 2), to: queue)
        }
        for index in 1...3 {
            add(item("c\(index)", user: 2, connection: 3), to: queue)
        }
        #expect(order(queue) == ["a1", "c1", "b1", "c2", "a2", "c3", "b2", "a3", "a4"])
    }

    @Test func `many connections of one user get no more turns than one connection of another`() {
        let queue = queue()
        for connection in 1...100 {
            add(item("hog", user: 1, connection: UInt64(connection)), to: queue)
        }
        add(item("victim", user: 2, connection: 1), to: queue)
        #expect(order(queue).firstIndex(of: "victim") == 1)
    }

    @Test func `a user whose work cost more than a turn waits until others have had as much`() {
        let queue = queue(turnCost: 10)
        for index in 1...2 {
            add(item("large\(index)", user: 1, cost: 35), to: queue)
        }
        for index in 1...6 {
            add(item("small\(index)", user: 2), to: queue)
        }
        #expect(order(queue) == ["small1", "large1", "small2", "small3", "small4", "large2", "small5", "small6"])
    }

    @Test func `a user who is alone never waits for its debt`() {
        let queue = queue(turnCost: 1)
        for index in 1...3 {
            add(item("\(index)", cost: 1_000), to: queue)
        }
        #expect(order(queue) == ["1", "2", "3"])
    }

    @Test func `an item that is not admitted stays the next one`() {
        let queue = queue()
        add(item("a", user: 1), to: queue)
        add(item("b", user: 2), to: queue)
        let refused = queue.next { $0.work != "a" }
        #expect(refused?.work == nil)
        #expect(queue.count == 2)
        #expect(order(queue) == ["a", "b"])
    }

    @Test func `items that are put back come first again, in their order`() {
        let queue = queue()
        for (name, user) in [("hog", UInt32(1)), ("victim", 2), ("third", 3), ("hog2", 1), ("victim2", 2)] {
            add(item(name, user: user), to: queue)
        }
        let taken = (0..<3).compactMap { _ in queue.next() }
        #expect(taken.map(\.work) == ["hog", "victim", "third"])
        for item in taken.dropFirst().reversed() {
            queue.putBack(item)
        }
        #expect(order(queue) == ["victim", "third", "hog2", "victim2"])
    }

    /// Checks that the queue is unchanged after items were removed and put back: users keep their debts, and an item
    /// that has overtaken others may overtake them again.
    @Test(arguments: [1, 2, 3])
    func `items that are put back in their order leave the queue unchanged`(_ seed: UInt64) {
        var random = SplitMix(seed: seed)
        for _ in 0..<TestTier.count(60, long: 200) {
            let queues = (touched: queue(items: .max, bytes: .max), untouched: queue(items: .max, bytes: .max))
            for index in 0..<Int.random(in: 1..<30, using: &random) {
                let user = UInt32.random(in: 0..<4, using: &random)
                let connection = UInt64.random(in: 0..<3, using: &random)
                let cost = Int.random(in: 0..<100, using: &random)
                // Items that are removed here leave debts, so both queues have debts when the test begins.
                let isTaken = Int.random(in: 0..<4, using: &random) == 0
                for queue in [queues.touched, queues.untouched] {
                    add(item("\(index)", user: user, connection: connection, cost: cost, bytes: index), to: queue)
                    if isTaken {
                        _ = queue.next()
                    }
                }
            }
            var taken: [FairQueue<String>.Item] = []
            for _ in 0..<Int.random(in: 0..<12, using: &random) {
                taken += queues.touched.next().map { [$0] } ?? []
            }
            for item in taken.reversed() {
                queues.touched.putBack(item)
            }
            #expect(queues.touched.count == queues.untouched.count)
            #expect(queues.touched.byteCount == queues.untouched.byteCount)
            #expect(order(queues.touched) == order(queues.untouched))
        }
    }

    @Test func `a user still pays for a large item after a later small one is put back`() {
        let queue = queue(turnCost: 10)
        for (name, cost) in [("large1", 50), ("small", 1), ("large2", 50)] {
            add(item(name, user: 1, cost: cost), to: queue)
        }
        let large = queue.next()
        let small = queue.next()
        #expect(large?.work == "large1" && small?.work == "small")
        if let small {
            queue.putBack(small)
        }
        for index in 1...5 {
            add(item("victim\(index)", user: 2), to: queue)
        }
        #expect(order(queue) == ["victim1", "victim2", "victim3", "victim4", "victim5", "small", "large2"])
    }

    @Test func `unfinished work waits for its turn, before other work of its connection`() throws {
        let queue = queue(turnCost: 10)
        add(item("long", user: 1, cost: 25), to: queue)
        add(item("behind", user: 1), to: queue)
        let long = queue.next()
        for index in 1...4 {
            add(item("victim\(index)", user: 2), to: queue)
        }
        queue.putBackUnfinished(try #require(long))
        #expect(order(queue) == ["victim1", "victim2", "victim3", "long", "victim4", "behind"])
    }

    @Test func `unfinished work of a user who is alone counts as debt when others come`() throws {
        let queue = queue(turnCost: 10)
        add(item("long", user: 1, cost: 25), to: queue)
        let long = queue.next()
        queue.putBackUnfinished(try #require(long))
        for index in 1...4 {
            add(item("victim\(index)", user: 2), to: queue)
        }
        #expect(order(queue) == ["victim1", "victim2", "victim3", "long", "victim4"])
    }

    @Test func `one user can fill half of the queue, and the next one half of the rest`() {
        let queue = queue(items: 100, bytes: 1_000)
        var taken = 0
        while queue.append(item("hog", user: 1, connection: UInt64(taken))) {
            taken += 1
        }
        #expect(taken == 50)
        taken = 0
        while queue.append(item("second", user: 2)) {
            taken += 1
        }
        #expect(taken == 25)
        add(item("third", user: 3), to: queue)
    }

    @Test func `bytes are shared like the number of items`() {
        let queue = queue(items: 100, bytes: 1_000)
        var taken = 0
        while queue.append(item("hog", user: 1, bytes: 100)) {
            taken += 1
        }
        #expect(taken == 5)
        add(item("victim", user: 2, bytes: 400), to: queue)
        let isThirdTaken = queue.append(item("third", user: 3, bytes: 200))
        _ = queue.next()
        let isHogTaken = queue.append(item("hog", user: 1, bytes: 0))
        #expect(!isThirdTaken && !isHogTaken)
    }

    @Test func `half of the bytes are left for another user's first item, whatever one user queues`() {
        let queue = queue(items: 1_000, bytes: 1_000)
        for size in [300, 250, 199, 120, 90, 51, 50, 1] {
            _ = queue.append(item("hog", user: 1, bytes: size))
        }
        #expect(queue.byteCount <= 500)
        add(item("victim", user: 2, bytes: 500), to: queue)
    }

    @Test func `all waiting items can be listed`() {
        let queue = queue()
        for (name, user) in [("a", UInt32(1)), ("b", 2), ("c", 1)] {
            add(item(name, user: user, connection: UInt64(user)), to: queue)
        }
        #expect(queue.waiting.sorted() == ["a", "b", "c"])
        _ = queue.removeAll()
        #expect(Array(queue.waiting) == [])
    }

    /// Compares the queue with a model that knows only the order of each connection. No item is lost or returned twice.
    @Test(arguments: [1, 2, 3]) func `no item is lost, and each connection's items come in order`(_ seed: UInt64) {
        var random = SplitMix(seed: seed)
        let queue = queue(items: .max, bytes: .max)
        var given: [WorkOwner: Int] = [:]
        var expected: [WorkOwner: Int] = [:]
        func take() {
            guard let item = queue.next() else { return }
            switch Int.random(in: 0..<6, using: &random) {
            case 0: queue.putBack(item)
            case 1: queue.putBackUnfinished(item)
            default:
                #expect(item.work == "\(expected[item.owner, default: 0])")
                expected[item.owner, default: 0] += 1
            }
        }
        for _ in 0..<TestTier.count(1_500, long: 5_000) {
            if Int.random(in: 0..<5, using: &random) < 3 {
                let owner = WorkOwner(
                    userID: .random(in: 0..<4, using: &random), connection: .random(in: 0..<5, using: &random))
                let cost = Int.random(in: 0..<100, using: &random)
                let number = "\(given[owner, default: 0])"
                add(.init(work: number, owner: owner, cost: cost, byteCount: cost), to: queue)
                given[owner, default: 0] += 1
            } else {
                take()
            }
        }
        while !queue.isEmpty {
            take()
        }
        #expect(expected == given && queue.byteCount == 0)
    }
}
