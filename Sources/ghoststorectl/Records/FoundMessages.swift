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

    static let table: [TableColumn<FoundMessageRow>] = [
        .init(.fixed("time", worth: 4), \.message.timestamp), .init(.fixed("", worth: 3), \.message.directionCell),
        .init(.text("conversation", columnsMin: 12, worth: 6), \.conversation.cell),
        .init(.text("sender", worth: 2), \.sender.cell), .init(.extra("id")) { Table.Cell($0.message.id, .dim) },
        .init(.text("found", columnsMin: 40, columnsWanted: 50, worth: 9)) {
            Table.Cell($0.found.snippet.text, marking: $0.found.snippet.matchedRanges)
        },
    ]
}

extension DisplayNames {
    func row(_ found: FoundMessage) async throws(StoreClientError) -> FoundMessageRow {
        FoundMessageRow(
            found: found, conversation: try await conversation(found.message.conversationID),
            sender: try await sender(of: found.message))
    }
}
