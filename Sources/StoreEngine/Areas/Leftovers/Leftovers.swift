import SQLCipher
import StoreCrypto

/// Rows that are out of reach and are removed later, a few milliseconds at a time.
final class Leftovers: TransactionWork {
    let transaction: Transaction
    /// True if the transaction has put rows out of reach.
    var leftRowsBehind = false

    init(_ transaction: Transaction) {
        self.transaction = transaction
    }
}

extension Leftovers {
    /// The rows of what was deleted are to be removed.
    func leaveBehind(_ kind: Kind, _ numbers: ClosedRange<Int64>) throws(StoreError) {
        try Self.add(kind, numbers, connection)
        leftRowsBehind = true
    }
}

extension Leftovers {
    /// Whose rows they are. The raw values are kept at rest.
    enum Kind: Int64, CaseIterable {
        /// Of the conversations with these numbers, of which the store's group was never told. They go before
        /// `messages`, whose range may have them in it.
        case untoldMessages = 0
        /// Of the conversations with these numbers.
        case messages = 1
        /// Of the logs with these numbers.
        case logEntries = 2
        /// Of the log with this number: what comes before its first message.
        case displacedEntries = 3
        /// Of the messages with these sequences.
        case reactions = 4
        /// With these lists.
        case attachments = 5
        /// In the directories with these numbers.
        case fileChildren = 9
        /// Of the contents with these numbers: where their chunks were.
        case contentChunks = 10
        /// Of the log of a device with this number: all, or what comes before its oldest.
        case deviceEntries = 11

        var isOfMessages: Bool { self == .messages || self == .untoldMessages }
    }

    /// A removal that begins with the same number ends where this one does.
    static func add(
        _ kind: Kind, _ numbers: ClosedRange<Int64>, _ connection: Connection
    ) throws(StoreError) {
        let (first, last) = (numbers.lowerBound, numbers.upperBound)
        guard try !connection.runUnlessTaken(insertRemoval, kind.rawValue, first, last) else { return }
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
