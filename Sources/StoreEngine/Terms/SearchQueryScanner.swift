/// Splits a query into tokens and records the offset of each. Every text can be split: a quotation without its end mark
/// ends with the query, and a star that does not end a word is text.
struct SearchQueryScanner {
    enum Token: Hashable {
        case word(String, isPrefix: Bool)
        /// - Parameter goesOn: true if the closing mark is missing and the quotation ends with a word that may
        ///   continue.
        case quoted(String, goesOn: Bool)
        case opening, closing
        case and, or, not
        case end
    }

    private let text: String
    private var index: String.Index
    /// The offset of the last token, in bytes.
    private(set) var position = 0

    init(_ text: String) {
        self.text = text
        index = text.startIndex
    }

    var isAtEnd: Bool { index == text.endIndex }

    private var scalars: String.UnicodeScalarView { text.unicodeScalars }

    mutating func next() -> Token {
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
            return quoted()
        default:
            return word()
        }
    }

    private var current: Unicode.Scalar? { index < scalars.endIndex ? scalars[index] : nil }

    private var offset: Int { text.utf8.distance(from: text.startIndex, to: index) }

    private mutating func quoted() -> Token {
        let start = index
        while let scalar = current {
            if Self.isQuote(scalar), !isInWord {
                let text = String(scalars[start..<index])
                scalars.formIndex(after: &index)
                return .quoted(text, goesOn: false)
            }
            scalars.formIndex(after: &index)
        }
        let text = String(scalars[start...])
        return .quoted(text, goesOn: text.unicodeScalars.last.map { !$0.properties.isWhitespace } ?? false)
    }

    private mutating func word() -> Token {
        let start = index
        while let scalar = current, !Self.endsWord(scalar) {
            if Self.isQuote(scalar), !isBehindWord || Self.isOperator(scalars[start..<index]) {
                break
            }
            scalars.formIndex(after: &index)
        }
        var word = scalars[start..<index]
        if let token = Self.operators[String(word)] {
            return token
        }
        let isPrefix = word.last == "*"
        while word.last == "*" {
            word.removeLast()
        }
        return .word(String(word), isPrefix: isPrefix)
    }

    private static let operators: [String: Token] = ["AND": .and, "OR": .or, "NOT": .not]

    private static func isOperator(_ word: Substring.UnicodeScalarView) -> Bool {
        operators[String(word)] != nil
    }

    // MARK: Quotation marks

    /// True if a mark inside a quotation belongs to a word, as in `צה"ל`: a letter or digit comes before and after it.
    /// With a letter only before it, the mark ends the quotation.
    private var isInWord: Bool {
        guard isBehindWord else { return false }
        let following = scalars.index(after: index)
        return following < scalars.endIndex && ScalarFolding.kind(of: scalars[following]) == .word
    }

    /// True if the scalar before the mark belongs to a word. Outside of quotations such a mark is part of the word, as
    /// in `27"`. Scripts without spaces do not count, because a quotation may begin anywhere in them.
    private var isBehindWord: Bool {
        index > scalars.startIndex && ScalarFolding.kind(of: scalars[scalars.index(before: index)]) == .word
    }

    private static func endsWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "(" || scalar == ")" || scalar.properties.isWhitespace
    }

    /// Returns true for quotation marks, including the curly ones that telephones type instead of straight ones.
    private static func isQuote(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "\u{201C}", "\u{201D}", "\u{201E}": true
        default: false
        }
    }
}

extension StoreError {
    /// - Parameter position: an offset in bytes, from 0.
    static func query(_ problem: String, at position: Int, hint: String) -> StoreError {
        .invalidArgument("the query has \(problem) at byte \(position); \(hint)")
    }
}
