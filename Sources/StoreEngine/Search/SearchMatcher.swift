import SQLCipher

/// Checks single messages against the filter and the expression of a search.
struct SearchMatcher {
    let expression: SearchExpression
    let filter: MessageFilter
    /// The number of the conversation that is searched; `nil` for all.
    let conversation: Int64?
    private var scanner = TermScanner()

    init(_ search: MessageSearch, conversation: Int64?) {
        expression = search.query.expression
        filter = search.filter
        self.conversation = conversation
    }

    /// - Parameter row: a row of `MessageRow.columns`.
    mutating func matches(_ row: borrowing Rows) throws(StoreError) -> Bool {
        guard try admits(row) else { return false }
        return try matches(text: row.borrowedText(4))
    }

    mutating func matches(text: UnsafeRawBufferPointer) throws(StoreError) -> Bool {
        try scanner.scan(text) { (list) throws(StoreError) in expression.matches(list) }
    }

    /// Returns a snippet of the message; `nil` if it does not match.
    mutating func snippet(_ row: borrowing Rows) throws(StoreError) -> SearchSnippet? {
        guard try admits(row) else { return nil }
        let text = try row.borrowedText(4)
        return try scanner.scan(text) { (list) throws(StoreError) in
            guard expression.matches(list) else { return nil }
            return SearchSnippet(of: text, around: expression.ranges(in: list))
        }
    }

    /// Returns the length of the message and the counts of each phrase, for ranking.
    ///
    /// - Returns: `nil` if the message does not match.
    mutating func measure(_ row: borrowing Rows) throws(StoreError) -> (length: Int, counts: [UInt16])? {
        guard try admits(row) else { return nil }
        let text = try row.borrowedText(4)
        return try scanner.scan(text) { (list) throws(StoreError) in
            expression.matches(list) ? (list.count, expression.counts(in: list)) : nil
        }
    }

    private func admits(_ row: borrowing Rows) throws(StoreError) -> Bool {
        guard conversation.map({ $0 == row.integer(0) }) ?? true, filter.from.map({ row.timestamp(1) >= $0 }) ?? true,
            filter.until.map({ row.timestamp(1) < $0 }) ?? true
        else { return false }
        return try filter.admits(row)
    }
}
