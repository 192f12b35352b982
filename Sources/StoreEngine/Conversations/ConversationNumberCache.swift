/// The row number and id of conversations the writer has met, so that saving a message need not look them up again.
/// Dropped whole when full or when a transaction is rolled back.
struct ConversationNumberCache {
    struct Entry {
        let number: Int64
        let id: EntityID
    }

    private static let entriesMax = 4_096
    private var entries: [ConversationReference: Entry] = [:]

    subscript(reference: ConversationReference) -> Entry? {
        entries[reference]
    }

    mutating func insert(_ entry: Entry, for reference: ConversationReference) {
        if entries.count >= Self.entriesMax {
            entries.removeAll(keepingCapacity: true)
        }
        entries[reference] = entry
    }

    mutating func removeAll() {
        entries.removeAll()
    }
}
