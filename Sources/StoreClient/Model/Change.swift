extension Change {
    /// The conversation that the change belongs to: the ID of a conversation or draft, and the parent of a message or
    /// reaction. Otherwise `nil`.
    public var conversationID: String? {
        switch kind {
        case .conversation, .draft: id
        case .message, .reaction: parentID
        case .contact, .store, .sceneValue, .log, .file, .unknown: nil
        }
    }

    /// The scene of a value; `nil` for a global value, and for other kinds.
    public var scene: String? {
        kind == .sceneValue ? parentID : nil
    }
}

extension ChangePage {
    /// Creates a page, for tests and previews. It ends with its last change, or with the store's revision if it has
    /// none.
    public init(changes: [Change], revision: UInt64, historyID: HistoryID? = nil, hasMore: Bool = false) {
        self.init(
            changes: changes, revision: revision, throughRevision: changes.last?.revision ?? revision,
            historyID: historyID, hasMore: hasMore)
    }
}
