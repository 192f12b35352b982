import StoreBasics
import Testing

@testable import SQLCipher
@testable import StoreEngine

/// Tests how many pages a save of long texts reads and writes, because other users wait for them.
@Suite struct LargeSavePageTests {
    private static let textsPerSave = 4
    private static let text = String(repeating: "x", count: EngineLimits.messageTextBytesMax)
    /// The bytes of a text that fit into a page of 2,048 bytes.
    private static let textBytesPerPage = 1_996
    private static let pagesOfTexts = textsPerSave * text.utf8.count / textBytesPerPage

    private struct Pages {
        var read: UInt64
        var written: Int
    }

    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    private func save(_ texts: [String], in session: String) throws {
        let reference = ConversationReference.session(try SessionID(session))
        try store.engine.write(.saveMessages(texts.map { NewMessage(conversation: reference, text: $0) }))
    }

    /// Returns the number of pages that `body` reads and writes, including its commit.
    private func pages(_ body: () throws -> Void) throws -> Pages {
        let before = try position(startsOver: true)
        try body()
        let after = try position(startsOver: false)
        return Pages(read: after.read &- before.read, written: after.written - before.written)
    }

    /// Returns the number of pages read and written so far.
    ///
    /// - Parameter startsOver: if true, first updates the search index and empties the WAL.
    private func position(startsOver: Bool) throws -> Pages {
        try store.engine.writer.perform { context throws(StoreError) in
            if startsOver {
                while try SearchUpkeep.step(context) != .none {}
                _ = try context.emptyLog()
            } else {
                try context.commitPages()
            }
            let connection = try context.openConnection()
            return Pages(read: connection.pagesRead.pointee, written: connection.walFrames)
        }
    }

    @Test func `a save of long texts writes each page once and reads few, however many texts the store has`() throws {
        let texts = Array(repeating: Self.text, count: Self.textsPerSave)
        for round in 0..<6 {
            let cost = try pages { try save(texts, in: "alice") }
            // One tenth more than the pages of the texts is for rows, indexes, the change log and the search index.
            #expect(cost.written <= Self.pagesOfTexts * 11 / 10, "round \(round)")
            // The search index may read the texts at the same time.
            #expect(cost.read <= UInt64(Self.pagesOfTexts) * 3 / 2, "round \(round)")
        }
    }

    @Test(arguments: ["alice", "bob"]) func `a short save reads none of the existing long texts`(
        session: String
    ) throws {
        for _ in 0..<4 {
            try save(Array(repeating: Self.text, count: Self.textsPerSave), in: "alice")
        }
        let cost = try pages { try save(["short"], in: session) }
        #expect(cost.read <= 60)
        #expect(cost.written <= 60)
    }
}
