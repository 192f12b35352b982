import SQLCipher
import StoreBasics

/// A table with the avatars or the metadata of conversations or contacts. Each row has the number of its conversation
/// or contact. The row of the conversation or contact itself has a flag that shows whether such a row exists, so lists
/// do not read large values that they do not need.
struct LargeValueRows {
    static let conversationAvatars = LargeValueRows("conversation_avatars", of: "conversation")
    static let conversationMetadata = LargeValueRows("conversation_metadata", of: "conversation")
    static let contactAvatars = LargeValueRows("contact_avatars", of: "contact")
    static let contactMetadata = LargeValueRows("contact_metadata", of: "contact")

    private let selectValue: StatementText
    private let deleteValue: StatementText
    private let insertValue: StatementText

    private init(_ table: String, of owner: String) {
        selectValue = StatementText("SELECT data FROM \(table) WHERE \(owner) = ?1")
        deleteValue = StatementText("DELETE FROM \(table) WHERE \(owner) = ?1")
        insertValue = StatementText("INSERT INTO \(table) VALUES (?1, ?2)")
    }

    /// Replaces a value; an empty one removes it.
    func set(_ value: [UInt8], of number: Int64, _ connection: Connection) throws(StoreError) {
        try connection.run(deleteValue, number)
        guard !value.isEmpty else { return }
        try connection.run(insertValue, number, value)
    }

    /// Returns true if `value` is the stored value. An empty value counts as none.
    ///
    /// - Parameter isThere: True if the conversation or contact has a row in this table.
    func has(
        _ value: [UInt8], of number: Int64, isThere: Bool, _ connection: Connection
    ) throws(StoreError) -> Bool {
        guard isThere, let row = try connection.first(selectValue, number) else { return value.isEmpty }
        return row.borrowedBytes(0).hasSameBytes(as: value)
    }

    func read(_ number: Int64, _ connection: Connection) throws(StoreError) -> [UInt8]? {
        try connection.first(selectValue, number)?.bytes(0)
    }
}
