import SQLCipher

/// Takes messages out of the index whose rows are removed in steps.
struct SearchRemoval {
    private let connection: Connection
    private let index: SearchIndex
    private let state: SearchIndexState

    init(_ connection: Connection) throws(StoreError) {
        self.connection = connection
        index = SearchIndex(connection)
        state = try SearchIndexState.read(connection)
    }

    /// Before the row goes.
    func remove(_ place: MessagePlace) throws(StoreError) {
        guard place.sequence <= state.indexedThrough, place.sequence > state.beginsAfter || state.phase == .rebuilding
        else { return }
        if let outdated = try SearchPending.entry(place.sequence, connection) {
            try index.remove(outdated.held)
            try SearchPending.remove(outdated, connection)
        } else if let row = try connection.first(Self.message, place) {
            try index.remove(try IndexedMessage(row, conversation: 0, timestamp: 1, sequence: 2, text: 3))
        }
    }

    private static let message = StatementText(
        """
        SELECT conversation, timestamp, sequence, text FROM messages
        WHERE conversation = ?1 AND timestamp = ?2 AND sequence = ?3
        """)
}
