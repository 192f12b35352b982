import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests what a store can still do after it has read a damaged page, and what it refuses.
@Suite struct DamagedStoreTests {
    @Test func `a backup of a damaged page fails and leaves no file`() throws {
        for damage in try Self.damages() {
            let store = try Self.store(with: damage)
            let made = Result { try store.engine.backUp() }
            if case .success(let backup) = made {
                // A backup copies and checks every page. It succeeded, so the damage is at a place that no
                // authenticator covers.
                #expect(
                    try store.engine.verify(backup.name).isClean && store.engine.check { _ in }.isClean, "\(damage)")
            } else {
                #expect(reason { _ = try made.get() } == .databaseDamaged, "\(damage)")
                #expect(try store.engine.listBackups().isEmpty)
                #expect(try TestFile.all(below: store.statePath + "/backups").isEmpty)
                guard case .failed(let told) = store.engine.state, told.reason == .databaseDamaged else {
                    Issue.record("the state is \(store.engine.state) after the backup met \(damage)")
                    continue
                }
                #expect(reason { try store.engine.write(.clearAllData) } == .databaseDamaged)
            }
        }
    }

    @Test func `the check finds every page of zeros that is in use`() throws {
        var found = 0
        for damage in try Self.damages() {
            let store = try Self.store(with: damage)
            guard store.engine.state == .open else { continue }
            let isRead = (try? StoreContents(store.engine.makeReader())) == nil
            let report = try store.engine.check { _ in }
            #expect(!isRead || !report.isClean, "\(damage)")
            found += report.isClean ? 0 : 1
        }
        #expect(found > 5)
    }

    @Test func `a damaged store can be locked, which wipes its keys, and unlocked again`() throws {
        let store = try Self.damagedWhileOpen()
        try store.engine.lock()
        #expect(store.engine.state == .locked)
        #expect(try store.engine.keys.withDatabaseKey { $0 == nil })
        _ = try store.engine.unlock(secret: try TemporaryStore.keyFile())
        #expect(store.engine.state == .open)
    }

    @Test func `a restore keeps the files of the damaged store unchanged`() throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<5)
        let backup = try store.engine.backUp()
        try store.engine.saveNumbered(5..<30)
        store.engine.status.reportDamage(StoreError(.databaseDamaged, "store.db: of the test"))
        let before = try ["store.db", "store.db-wal"].map { ($0, try TestFile.read(store.statePath + "/" + $0)) }
        try #require(before.allSatisfy { !$0.1.isEmpty })
        try store.engine.restore(backup.name)
        #expect(store.engine.state == .open)
        for (name, bytes) in before {
            #expect(try TestFile.read(store.statePath + "/replaced/" + name) == bytes, "\(name)")
        }
    }

    @Test func `an unlock of a damaged store that is open is refused`() throws {
        let store = try Self.damagedWhileOpen()
        #expect(reason { _ = try store.engine.unlock(secret: try TemporaryStore.keyFile()) } == .storeAlreadyOpen)
    }

    /// Returns damages that fill one page each with zeros.
    private static func damages() throws -> [Damage] {
        let specimen = try StoreSpecimen.stopped()
        let all = Damage.zeros(in: "store.db", try #require(specimen.files["store.db"]))
        let pages = all.filter { $0.what.hasSuffix("\(StoreSpecimen.pageBytes) bytes") }
        return stride(from: 0, to: pages.count, by: TestTier.count(8, long: 4)).map { pages[$0] }
    }

    private static func store(with damage: Damage) throws -> TemporaryStore {
        var files = try StoreSpecimen.stopped().files
        #expect(files[damage.file] != damage.bytes)
        files[damage.file] = damage.bytes
        return try TemporaryStore(placing: files)
    }

    private static func damagedWhileOpen() throws -> TemporaryStore {
        let store = try TemporaryStore()
        store.engine.status.reportDamage(StoreError(.databaseDamaged, "store.db: of the test"))
        return store
    }
}
