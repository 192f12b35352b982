import StoreClient

extension ReactionCount {
    var json: JSONObject {
        ["emoji": emoji, "count": count]
    }

    /// The reaction and its count, for people.
    var word: String {
        "\(emoji) \(count)"
    }
}

extension Reaction: Described {
    static let description = JSONFields<Reaction>(
        name: "author_session_id",
        [
            .field("emoji", \.emoji), .field("author_session_id", \.authorSessionID),
            .field("created_at_microseconds", \.createdAt), .field("revision", \.revision),
        ])
}

/// A reaction in a list, with the name of its author.
struct ReactionRow: Tabular {
    let reaction: Reaction
    let author: ShownName

    var json: JSONObject { reaction.json }

    static var record: RecordForm { Reaction.record }

    static let table: [TableColumn<ReactionRow>] = [
        .init(.fixed("time", worth: 4), \.reaction.createdAt),
        .init(.text("emoji", columnsMin: 5), \.reaction.emoji),
        .init(.text("author", columnsMin: 12, worth: 9), \.author.cell),
    ]
}

extension DisplayNames {
    func row(_ reaction: Reaction) async throws(StoreClientError) -> ReactionRow {
        ReactionRow(reaction: reaction, author: try await person(reaction.authorSessionID))
    }
}
