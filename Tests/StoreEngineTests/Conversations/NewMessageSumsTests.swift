import Glibc
import SQLCipher
import StoreBasics
import Testing

@testable import StoreEngine

/// Checks that readers always see the effect of new messages on the rows of their conversations, although the writer
/// changes the row of a conversation only once for many messages. `ReplayEqualityTests` compares rows that were changed
/// once with rows that single statements from the journal changed.
@Suite struct NewMessageSumsTests {
    private struct Sight: Equatable {
        var outcomes: [HeldWrites.Outcome] = []
        var conversations: [[String]] = []
        var rows: [[Int64?]] = []
    }

    private static let columns = StatementText(
        """
        SELECT number, message_count, unread_count, unread_outgoing_count, last_activity_at, last_message_at,
            last_message_id
        FROM conversations ORDER BY number
        """)

    /// The ways to write that are compared. They must give the same result. If changes of a row are collected, the row
    /// is written once for all of them.
    private enum Way {
        /// Requests share transactions, and changes of rows are collected.
        case waiting
        /// Each request has a record of its own, and changes of rows are collected.
        case alone
        /// Changes are collected for this many conversations only, so some rows are written before the end of a
        /// transaction.
        case waitingOf(Int)
        /// Each message changes its row immediately.
        case atOnce
    }

    private func mutation(_ random: inout SplitMix, _ number: Int) throws -> Mutation {
        func pick(_ count: UInt64) -> UInt64 { random.next() % count }
        let conversation = ConversationReference.id(try EntityID("c\(pick(3))"))
        func message(_ id: Int) throws -> NewMessage {
            NewMessage(
                id: try EntityID("m\(id)"), conversation: conversation, text: "text \(pick(3))",
                timestamp: Timestamp(microseconds: Int64(1_000 + pick(40))), isOutgoing: pick(3) == 0)
        }
        let earlier = Int(pick(UInt64(number + 1)))
        switch pick(16) {
        case 0: return .deleteMessages([try EntityID("m\(earlier)")])
        case 1: return .markMessagesRead([try EntityID("m\(earlier)")])
        case 2: return .markConversationRead(conversation)
        case 3: return .editMessage(try EntityID("m\(earlier)"), text: "edited", editedAt: nil)
        case 4: return .saveMessage(try message(earlier), clearsDraft: true)
        case 5, 6: return .saveMessage(try message(earlier))
        case 7: return .saveMessages([try message(number), try message(number + 1_000)])
        default: return .saveMessage(try message(number))
        }
    }

    private func sight(seed: UInt64, _ way: Way) throws -> Sight {
        let store = try TemporaryStore()
        let sharing = if case .alone = way { HeldWrites.Sharing.alone } else { HeldWrites.Sharing.shared }
        let waitingMax: Int? =
            switch way {
            case .waiting, .alone: nil
            case .waitingOf(let count): count
            case .atOnce: 0
            }
        if let waitingMax {
            try store.engine.writer.perform { context in
                context.caches.areas.newMessageSums.conversationsMax = waitingMax
            }
        }
        var conversations = try HeldWrites(store.engine)
        for number in 0..<3 {
            conversations.add(
                .getOrCreateConversation(
                    try SessionID("s\(number)"), id: try EntityID("c\(number)"), displayName: nil), .shared)
        }
        #expect(conversations.finish().allSatisfy { (try? $0.get()) != nil })
        var random = SplitMix(seed: seed)
        var sight = Sight()
        for round in 0..<5 {
            var writes = try HeldWrites(store.engine)
            for number in 0..<30 {
                writes.add(try mutation(&random, round * 30 + number), sharing)
            }
            sight.outcomes += writes.finish()
        }
        let reader = store.engine.makeReader()
        for number in 0..<3 {
            let found = try #require(
                try reader.conversation(.id(try EntityID("c\(number)")), includeAvatar: false))
            sight.conversations.append([
                "\(found.messageCount)", "\(found.unreadCount)", "\(found.lastActivityAt.microseconds)",
                found.lastMessage.map { "\($0.id.text) \($0.text)" } ?? "none",
            ])
        }
        sight.rows = try store.engine.writer.perform { context throws(StoreError) in
            let rows = try context.openConnection().rows(Self.columns)
            var found: [[Int64?]] = []
            while try rows.next() {
                found.append((0..<7).map { rows.optionalInteger($0) })
            }
            return found
        }
        #expect(try expectClean(store.engine) == [])
        return sight
    }

    @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6])
    func `rows have the same values whether their changes are collected or made at once`(
        _ seed: UInt64
    ) throws {
        let expected = try sight(seed: seed, .atOnce)
        #expect(expected.rows.allSatisfy { $0[1] ?? 0 > 0 })
        for way in [Way.waiting, .alone, .waitingOf(1)] {
            #expect(try sight(seed: seed, way) == expected, "\(way)")
        }
    }

    /// Checks that a message is acknowledged only after its conversation's row was read, because the row must be
    /// written later.
    @Test func `a message is refused if the row of its conversation is damaged, even in the cache`() throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<2)
        let page = try store.engine.writer.perform { context throws(StoreError) -> Int in
            guard try context.emptyLog() else { throw .databaseDamaged("the log is in use") }
            let connection = try context.openConnection()
            connection.releaseMemory()
            let row = try connection.first(
                StatementText("SELECT rootpage FROM sqlite_master WHERE name = 'conversations'"))
            return row?.int(0) ?? 0
        }
        try #require(page > 1)
        try flip(store.statePath + "/store.db", at: (page - 1) * StoreSpecimen.pageBytes + 100)
        let met = #expect(throws: StoreError.self) { try store.engine.saveNumbered(2..<3) }
        #expect(met?.reason == .databaseDamaged)
        try flip(store.statePath + "/store.db", at: (page - 1) * StoreSpecimen.pageBytes + 100)
        try store.reopen()
        #expect(store.engine.state == .open)
        #expect(try store.engine.statistics().messageCount == 2)
        #expect(try expectClean(store.engine) == [])
    }

    /// Changes a byte in the file of an open store.
    private func flip(_ path: String, at offset: Int) throws {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var byte: UInt8 = 0
        try #require(pread(descriptor, &byte, 1, offset) == 1)
        byte ^= 1
        try #require(pwrite(descriptor, &byte, 1, offset) == 1)
    }

    /// Tests a row that cannot be written at the end of a transaction. The journal then has the changes that the row
    /// lacks.
    @Test func `a change of a row that fails at the end of a transaction is not lost`() throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<1)
        func execute(_ sql: String) throws {
            try store.engine.writer.perform { context throws(StoreError) in
                let connection = try context.openConnection()
                try mapped(connection.execute(sql))
            }
        }
        try execute(
            """
            CREATE TRIGGER spoil BEFORE UPDATE OF message_count ON conversations
            WHEN NEW.message_count > OLD.message_count + 1
            BEGIN SELECT RAISE(ABORT, 'no'); END
            """)
        var writes = try HeldWrites(store.engine)
        try writes.addNumbered(1..<5, .shared)
        writes.add(.markMessagesRead([try EntityID("spoils")]), .alone)
        try writes.addNumbered(5..<6, .alone)
        let outcomes = writes.finish()
        #expect(outcomes.count == 6 && outcomes.prefix(4).allSatisfy { (try? $0.get()) != nil })
        try execute("DROP TRIGGER spoil")
        for number in 0..<6 {
            #expect(try store.engine.hasNumbered(number))
        }
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `many messages of a conversation change its row once`() throws {
        let store = try TemporaryStore()
        var first = try HeldWrites(store.engine)
        try first.addNumbered(0..<1, .shared)
        _ = first.finish()
        let before = try rowsWritten(store.engine)
        var writes = try HeldWrites(store.engine)
        try writes.addNumbered(1..<51, .shared)
        #expect(writes.finish().allSatisfy { (try? $0.get()) != nil })
        // The counted rows are the messages, the conversation, change logs and the position of the journal.
        #expect(try rowsWritten(store.engine) - before < 60)
    }

    private func rowsWritten(_ engine: StoreEngine) throws -> Int {
        try engine.writer.perform { context throws(StoreError) in try context.openConnection().totalChanges }
    }
}
