import SQLCipher
import StoreBasics

/// Texts of messages that have more bytes than `EngineLimits.inlineTextBytesMax`, and metadata with more bytes than
/// `EngineLimits.inlineMetadataBytesMax`. The row of such a message in `messages` has an empty blob in place of the
/// long value, which a row of `message_texts` contains. If only the metadata are long, the text in the row of
/// `message_texts` is empty.
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

    /// The columns of `messages` whose values can be long.
    static let names: Set = ["text", "metadata"]

    /// Returns the SQL for the text or the metadata of a message.
    ///
    /// - Parameter messages: The name that the query has for the table `messages`.
    static func column(_ name: String = "text", of messages: String) -> String {
        """
        CASE WHEN \(messages).\(name) IS x'' \
        THEN (SELECT long.\(name) FROM message_texts AS long WHERE long.sequence = \(messages).sequence) \
        ELSE \(messages).\(name) END
        """
    }

    /// Inserts the text of a message if it is long, and its metadata if they are long.
    static func insert(_ row: MessageRow, _ connection: Connection) throws(StoreError) {
        let metadata = row.metadata.flatMap { $0.isLong ? $0.bytes : nil }
        guard row.text.isLong || metadata != nil else { return }
        try connection.run(insertText, row.sequence, row.text.isLong ? row.text : "", metadata)
    }

    /// Deletes the long text and the long metadata of a message, if it has any.
    static func delete(of sequence: Int64, _ connection: Connection) throws(StoreError) {
        try connection.run(deleteText, sequence)
    }

    private static let insertText = StatementText("INSERT INTO message_texts VALUES (?1, ?2, ?3)")
    private static let deleteText = StatementText("DELETE FROM message_texts WHERE sequence = ?1")
}

/// The value of the column `text` of `messages`: the text, or an empty blob if the text is long.
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

extension Metadata {
    /// True if the metadata belong into `message_texts`.
    fileprivate var isLong: Bool { bytes.count > EngineLimits.inlineMetadataBytesMax }

    /// The value of the column `metadata` of `messages`: empty if the metadata are long.
    var inlineBytes: [UInt8] { isLong ? [] : bytes }
}

extension Rows {
    /// Returns whether a column has this text. Null counts as an empty text.
    func hasText(_ text: String, in column: Int) throws(StoreError) -> Bool {
        try optionalBorrowedText(column)?.hasSameBytes(as: text) ?? text.isEmpty
    }

    /// Returns encoded metadata.
    func metadata(_ column: Int) -> Metadata? {
        isNull(column) ? nil : Metadata(stored: bytes(column))
    }
}
