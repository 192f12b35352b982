import StoreClient

/// The names of all conversations. They are read before an export, so that its order does not depend on concurrent
/// writes. The index takes about 200 bytes for each conversation.
struct ExportIndex: Sendable {
    struct Entry: Sendable {
        let id: String
        let sessionID: String
        let displayName: String?

        init(_ conversation: Conversation) {
            id = conversation.id
            sessionID = conversation.sessionID
            displayName = conversation.displayName
        }
    }

    /// The conversations, ordered by the bytes of their session IDs.
    let entries: [Entry]

    static func load(_ client: StoreClient) async throws(StoreClientError) -> ExportIndex {
        let startRevision = try await client.status().revision
        var found: [ExactText: Entry] = [:]
        for try await conversation in client.conversations() {
            found[ExactText(conversation.id)] = Entry(conversation)
        }
        try await addMoved(since: startRevision, to: &found, client)
        let sorted = found.values.sorted { $0.sessionID.utf8.lexicographicallyPrecedes($1.sessionID.utf8) }
        return ExportIndex(entries: sorted)
    }

    /// Adds the conversations that the list missed. A conversation that gets a message while the pages are read moves
    /// to the top of the list, so no later page contains it. The changes since the start contain these conversations.
    private static func addMoved(
        since revision: UInt64, to found: inout [ExactText: Entry], _ client: StoreClient
    ) async throws(StoreClientError) {
        for try await change in client.changes(after: revision) {
            guard let id = change.conversationID, found[ExactText(id)] == nil else { continue }
            do throws(StoreClientError) {
                found[ExactText(id)] = Entry(try await client.conversation(.id(id)))
            } catch {
                // The conversation was deleted in the meantime, so there is nothing to export.
                guard error.reason == .conversationNotFound else { throw error }
            }
        }
    }
}

/// A text that is compared by its bytes. Swift's `==` treats canonically equivalent texts as equal ("é" as one scalar
/// or as two); the store treats them as different.
struct ExactText: Hashable, Comparable, Sendable {
    let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    static func < (left: ExactText, right: ExactText) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    static func areEqual(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8)
    }
}
