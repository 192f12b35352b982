import SQLCipher

/// Removes messages from the index while their rows are removed in steps.
struct SearchRemoval: MessageRowListener {
    private let connection: Connection
    private let index: SearchIndex
    private let state: SearchIndexState

    init(_ connection: Connection) throws(StoreError) {
        self.connection = connection
        index = SearchIndex(connection)
        state = try SearchIndexState.read(connection)
    }

    func messageRowRemoved(at place: MessagePlace, sequence: Int64, isRecorded: Bool) throws(StoreError) {
        guard sequence <= state.indexedThrough, sequence > state.beginsAfter || state.phase == .rebuilding
        else { return }
        if let outdated = try SearchPending.entry(sequence, connection) {
            try index.remove(outdated.held)
            try SearchPending.remove(outdated, connection)
        } else if let row = try connection.first(Self.message, place) {
            try index.remove(try IndexedMessage(row))
        }
    }

    private static let message = StatementText(
        "SELECT \(IndexedMessage.messageColumns) FROM \(MessagePlace.table) WHERE \(MessagePlace.condition)")
}
