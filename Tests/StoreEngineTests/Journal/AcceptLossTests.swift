import StoreBasics
import StoreCrypto
import TestBasics
import Testing

@testable import StoreEngine

/// Tests that an operator can accept a loss: the store keeps everything that could be replayed and gets a new history.
@Suite struct AcceptLossTests {
    enum Loss: CaseIterable {
        case damagedRecord, missingSegment, damagedHeader, cutSegment, noJournal, olderDatabase, olderStore

        fileprivate var reason: ErrorReason {
            switch self {
            case .damagedRecord, .missingSegment, .damagedHeader, .cutSegment, .noJournal: .journalDamaged
            case .olderDatabase, .olderStore: .storeRolledBack
            }
        }
    }

    /// A store whose database file contains only the first messages, and the values expected after the loss.
    private struct Damaged {
        static let messageCount = 70
        var files: [String: [UInt8]]
        let history: HistoryID
        /// The smallest number of messages that a replay restores, counted from m0.
        var messages = 4
        var missingRevisions: UInt64 = 0
        /// The expected number of missing records; `nil` if it is not compared.
        var missingRecords: UInt64?

        init(_ loss: Loss) throws {
            let store = try TemporaryStore()
            try store.engine.saveNumbered(0..<4)
            try store.reopen()
            let older = try StoreSpecimen.image(of: store)
            let position = try store.engine.writer.perform { $0.committed.record }
            let snapshot = try store.holdSnapshot()
            try store.engine.saveLongNumbered(4..<Self.messageCount)
            files = try StoreSpecimen.image(of: store)
            snapshot.close()
            history = try store.engine.statistics().history
            let segments = try JournalSpecimen.segments(of: files, under: store.engine)
                .filter { $0.records.contains { $0.number > position } }
            try #require(segments.count >= 4)
            func messagesReplayed(before record: JournalSpecimen.Record) -> Int {
                let lacking = segments.flatMap(\.records).filter { position < $0.number && $0.number < record.number }
                return 4 + lacking.filter(\.isMessage).count
            }
            let newest = segments.flatMap(\.records).map(\.number).max() ?? 0
            switch loss {
            case .damagedRecord:
                files["store.db-wal"] = nil
                let record = segments[2].records[3]
                files[segments[2].name]?[record.bytes.upperBound - 9] ^= 1
                messages = messagesReplayed(before: record)
                missingRecords = newest - record.number + 1
            case .missingSegment, .damagedHeader, .cutSegment:
                files["store.db-wal"] = nil
                messages = messagesReplayed(before: segments[2].records[0])
                missingRecords = newest - segments[2].records[0].number + 1
                switch loss {
                case .missingSegment: files[segments[2].name] = nil
                case .damagedHeader: files[segments[2].name]?[90] ^= 1
                default: files[segments[2].name]?.removeLast(7)
                }
            case .noJournal:
                files = files.filter { !$0.key.hasPrefix("journal/") }
                messages = Self.messageCount
                missingRecords = 0
            case .olderDatabase, .olderStore:
                try store.reopen()
                let now = try StoreSpecimen.image(of: store)
                files = loss == .olderDatabase ? now : older
                files["store.db"] = older["store.db"]
                files["mark"] = now["mark"]
                missingRevisions = try store.engine.statistics().revision - 5
            }
        }
    }

    @Test(arguments: Loss.allCases) func `a loss can be accepted, and the store works afterwards`(_ loss: Loss) throws {
        try expectAccepted(loss)
    }

    private func expectAccepted(_ loss: Loss) throws {
        let damaged = try Damaged(loss)
        let store = try TemporaryStore(placing: damaged.files)
        #expect(reasonOfFailure(store.engine) == loss.reason)
        #expect(reason { _ = try store.engine.unlock(secret: TemporaryStore.keyFile()) } == loss.reason)
        _ = try store.engine.unlock(secret: TemporaryStore.keyFile(), acceptingLoss: true)
        #expect(store.engine.state == .open)
        for number in [0, damaged.messages / 2, damaged.messages - 1] {
            #expect(try store.engine.hasNumbered(number), "message \(number) of \(damaged.messages)")
        }
        let begun = try store.engine.statistics().history
        #expect(begun != damaged.history)
        #expect(store.engine.status.loss.isCertain)
        #expect(store.engine.storage().missingRevisions == damaged.missingRevisions)
        // The mark has the new revision, so a later loss is detected.
        #expect(try store.engine.markedRevision() == store.engine.statistics().revision)
        if let missingRecords = damaged.missingRecords {
            #expect(store.engine.status.loss.missingRecords == missingRecords)
        }
        #expect(try expectClean(store.engine) == [])
        // From here on the store behaves like any other.
        try store.engine.saveNumbered(500..<510)
        let killed = try TemporaryStore(placing: StoreSpecimen.image(of: store))
        try store.reopen()
        for engine in [killed.engine, store.engine] {
            #expect(engine.state == .open && !engine.status.loss.isCertain)
            #expect(try engine.statistics().history == begun)
            #expect(try engine.hasNumbered(0) && engine.hasNumbered(509))
            #expect(try expectClean(engine) == [])
        }
    }

    @Test func `a store without a loss keeps its history if a loss is accepted`() throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<40)
        let history = try store.engine.statistics().history
        var withoutLog = try StoreSpecimen.image(of: store)
        withoutLog["store.db-wal"] = nil
        for files in [try StoreSpecimen.image(of: store), withoutLog] {
            let placed = try TemporaryStore(open: false)
            placed.engine.shutDown()
            try StoreSpecimen.place(files, in: placed)
            let engine = try TemporaryStore.engine(placed.path)
            _ = try engine.unlock(secret: TemporaryStore.keyFile(), acceptingLoss: true)
            #expect(try engine.statistics().history == history)
            #expect(!engine.status.loss.isCertain)
            #expect(try engine.hasNumbered(39))
            engine.shutDown()
        }
    }

    /// Tests a store that a power cut has left before its loss was accepted completely. Such a store is either refused,
    /// as in this test, or open.
    @Test func `a store with a loss is refused at each opening until the loss is accepted`() throws {
        let damaged = try Damaged(.damagedRecord)
        let store = try TemporaryStore(placing: damaged.files)
        for _ in 0..<3 {
            #expect(reason { _ = try store.engine.unlock(secret: TemporaryStore.keyFile()) } == .journalDamaged)
            try store.reopen()
            #expect(reasonOfFailure(store.engine) == .journalDamaged)
        }
        _ = try store.engine.unlock(secret: TemporaryStore.keyFile(), acceptingLoss: true)
        #expect(try store.engine.hasNumbered(damaged.messages - 1) && !store.engine.hasNumbered(damaged.messages))
    }

    private func reasonOfFailure(_ engine: StoreEngine) -> ErrorReason? {
        if case .failed(let error) = engine.state { error.reason } else { nil }
    }
}

extension StoreEngine {
    /// Returns the revision that the mark guarantees to be in the database file.
    fileprivate func markedRevision() throws -> UInt64? {
        let key = try keys.derive { keyring throws(CryptoError) in try keyring.markKey() }
        return StoreMarkFile.find(directory.mark, under: key).mark?.revision
    }

    /// Saves messages with long texts, a few of which fill a segment.
    fileprivate func saveLongNumbered(_ numbers: Range<Int>) throws {
        for number in numbers {
            var message = try Self.numbered(number)
            message.text += String(repeating: "long ", count: 900)
            try write(.saveMessage(message))
        }
    }
}
