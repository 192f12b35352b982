import SQLCipher
import StoreBasics

/// The update times that conversations had before messages were restored to them or moved from them. Such messages do
/// not count as an update.
struct KeptUpdateTimes {
    fileprivate var kept: [Int64: Timestamp] = [:]
}

extension ConversationWrites {
    /// Remembers the update time of a conversation before messages are restored to it or moved from it.
    func keepUpdateTime(of conversation: Int64, _ keeping: inout KeptUpdateTimes) throws(StoreError) {
        guard keeping.kept[conversation] == nil,
            let row = try connection.first(Self.selectUpdateTime, conversation)
        else { return }
        keeping.kept[conversation] = row.timestamp(0)
    }

    /// Restores the update times that `keepUpdateTime` remembered.
    func putBack(_ keeping: inout KeptUpdateTimes) throws(StoreError) {
        for (conversation, time) in keeping.kept {
            try connection.run(Self.setUpdateTime, conversation, time)
        }
        keeping.kept.removeAll()
    }

    private static let selectUpdateTime = StatementText("SELECT updated_at FROM conversations WHERE number = ?1")
    private static let setUpdateTime = StatementText(
        "UPDATE OR FAIL conversations SET updated_at = ?2 WHERE number = ?1")
}
