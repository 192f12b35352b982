import StoreClient

/// A message that a search found, with the name of its conversation.
struct FoundMessageRow: Tabular {
    let found: FoundMessage
    let conversation: String

    private var message: Message { found.message }

    var json: JSONObject {
        let snippet = found.snippet
        var object = message.json
        object.add("snippet", snippet.text)
        object.add("snippet_offset", snippet.offset)
        object.add(
            "matches",
            snippet.matches.map { match -> JSONObject in ["offset": match.lowerBound, "count": match.count] })
        return object
    }

    static let record = RecordForm(
        name: Message.record.name, Message.record.fields + ["snippet", "snippet_offset", "matches"])

    static var columns: [Table.Column] {
        [
            .fixed("time", worth: 4), .fixed("", worth: 3), .text("conversation", columnsMin: 12, worth: 6),
            .id("sender", columnsMin: 8, worth: 2), .id("id"), .text("found", columnsMin: 40, worth: 9),
        ]
    }

    var cells: [Table.Cell] {
        [
            Table.Cell(message.timestamp), message.directionCell, Table.Cell(conversation),
            Table.Cell(message.senderSessionID), Table.Cell(message.id, .dim),
            Table.Cell(found.snippet.text, marking: found.snippet.matchedRanges),
        ]
    }
}

/// Names of conversations for people: their display names, otherwise their session ids. Use it from one task.
final class ConversationNames {
    private let client: StoreClient
    private var names: [String: String] = [:]
    /// False once the daemon has said that this user has no right to conversations.
    private var isAllowed = true

    init(_ client: StoreClient) {
        self.client = client
    }

    /// - Returns: the rows for found messages; a conversation whose name cannot be had is named by its id.
    func rows(_ found: [FoundMessage]) async throws(StoreClientError) -> [FoundMessageRow] {
        for message in found {
            try await learn(message.message.conversationID)
        }
        return found.map { message in
            let id = message.message.conversationID
            return FoundMessageRow(found: message, conversation: names[id] ?? id)
        }
    }

    private func learn(_ id: String) async throws(StoreClientError) {
        guard isAllowed, names[id] == nil else { return }
        do throws(StoreClientError) {
            let conversation = try await client.conversation(.id(id))
            let name = conversation.displayName ?? ""
            names[id] = name.isEmpty ? conversation.sessionID : name
        } catch {
            guard error.reason == .conversationNotFound || error.code == .permissionDenied else { throw error }
            isAllowed = error.code != .permissionDenied
        }
    }
}
