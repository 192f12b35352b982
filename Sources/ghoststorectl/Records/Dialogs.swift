import StoreBasics
import StoreClient

/// A conversation in the short form of dialog collections: a topic, a language and the texts of the turns.
struct DialogLine: Sendable {
    private static let names: Set<String> = ["topic", "language", "turns"]

    let topic: String
    let language: String
    let turns: [String]

    /// Returns true if the record has the field `turns`. Its other fields are checked only by `parse`.
    static func isDialog(_ record: JSONRecord) -> Bool {
        record.has("turns")
    }

    static func parse(_ record: JSONRecord) throws(JSONError) -> DialogLine {
        try record.allowOnly(names)
        return DialogLine(
            topic: try record.text("topic"), language: try record.text("language"), turns: try record.texts("turns"))
    }

    var object: JSONObject {
        [
            "topic": topic,
            "language": language,
            "turns": turns,
        ]
    }
}

/// The display name of a conversation with its topic and language: `topic (language)`.
///
/// Parentheses and backslashes in the topic and the language are escaped with a backslash, so that two different pairs
/// of topic and language never have the same name.
enum DialogName {
    private static let separator = " ("

    static func displayName(topic: String, language: String) -> String {
        escaped(topic) + separator + escaped(language) + ")"
    }

    /// Returns the topic and the language of a name; `nil` for a name that is not of this form.
    static func parts(of name: String) -> (topic: String, language: String)? {
        var topic = String.UnicodeScalarView()
        var language = String.UnicodeScalarView()
        var isInLanguage = false
        var scalars = name.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            switch scalar {
            case "\\":
                guard let next = scalars.next() else { return nil }
                isInLanguage ? language.append(next) : topic.append(next)
            case "(":
                guard !isInLanguage, topic.last == " " else { return nil }
                topic.removeLast()
                isInLanguage = true
            case ")":
                guard isInLanguage, scalars.next() == nil else { return nil }
                return (String(topic), String(language))
            default:
                isInLanguage ? language.append(scalar) : topic.append(scalar)
            }
        }
        return nil
    }

    private static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\\" || scalar == "(" || scalar == ")" {
                result.append("\\")
            }
            result.append(scalar)
        }
        return String(result)
    }
}

/// The IDs of a dialog in the store. The same line at the same position always has the same IDs, so that a second
/// import updates the conversation. Equal lines at different positions are different conversations.
struct DialogIdentity: Hashable, Sendable {
    private static let prefix = "dialog"
    private static let lineDigits = 8
    private static let hashDigits = 16
    /// The time of line 0, turn 0. Dialogs have no times, so an import invents them: it adds a second for each line and
    /// a millisecond for each turn to 2024-01-01T00:00:00Z.
    private static let epochMicroseconds: Int64 = 1_704_067_200_000_000

    /// The number of the line, starting at 1.
    let lineNumber: UInt64
    let contentHash: UInt64

    init(lineNumber: UInt64, dialog: DialogLine) {
        self.lineNumber = lineNumber
        // The hash can easily be forged. That gains nothing, because the line's number already distinguishes the lines.
        var hash = StableHash()
        hash.combine(dialog.object.closed.utf8)
        contentHash = hash.value
    }

    /// Parses a session ID; `nil` if no dialog import created it.
    init?(sessionID: String) {
        let parts = sessionID.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == Self.prefix, parts[1].utf8.count >= Self.lineDigits,
            parts[2].utf8.count == Self.hashDigits, let lineNumber = UInt64(parts[1]),
            let contentHash = UInt64(parts[2], radix: 16)
        else { return nil }
        self.lineNumber = lineNumber
        self.contentHash = contentHash
    }

    /// The session ID. It starts with the line's number, because IDs in ascending order are the cheapest for the store.
    var sessionID: String {
        "\(Self.prefix)-\(lineNumber, width: Self.lineDigits)-\(contentHash, width: Self.hashDigits, radix: 16)"
    }

    func messageID(turn: Int) -> String {
        "\(sessionID)-\(turn, width: 4)"
    }

    func timestamp(turn: Int) -> Timestamp {
        let (offset, overflow) = lineNumber.multipliedReportingOverflow(by: 1_000_000)
        return Timestamp(microseconds: Self.epochMicroseconds)
            .advanced(byMicroseconds: overflow ? .max : Int64(clamping: offset))
            .advanced(byMicroseconds: Int64(turn) * 1_000)
    }
}
