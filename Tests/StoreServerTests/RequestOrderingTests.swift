import StoreBasics
import TestBasics
import Testing

@testable import StoreServer

/// An ordering whose requests are plain names, with the requests that run.
private final class Driver {
    var ordering = RequestOrdering<String>(longReadsMax: 2)
    var running: [String: RequestOrdering<String>.Ticket] = [:]

    /// Sends a request. Returns true if the request runs at once.
    func send(_ name: String, _ order: CallOrder, isLong: Bool = false) -> Bool {
        guard let ticket = ordering.admit(name, order: order, isLong: isLong, bytes: 1) else { return false }
        running[name] = ticket
        return true
    }

    /// Completes a request, and returns the requests that run because of it.
    func complete(_ name: String) -> [String] {
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
    @Test func `reads run at once when nothing is being written`() {
        let driver = Driver()
        check(driver.send("r1", .read), true)
        check(driver.send("r2", .read), true)
        check(driver.complete("r2").isEmpty, true)
    }

    @Test func `writes all run at once so that they share a commit`() {
        let driver = Driver()
        check(driver.send("w1", .write), true)
        check(driver.send("w2", .write), true)
        check(driver.send("w3", .write), true)
    }

    @Test func `a read waits for earlier writes only`() {
        let driver = Driver()
        check(driver.send("w1", .write), true)
        check(driver.send("r1", .read), false)
        check(driver.send("w2", .write), true)
        check(driver.send("r2", .read), false)
        check(driver.complete("w1"), ["r1"])
        check(driver.complete("w2"), ["r2"])
    }

    @Test func `a read waits for all earlier writes, whichever completes first`() {
        let driver = Driver()
        check(driver.send("w1", .write), true)
        check(driver.send("w2", .write), true)
        check(driver.send("r", .read), false)
        check(driver.complete("w2").isEmpty, true)
        check(driver.complete("w1"), ["r"])
    }

    @Test func `free calls never wait`() {
        let driver = Driver()
        check(driver.send("b", .barrier), true)
        check(driver.send("w", .write), false)
        check(driver.send("ping", .free), true)
    }

    @Test func `a barrier waits for all before it and holds all after it`() {
        let driver = Driver()
        check(driver.send("w1", .write), true)
        check(driver.send("w2", .write), true)
        check(driver.send("r1", .read), false)
        check(driver.send("unlock", .barrier), false)
        check(driver.send("w3", .write), false)
        check(driver.send("r2", .read), false)
        check(driver.complete("w1").isEmpty, true)
        check(driver.complete("w2"), ["r1"])
        check(driver.complete("r1"), ["unlock"])
        check(driver.complete("unlock"), ["w3"])
        check(driver.complete("w3"), ["r2"])
    }

    @Test func `writes held by a barrier are not overtaken by later ones`() {
        let driver = Driver()
        check(driver.send("lock", .barrier), true)
        check(driver.send("w1", .write), false)
        check(driver.send("r1", .read), false)
        check(driver.send("w2", .write), false)
        check(driver.complete("lock"), ["w1"])
        check(driver.send("w3", .write), false)
        check(driver.complete("w1"), ["r1", "w2", "w3"])
    }

    @Test func `only a limited number of long reads run at once`() {
        let driver = Driver()
        check(driver.send("l1", .read, isLong: true), true)
        check(driver.send("l2", .read, isLong: true), true)
        check(driver.send("l3", .read, isLong: true), false)
        check(driver.send("r", .read), true)
        check(driver.complete("l1"), ["l3"])
    }

    @Test func `withdrawn reads leave the others in their order`() throws {
        let driver = Driver()
        check(driver.send("w1", .write), true)
        check(driver.send("r1", .read), false)
        check(driver.send("watch", .read), false)
        check(driver.send("b", .barrier), false)
        check(driver.send("watch", .read), false)
        check(driver.send("w2", .write), false)
        let withdrawn = driver.ordering.withdrawReads { $0 == "watch" }
        check(withdrawn.map(\.request), ["watch", "watch"])
        withdrawn.forEach { driver.ordering.complete($0.ticket) }
        check(driver.ordering.withdrawReads { $0 == "watch" }.isEmpty, true)
        check(driver.ordering.withdrawReads { $0 == "w2" || $0 == "b" }.isEmpty, true)
        check(driver.complete("w1"), ["r1"])
        check(driver.complete("r1"), ["b"])
        check(driver.complete("b"), ["w2"])
    }

    @Test func `dropped requests are returned once`() {
        let driver = Driver()
        check(driver.send("b", .barrier), true)
        check(driver.send("w", .write), false)
        check(driver.send("r", .read), false)
        check(driver.ordering.dropWaiting(), ["w", "r"])
        check(driver.ordering.dropWaiting(), [])
        check(driver.complete("b").isEmpty, true)
    }

    /// Checks the rules on random histories: writes start in the order sent, and no read starts before all earlier
    /// writes are done.
    @Test(arguments: TestSeeds.range(8, long: 40)) func `random histories keep the rules`(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        let driver = Driver()
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
