import SQLCipher
import StoreBasics

/// Rows with the avatars of conversations and contacts, one table for each. The statements take the number of the
/// conversation or contact.
enum AvatarRows {
    /// Replaces an avatar; an empty one removes it.
    static func set(
        _ avatar: [UInt8], of number: Int64, delete: StatementText, insert: StatementText, _ connection: Connection
    ) throws(StoreError) {
        try connection.run(delete, number)
        guard !avatar.isEmpty else { return }
        try connection.run(insert, number, avatar)
    }

    /// Returns true if `avatar` is the stored avatar. An empty avatar counts as none.
    ///
    /// - Parameter isThere: True if there is a row.
    static func has(
        _ avatar: [UInt8], of number: Int64, isThere: Bool, select: StatementText, _ connection: Connection
    ) throws(StoreError) -> Bool {
        guard isThere, let row = try connection.first(select, number) else { return avatar.isEmpty }
        return row.borrowedBytes(0).hasSameBytes(as: avatar)
    }
}
