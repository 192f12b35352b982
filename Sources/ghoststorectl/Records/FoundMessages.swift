import StoreClient

extension FoundMessage: Tabular {
    var json: JSONObject {
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
            .fixed("time", worth: 4), .id("conversation"), .id("id"), .text("found", columnsMin: 16, worth: 9),
        ]
    }

    var cells: [Table.Cell] {
        [
            Table.Cell(message.timestamp), Table.Cell(message.conversationID, .dim), Table.Cell(message.id, .dim),
            Table.Cell(snippet.text, marking: snippet.matchedRanges),
        ]
    }
}
