import Glibc
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Checks that a write which fails at any statement leaves the store unchanged, and that the writer's memory stays
/// right: counts, sizes, quotas, conversations, logs, idempotency keys and the state of the search index.
@Suite struct FailedWriteTests {
    /// The seeds. `FAILED_WRITE_SEEDS=20` in the environment sets their number.
    private static var seeds: Range<UInt64> {
        let wanted = getenv("FAILED_WRITE_SEEDS").flatMap { UInt64(String(cString: $0)) }
        return 0..<(wanted ?? UInt64(TestTier.count(1, long: 20)))
    }

    @Test(arguments: seeds) func `a write that fails at any statement has no effect`(_ seed: UInt64) throws {
        let clocks = FakeClocks()
        let (store, twin) = try stores(clocks)
        let (findings, kinds, count) = try WriterInHand.with(store.engine, twin.engine) { failing, twin in
            var writes = try FailedWrites(failing, twin, clocks, seed: seed)
            try writes.run(FailedWorks.all())
            return (writes.findings, writes.kinds, writes.failureCount)
        }
        #expect(findings.prefix(20) == [], "seed \(seed), \(findings.count) in all")
        #expect(Set(MutationKind.allCases).subtracting(kinds) == [.replica])
        #expect(count > 500)
        for engine in [store.engine, twin.engine] {
            try engine.waitForCleaning()
            #expect(try expectClean(engine) == [], "seed \(seed)")
        }
        // All this must also be true after a replay of the journal.
        try store.reopen()
        try twin.reopen()
        #expect(store.engine.state == .open)
        #expect(try store.engine.statistics() == twin.engine.statistics())
        #expect(try expectClean(store.engine) == [], "seed \(seed)")
    }

    /// Returns two stores with copies of the same files.
    private func stores(_ clocks: FakeClocks) throws -> (TemporaryStore, TemporaryStore) {
        let quotas = FileQuotas(cacheBytesMax: 1_000, temporaryBytesMax: 100)
        func make(open: Bool) throws -> TemporaryStore {
            try TemporaryStore(open: open, clocks: clocks.clocks, attachmentCacheBytesMax: 400, fileQuotas: quotas)
        }
        let store = try make(open: true)
        for mutation in try FailedWorks.preparation() {
            try store.engine.write(mutation)
        }
        try store.engine.waitForCleaning()
        let twin = try make(open: false)
        twin.engine.shutDown()
        try StoreSpecimen.place(StoreSpecimen.files(of: store), in: twin)
        try twin.reopen()
        try twin.engine.waitForCleaning()
        return (store, twin)
    }
}
