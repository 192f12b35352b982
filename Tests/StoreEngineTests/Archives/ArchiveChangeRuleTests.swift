import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests of rules for archives of changes: the times of moved files, logs after a gap, and limits.
@Suite struct ArchiveChangeRuleTests {
    private let clocks = FakeClocks()
    private let source: TemporaryStore
    private let target: TemporaryStore

    init() throws {
        source = try TemporaryStore(clocks: clocks.clocks)
        target = try TemporaryStore(clocks: clocks.clocks)
    }

    private func bring(since revision: UInt64 = 0) throws -> RestoreReport {
        let table = RecordTable()
        let file = try source.engine.archive(table, since: revision)
        clocks.pass(seconds: 1)
        let report = try target.engine.restore(file, table, .merge)
        clocks.pass(seconds: 1)
        return report
    }

    private func save(_ path: String, _ byte: UInt8, _ engine: StoreEngine) throws {
        try engine.write(.saveFile(try FilePath(.document, path), [byte], createsParents: true))
        clocks.pass(seconds: 1)
    }

    private func move(_ origin: String, _ place: String) throws {
        try source.engine.write(.moveFile(try FilePath(.document, origin), to: try FilePath(.document, place)))
        clocks.pass(seconds: 1)
    }

    // MARK: Files

    @Test func `a file that was moved into a new directory has the time of the move, not of the directory`() throws {
        try save("old", 1, source.engine)
        try save("tree/sub/old", 1, source.engine)
        let revision = try bring().header.revision
        try source.engine.write(.createDirectory(try FilePath(.document, "new"), createsParents: false))
        clocks.pass(seconds: 1)
        // The target writes these files after the source has created the directory, and before the source moves files
        // into it.
        try save("new/file", 2, target.engine)
        try save("new/tree/sub/old", 2, target.engine)
        try move("old", "new/file")
        try move("tree", "new/tree")
        try save("new/file-2", 3, source.engine)
        _ = try bring(since: revision)
        #expect(try target.engine.readAll("new/file", .document) == [1])
        #expect(try target.engine.readAll("new/tree/sub/old", .document) == [1])
        #expect(try target.engine.readAll("new/file-2", .document) == [3])
    }

    @Test func `a file that was written here after its directory was moved elsewhere is kept`() throws {
        try save("tree/old", 1, source.engine)
        let revision = try bring().header.revision
        try move("tree", "moved")
        try save("moved/old", 2, target.engine)
        try save("other", 1, source.engine)
        try move("other", "moved/other")
        _ = try bring(since: revision)
        #expect(try target.engine.readAll("moved/old", .document) == [2])
        #expect(try target.engine.readAll("moved/other", .document) == [1])
    }

    @Test func `a directory whose time is restored is announced to watchers without the files in it`() throws {
        try save("d/kept", 1, source.engine)
        try save("d/gone", 1, source.engine)
        let revision = try bring().header.revision
        try source.engine.write(.deleteFile(try FilePath(.document, "d/gone")))
        let before = try target.engine.statistics().revision
        _ = try bring(since: revision)
        let changes = try target.engine.makeReader().changes(after: before, limit: 100).changes
        #expect(
            changes.map { "\($0.operation) \($0.id)" } == ["deleted document/d/gone", "updated document/d"])
        let table = RecordTable()
        _ = try target.engine.archive(table, since: before)
        #expect(table.content.count == 3)
        #expect(!table.content.contains { if case .file = $0 { true } else { false } })
    }

    // MARK: Logs

    private let log = LogName(trusted: "log")

    private func append(_ count: Int, from first: Int) throws {
        let messages = (first..<(first + count)).map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: 12) }
        try source.engine.write(.appendLog(LogAppend(log: log, expected: nil, messages: messages)))
    }

    private func entries(_ engine: StoreEngine) throws -> [UInt64] {
        try engine.archived().compactMap { if case .logEntry(let entry) = $0 { entry.sequence } else { nil } }
    }

    /// Saves a file, so that the store has a new revision. Log entries have no revisions of their own: the next archive
    /// of changes begins after the file's revision and leaves out entries that were appended before the file was saved.
    private func note(_ number: Int) throws {
        try save("note", UInt8(number), source.engine)
    }

    @Test func `a log keeps its entries if an archive is left out, and continues after that archive is restored`()
        throws
    {
        try source.engine.write(.openLog(log, LogConfiguration(maximumBytes: 400, overwritesOldest: true)))
        try append(5, from: 1)
        try note(1)
        let first = try bring().header.revision
        try append(5, from: 6)
        try note(2)
        let leftOut = RecordTable()
        let file = try source.engine.archive(leftOut, since: first)
        let second = try source.engine.statistics().revision
        try append(5, from: 11)
        let report = try bring(since: second)
        #expect(report.tally.kept[.logEntry] == 5 && report.tally.equal[.log] == 1)
        #expect(try entries(target.engine) == [1, 2, 3, 4, 5])
        try target.engine.restore(file, leftOut, .merge)
        #expect(try bring(since: second).tally.added[.logEntry] == 5)
        #expect(try entries(target.engine) == Array(1...15))
        #expect(try target.engine.archived() == source.engine.archived())
    }

    @Test func `a log whose older entries were all overwritten starts again after the gap`() throws {
        try source.engine.write(.openLog(log, LogConfiguration(maximumBytes: 400, overwritesOldest: true)))
        try append(5, from: 1)
        try note(1)
        let first = try bring().header.revision
        try append(100, from: 6)
        let report = try bring(since: first)
        #expect(report.tally.added[.logEntry] == report.counts[.logEntry])
        #expect(try target.engine.archived() == source.engine.archived())
    }

    /// Checks that a log never gets a gap, and never loses entries that the source still has, whatever archives of a
    /// chain are left out.
    @Test(arguments: 1...UInt64(TestTier.count(2, long: 6)))
    func `logs stay without gaps if archives of a chain are left out`(seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        try source.engine.write(.openLog(log, LogConfiguration(maximumBytes: 400, overwritesOldest: true)))
        var (next, revision, isChainWhole) = (1, try bring().header.revision, true)
        for round in 0..<8 {
            let count = Int.random(in: 1...(Bool.random(using: &generator) ? 8 : 40), using: &generator)
            try append(count, from: next)
            next += count
            try note(round)
            let before = Set(try entries(target.engine))
            if Int.random(in: 0..<3, using: &generator) > 0 {
                revision = try bring(since: revision).header.revision
                if isChainWhole {
                    #expect(try entries(target.engine) == entries(source.engine), "round \(round)")
                }
            } else {
                revision = try source.engine.statistics().revision
                isChainWhole = false
            }
            let (here, there) = (try entries(target.engine), Set(try entries(source.engine)))
            #expect(zip(here, here.dropFirst()).allSatisfy { $0 + 1 == $1 }, "round \(round)")
            #expect(before.intersection(there).isSubset(of: here), "round \(round)")
            #expect(try expectClean(target.engine) == [])
        }
    }

    // MARK: Messages

    @Test func `a merge that moves a message does not change the time of the conversation that the message leaves`()
        throws
    {
        let id = try EntityID("m")
        func save(_ session: String, _ text: String, _ engine: StoreEngine) throws {
            try engine.write(
                .saveMessage(NewMessage(id: id, conversation: .session(try SessionID(session)), text: text)))
        }
        try save("alice", "text", target.engine)
        try target.engine.write(.getOrCreateConversation(try SessionID("bob"), id: nil, displayName: nil))
        clocks.pass(seconds: 10)
        try save("bob", "text", source.engine)
        try source.engine.write(.editMessage(id, text: "edited", editedAt: nil))
        func times() throws -> [Timestamp?] {
            let reader = target.engine.makeReader()
            return try ["alice", "bob"].map { session in
                try reader.conversation(.session(try SessionID(session)), includeAvatar: false)?.updatedAt
            }
        }
        let before = try times()
        clocks.pass(seconds: 10)
        // The archive also contains the conversation into which the message moves, and restores its time. So the test
        // compares only the time of the conversation that the message leaves.
        let table = RecordTable()
        let file = try source.engine.archive(table)
        try source.engine.write(.deleteMessages([id]))
        _ = try target.engine.restore(file, table, .merge)
        let reader = target.engine.makeReader()
        #expect(try reader.message(id)?.text == "edited")
        #expect(try reader.conversation(.session(try SessionID("alice")), includeAvatar: false)?.messageCount == 0)
        #expect(try times()[0] == before[0])
        #expect(try expectClean(target.engine) == [])
    }

    // MARK: Limits

    @Test func `an archive of changes keeps names of removed entities up to a number of bytes`() throws {
        func note(_ bytesMax: Int) throws {
            var changes = ArchiveChanges(removalBytesMax: bytesMax)
            let names = (0..<100).map { String(repeating: "x", count: 200) + "\($0)" }
            _ = try source.engine.makeReader().read { (connection) throws(StoreError) in
                for (index, name) in (names + names).enumerated() {
                    let entry = ChangeEntry(kind: .log, operation: .deleted, id: name, parent: "")
                    try changes.recordChange(entry, UInt64(index + 1), at: Timestamp(microseconds: 1), connection)
                }
            }
            #expect(changes.removals.count == 100)
        }
        // A name that is recorded twice counts once.
        try note(100 * 300)
        #expect(reason { try note(50 * 300) } == .changesCompacted)
    }

    @Test func `contents that are read in many passes have the same order as in one pass`() throws {
        try FullStore.fill(source.engine)
        func contents(perPass count: Int) throws -> (records: [ArchiveRecord], pages: Int) {
            let reader = source.engine.makeReader()
            var walk = ArchiveContentWalk(reader.clock, contentsPerPass: count)
            var (records, pages) = ([ArchiveRecord](), 0)
            var isOver = false
            while !isOver {
                isOver = try reader.readHeld { (connection, contents) throws(StoreError) in
                    try !walk.readPage(connection, contents) { records.append($0) }
                }
                pages += 1
            }
            return (records, pages)
        }
        let whole = try contents(perPass: 1_000)
        let found = whole.records.filter { $0.kind == .content }
        #expect(found.count == 4)
        for count in 1...4 {
            let parts = try contents(perPass: count)
            #expect(parts.records == whole.records && (parts.pages > whole.pages) == (count < 4))
        }
    }

    // MARK: Contents of the vault

    @Test func `a restore with a large file does not stop cleaning of the vault, which leaves the new file alone`()
        throws
    {
        try writeLarge("restored", source.engine)
        try writeLarge("removed", target.engine)
        let table = RecordTable()
        let file = try source.engine.archive(table)
        let request = ArchiveRestoreRequest(coding: table, aim: .merge, isDryRun: false, secret: nil)
        guard case .restoreBegun(let session) = try target.engine.blob(.beginRestore(request)) else {
            throw StoreError(.internal, "a restore begins with its session")
        }
        // Everything except the last piece is restored.
        let middle = file.count - 4 * RecordTable.recordBytes
        _ = try target.engine.blob(.writeRestore(session, offset: 0, data: Array(file[..<middle])))
        #expect(try files(target).count == 2)
        try target.engine.write(.deleteFile(try FilePath(.document, "removed")))
        // The cleaning checks every file of the vault.
        try target.engine.files.begin { $0.beginCleaning() }
        try target.engine.waitForCleaning()
        #expect(try files(target).count == 1)
        _ = try target.engine.blob(.writeRestore(session, offset: UInt64(middle), data: Array(file[middle...])))
        _ = try target.engine.blob(.finishRestore(session))
        #expect(try target.engine.readAll("restored", .document) == large)
        #expect(try expectClean(target.engine) == [])
    }

    @Test func `a large file whose restore is cancelled leaves no vault file`() throws {
        try writeLarge("restored", source.engine)
        let table = RecordTable()
        let file = try source.engine.archive(table)
        let request = ArchiveRestoreRequest(coding: table, aim: .fillEmpty, isDryRun: false, secret: nil)
        guard case .restoreBegun(let session) = try target.engine.blob(.beginRestore(request)) else {
            throw StoreError(.internal, "a restore begins with its session")
        }
        let middle = file.count - 4 * RecordTable.recordBytes
        _ = try target.engine.blob(.writeRestore(session, offset: 0, data: Array(file[..<middle])))
        #expect(try files(target).count == 1)
        _ = try target.engine.blob(.endArchive(session))
        try target.engine.waitForCleaning()
        #expect(try files(target) == [])
        #expect(try expectClean(target.engine) == [])
    }

    private let large = [UInt8]((0..<900_000).map { UInt8(truncatingIfNeeded: $0 &* 13 >> 2) })

    private func writeLarge(_ path: String, _ engine: StoreEngine) throws {
        let request = FileWriteRequest(path: try FilePath(.document, path), place: .whole)
        guard case .begun(let id) = try engine.fileWrite(.begin(request)) else {
            throw StoreError(.internal, "a write begins with its id")
        }
        for start in stride(from: 0, to: large.count, by: 250_000) {
            try engine.fileWrite(.write(id, offset: UInt64(start), data: Array(large[start...].prefix(250_000))))
        }
        try engine.fileWrite(.finish(id))
    }

    private func files(_ store: TemporaryStore) throws -> [String] {
        try TestFile.all(below: store.path + "/state/vault")
    }
}
