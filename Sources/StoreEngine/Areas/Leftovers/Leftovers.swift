import SQLCipher
import StoreCrypto

/// Rows that are unreachable. Background maintenance removes them, a few milliseconds at a time.
final class Leftovers: TransactionWork {
    let transaction: Transaction
    /// True if the transaction has made rows unreachable.
    var leftRowsBehind = false

    init(_ transaction: Transaction) {
        self.transaction = transaction
    }
}

extension Leftovers {
    /// Records that rows of deleted things have to be removed.
    func leaveBehind(_ kind: Kind, _ numbers: ClosedRange<Int64>) throws(StoreError) {
        try Self.add(kind, numbers, connection)
        leftRowsBehind = true
    }
}

extension Leftovers {
    /// The kinds of unreachable rows, and the meaning of their numbers. The raw values are stored on disk.
    enum Kind: Int64, CaseIterable {
        /// Messages that were never published to the store's group, of the conversations with these numbers. They are
        /// removed before `messages`, whose range may include these conversations.
        case untoldMessages = 0
        /// Messages of the conversations with these numbers.
        case messages = 1
        /// Entries of the logs with these numbers.
        case logEntries = 2
        /// Entries of the log with this number, before its first remaining entry.
        case displacedEntries = 3
        /// Reactions to the messages with these sequences.
        case reactions = 4
        /// Attachments of these lists.
        case attachments = 5
        /// Children of the directories with these numbers.
        case fileChildren = 9
        /// Chunk positions of the contents with these numbers.
        case contentChunks = 10
        /// Entries of a device's log with this number: all of them, or only those before its oldest remaining entry.
        case deviceEntries = 11
        /// Members of the conversations with these numbers.
        case members = 12

        var isOfMessages: Bool { self == .messages || self == .untoldMessages }
    }

    /// Adds a removal of rows. If a removal of this kind with the same first number exists, only its last number is
    /// replaced.
    static func add(
        _ kind: Kind, _ numbers: ClosedRange<Int64>, _ connection: Connection
    ) throws(StoreError) {
        let (first, last) = (numbers.lowerBound, numbers.upperBound)
        guard try !connection.runUnlessDuplicate(insertRemoval, kind.rawValue, first, last) else { return }
        try connection.run(updateRemoval, kind.rawValue, first, last)
    }

    static func releaseContent(
        _ content: Int64, _ connection: Connection, _ released: inout [ContentID]
    ) throws(StoreError) {
        guard let id = try FileContents.release(content, connection) else { return }
        try add(.contentChunks, content...content, connection)
        released.append(id)
    }

    static let forgetRemoval = StatementText("DELETE FROM removals WHERE kind = ?1 AND first_number = ?2")
    private static let insertRemoval = StatementText(
        "INSERT INTO removals (kind, first_number, last_number) VALUES (?1, ?2, ?3)")
    private static let updateRemoval = StatementText(
        "UPDATE OR FAIL removals SET last_number = ?3 WHERE kind = ?1 AND first_number = ?2")
}
