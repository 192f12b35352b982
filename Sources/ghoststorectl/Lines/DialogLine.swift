import StoreClient

/// A conversation in short: a topic, a language and what was said in turns. The form of dialog collections.
struct DialogLine: Sendable {
    private static let names: Set<String> = ["topic", "language", "turns"]

    let topic: String
    let language: String
    let turns: [String]

    /// What tells such a line from the others.
    static func isDialog(_ record: JSONRecord) -> Bool {
        record.has("turns")
    }

    static func parse(_ record: JSONRecord) throws(JSONError) -> DialogLine {
        try record.allowOnly(names)
        return DialogLine(
            topic: try record.text("topic"), language: try record.text("language"), turns: try record.texts("turns"))
    }

    var object: JSONObject {
        var object = JSONObject()
        object.add("topic", topic)
        object.add("language", language)
        object.add("turns", turns)
        return object
    }
}
