/// Makes an expression of a query's text, by descent: a query is at most `queryBytesMax` long and nests at most
/// `queryDepthMax` deep.
struct SearchQueryParser {
    /// What a part of a query comes to.
    private enum Part {
        /// It has no terms, as three dots have none: whatever is joined to it stands alone.
        case nothing
        case found(SearchExpression)
        /// Everything but this.
        case excluded(SearchExpression)
    }

    private var scanner: SearchQueryScanner
    private var token = SearchQueryScanner.Token.end
    private var depth = 0
    private var termCount = 0
    /// A word that the query ends with may go on.
    private let isTyped: Bool

    static func parse(_ text: String, isTyped: Bool = false) throws(StoreError) -> SearchExpression {
        guard text.utf8.count <= SearchLimits.queryBytesMax else {
            throw .invalidArgument(
                "the query has \(text.utf8.count) bytes; the most is \(SearchLimits.queryBytesMax)")
        }
        var parser = SearchQueryParser(SearchQueryScanner(text), isTyped: isTyped)
        try parser.advance()
        let part = parser.token == .end ? .nothing : try parser.alternatives()
        guard parser.token == .end else {
            throw parser.problem("a closing parenthesis without an opening one", "remove it or quote it")
        }
        switch part {
        case .found(let expression): return expression
        case .nothing: throw .invalidArgument("the query holds no word; name one to look for")
        case .excluded: throw .invalidArgument("the query only says what is not wanted; name a word to look for")
        }
    }

    private init(_ scanner: SearchQueryScanner, isTyped: Bool) {
        self.scanner = scanner
        self.isTyped = isTyped
    }

    private mutating func advance() throws(StoreError) {
        token = try scanner.next()
    }

    private func problem(_ problem: String, _ hint: String) -> StoreError {
        .query(problem, at: scanner.position, hint: hint)
    }

    /// Parts with OR between them.
    private mutating func alternatives() throws(StoreError) -> Part {
        var parts = [(start: scanner.position, part: try conjunction())]
        while token == .or {
            try advance()
            parts.append((scanner.position, try conjunction()))
        }
        guard parts.count > 1 else { return parts[0].part }
        var found: [SearchExpression] = []
        for (start, part) in parts {
            switch part {
            case .nothing: break
            case .found(let expression): found.append(expression)
            case .excluded:
                throw .query("NOT as a part of OR", at: start, hint: "write it as one with what is looked for by AND")
            }
        }
        return Self.any(found).map { .found($0) } ?? .nothing
    }

    /// Parts one after the other, with or without AND between them.
    private mutating func conjunction() throws(StoreError) -> Part {
        var parts = [try operand()]
        while true {
            if token == .and {
                try advance()
            } else if !beginsOperand {
                break
            }
            parts.append(try operand())
        }
        var found: [SearchExpression] = []
        var excluded: [SearchExpression] = []
        for part in parts {
            switch part {
            case .nothing: break
            case .found(let expression): found.append(expression)
            case .excluded(let expression): excluded.append(expression)
            }
        }
        guard let first = found.first else { return Self.any(excluded).map { .excluded($0) } ?? .nothing }
        guard found.count + excluded.count > 1 else { return .found(first) }
        return .found(.all(first: first, others: Array(found.dropFirst()), except: excluded))
    }

    private var beginsOperand: Bool {
        switch token {
        case .word, .quoted, .opening, .not: true
        case .closing, .and, .or, .end: false
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
            let inner = try nested { parser throws(StoreError) in try parser.alternatives() }
            guard token == .closing else {
                throw problem("a parenthesis that is not closed", "close it, or quote what it stands in")
            }
            try advance()
            return inner
        case .word(let text, let isPrefix):
            return try phrase(text, isPrefix: isPrefix || isTyped && scanner.isAtEnd)
        case .quoted(let text):
            return try phrase(text, isPrefix: false)
        case .closing, .and, .or, .end:
            throw problem("nothing", "a word, a phrase or a parenthesis is missing there")
        }
    }

    /// What follows the current token, which opens it.
    private mutating func nested(
        _ parse: (inout SearchQueryParser) throws(StoreError) -> Part
    ) throws(StoreError) -> Part {
        guard depth < SearchLimits.queryDepthMax else {
            throw problem("too much inside one another", "the most is \(SearchLimits.queryDepthMax) levels")
        }
        depth += 1
        try advance()
        let part = try parse(&self)
        depth -= 1
        return part
    }

    private mutating func phrase(_ text: String, isPrefix: Bool) throws(StoreError) -> Part {
        guard let phrase = TermPhrase(text, isPrefix: isPrefix) else {
            try advance()
            return .nothing
        }
        termCount += phrase.count
        guard termCount <= SearchLimits.queryTermsMax else {
            throw problem("too many words", "the most is \(SearchLimits.queryTermsMax); ask in parts")
        }
        try advance()
        return .found(.phrase(phrase))
    }

    private static func any(_ expressions: [SearchExpression]) -> SearchExpression? {
        guard let first = expressions.first else { return nil }
        return expressions.count == 1 ? first : .any(first: first, others: Array(expressions.dropFirst()))
    }
}
