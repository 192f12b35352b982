import Testing

@testable import SceneStorage
@testable import StoreClient

/// What becomes of changes that are heard of while others are read.
@Suite(.timeLimit(.minutes(1))) struct RefreshTests {
    private let old = SceneValue.integer(10)

    @Test(arguments: [false, true])
    func `a change heard of while its key is read is read again`(everything: Bool) throws {
        var memory = SceneMemory([])
        mark(&memory, everything, revision: 10)
        let first = try refresh(&memory)
        _ = memory.remoteChange(WriterTests.change("k", revision: 11))
        memory.refreshed(first, [entry(old)])
        #expect(memory.value("k") == old)
        let again = try refresh(&memory)
        #expect(again.keys == ["k"])
    }

    @Test func `a shared value that changes while the scene loses its own is read again`() throws {
        var memory = SceneMemory([entry(old)])
        mark(&memory, false, revision: 10)
        let first = try refresh(&memory)
        _ = memory.remoteChange(WriterTests.change("k", scene: nil, revision: 11))
        memory.refreshed(first, [entry(old, .global)])
        let again = try refresh(&memory)
        #expect(again.keys == ["k"])
    }

    @Test(arguments: [false, true])
    func `a failed read is made again`(everything: Bool) throws {
        var memory = SceneMemory([])
        mark(&memory, everything, revision: 10)
        let first = try refresh(&memory)
        let error = StoreClientError(code: .unavailable, reason: .connectionLost, message: "gone")
        memory.refreshFailed(first, error)
        #expect(memory.lastError == error)
        let again = try refresh(&memory)
        #expect(again.keys == first.keys)
    }

    private func mark(_ memory: inout SceneMemory, _ everything: Bool, revision: UInt64) {
        if everything {
            _ = memory.mayHaveMissedChanges()
        } else {
            _ = memory.remoteChange(WriterTests.change("k", revision: revision))
        }
    }

    private func entry(_ value: SceneValue, _ tier: SceneTier = .scene) -> SceneEntry {
        SceneEntry(key: "k", value: value, tier: tier, revision: 10, updatedAt: .now)
    }

    private func refresh(_ memory: inout SceneMemory) throws -> SceneRefresh {
        var taken: SceneRefresh?
        if case .refresh(let refresh) = memory.takeWork() {
            taken = refresh
        }
        return try #require(taken, "nothing is read")
    }
}
