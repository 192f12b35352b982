import Testing

@testable import StoreServer

/// Drives the ordering with names instead of requests.
private struct Driver {
    var ordering = RequestOrdering<String>(longReadsMax: 2)
    var running: [String: RequestOrdering<String>.Ticket] = [:]

    /// True when it runs at once.
    mutating func send(_ name: String, _ order: CallOrder, isLong: Bool = false) -> Bool {
        guard let ticket = ordering.admit(name, order: order, isLong: isLong, bytes: 1) else {
            return false
        }
        running[name] = ticket
        return true
    }

    /// What runs because this one is done.
    mutating func complete(_ name: String) -> [String] {
        guard let ticket = running.removeValue(forKey: name) else {
            Issue.record("\(name) does not run")
            return []
        }
        ordering.complete(ticket)
        var started: [String] = []
        while let next = ordering.next() {
            running[next.request] = next.ticket
            started.append(next.request)
        }
        return started
    }
}

@Suite struct RequestOrderingTests {
    @Test func readsRunAtOnceWhenNothingIsBeingWritten() {
        var driver = Driver()
        #expect(driver.send("r1", .read))
        #expect(driver.send("r2", .read))
        #expect(driver.complete("r2").isEmpty)
    }

    @Test func writesAllRunAtOnceSoThatTheyShareACommit() {
        var driver = Driver()
        #expect(driver.send("w1", .write))
        #expect(driver.send("w2", .write))
        #expect(driver.send("w3", .write))
    }

    @Test func readWaitsForTheWritesBeforeItAndOnlyForThose() {
        var driver = Driver()
        #expect(driver.send("w1", .write))
        #expect(!driver.send("r1", .read))
        #expect(driver.send("w2", .write))
        #expect(!driver.send("r2", .read))
        #expect(driver.complete("w1") == ["r1"])
        #expect(driver.complete("w2") == ["r2"])
    }

    @Test func readWaitsAlsoWhenALaterWriteIsRefusedFirst() {
        var driver = Driver()
        #expect(driver.send("w1", .write))
        #expect(driver.send("w2", .write))
        #expect(!driver.send("r", .read))
        #expect(driver.complete("w2").isEmpty)
        #expect(driver.complete("w1") == ["r"])
    }

    @Test func freeCallsNeverWait() {
        var driver = Driver()
        #expect(driver.send("b", .barrier))
        #expect(!driver.send("w", .write))
        #expect(driver.send("ping", .free))
    }

    @Test func barrierWaitsForAllBeforeItAndHoldsAllAfterIt() {
        var driver = Driver()
        #expect(driver.send("w1", .write))
        #expect(driver.send("w2", .write))
        #expect(!driver.send("r1", .read))
        #expect(!driver.send("unlock", .barrier))
        #expect(!driver.send("w3", .write))
        #expect(!driver.send("r2", .read))
        #expect(driver.complete("w1").isEmpty)
        #expect(driver.complete("w2") == ["r1"])
        #expect(driver.complete("r1") == ["unlock"])
        #expect(driver.complete("unlock") == ["w3"])
        #expect(driver.complete("w3") == ["r2"])
    }

    @Test func writesHeldByABarrierAreNotOvertakenByLaterOnes() {
        var driver = Driver()
        #expect(driver.send("lock", .barrier))
        #expect(!driver.send("w1", .write))
        #expect(!driver.send("r1", .read))
        #expect(!driver.send("w2", .write))
        #expect(driver.complete("lock") == ["w1"])
        #expect(!driver.send("w3", .write))
        #expect(driver.complete("w1") == ["r1", "w2", "w3"])
    }

    @Test func onlySoManyLongReadsRunAtOnce() {
        var driver = Driver()
        #expect(driver.send("l1", .read, isLong: true))
        #expect(driver.send("l2", .read, isLong: true))
        #expect(!driver.send("l3", .read, isLong: true))
        #expect(driver.send("r", .read))
        #expect(driver.complete("l1") == ["l3"])
    }

    @Test func droppedRequestsAreReturnedOnce() {
        var driver = Driver()
        #expect(driver.send("b", .barrier))
        #expect(!driver.send("w", .write))
        #expect(!driver.send("r", .read))
        #expect(driver.ordering.dropWaiting() == ["w", "r"])
        #expect(driver.ordering.dropWaiting().isEmpty)
        #expect(driver.complete("b").isEmpty)
    }

    /// The rules, checked on random histories: every write starts in the order sent, and no read starts before the
    /// writes sent before it are done.
    @Test(arguments: 0..<40) func randomHistoriesKeepTheRules(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var driver = Driver()
        var sent: [(name: String, order: CallOrder)] = []
        var started: [String] = []
        var done: Set<String> = []
        func noteStart(_ name: String) {
            let index = sent.firstIndex { $0.name == name } ?? 0
            let writesBefore = sent[..<index].filter { $0.order == .write }.map(\.name)
            switch sent[index].order {
            case .write: #expect(writesBefore.allSatisfy { started.contains($0) })
            case .read: #expect(writesBefore.allSatisfy { done.contains($0) })
            case .barrier:
                #expect(sent[..<index].filter { $0.order != .free }.allSatisfy { done.contains($0.name) })
            case .free: break
            }
            started.append(name)
        }
        for step in 0..<300 {
            if Bool.random(using: &generator) || driver.running.isEmpty {
                let order: [CallOrder] = [.write, .write, .write, .read, .read, .read, .free, .barrier]
                let item = (name: "\(step)", order: order.randomElement(using: &generator) ?? .read)
                sent.append(item)
                if driver.send(item.name, item.order, isLong: Int.random(in: 0..<4, using: &generator) == 0) {
                    noteStart(item.name)
                }
            } else if let name = driver.running.keys.sorted().randomElement(using: &generator) {
                done.insert(name)
                driver.complete(name).forEach(noteStart)
            }
        }
        while let name = driver.running.keys.sorted().first {
            done.insert(name)
            driver.complete(name).forEach(noteStart)
        }
        #expect(started.count == sent.count)
    }
}

/// The same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}
