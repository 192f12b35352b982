import StoreClient

extension ConversationMember: Tabular, Described {
    static let description = JSONFields<ConversationMember>(
        name: "session_id",
        [.field("session_id", \.sessionID), .field("name", \.name), .field("role", \.role)])

    static let table: [TableColumn<ConversationMember>] = [
        .init(.id("session id", columnsMin: 12, worth: 9), \.sessionID),
        .init(.text("name", columnsMin: 8, worth: 8), \.name), .init(.text("role", columnsMin: 6, worth: 5), \.role),
    ]
}
