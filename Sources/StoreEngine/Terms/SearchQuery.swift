/// A query: words, "phrases", beginnings of words (`begin*`), AND (which may be left out), OR, NOT and parentheses. NOT
/// binds closest, then AND, then OR. Every text within the bounds is a query, also while a person is still typing it.
package struct SearchQuery: Hashable, Sendable {
    let expression: SearchExpression

    /// - Throws: `.invalidArgument` for an empty text and for one beyond a bound of `SearchLimits`.
    package init(_ text: String) throws(StoreError) {
        expression = try SearchQueryParser.parse(text)
    }

    /// The same, as it is being typed: a word that it ends with may go on.
    ///
    /// - Throws: `.invalidArgument` for an empty text and for one beyond a bound of `SearchLimits`.
    package init(typed text: String) throws(StoreError) {
        expression = try SearchQueryParser.parse(text, isTyped: true)
    }
}

/// What a text must hold. It cannot say what a text must not hold alone: there is always something to look up.
indirect enum SearchExpression: Hashable, Sendable {
    /// True if the query has no word, so that no text matches.
    case nothing
    case phrase(TermPhrase)
    case all(first: SearchExpression, others: [SearchExpression], except: [SearchExpression])
    case any(first: SearchExpression, others: [SearchExpression])

    /// What an index proposes may well not be found: it does not know which words follow each other, and does not look
    /// at those that must not be there.
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

/// Terms that follow each other.
struct TermPhrase: Hashable, Sendable {
    let first: TermPattern
    let others: [TermPattern]

    var count: Int { others.count + 1 }

    subscript(_ index: Int) -> TermPattern { index == 0 ? first : others[index - 1] }

    /// - Parameter isPrefix: the last word may go on.
    /// - Returns: `nil` for text without terms.
    init?(_ text: String, isPrefix: Bool = false) {
        let list = TermScanner.terms(of: text)
        var patterns = list.terms.indices.map { TermPattern(bytes: Array(list.bytes($0)), extent: .whole) }
        if let last = list.terms.last, let pattern = patterns.popLast() {
            // The last character of a run is found wherever it stands: as the beginning of a pair, or in a pair before.
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

/// One term, or all terms with a beginning.
struct TermPattern: Hashable, Sendable {
    /// How much of a term it is.
    enum Extent {
        case whole
        case beginning
        /// The first character of a pair, or one that stands alone.
        case character
    }

    let bytes: [UInt8]
    let extent: Extent
}
