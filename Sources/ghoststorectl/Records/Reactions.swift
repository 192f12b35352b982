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

extension Reaction: Named {
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
}

/// A reaction in a list, with the name of its author.
struct ReactionRow: Tabular {
    let reaction: Reaction
    let author: ShownName

    var json: JSONObject { reaction.json }

    static var record: RecordForm { Reaction.record }

    static var columns: [Table.Column] {
        [.fixed("time", worth: 4), .text("emoji", columnsMin: 5), .text("author", columnsMin: 12, worth: 9)]
    }

    var cells: [Table.Cell] {
        [Table.Cell(reaction.createdAt), Table.Cell(reaction.emoji), author.cell]
    }
}

extension DisplayNames {
    func row(_ reaction: Reaction) async throws(StoreClientError) -> ReactionRow {
        ReactionRow(reaction: reaction, author: try await person(reaction.authorSessionID))
    }
}
