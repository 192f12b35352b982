import SQLCipher
import StoreBasics

/// Messages that were deleted with their conversation before the store joined a group.
extension Leftovers {
    /// Changes the kind of the messages that wait for their removal to `untoldMessages`, so that nothing about them is
    /// published to the group that the store is about to join.
    static func excludeMessagesFromPublication(_ connection: Connection) throws(StoreError) {
        var ranges: [ClosedRange<Int64>] = []
        let rows = try connection.rows(removalsOfKind, Kind.messages.rawValue)
        while try rows.next() {
            let (first, last) = (rows.integer(0), rows.integer(1))
            guard first <= last else { throw .databaseDamaged("a pending removal has an impossible range of rows") }
            ranges.append(first...last)
        }
        for range in ranges {
            try add(.untoldMessages, range, connection)
            try connection.run(forgetRemoval, Kind.messages.rawValue, range.lowerBound)
        }
    }

    /// Returns whether the messages of a deleted conversation are excluded from publication.
    ///
    /// - Parameter conversation: The number of the deleted conversation.
    static func isExcludedFromPublication(conversation: Int64, _ connection: Connection) throws(StoreError) -> Bool {
        try connection.first(removalAround, Kind.untoldMessages.rawValue, conversation) != nil
    }

    private static let removalsOfKind = StatementText("SELECT first_number, last_number FROM removals WHERE kind = ?1")
    private static let removalAround = StatementText(
        "SELECT 1 FROM removals WHERE kind = ?1 AND first_number <= ?2 AND last_number >= ?2")
}
