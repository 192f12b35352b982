import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct HistoryTests {
    private func history(_ engine: StoreEngine) throws -> HistoryID {
        try engine.statistics().history
    }

    @Test func `the history stays the same when the store is locked, restarted or rotated`() throws {
        let store = try TemporaryStore()
        let made = try history(store.engine)
        #expect(made != .none)
        try store.engine.saveNumbered(0..<3)
        try store.engine.lock()
        #expect(reason { _ = try store.engine.statistics() } == .storeLocked)
        _ = try store.engine.unlock(secret: try TemporaryStore.keyFile())
        #expect(try history(store.engine) == made)
        _ = try store.engine.rotateMasterKey { _ in }
        #expect(try history(store.engine) == made)
        try store.reopen()
        #expect(try history(store.engine) == made)
        #expect(try store.engine.makeReader().changes(after: 0, limit: 1).history == made)
    }

    @Test func `every store and every restore has a history of its own`() throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<3)
        let made = try store.engine.backUp()
        let other = try TemporaryStore()
        var seen: Set<HistoryID> = [try history(other.engine), try history(store.engine)]
        #expect(try seen.insert(store.engine.restore(made.name).history).inserted)
        #expect(try seen.insert(store.engine.restore(made.name, with: try TemporaryStore.keyFile()).history).inserted)
        let last = try history(store.engine)
        #expect(seen.contains(last))
        try store.reopen()
        #expect(try history(store.engine) == last)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `a restore that a crash interrupts after its commit has the new history`() throws {
        let store = try TemporaryStore()
        let made = try store.engine.backUp()
        let before = try history(store.engine)
        let backup = try store.engine.openBackup(
            try BackupFolder(store.engine.directory).completeEntry(named: made.name), secret: nil, progress: { _ in })
        let restore = StoreRestore(store.engine.directory)
        try store.engine.stage(backup, in: restore)
        store.engine.shutDown()
        try restore.commit()
        try store.reopen()
        #expect(try history(store.engine) != before)
    }

    @Test func `a write for another history changes nothing, whatever its key`() throws {
        let store = try TemporaryStore()
        let made = try history(store.engine)
        let key = try IdempotencyKey("12345678", userID: 1)
        let save = Mutation.saveMessage(try StoreEngine.numbered(1))
        var request = WriteRequest(save, idempotencyKey: key, history: .random())
        #expect(reason { try store.engine.write(request) } == .historyChanged)
        #expect(try !store.engine.hasNumbered(1))
        request.history = made
        try store.engine.write(request)
        #expect(try store.engine.hasNumbered(1))
        // With the right history, this write would return the result of the earlier write with the same key. The
        // history is checked first, so the write fails.
        request.history = .random()
        #expect(reason { try store.engine.write(request) } == .historyChanged)
        #expect(try store.engine.statistics().revision == 2)
    }

    @Test func `a reader that expects one history is refused after a restore`() throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<2)
        let made = try store.engine.backUp()
        let reader = store.engine.makeReader()
        let pinned = reader.expecting(try history(store.engine))
        #expect(try pinned.message(try EntityID("m1")) != nil)
        try store.engine.restore(made.name)
        #expect(reason { _ = try pinned.message(try EntityID("m1")) } == .historyChanged)
        #expect(reason { _ = try pinned.changes(after: 0, limit: 1) } == .historyChanged)
        #expect(try reader.message(try EntityID("m1")) != nil)
    }

    @Test func `an import that was begun before a restore writes nothing into the restored store`() throws {
        let store = try TemporaryStore()
        let made = try store.engine.backUp()
        let engine = store.engine
        let save = engine.blobSource.save
        let begun = try history(engine)
        try engine.restore(made.name)
        let message = try StoreEngine.numbered(1)
        let origin = TransferOrigin(userID: 0, history: begun, byteCount: 256)
        #expect(reason { _ = try save([message], origin) } == .historyChanged)
        #expect(try !engine.hasNumbered(1))
    }

    @Test func `logs of one name are distinguished by the revision of their creation`() throws {
        let store = try TemporaryStore()
        let name = try LogName("events")
        let open = Mutation.openLog(name, LogConfiguration(maximumBytes: 1_000, overwritesOldest: false))
        guard case .log(let first, _, _) = try store.engine.write(open),
            case .log(let found, _, _) = try store.engine.write(open)
        else {
            Issue.record("opening a log gives it")
            return
        }
        #expect(first == found)
        #expect(first.createdRevision == 1)
        let reader = store.engine.makeReader()
        var query = LogQuery(log: name, createdRevision: first.createdRevision)
        #expect(try reader.logEntries(query).info.createdRevision == 1)
        try store.engine.write(.deleteLog(name))
        try store.engine.write(open)
        #expect(reason { _ = try reader.logEntries(query) } == .logNotFound)
        query.createdRevision = 3
        #expect(try reader.logEntries(query).info.createdRevision == 3)
        query.createdRevision = nil
        #expect(try reader.logEntries(query).info.createdRevision == 3)
    }
}
