import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Checks that the store opens with everything that was acknowledged, whatever happens to the WAL after a kill.
@Suite struct WALLossTests {
    private static let frameBytes = 24 + StoreSpecimen.pageBytes
    /// The number of frames of a WAL that a test tries if it does not try all frames.
    private static let parts = TestTier.count(3, long: 6)

    @Test(arguments: [JournalDamageTests.Kill.uncommitted, .committed])
    func `a WAL that is missing, empty or cut anywhere loses nothing`(_ kill: JournalDamageTests.Kill) throws {
        let specimen = try kill.specimen()
        let trial = try JournalTrial(specimen.contents)
        let log = try #require(specimen.files["store.db-wal"])
        let frames = (log.count - 32) / Self.frameBytes
        try #require(frames > 20)
        var lengths = [0, 1, 31, 32, 33, log.count - 1]
        for frame in stride(from: 0, to: frames, by: JournalSpecimen.isWholeWalk ? 1 : max(1, frames / Self.parts)) {
            lengths += [32 + frame * Self.frameBytes, 32 + frame * Self.frameBytes + frame * 173 % Self.frameBytes]
        }
        for bytes in [nil] + lengths.map({ Array(log.prefix($0)) }) {
            var files = specimen.files
            files["store.db-wal"] = bytes
            #expect(try trial.outcome(files) == .whole, "\(bytes?.count ?? -1) bytes left")
        }
    }

    @Test(arguments: [JournalDamageTests.Kill.uncommitted, .committed])
    func `a changed byte anywhere in the WAL loses nothing`(_ kill: JournalDamageTests.Kill) throws {
        let specimen = try kill.specimen()
        let trial = try JournalTrial(specimen.contents)
        let log = try #require(specimen.files["store.db-wal"])
        let frames = (log.count - 32) / Self.frameBytes
        try #require(frames > 20)
        let step = JournalSpecimen.isWholeWalk ? 1 : max(1, frames / Self.parts)
        let ofFrames = Array(stride(from: 0, to: frames - 1, by: step)) + [frames - 1]
        var places = Array(stride(from: 0, to: 32, by: JournalSpecimen.isWholeWalk ? 1 : 5))
        for frame in ofFrames {
            // One offset in the frame's header (page number, database size after a commit, salts or checksums) and one
            // in its page.
            let start = 32 + frame * Self.frameBytes
            places += [start + frame * 7 % 24, start + 24 + frame * 613 % StoreSpecimen.pageBytes]
        }
        for place in places {
            var files = specimen.files
            files["store.db-wal"]?[place] ^= 1 << UInt8(place % 8)
            #expect(try trial.outcome(files) == .whole, "byte \(place)")
        }
    }

    @Test func `an earlier WAL loses nothing, and a WAL of another store is refused`() throws {
        let (store, snapshot) = try TemporaryStore.held()
        defer { snapshot.close() }
        try store.engine.saveNumbered(4..<8)
        let earlier = try StoreSpecimen.image(of: store)
        try JournalSpecimen.fill(store.engine)
        let now = try JournalSpecimen(StoreSpecimen.image(of: store), of: store)
        let trial = try JournalTrial(now.contents)
        var files = now.files
        files["store.db-wal"] = earlier["store.db-wal"]
        #expect(try trial.outcome(files) == .whole)
        files["store.db-wal"] = try JournalSpecimen.committed().files["store.db-wal"]
        #expect(try trial.outcome(files) == .refused(.databaseDamaged))
    }
}
