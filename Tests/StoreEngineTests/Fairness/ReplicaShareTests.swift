import ReplicaModel
import StoreBasics
import Synchronization
import TestBasics
import Testing

@testable import StoreEngine

/// Tests the share of the writer's time that work for a replica group gets.
@Suite struct ReplicaShareTests {
    private let fleet: ReplicaFleet
    private var engine: StoreEngine { fleet.devices[0].engine }
    private let agent = WorkOwner(userID: 1, connection: 1)

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 2, seed: 1, kinds: [.message])
    }

    @Test func `messages of the group get their share while clients write all the time, and no more`() throws {
        let clients = try Clients(engine)
        defer { clients.stop() }
        let (steps, time) = try spent {
            var stored = try #require(fleet.status(0).outgoing.first).sequence
            let end = ContinuousClock.now + .seconds(3)
            while ContinuousClock.now < end {
                stored = try take(storedThrough: stored).last?.sequence ?? stored
            }
        }
        #expect(clients.failure == nil)
        clients.stop()
        // The limit is three times the share, because a step that has begun is completed, and there is no pause after
        // the last step.
        let share = Double(steps.sum) / Double(time)
        #expect(steps.count > 2 && share < 3 / Double(ReplicaPace.shareDivisor), "\(share) in \(steps)")
    }

    @Test func `work for the group does not pause while no client writes`() throws {
        var clients: Clients? = try Clients(engine)
        #expect(eventually { clients?.answeredCount ?? 0 > 20_000 })
        clients?.stop()
        clients = nil
        let (steps, time) = try spent {
            var stored = try #require(fleet.status(0).outgoing.first).sequence
            while let last = try take(storedThrough: stored).last?.sequence {
                stored = last
            }
        }
        let share = Double(steps.sum) / Double(time)
        #expect(share > 6 / Double(ReplicaPace.shareDivisor), "\(share) in \(steps)")
    }

    @Test func `a message of another device is merged while clients write without a pause`() throws {
        let id = EntityID(trusted: "from afar")
        _ = try fleet.devices[1].engine.write(
            .saveMessage(NewMessage(id: id, conversation: .session(SessionID(trusted: "far")), text: "text")))
        try fleet.publish(1)
        let clients = try Clients(engine)
        defer { clients.stop() }
        #expect(eventually { clients.answeredCount > 1_000 })
        let before = clients.answeredCount
        let start = ContinuousClock.now
        while try fleet.takeNext(0) {}
        #expect(ContinuousClock.now - start < .seconds(60))
        #expect(clients.answeredCount > before)
        #expect(try engine.makeReader().message(id) { _ in })
    }

    @Test func `requests of one connection keep their order if some are messages of the group`() throws {
        let clients = try Clients(engine)
        defer { clients.stop() }
        let order = Seen<Int>()
        for number in 0..<30 {
            let mutation =
                number % 3 == 0
                ? Mutation.replica(.take(OutgoingRequest(channel: channel, storedThrough: 0, bytesMax: 1_024)))
                : .saveContact(ContactUpdate(sessionID: SessionID(trusted: "contact \(number)")))
            engine.submit(WriteRequest(mutation, owner: agent)) { _ in order.add(number) }
        }
        #expect(eventually { order.all.count == 30 })
        #expect(order.all == Array(0..<30))
    }

    private var channel: ReplicaChannel { .device(fleet.devices[0].number) }

    private func take(storedThrough: UInt64) throws -> [ReplicaOutgoing] {
        let take = OutgoingRequest(channel: channel, storedThrough: storedThrough, bytesMax: 1 << 20)
        let outcome = OneShot<Result<MutationResult, StoreError>>()
        engine.submit(WriteRequest(.replica(.take(take)), owner: agent)) { outcome.set($0) }
        guard case .replica(.taken(let messages)) = try outcome.wait().get() else { return [] }
        return messages
    }

    private func spent(_ body: () throws -> Void) throws -> (steps: (count: UInt64, sum: UInt64), time: UInt64) {
        let before = engine.writer.counts.replicaNanoseconds
        let start = MonotonicClock.nanoseconds
        try body()
        let after = engine.writer.counts.replicaNanoseconds
        return ((after.count - before.count, after.sum - before.sum), MonotonicClock.nanoseconds - start)
    }
}

/// Clients that keep a fixed number of saves in flight: as soon as a save is answered, another one follows.
private final class Clients: Sendable {
    private static let inFlight = 64
    private let engine: StoreEngine
    private struct State {
        var count = 0
        var running = 0
        var isStopped = false
        var failure: StoreError?
    }

    private let answered = Mutex(State())

    init(_ engine: StoreEngine) throws {
        self.engine = engine
        for client in 0..<Self.inFlight {
            answered.withLock { $0.running += 1 }
            save(client)
        }
    }

    var answeredCount: Int { answered.withLock { $0.count } }
    /// The error that ended the saves before `stop`.
    var failure: StoreError? { answered.withLock { $0.failure } }

    private func save(_ client: Int) {
        let save = Mutation.saveMessage(
            NewMessage(conversation: .session(SessionID(trusted: "client \(client % 8)")), text: "text"))
        let owner = WorkOwner(userID: 2, connection: UInt64(client))
        engine.submit(WriteRequest(save, owner: owner)) { [self] result in
            let goesOn = answered.withLock { state in
                state.count += 1
                if case .failure(let error) = result {
                    state.failure = error
                    state.isStopped = true
                }
                if state.isStopped { state.running -= 1 }
                return !state.isStopped
            }
            if goesOn { self.save(client) }
        }
    }

    /// Sends no more saves and waits for the last answers.
    func stop() {
        answered.withLock { $0.isStopped = true }
        _ = eventually { answered.withLock { $0.running == 0 } }
    }
}
