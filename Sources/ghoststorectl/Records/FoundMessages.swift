import StoreClient

/// A message that a search found, with the names of its conversation and its sender.
struct FoundMessageRow: Tabular {
    let found: FoundMessage
    let conversation: ShownName
    let sender: ShownName

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
            .text("sender", worth: 2), .extra("id"), .text("found", columnsMin: 40, columnsWanted: 50, worth: 9),
        ]
    }

    var cells: [Table.Cell] {
        [
            Table.Cell(message.timestamp), message.directionCell, conversation.cell, sender.cell,
            Table.Cell(message.id, .dim),
            Table.Cell(found.snippet.text, marking: found.snippet.matchedRanges),
        ]
    }
}

extension DisplayNames {
    func row(_ found: FoundMessage) async throws(StoreClientError) -> FoundMessageRow {
        FoundMessageRow(
            found: found, conversation: try await conversation(found.message.conversationID),
            sender: try await sender(of: found.message))
    }
}
