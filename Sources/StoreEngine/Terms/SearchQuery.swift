/// A query: words, "phrases", beginnings of words (`begin*`), AND (which may be left out), OR, NOT and parentheses. NOT
/// binds closest, then AND, then OR. Every text within the bounds is a valid query, so that a search can run while a
/// person is still typing.
package struct SearchQuery: Hashable, Sendable {
    let expression: SearchExpression

    /// - Throws: `.invalidArgument` for an empty text and for one beyond a bound of `SearchLimits`.
    package init(_ text: String) throws(StoreError) {
        expression = try SearchQueryParser.parse(text)
    }

    /// Creates a query from a text that is still being typed: its last word may be incomplete.
    ///
    /// - Throws: `.invalidArgument` for an empty text and for one beyond a bound of `SearchLimits`.
    package init(typed text: String) throws(StoreError) {
        expression = try SearchQueryParser.parse(text, isTyped: true)
    }
}

/// A condition on a text. Every condition except `nothing` requires at least one phrase, which the index can look up.
/// Excluded phrases occur only together with required ones.
indirect enum SearchExpression: Hashable, Sendable {
    /// The condition of a query without words: no text matches.
    case nothing
    case phrase(TermPhrase)
    case all(first: SearchExpression, others: [SearchExpression], except: [SearchExpression])
    case any(first: SearchExpression, others: [SearchExpression])

    /// True if many of the index's proposals may not match: the index does not know which words are adjacent, and
    /// ignores excluded phrases.
    var isProposedVaguely: Bool {
        switch self {
        case .nothing: false
        case .phrase(let phrase): phrase.count > 1
        case .all(let first, let others, let except):
            !except.isEmpty || first.isProposedVaguely || others.contains(where: \.isProposedVaguely)
        case .any(let first, let others):
            first.isProposedVaguely || others.contains(where: \.isProposedVaguely)
        }
    }
}

/// Terms that must follow one another directly in a text.
struct TermPhrase: Hashable, Sendable {
    let first: TermPattern
    let others: [TermPattern]

    var count: Int { others.count + 1 }

    subscript(_ index: Int) -> TermPattern { index == 0 ? first : others[index - 1] }

    /// - Parameter isPrefix: true if the last word may be incomplete.
    /// - Returns: `nil` for text without terms.
    init?(_ text: String, isPrefix: Bool = false) {
        let list = TermScanner.terms(of: text)
        var patterns = list.terms.indices.map { TermPattern(bytes: Array(list.bytes($0)), extent: .whole) }
        if let last = list.terms.last, let pattern = patterns.popLast() {
            // A text without spaces has pairs of characters as terms, and its last character. This character needs no
            // pattern if a pair of the query ends with it. A query of one character matches the beginning of a pair or
            // a single character.
            let isInPair = last.isEndOfRun && list.terms.dropLast().last?.textEnd == last.textEnd
            if !isInPair {
                let extent: TermPattern.Extent = last.isEndOfRun ? .character : isPrefix ? .beginning : .whole
                patterns.append(TermPattern(bytes: pattern.bytes, extent: extent))
            }
        }
        guard let first = patterns.first else { return nil }
        self.first = first
        others = Array(patterns.dropFirst())
    }
}

/// A single term, or all terms with a common beginning.
struct TermPattern: Hashable, Sendable {
    /// The part of a term that must match.
    enum Extent {
        case whole
        case beginning
        /// The first character of a pair, or a single character.
        case character
    }

    let bytes: [UInt8]
    let extent: Extent
}
