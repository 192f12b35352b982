import StoreClient

extension ReactionCount {
    var json: JSONObject {
        ["emoji": emoji, "count": count]
    }

    /// As people read it.
    var word: String {
        "\(emoji) \(count)"
    }
}

extension Reaction: Tabular {
    var json: JSONObject {
        var object = JSONObject()
        object.add("emoji", emoji)
        object.add("author_session_id", authorSessionID)
        object.add("created_at_microseconds", createdAt.microseconds)
        object.add("revision", revision)
        return object
    }

    static let record = RecordForm(
        name: "author_session_id",
        [
            "emoji", "author_session_id", "created_at_microseconds", "revision",
        ])

    static var columns: [Table.Column] {
        [.fixed("time", worth: 4), .text("emoji", columnsMin: 5), .id("author", columnsMin: 12, worth: 9)]
    }

    var cells: [Table.Cell] {
        [Table.Cell(createdAt), Table.Cell(emoji), Table.Cell(authorSessionID)]
    }
}
