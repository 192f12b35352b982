import Dispatch
import StoreEngine
import Synchronization
import TestBasics
import Testing

@testable import StoreServer

/// The queue for decoding and administration. It runs one piece of work at a time, and users take turns.
@Suite struct SerialWorkQueueTests {
    private static let hog = WorkOwner(userID: 1, connection: 1)
    private static let victim = WorkOwner(userID: 2, connection: 1)

    private final class Journal: Sendable {
        let done = Mutex<[String]>([])
        let gate = DispatchSemaphore(value: 0)

        func perform(_ name: String) {
            if name == "held" {
                gate.wait()
            }
            done.withLock { $0.append(name) }
        }

        var names: [String] { done.withLock { $0 } }
    }

    @Test func `expensive work of one user does not delay cheap work of another`() {
        let journal = Journal()
        let queue = SerialWorkQueue<String>(label: "test", capacity: .init(), turnCost: 10) { journal.perform($0) }
        func submit(_ name: String, _ owner: WorkOwner, cost: Int) {
            let isTaken = queue.submit(name, for: owner, cost: cost)
            #expect(isTaken)
        }
        submit("held", WorkOwner(userID: 3, connection: 1), cost: 1)
        for index in 1...3 {
            submit("large\(index)", Self.hog, cost: 40)
        }
        for index in 1...4 {
            submit("small\(index)", Self.victim, cost: 1)
        }
        journal.gate.signal()
        #expect(eventually { journal.names.count == 8 })
        #expect(
            journal.names.filter { $0 != "held" } == [
                "small1", "large1", "small2", "small3", "small4", "large2", "large3",
            ])
    }

    @Test func `one user's administration leaves space for another's, and an urgent call never waits`() {
        let journal = Journal()
        let queue = AdministrationQueue()
        func submit(_ name: String, _ owner: WorkOwner, isUrgent: Bool = false) -> Bool {
            queue.submit(for: owner, isUrgent: isUrgent) { journal.perform(name) }
        }
        var taken = 0
        while submit("held", Self.hog) {
            taken += 1
        }
        // The queue accepts 16 jobs, and one more if the first has begun already.
        #expect((16...17).contains(taken))
        let isTaken = submit("victim", Self.victim)
        let isUrgentTaken = submit("lock", Self.hog, isUrgent: true)
        #expect(isTaken && isUrgentTaken)
        #expect(eventually { journal.names == ["lock"] })
        for _ in 0..<taken {
            journal.gate.signal()
        }
        #expect(eventually { journal.names.count == taken + 2 })
        #expect((journal.names.firstIndex(of: "victim") ?? .max) <= 3)
    }
}
