import StoreBasics
import Testing

@testable import StoreEngine

/// Tests a single store on a machine whose clock is set to wrong times, and which is stopped, killed and started again.
///
/// A clock that is wrong for less than a day deletes nothing early. Timers do not depend on the wall clock and end in
/// time.
@Suite struct ClockStoreTests {
    @Test(arguments: ClockSeeds.range(6, long: 24)) func `no wrong clock deletes anything early`(seed: Int) throws {
        let world = ClockWorld(seed: seed)
        world.addMachine(isCorrectedInTime: true)
        let store = try TemporaryStore(clocks: world.machines[0].clocks.clocks)
        world.setStores { _ in store }
        try world.makeTalks(0)
        let key = try IdempotencyKey("once only")
        let save = Mutation.saveMessage(
            NewMessage(conversation: .session(SessionID(trusted: "keys")), text: "text"))
        let first = try store.engine.commit(save, key: key)
        for _ in 0..<60 {
            try world.act(on: 0)
        }
        #expect(try store.engine.commit(save, key: key).ids == first.ids, "a request was carried out again")
        try world.correct(0, isSynchronized: true)
        try world.pass(seconds: 4 * 86_400)
        try world.look(0)
        let kept = world.model.messages.keys.filter { !world.model.isGone($0, at: world.now) }
        #expect(try world.ids(0).sorted() == kept.sorted())
        #expect(try expectClean(store.engine) == [])
    }

    @Test(arguments: ClockSeeds.range(2, long: 6))
    func `no wrong clock shortens the time for which a content waits for its message`(seed: Int) throws {
        let world = ClockWorld(seed: seed)
        world.addMachine(isCorrectedInTime: true)
        let store = try TemporaryStore(clocks: world.machines[0].clocks.clocks)
        world.setStores { _ in store }
        let bytes = generatorBytes(seed)
        try store.engine.writeAttachment(bytes)
        let end = world.now + EngineLimits.attachmentGraceMicroseconds
        while true {
            try world.jumpWhileOpen(0)
            try world.restart(0)
            try world.pass(seconds: 60)
            try world.look(0)
            guard world.now < end else { break }
            #expect(try store.engine.rowCount(of: "attachment_contents") == 1)
        }
    }

    private func generatorBytes(_ seed: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: seed), count: 1_000)
    }

    @Test func `a wrong clock does not lock a store that is in use`() throws {
        let fake = FakeClocks()
        let store = try TemporaryStore(clocks: fake.clocks)
        store.engine.shutDown()
        let engine = try TemporaryStore.engine(store.path, autoLockAfterSeconds: 3_600, clocks: fake.clocks)
        defer { engine.shutDown() }
        engine.openWithConfiguredKey(try TemporaryStore.keyFile())
        for jump in [yearSeconds, -2 * yearSeconds, 7_200] {
            fake.setWall(bySeconds: jump)
            try engine.write(.saveMessage(NewMessage(conversation: .session(SessionID(trusted: "a")), text: "text")))
            #expect(engine.state == .open)
        }
    }
}
