/// A recursive-descent parser of queries. A query is at most `queryBytesMax` long and nests at most `queryDepthMax`
/// deep. Within these bounds every text is valid: an operator without an operand is ignored, as in `fish OR`,
/// parentheses that are open at the end are closed there, and other unmatched parentheses are text.
struct SearchQueryParser {
    /// The result of parsing a part of a query.
    private enum Part {
        /// The part has no terms, for example `...`. It is ignored where it is combined with another part.
        case nothing
        case found(SearchExpression)
        /// All texts except those that match the expression.
        case excluded(SearchExpression)
    }

    private var scanner: SearchQueryScanner
    private var token = SearchQueryScanner.Token.end
    private var depth = 0
    private var openParentheses = 0
    private var termCount = 0
    /// True if the last word of the query may be incomplete.
    private let isTyped: Bool

    static func parse(_ text: String, isTyped: Bool = false) throws(StoreError) -> SearchExpression {
        guard !text.isEmpty else { throw .invalidArgument("the query is empty; give a word to search for") }
        guard text.utf8.count <= SearchLimits.queryBytesMax else {
            throw .invalidArgument(
                "the query has \(text.utf8.count) bytes; the limit is \(SearchLimits.queryBytesMax)")
        }
        var parser = SearchQueryParser(SearchQueryScanner(text), isTyped: isTyped)
        parser.advance()
        if let expression = literal(try parser.alternatives()) {
            return expression
        }
        // The query consists only of operators, so they are treated as words.
        guard case .found(let expression) = try parser.phrase(text, isPrefix: isTyped) else { return .nothing }
        return expression
    }

    private init(_ scanner: SearchQueryScanner, isTyped: Bool) {
        self.scanner = scanner
        self.isTyped = isTyped
    }

    private mutating func advance() {
        token = scanner.next()
    }

    private func problem(_ problem: String, _ hint: String) -> StoreError {
        .query(problem, at: scanner.position, hint: hint)
    }

    /// Returns the expression to look for. A NOT without anything to exclude from is treated as the word "not".
    private static func literal(_ part: Part) -> SearchExpression? {
        switch part {
        case .nothing: return nil
        case .found(let expression): return expression
        case .excluded(let expression):
            guard let not = TermPhrase("not") else { return expression }
            return .all(first: .phrase(not), others: [expression], except: [])
        }
    }

    /// Parses parts with OR between them.
    private mutating func alternatives() throws(StoreError) -> Part {
        var parts = [try conjunction()]
        while token == .or {
            advance()
            parts.append(try conjunction())
        }
        guard parts.count > 1 else { return parts[0] }
        return Self.any(parts.compactMap(Self.literal)).map { .found($0) } ?? .nothing
    }

    /// Parses consecutive parts, with or without AND between them.
    private mutating func conjunction() throws(StoreError) -> Part {
        var found: [SearchExpression] = []
        var excluded: [SearchExpression] = []
        while true {
            switch token {
            case .and:
                advance()
            case .closing where openParentheses == 0:
                advance()
            case .word, .quoted, .opening, .not:
                switch try operand() {
                case .nothing: break
                case .found(let expression): found.append(expression)
                case .excluded(let expression): excluded.append(expression)
                }
            case .or, .closing, .end:
                guard let first = found.first else { return Self.any(excluded).map { .excluded($0) } ?? .nothing }
                guard found.count + excluded.count > 1 else { return .found(first) }
                return .found(.all(first: first, others: Array(found.dropFirst()), except: excluded))
            }
        }
    }

    private mutating func operand() throws(StoreError) -> Part {
        switch token {
        case .not:
            let inner = try nested { parser throws(StoreError) in try parser.operand() }
            switch inner {
            case .nothing: return .nothing
            case .found(let expression): return .excluded(expression)
            case .excluded(let expression): return .found(expression)
            }
        case .opening:
            openParentheses += 1
            let inner = try nested { parser throws(StoreError) in try parser.alternatives() }
            openParentheses -= 1
            if token == .closing {
                advance()
            }
            return inner
        case .word(let text, let isPrefix):
            let part = try phrase(text, isPrefix: isPrefix || isTyped && scanner.isAtEnd)
            advance()
            return part
        case .quoted(let text, let goesOn):
            let part = try phrase(text, isPrefix: isTyped && goesOn)
            advance()
            return part
        case .closing, .and, .or, .end:
            return .nothing
        }
    }

    /// Parses the part after the current token, which is a NOT or an opening parenthesis.
    private mutating func nested(
        _ parse: (inout SearchQueryParser) throws(StoreError) -> Part
    ) throws(StoreError) -> Part {
        guard depth < SearchLimits.queryDepthMax else {
            throw problem("too many nested parts", "the limit is \(SearchLimits.queryDepthMax) levels")
        }
        depth += 1
        advance()
        let part = try parse(&self)
        depth -= 1
        return part
    }

    private mutating func phrase(_ text: String, isPrefix: Bool) throws(StoreError) -> Part {
        guard let phrase = TermPhrase(text, isPrefix: isPrefix) else { return .nothing }
        termCount += phrase.count
        guard termCount <= SearchLimits.queryTermsMax else {
            throw problem("too many words", "the limit is \(SearchLimits.queryTermsMax); search in several steps")
        }
        return .found(.phrase(phrase))
    }

    private static func any(_ expressions: [SearchExpression]) -> SearchExpression? {
        guard let first = expressions.first else { return nil }
        return expressions.count == 1 ? first : .any(first: first, others: Array(expressions.dropFirst()))
    }
}
