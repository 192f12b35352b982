import SQLCipher

/// A message that holds what was searched for.
package struct FoundMessage {
    package let message: BorrowedMessage
    package let snippet: SearchSnippet
}

extension StoreReader {
    /// A page of those messages of one conversation that hold what is searched for, read in the order of the list and
    /// matched one by one. It ends as a page of a list with filters does: it is the last one only when `hasMore` is
    /// false.
    ///
    /// - Returns: `nil` when the visitor stopped.
    /// - Throws: `.conversationNotFound`, `.invalidArgument` for a limit out of range.
    package func searchMessages(
        _ search: SearchQuery, in query: MessageQuery, _ visit: (FoundMessage) -> PageVisit
    ) throws(StoreError) -> MessagePageEnd? {
        try PageLimit.check(query.limit)
        return try read { connection throws(StoreError) in
            let conversation = try ConversationLookup.row(query.conversation, in: connection)
            let rows = try connection.rows(
                Self.page(in: query.order),
                MessageCondition(
                    query, conversation: conversation.integer(0), limit: MessageCondition.unlimited))
            let end = try visitFound(rows, search.expression, query, visit)
            withExtendedLifetime(conversation) {}
            return end
        }
    }

    private func visitFound(
        _ rows: borrowing Rows, _ expression: SearchExpression, _ query: MessageQuery,
        _ visit: (FoundMessage) -> PageVisit
    ) throws(StoreError) -> MessagePageEnd? {
        var end = MessagePageEnd(first: nil, last: nil, hasMore: false)
        var count = 0
        var bytes = PageBytes()
        var scan = PageScan()
        var scanner = TermScanner()
        while try rows.next() {
            let text = try rows.borrowedText(4)
            let cursor = MessageCursor(timestamp: rows.timestamp(1), sequence: rows.integer(2))
            if !clock.isOver(rows), try query.admits(rows),
                let snippet = try Self.snippet(of: text, expression, &scanner)
            {
                let message = try BorrowedMessage(rows, clock)
                guard count < query.limit, bytes.admit(message.byteCount + snippet.text.utf8.count) else {
                    end.hasMore = true
                    break
                }
                end.first = end.first ?? cursor
                count += 1
                guard visit(FoundMessage(message: message, snippet: snippet)) == .goOn else { return nil }
            }
            end.last = cursor
            guard scan.mayPassRow(bytes: text.count) else {
                end.hasMore = true
                break
            }
        }
        return end
    }

    /// - Returns: `nil` for a text that does not hold what is searched for.
    private static func snippet(
        of text: UnsafeRawBufferPointer, _ expression: SearchExpression, _ scanner: inout TermScanner
    ) throws(StoreError) -> SearchSnippet? {
        try scanner.scan(text) { list throws(StoreError) in
            guard expression.matches(list) else { return nil }
            return SearchSnippet(of: text, around: expression.ranges(in: list))
        }
    }
}
