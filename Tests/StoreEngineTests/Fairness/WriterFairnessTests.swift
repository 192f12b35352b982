import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests the effect that one user's work has on the waiting times of another user.
@Suite struct WriterFairnessTests {
    private let store: TemporaryStore
    private let hog = WorkOwner(userID: 1, connection: 1)
    private let victim = WorkOwner(userID: 2, connection: 1)

    init() throws {
        store = try TemporaryStore()
    }

    private func messages(_ count: Int) -> Mutation {
        .saveMessages(
            (0..<count).map { _ in NewMessage(conversation: .session(SessionID(trusted: "hog")), text: "text") })
    }

    @Test func `a save waits for at most one commit of a user who has queued many saves`() throws {
        let order = Seen<WorkOwner>()
        let gate = OneShot<Bool>()
        try store.engine.writer.hold(until: gate)
        for connection in 0..<10 {
            for _ in 0..<20 {
                let owner = WorkOwner(userID: 1, connection: UInt64(connection))
                store.engine.submit(WriteRequest(messages(100), owner: owner)) { _ in order.add(owner) }
            }
        }
        let save = Mutation.saveMessage(NewMessage(conversation: .session(SessionID(trusted: "victim")), text: ""))
        store.engine.submit(WriteRequest(save, owner: victim)) { [victim] _ in order.add(victim) }
        gate.set(true)
        #expect(eventually { order.all.count == 201 })
        #expect(try #require(order.all.firstIndex(of: victim)) <= 1)
        #expect(try expectClean(store.engine) == [])
    }

    /// Counts answers instead of time, so that the test is valid on a slow machine. Each large save is one commit.
    @Test(arguments: [(1, 6), (2, 1), (2, 6), (4, 1)])
    func `a small save waits for at most one large one, however many users save large ones`(
        users: Int, connections: Int
    ) throws {
        let large = Seen<UInt32>()
        let isOver = Seen<Bool>()
        let engine = store.engine
        let text = String(repeating: "x", count: 256 << 10)
        @Sendable func saveLarge(_ owner: WorkOwner) {
            let mutation = Mutation.saveMessages([
                NewMessage(conversation: .session(SessionID(trusted: "hog\(owner.userID)")), text: text)
            ])
            engine.submit(WriteRequest(mutation, owner: owner, byteCount: text.utf8.count)) { _ in
                large.add(owner.userID)
                if isOver.all.isEmpty { saveLarge(owner) }
            }
        }
        for user in 1...UInt32(users) {
            for connection in 1...UInt64(connections) { saveLarge(WorkOwner(userID: user, connection: connection)) }
        }
        var passed: [Int] = []
        for round in 0..<40 {
            let save = Mutation.saveMessage(
                NewMessage(conversation: .session(SessionID(trusted: "victim")), text: "\(round)"))
            let countAtAnswer = OneShot<Int>()
            #expect(eventually { large.all.count > round * 2 })
            let countBefore = large.all.count
            engine.submit(WriteRequest(save, owner: WorkOwner(userID: 1_000, connection: 1))) { _ in
                countAtAnswer.set(large.all.count)
            }
            passed.append(countAtAnswer.wait() - countBefore)
        }
        isOver.add(true)
        #expect(eventually { engine.writer.waitingCount == 0 })
        // A large save may end after the count was read and before the small save is submitted.
        #expect(passed.allSatisfy { $0 <= 2 } && passed.count { $0 > 1 } <= 4, "\(passed)")
    }

    @Test func `a commit ends after a few milliseconds of work, however much work waits`() throws {
        let commits = Seen<Int>()
        let observation = store.engine.observeCommits { commits.add($0.count) }
        defer { observation.cancel() }
        let gate = OneShot<Bool>()
        try store.engine.writer.hold(until: gate)
        let answered = Seen<Bool>()
        for _ in 0..<3_000 {
            let save = Mutation.saveMessage(NewMessage(conversation: .session(SessionID(trusted: "hog")), text: ""))
            store.engine.submit(WriteRequest(save, owner: hog)) { answered.add((try? $0.get()) != nil) }
        }
        gate.set(true)
        #expect(eventually { answered.all.count == 3_000 })
        #expect(answered.all.allSatisfy { $0 })
        // The first message also creates the conversation, which counts as one more change.
        #expect(commits.all.allSatisfy { $0 <= EngineLimits.groupCostMax + 1 } && commits.all.count > 5)
        #expect(try store.engine.statistics().messageCount == 3_000)
    }

    @Test func `writes of one connection are applied in the order sent, whatever they cost`() throws {
        let order = Seen<Int>()
        let gate = OneShot<Bool>()
        try store.engine.writer.hold(until: gate)
        for index in 0..<60 {
            store.engine.submit(WriteRequest(messages(index % 3 == 0 ? 200 : 1), owner: hog)) { _ in order.add(index) }
        }
        gate.set(true)
        #expect(eventually { order.all.count == 60 })
        #expect(order.all == Array(0..<60))
    }

    @Test func `one user can fill half of the queue, and another user's write is still accepted`() throws {
        let gate = OneShot<Bool>()
        let refused = Seen<WorkOwner>()
        let answered = Seen<WorkOwner>()
        try store.engine.writer.hold(until: gate)
        let mark = Mutation.saveContact(ContactUpdate(sessionID: SessionID(trusted: "c")))
        for owner in Array(repeating: hog, count: EngineLimits.writeQueueRequestsMax) + [victim] {
            store.engine.submit(WriteRequest(mark, owner: owner)) { result in
                if case .failure(let error) = result, error.reason == .queueFull {
                    refused.add(owner)
                } else {
                    answered.add(owner)
                }
            }
        }
        #expect(refused.all.count == EngineLimits.writeQueueRequestsMax / 2 && !refused.all.contains(victim))
        gate.set(true)
        #expect(eventually { answered.all.count == EngineLimits.writeQueueRequestsMax / 2 + 1 })
    }

    /// Checks that the writer's answer does not wait for all writes, which take seconds. Otherwise the answer would
    /// come last.
    @Test func `the writer answers that it is alive between the commits of waiting writes`() throws {
        let order = Seen<String>()
        let gate = OneShot<Bool>()
        let engine = store.engine
        try engine.writer.hold(until: gate)
        // The question is sent after the first commit, on the writer's own thread. Before that the writer is held, and
        // a held writer answers immediately.
        engine.submit(WriteRequest(messages(256), owner: hog)) { _ in
            order.add("write")
            engine.askWriter { order.add("alive") }
        }
        for _ in 1..<20 {
            engine.submit(WriteRequest(messages(256), owner: hog)) { _ in order.add("write") }
        }
        gate.set(true)
        #expect(eventually { order.all.count == 21 })
        #expect(try #require(order.all.firstIndex(of: "alive")) < 5)
    }

    @Test func `exclusive work takes turns with commits`() throws {
        let gate = OneShot<Bool>()
        try store.engine.writer.hold(until: gate)
        let order = Seen<String>()
        for _ in 0..<30 {
            store.engine.submit(WriteRequest(messages(256), owner: hog)) { _ in order.add("write") }
        }
        let writer = store.engine.writer
        try OwnThread.start {
            try? writer.perform { _ in order.add("exclusive") }
        }
        #expect(eventually { writer.waitingCount == 31 })
        gate.set(true)
        #expect(eventually { order.all.count == 31 })
        // The writer's own thread records all events, so their order is exact.
        #expect(try #require(order.all.firstIndex(of: "exclusive")) < 5)
    }
}
