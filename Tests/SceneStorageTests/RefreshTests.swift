import Testing

@testable import SceneStorage
@testable import StoreClient

/// Changes that arrive while values are being read.
@Suite(.timeLimit(.minutes(1))) struct RefreshTests {
    private let old = SceneValue.integer(10)

    private let main = ExactName("main")
    private let key = ExactName("k")

    @Test(arguments: [false, true])
    func `a change that arrives while its key is read causes another read`(everything: Bool) throws {
        var memory = openMemory()
        mark(&memory, everything, revision: 10)
        let first = try refresh(&memory)
        _ = memory.remoteChange(change("k", revision: 11), seenBy: main)
        _ = memory.wasRead(SceneReading(scene: main, refresh: first), [entry(old)])
        #expect(memory.value(main, key) == old)
        let again = try refresh(&memory)
        #expect(again.keys == ["k"])
    }

    @Test func `a shared value that changes while the scene's own value disappears is read again`() throws {
        var memory = openMemory([entry(old)])
        mark(&memory, false, revision: 10)
        let first = try refresh(&memory)
        _ = memory.remoteChange(change("k", scene: nil, revision: 11), seenBy: main)
        _ = memory.wasRead(SceneReading(scene: main, refresh: first), [entry(old, .global)])
        let again = try refresh(&memory)
        #expect(again.keys == ["k"])
    }

    @Test(arguments: [false, true])
    func `a failed read is repeated`(everything: Bool) throws {
        var memory = openMemory()
        mark(&memory, everything, revision: 10)
        let first = try refresh(&memory)
        let error = StoreClientError(code: .unavailable, reason: .connectionLost, message: "gone")
        let told = memory.readFailed(SceneReading(scene: main, refresh: first), error)
        #expect(told.isEmpty)
        #expect(memory.lastError(SceneMember(number: 1)) == error)
        let again = try refresh(&memory)
        #expect(again.keys == first.keys)
    }

    @Test func `a change by this process is not read again when it arrives from the daemon`() throws {
        var memory = openMemory()
        try write(&memory, revision: 12)
        _ = memory.remoteChange(change("k", revision: 11), seenBy: main)
        _ = memory.remoteChange(change("k", scene: nil, revision: 12), seenBy: main)
        #expect(!hasWork(&memory))
        _ = memory.remoteChange(change("k", revision: 13), seenBy: main)
        let news = try refresh(&memory)
        #expect(news.keys == ["k"])
    }

    @Test func `changes of a new history are read whatever their revisions`() throws {
        var memory = openMemory()
        try write(&memory, revision: 12)
        _ = memory.mayHaveMissedChanges(main)
        let everything = try refresh(&memory)
        _ = memory.wasRead(SceneReading(scene: main, refresh: everything), [])
        _ = memory.remoteChange(change("k", revision: 3), seenBy: main)
        let news = try refresh(&memory)
        #expect(news.keys == ["k"])
    }

    /// Makes a change in this process and completes its write to the daemon.
    private func write(_ memory: inout SceneMemory, revision: UInt64) throws {
        _ = memory.change([.set("k", old)], by: SceneMember(number: 1))
        guard case .write(let batch) = memory.beginNextWork() else {
            Issue.record("nothing is written")
            return
        }
        _ = memory.written(batch, revision: revision)
    }

    private func hasWork(_ memory: inout SceneMemory) -> Bool {
        memory.beginNextWork() != nil
    }

    private func mark(_ memory: inout SceneMemory, _ everything: Bool, revision: UInt64) {
        if everything {
            _ = memory.mayHaveMissedChanges(main)
        } else {
            _ = memory.remoteChange(change("k", revision: revision), seenBy: main)
        }
    }

    private func entry(_ value: SceneValue, _ tier: SceneTier = .scene) -> SceneEntry {
        SceneEntry(key: "k", value: value, tier: tier, revision: 10, updatedAt: .now)
    }

    private func refresh(_ memory: inout SceneMemory) throws -> SceneRefresh {
        var taken: SceneRefresh?
        if case .read(let reading) = memory.beginNextWork() {
            taken = reading.refresh
        }
        return try #require(taken, "nothing is read")
    }
}
