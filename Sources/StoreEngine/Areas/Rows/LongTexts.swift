import SQLCipher
import StoreBasics

/// Texts of messages that have more bytes than `EngineLimits.inlineTextBytesMax`. Such a text is a row of
/// `message_texts`, and the row of its message has an empty blob instead of the text.
///
/// The rows of `messages` are ordered by their key. SQLite compares the key of a new row with the keys of some existing
/// rows, and reads each of these rows to its end if the row does not fit into a page (`sqlite3BtreeMovetoUnpacked`).
/// With long texts in the rows, every save would read several of these texts. `message_texts` is ordered by a number,
/// which SQLite reads without the text.
enum LongTexts {
    static let table = """
        CREATE TABLE message_texts (
            sequence INTEGER PRIMARY KEY,
            text TEXT NOT NULL
        );
        """

    /// The SQL that upgrades a store of an earlier schema. It contains the value that `EngineLimits.inlineTextBytesMax`
    /// had in the schema version that introduced the table.
    static let migration = """
        \(table)
        INSERT INTO message_texts SELECT sequence, text FROM messages WHERE length(CAST(text AS BLOB)) > 4096;
        UPDATE OR FAIL messages SET text = x'' WHERE length(CAST(text AS BLOB)) > 4096;
        """

    /// The first schema version with this table.
    static let firstSchemaVersion = 4

    /// Returns the SQL for the text of a message.
    ///
    /// - Parameter messages: The name that the query has for the table `messages`.
    static func column(of messages: String) -> String {
        """
        CASE WHEN \(messages).text IS x'' \
        THEN (SELECT long.text FROM message_texts AS long WHERE long.sequence = \(messages).sequence) \
        ELSE \(messages).text END
        """
    }

    /// Inserts the text of a message if it is long.
    static func insert(_ text: String, of sequence: Int64, _ connection: Connection) throws(StoreError) {
        guard text.isLong else { return }
        try connection.run(insertText, sequence, text)
    }

    /// Deletes the text of a message if it is long.
    static func delete(of sequence: Int64, _ connection: Connection) throws(StoreError) {
        try connection.run(deleteText, sequence)
    }

    private static let insertText = StatementText("INSERT INTO message_texts VALUES (?1, ?2)")
    private static let deleteText = StatementText("DELETE FROM message_texts WHERE sequence = ?1")
}

/// The value of the column `text` of `messages`.
struct InlineText: Bindable {
    let text: String

    @inline(__always)
    func bind(to statement: Statement, _ index: inout Int) {
        if text.isLong {
            statement.bind(index, [UInt8]())
            index += 1
        } else {
            text.bind(to: statement, &index)
        }
    }
}

extension String {
    /// True if the text belongs into `message_texts`.
    fileprivate var isLong: Bool { utf8.count > EngineLimits.inlineTextBytesMax }
}
