extension Change {
    /// The ID of the conversation that the change belongs to: the ID of the changed conversation, or of the
    /// conversation that contains the draft, message, member or reaction. `nil` for other kinds.
    public var conversationID: String? {
        switch kind {
        case .conversation, .draft: id
        case .message, .reaction, .member: parentID
        case .contact, .store, .sceneValue, .log, .file, .unknown: nil
        }
    }

    /// The scene of a value; `nil` for a global value, and for other kinds.
    public var scene: String? {
        kind == .sceneValue ? parentID : nil
    }
}

extension ChangePage {
    /// Creates a page, for tests and previews. The page ends at the revision of its last change; without changes, it
    /// ends at `revision`.
    public init(changes: [Change], revision: UInt64, historyID: HistoryID? = nil, hasMore: Bool = false) {
        self.init(
            changes: changes, revision: revision, throughRevision: changes.last?.revision ?? revision,
            historyID: historyID, hasMore: hasMore)
    }
}
