import Glibc
import SQLCipher
import StoreBasics
import Synchronization
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct WALHousekeepingTests {
    /// Tests a delete that alone fills the WAL to the size at which a checkpoint is due. This checkpoint does not empty
    /// the WAL.
    @Test(arguments: WALScale.tested)
    func `content removed by a commit that fills the WAL leaves the WAL soon after the last write`(
        scale: WALScale
    ) throws {
        let store = try TemporaryStore(walBounds: scale.bounds)
        let conversation = ConversationReference.session(try SessionID("05large"))
        let text = scale.text(500_000)
        for _ in 0..<40 {
            try store.engine.write(.saveMessage(NewMessage(conversation: conversation, text: text)))
        }
        try store.engine.write(.deleteConversation(conversation))
        #expect(store.engine.storage().walBytes >= scale.bounds.checkpointBytes)
        #expect(eventually { store.engine.storage().walBytes == 0 })
    }

    /// Checks that checkpoints happen, although the writer runs none in a batch that commits pages.
    @Test(arguments: WALScale.allCases)
    func `a WAL is checkpointed even if each batch is large enough for a commit of pages`(scale: WALScale) throws {
        let store = try TemporaryStore(walBounds: scale.bounds)
        let conversation = ConversationReference.session(try SessionID("05large"))
        let text = scale.text(1_000_000)
        for _ in 0..<64 {
            try store.engine.write(.saveMessage(NewMessage(conversation: conversation, text: text)))
            #expect(store.engine.storage().walBytes < 3 * scale.bounds.checkpointBytes)
        }
    }

    /// Tests a reader that is between two of its statements. Locking the store closes its readers, but cannot find such
    /// a reader.
    @Test func `a reader that ends while the store is locked does not keep content in the WAL`() throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<4)
        try store.engine.write(.deleteMessages([EntityID("m1")]))
        let engine = store.engine
        let reader = try connection(engine)
        try reader.execute("BEGIN")
        _ = try reader.integer("SELECT count(*) FROM messages")
        let held = HeldConnection(reader)
        let visibility = try engine.writer.perform { context in context.visibility }
        let before = visibility.moment
        let thread = try StoreThread(name: "held") {
            // A commit asks readers for new snapshots once. Locking the store asks again and again while this reader
            // blocks it.
            _ = eventually { visibility.moment >= before + 3 }
            held.connection.rollBack()
        }
        try engine.lock()
        thread.join()
        var status = stat()
        #expect(stat(engine.directory.wal, &status) == 0 && status.st_size == 0)
        reader.close()
    }

    private func connection(_ engine: StoreEngine) throws -> Connection {
        try engine.keys.withDatabaseKey { key throws(StoreError) in
            guard let key else { throw StoreState.locked.notOpenError }
            return try mapped(
                Connection(
                    path: engine.directory.database, key: key, mode: .readBesideWriter, profile: .ghoststore,
                    versions: engine.libraries))
        }
    }

    /// Tests a reader of the newest frames. A checkpoint is complete despite such a reader, but the WAL cannot start
    /// over and continues to grow.
    @Test(arguments: WALScale.tested)
    func `a reader of the newest frames is asked to end when the WAL is at its limit`(scale: WALScale) throws {
        let store = try TemporaryStore(walBounds: scale.bounds)
        let reader = try connection(store.engine)
        defer { reader.close() }
        try reader.execute("BEGIN")
        _ = try reader.integer("SELECT count(*) FROM messages")
        let message = NewMessage(
            conversation: .session(try SessionID("05large")), text: scale.text(1_000_000))
        while store.engine.storage().walBytes < scale.bounds.heldBytesMax {
            try store.engine.write(.saveMessage(message))
        }
        try store.engine.writer.perform { context throws(StoreError) in try context.commitPages() }
        // The new reader starts before the first one ends. Otherwise the writer could be idle between them and empty
        // the WAL.
        let newest = try connection(store.engine)
        defer { newest.close() }
        try newest.execute("BEGIN")
        _ = try newest.integer("SELECT count(*) FROM messages")
        reader.rollBack()
        let told = Mutex(0)
        let observation = store.engine.heldWALs.add { _ in told.withLock { $0 += 1 } }
        let isComplete = try store.engine.writer.perform { context throws(StoreError) in
            let isComplete = try context.checkpointPassively()
            context.checkpointPacing = CheckpointPacing()
            return isComplete
        }
        #expect(isComplete)
        // No other request waits, so the writer runs the check that is due after the previous work. This empty work
        // waits for that check.
        try store.engine.writer.perform { _ in }
        #expect(eventually { told.withLock { $0 } == 1 })
        newest.rollBack()
        #expect(eventually { store.engine.storage().walBytes == 0 })
        _ = observation
    }

    /// Checks that the WAL starts over although there is always a reader, and each batch is large enough for a commit
    /// of pages.
    @Test(arguments: WALScale.tested)
    func `readers that follow each other without a pause do not prevent the WAL from starting over`(
        scale: WALScale
    ) throws {
        let store = try TemporaryStore(walBounds: scale.bounds)
        let conversation = ConversationReference.session(try SessionID("05large"))
        let message = NewMessage(conversation: conversation, text: scale.text(1_000_000))
        try store.engine.write(.saveMessage(message))
        let isOver = Atomic(false)
        let engine = store.engine
        let readers = try (0..<3).map { number in
            try StoreThread(name: "reader \(number)") {
                let reader = engine.makeReader()
                while !isOver.load(ordering: .relaxed) {
                    _ = try? reader.messages(MessageQuery(conversation: conversation, limit: 2))
                }
            }
        }
        var (restarts, last) = (0, 0)
        for _ in 0..<1_000 where restarts == 0 {
            try store.engine.write(.saveMessage(message))
            let bytes = store.engine.storage().walBytes
            restarts += bytes < last ? 1 : 0
            last = bytes
        }
        isOver.store(true, ordering: .relaxed)
        readers.forEach { $0.join() }
        #expect(restarts > 0, "the WAL grew to \(last) bytes")
    }

    /// A connection that another thread uses.
    ///
    /// `@unchecked Sendable` because only one thread uses the connection until the test joins that thread.
    private final class HeldConnection: @unchecked Sendable {
        let connection: Connection

        init(_ connection: Connection) {
            self.connection = connection
        }
    }

    @Test(arguments: WALScale.tested)
    func `an export that prevents the WAL from starting over ends at the limit, and the WAL shrinks again`(
        scale: WALScale
    ) throws {
        let store = try TemporaryStore(walBounds: scale.bounds)
        let conversation = ConversationReference.session(try SessionID("05large"))
        let text = scale.text(1_000_000)
        for _ in 0..<3 {
            try store.engine.write(.saveMessage(NewMessage(conversation: conversation, text: text)))
        }
        let export = try store.engine.beginExport("05large").session
        _ = try store.engine.piece(export, at: 0)
        var written = 0
        while written < 2 * scale.bounds.heldBytesMax {
            try store.engine.write(.saveMessage(NewMessage(conversation: conversation, text: text)))
            written += text.utf8.count
            // This call gives the thread of exports its turn between the writes.
            _ = try store.engine.blob(.end(BlobSessionID(number: 1)))
        }
        #expect(store.engine.storage().walBytes < scale.bounds.heldBytesMax * 3 / 2)
        #expect(throws: StoreError.self) { try store.engine.piece(export, at: 1 << 20) }
        #expect(eventually { store.engine.storage().walBytes <= scale.bounds.checkpointBytes })
    }

    /// Tests a caller that sends work all the time, so that the writer is never idle.
    @Test func `removed content leaves the WAL in time, even while other work comes without a pause`() throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<4)
        try store.engine.write(.deleteMessages([EntityID("m1")]))
        try store.engine.writer.perform { context in
            #expect(context.walEmptyingDue != nil)
            context.walEmptyingDue = .now - .seconds(1)
        }
        #expect(try store.engine.writer.perform { $0.walEmptyingDue == nil })
        #expect(store.engine.storage().walBytes == 0)
    }

    @Test(arguments: WALScale.tested)
    func `a check releases the WAL between its parts`(scale: WALScale) throws {
        let store = try TemporaryStore(walBounds: scale.bounds)
        let conversation = ConversationReference.session(try SessionID("05large"))
        let text = scale.text(1_000_000)
        var largest: UInt64 = 0
        let report = try store.engine.check { _ in
            for _ in 0..<8 {
                _ = try? store.engine.write(.saveMessage(NewMessage(conversation: conversation, text: text)))
            }
            largest = max(largest, UInt64(store.engine.storage().walBytes))
        }
        #expect(report.isClean && report.pagesChecked > 3_000 / scale.rawValue)
        #expect(largest < 3 * scale.bounds.checkpointBytes, "the WAL grew to \(largest) bytes")
    }

    @Test func `a check ends if one of its parts holds too much of the WAL, and reports no damage`() throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<10)
        let bounds = WALBounds()
        for (bytes, expected) in [
            (bounds.heldBytesMax, nil), (bounds.heldByCheckBytesMax, ErrorReason.storeBusy),
        ] {
            let found = reason {
                _ = try store.engine.check { progress in
                    if progress.done == 1 {
                        store.engine.heldWALs.notify([HeldWAL(bytes: bytes)])
                    }
                }
            }
            #expect(found == expected)
        }
        #expect(store.engine.state == .open)
        #expect(try expectClean(store.engine) == [])
    }

    /// Compares the limits with the shipped values. The limit of a check is documented in docs/operations.md.
    @Test func `an engine uses the shipped limits unless a test has others`() throws {
        let engine = try TemporaryStore(open: false).engine
        let bounds = engine.configuration.walBounds
        #expect(bounds.checkpointBytes == 8 << 20)
        #expect(bounds.heldBytesMax == 48 << 20)
        #expect(bounds.heldByCheckBytesMax == 256 << 20)
        #expect(bounds.commitFrames == 1_000)
        #expect(bounds.commitBytes == (64 << 10)...(768 << 10))
    }

    @Test func `a WAL below its limit is not checkpointed, and one above it once for each step of growth`() {
        let bound = WALBounds().checkpointBytes
        let step = bound / 4
        #expect(due([0, bound - 1]) == [])
        #expect(
            due([bound, bound + 1, bound + step - 1, bound + step, bound + step + 1, bound + 2 * step])
                == [bound, bound + step, bound + 2 * step])
    }

    @Test func `a WAL that has started over is checkpointed at its limit again`() {
        let bound = WALBounds().checkpointBytes
        #expect(due([3 * bound, 2 * bound, bound / 2, bound]) == [3 * bound, 2 * bound, bound])
    }

    /// Returns the sizes at which a checkpoint is due.
    private func due(_ sizes: [Int]) -> [Int] {
        var pacing = CheckpointPacing()
        return sizes.filter { pacing.isDue(walBytes: $0, WALBounds()) }
    }
}
