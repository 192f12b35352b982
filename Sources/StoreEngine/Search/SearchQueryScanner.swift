/// The tokens of a query, with the places where they begin.
struct SearchQueryScanner {
    enum Token: Hashable {
        case word(String, isPrefix: Bool)
        case quoted(String)
        case opening, closing
        case and, or, not
        case end
    }

    private let text: String
    private var index: String.Index
    /// Where the last token begins, in bytes.
    private(set) var position = 0

    init(_ text: String) {
        self.text = text
        index = text.startIndex
    }

    var isAtEnd: Bool { index == text.endIndex }

    private var scalars: String.UnicodeScalarView { text.unicodeScalars }

    /// - Throws: `.invalidArgument` for a quotation that does not end and a star that stands alone.
    mutating func next() throws(StoreError) -> Token {
        while let scalar = current, scalar.properties.isWhitespace {
            scalars.formIndex(after: &index)
        }
        position = offset
        guard let scalar = current else { return .end }
        switch scalar {
        case "(":
            scalars.formIndex(after: &index)
            return .opening
        case ")":
            scalars.formIndex(after: &index)
            return .closing
        case _ where Self.isQuote(scalar):
            scalars.formIndex(after: &index)
            return try quoted()
        default:
            return try word()
        }
    }

    private var current: Unicode.Scalar? { index < scalars.endIndex ? scalars[index] : nil }

    private var offset: Int { text.utf8.distance(from: text.startIndex, to: index) }

    private mutating func quoted() throws(StoreError) -> Token {
        let start = index
        while let scalar = current {
            if Self.isQuote(scalar) {
                let text = String(scalars[start..<index])
                scalars.formIndex(after: &index)
                return .quoted(text)
            }
            scalars.formIndex(after: &index)
        }
        throw .query("a quotation that does not end", at: position, hint: "end it with a quotation mark")
    }

    private mutating func word() throws(StoreError) -> Token {
        let start = index
        while let scalar = current, !Self.endsWord(scalar) {
            scalars.formIndex(after: &index)
        }
        var text = String(scalars[start..<index])
        switch text {
        case "AND": return .and
        case "OR": return .or
        case "NOT": return .not
        default: break
        }
        let isPrefix = text.unicodeScalars.last == "*"
        if isPrefix {
            text.unicodeScalars.removeLast()
        }
        guard !text.isEmpty, !text.unicodeScalars.contains("*") else {
            throw .query("a star that does not end a word", at: position, hint: "put it behind the beginning of one")
        }
        return .word(text, isPrefix: isPrefix)
    }

    private static func endsWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "(" || scalar == ")" || isQuote(scalar) || scalar.properties.isWhitespace
    }

    /// Also those that telephones make of the straight one.
    private static func isQuote(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\"" || scalar == "\u{201C}" || scalar == "\u{201D}"
    }
}

extension StoreError {
    /// - Parameter position: in bytes, from 0.
    static func query(_ problem: String, at position: Int, hint: String) -> StoreError {
        .invalidArgument("the query has \(problem) at byte \(position); \(hint)")
    }
}
