import Glibc
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Checks that after damage to one file of a store, its owner gets either all data or an error with the name of the
/// file. With an error, the state reports the damage, writes are refused, and no byte on the disk changes.
///
/// Both tiers try a part of all cases; DAMAGE_CASES=all tries all of them (`make damage-long`).
@Suite struct DamagedFileTests {
    enum Moment: CaseIterable {
        case stopped, killed, rotating, rotated

        func specimen() throws -> StoreSpecimen {
            switch self {
            case .stopped: try .stopped()
            case .killed: try .killed()
            case .rotating: try .rotating()
            case .rotated: try .rotated()
            }
        }
    }

    @Test(arguments: Moment.allCases)
    func `an undamaged store is read completely`(at moment: Moment) throws {
        let specimen = try moment.specimen()
        let store = try emptyStore()
        #expect(try outcome(of: specimen, in: store) == .whole)
        #expect(try expectClean(store.engine) == [])
    }

    @Test(arguments: Moment.allCases)
    func `a store file that is missing or cut at any length loses nothing unnoticed`(at moment: Moment) throws {
        let specimen = try moment.specimen()
        try walk(specimen, Damage.cuts(of: "store.db", try #require(specimen.files["store.db"])), casesMax: 40)
    }

    @Test(arguments: Moment.allCases)
    func `zeros in any page or sector of the store file lose nothing unnoticed`(at moment: Moment) throws {
        let specimen = try moment.specimen()
        try walk(specimen, Damage.zeros(in: "store.db", try #require(specimen.files["store.db"])), casesMax: 60)
    }

    @Test(arguments: Moment.allCases)
    func `an inverted byte in any sector of the store file loses nothing unnoticed`(at moment: Moment) throws {
        let specimen = try moment.specimen()
        try walk(specimen, Damage.flips(in: "store.db", try #require(specimen.files["store.db"])), casesMax: 40)
    }

    @Test(arguments: Moment.allCases)
    func `a keyring that is missing, cut at any length, or all zeros loses nothing unnoticed`(at moment: Moment)
        throws
    {
        let specimen = try moment.specimen()
        let keyring = try #require(specimen.files["keyring"])
        let zeros = Damage(file: "keyring", what: "all zeros", bytes: keyring.map { _ in 0 })
        let lengths = (0..<keyring.count).map {
            Damage(file: "keyring", what: "cut to \($0) bytes", bytes: Array(keyring.prefix($0)))
        }
        try walk(
            specimen, [Damage(file: "keyring", what: "missing", bytes: nil)] + lengths + [zeros], casesMax: 12)
    }

    @Test(arguments: [Moment.stopped, .killed])
    func `damage to files without data has no effect`(at moment: Moment) throws {
        let specimen = try moment.specimen()
        let store = try emptyStore()
        for name in ["keyring.previous", "store.db-shm", "reserve", "lock"] {
            for bytes in [nil, [], [1], [UInt8](repeating: 0, count: 5_000), [UInt8](repeating: 255, count: 40_000)] {
                var damaged = specimen
                damaged.files[name] = bytes
                #expect(try outcome(of: damaged, in: store) == .whole, "\(name) of \(bytes?.count ?? -1) bytes")
            }
        }
    }

    /// Tests a checkpoint that a power cut interrupts: the WAL still contains every page that the checkpoint was
    /// writing.
    @Test(arguments: [false, true])
    func `any page that is torn during a checkpoint is read from the WAL`(isRotating: Bool) throws {
        let specimen = try isRotating ? StoreSpecimen.rotating() : StoreSpecimen.killed()
        let old = try #require(specimen.files["store.db"])
        let new = try #require(checkpointed(specimen)["store.db"])
        let tears = Damage.tears(of: "store.db", from: old, to: new)
        #expect(tears.contains { $0.what == "torn at 512" }, "the first page is not among them")
        let store = try emptyStore()
        for tear in selected(tears, casesMax: 60) {
            var torn = specimen
            torn.files["store.db"] = tear.bytes
            let found = try outcome(of: torn, in: store)
            #expect(found == .whole, "\(tear)")
        }
    }

    /// Tests torn pages in a store without a WAL, as if the disk damages a page long after it was written.
    @Test func `any page that is torn long after a checkpoint loses nothing unnoticed`() throws {
        let killed = try StoreSpecimen.killed()
        let old = try #require(killed.files["store.db"])
        let specimen = StoreSpecimen(files: try checkpointed(killed), contents: killed.contents)
        let new = try #require(specimen.files["store.db"])
        let tears = Damage.tears(of: "store.db", from: new, to: old)
        try walk(specimen, tears, casesMax: 40)
    }

    // MARK: One case

    enum Outcome: Equatable {
        case whole
        /// Opening or reading the store fails with this reason, and the store is in the state that the reason requires.
        case reported(ErrorReason)
        case wrong(String)
    }

    private func walk(_ specimen: StoreSpecimen, _ damages: [Damage], casesMax: Int) throws {
        let store = try emptyStore()
        var reported = 0
        for damage in selected(damages, casesMax: casesMax) {
            var damaged = specimen
            damaged.files[damage.file] = damage.bytes
            switch try outcome(of: damaged, in: store) {
            case .whole: continue
            case .reported: reported += 1
            case .wrong(let what): Issue.record("\(damage): \(what)")
            }
        }
        #expect(reported > 0, "no damage was met: the walk looks at nothing")
    }

    /// Returns some of the damages: the first, the last, and others evenly between them. The short tier tries a third
    /// of what the long tier tries.
    private func selected(_ damages: [Damage], casesMax: Int) -> [Damage] {
        let count = TestTier.count(casesMax / 3, long: casesMax)
        guard getenv("DAMAGE_CASES") == nil, damages.count > count else { return damages }
        return (0..<count).map { damages[$0 * (damages.count - 1) / (count - 1)] }
    }

    private func emptyStore() throws -> TemporaryStore {
        try TemporaryStore(open: false)
    }

    private func outcome(of specimen: StoreSpecimen, in store: TemporaryStore) throws -> Outcome {
        store.engine.shutDown()
        try specimen.place(in: store)
        try store.reopen()
        let read: Result<StoreContents, StoreError> = Result { () throws(StoreError) in
            try StoreContents(store.engine.makeReader())
        }
        switch read {
        case .success(let contents):
            let others = contents.differences(from: specimen.contents)
            // The databases of these stores have all records of their journals, so no content may be missing.
            // TailDamageTests covers databases that lack records.
            return others.isEmpty ? .whole : .wrong("without an error other \(others.joined(separator: ", "))")
        case .failure(let error):
            return try reported(error, specimen, store)
        }
    }

    private func reported(
        _ error: StoreError, _ specimen: StoreSpecimen, _ store: TemporaryStore
    ) throws -> Outcome {
        let names: [ErrorReason: String] = [.databaseDamaged: "store.db", .keyringDamaged: "keyring"]
        guard let name = names[error.reason], error.message.contains(name) else {
            return .wrong("answered \(error.reason) “\(error)”")
        }
        guard case .failed(let told) = store.engine.state, told.reason == error.reason else {
            return .wrong("the state is \(store.engine.state)")
        }
        let refused = #expect(throws: StoreError.self) { try store.engine.write(.clearAllData) }
        guard refused?.reason == error.reason else {
            return .wrong("a write was answered \(String(describing: refused))")
        }
        store.engine.shutDown()
        let after = try StoreSpecimen.files(of: store)
        let before = specimen.files
        // An opening creates an empty WAL and completes a rotation before the first read.
        let settled: Set =
            before["keyring"] == after["keyring"] ? [] : ["keyring", "keyring.previous", "store.db.next"]
        let changed = Set(before.keys).union(after.keys).subtracting(settled)
            .filter { before[$0] ?? [] != after[$0] ?? [] }.sorted()
        return changed.isEmpty ? .reported(error.reason) : .wrong("changed \(changed)")
    }

    /// Returns the files after a checkpoint of the whole WAL. The database file then has the revision of the mark, so
    /// the store is complete without a WAL.
    private func checkpointed(_ specimen: StoreSpecimen) throws -> [String: [UInt8]] {
        let store = try emptyStore()
        try specimen.place(in: store)
        try store.reopen()
        store.engine.shutDown()
        return try StoreSpecimen.files(of: store)
    }
}
