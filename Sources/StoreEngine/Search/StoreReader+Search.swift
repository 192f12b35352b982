import SQLCipher
import StoreBasics

/// A message that matches a search, with a snippet around the matches. Valid only while it is visited.
package struct FoundMessage {
    package let message: BorrowedMessage
    package let snippet: SearchSnippet

    /// The text of the snippet, in SQLite's memory.
    package var snippetText: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: message.text[snippet.range])
    }
}

extension StoreReader {
    /// Visits a page of the messages that match a search. Like a page of a filtered list, it ends after
    /// `SearchLimits.pageMilliseconds` even if it is empty, and is the last page only if `hasMore` is false. With the
    /// order `bestFirst`, a page covers about the newest `SearchLimits.rankedMessagesMax` matches, or fewer if time is
    /// over, and returns at most `limit` of them.
    ///
    /// - Returns: `nil` if the visitor stopped.
    /// - Throws: `.conversationNotFound`, `.searchIndexIncomplete`, `.invalidArgument` for a limit out of range.
    package func searchMessages(
        _ search: MessageSearch, _ visit: (FoundMessage) -> PageVisit
    ) throws(StoreError) -> MessagePageEnd? {
        try PageLimit.check(search.limit)
        var isBehind = false
        let end = try readSnapshot(with: SearchDocuments.self) {
            (connection, documents) throws(StoreError) -> MessagePageEnd? in
            let state = try SearchIndexState.read(connection)
            var conversation: SearchedConversation?
            if let reference = search.conversation {
                conversation = try SearchedConversation(reference, connection)
            }
            guard search.query.expression != .nothing else {
                return MessagePageEnd(first: nil, last: nil, hasMore: false)
            }
            var page = SearchPage(search, conversation?.number, clock)
            let end: MessagePageEnd?
            if let conversation, conversation.isSmall || state.phase != .whole {
                end = try page.scan(conversation, connection, visit)
            } else {
                try Self.expectWhole(state.phase)
                guard let rest = try SearchRest(state, &page.matcher, connection) else {
                    isBehind = true
                    return page.nothingYet
                }
                documents.begin(state.removals)
                end = try page.lookUp(rest, SearchIndex(connection, documents), visit)
            }
            return try page.showBest(connection, visit) == .goOn ? end : nil
        }
        if isBehind {
            source.askForIndexing()
        }
        return end
    }

    private static func expectWhole(_ phase: SearchIndexState.Phase) throws(StoreError) {
        switch phase {
        case .whole: return
        case .abandoned: throw .searchIndexDamaged
        case .rebuilding:
            throw StoreError(
                .searchIndexIncomplete,
                "the search index is being rebuilt; search in one conversation, or try again a little later",
                retryAfterMilliseconds: 1_000)
        }
    }
}

private struct SearchedConversation {
    let reference: ConversationReference
    let number: Int64
    private let messageCount: Int

    init(_ reference: ConversationReference, _ connection: Connection) throws(StoreError) {
        self.reference = reference
        number = try ConversationLookup.row(reference, in: connection).integer(0)
        messageCount = try connection.first(Self.count, number)?.int(0) ?? 0
    }

    /// True if the conversation is so small that scanning it is quicker than using the index.
    var isSmall: Bool { messageCount <= SearchLimits.scannedMessagesMax }

    private static let count = StatementText("SELECT message_count FROM conversations WHERE number = ?1")
}

/// A page that is being filled.
private struct SearchPage {
    var matcher: SearchMatcher
    private let search: MessageSearch
    private let clock: StoreClock
    private var first: PostingPlace?
    private var last: PostingPlace?
    private var hasMore = false
    private var count = 0
    private var bytes = PageBytes()
    private var scan = PageScan()
    private var ranking = SearchRanking()

    init(_ search: MessageSearch, _ conversation: Int64?, _ clock: StoreClock) {
        self.search = search
        self.clock = clock
        matcher = SearchMatcher(search, conversation: conversation)
    }

    private var end: MessagePageEnd {
        MessagePageEnd(first: first?.cursor, last: last?.cursor, hasMore: hasMore)
    }

    /// The end of an empty page, after which the client asks again from the same place.
    var nothingYet: MessagePageEnd {
        MessagePageEnd(first: nil, last: search.before ?? .end, hasMore: true)
    }

    /// Reads the messages of a conversation, newest first, and matches each of them with the query.
    mutating func scan(
        _ conversation: SearchedConversation, _ connection: Connection, _ visit: (FoundMessage) -> PageVisit
    ) throws(StoreError) -> MessagePageEnd? {
        var query = MessageQuery(conversation: conversation.reference, limit: search.limit)
        query.before = search.before
        query.filter = search.filter
        let known = try ConversationLookup.row(conversation.reference, in: connection)
        defer { withExtendedLifetime(known) {} }
        let conversationID = try known.borrowedText(1)
        let condition = MessageCondition(
            query, conversation: conversation.number, limit: MessageCondition.unlimited)
        let rows = try connection.rows(StoreReader.page(of: condition, in: .newestFirst), condition)
        while try rows.next() {
            switch try look(at: rows, of: conversationID, connection, visit) {
            case .goOn: break
            case .stop: return nil
            case .pageIsOver: return end
            }
        }
        return end
    }

    /// Visits the matches among the index's proposals and the messages outside the index.
    mutating func lookUp(
        _ rest: SearchRest, _ index: SearchIndex, _ visit: (FoundMessage) -> PageVisit
    ) throws(StoreError) -> MessagePageEnd? {
        let cursor = try PostingCursor(matcher.expression, index)
        var slice = WorkSlice.ofSearch
        var isOpened = false
        var found = rest.found[...]
        var place = start
        while true {
            found = found.drop { $0.place > place }
            let proposed = try cursor.newest(upTo: place) { slice.isOver }
            if !isOpened {
                // Opening the lists takes the same time for each page, so the time of a page starts afterwards.
                isOpened = true
                scan = PageScan()
                slice = .ofSearch
            }
            guard let next = proposed.map({ max($0, found.first ?? $0) }) ?? found.first,
                next.place.microseconds >= search.filter.from?.microseconds ?? .min
            else { return end }
            place = next.place.older
            let messagePlace = next.messagePlace
            let isOutdated = next != found.first && rest.outdated.contains(next.place.sequence)
            guard !isOutdated, matcher.conversation.map({ $0 == next.conversation }) ?? true,
                try mayHold(messagePlace, index.connection),
                let row = try index.connection.first(Self.messageAt, messagePlace)
            else {
                last = next.place
                guard scan.mayPassRow(), !slice.isOver else { return endWithMore() }
                continue
            }
            switch try look(at: row, index.connection, visit) {
            case .goOn where slice.isOver: return endWithMore()
            case .goOn: break
            case .stop: return nil
            case .pageIsOver: return end
            }
        }
    }

    /// Returns false if the text of a proposed message does not match. This excludes most proposals for a phrase before
    /// their whole rows are read.
    private mutating func mayHold(_ place: MessagePlace, _ connection: Connection) throws(StoreError) -> Bool {
        guard matcher.expression.isProposedVaguely else { return true }
        guard let row = try connection.first(Self.textAt, place) else { return false }
        return try matcher.matches(text: row.borrowedText(0))
    }

    /// The place at which the search starts. It continues with older messages.
    private var start: PostingPlace {
        let until = search.filter.until.map { MessageCursor(timestamp: $0, id: .lowerBound) }
        return [until, search.before].compactMap(\.self).min().map { PostingPlace(before: $0) } ?? .newest
    }

    private enum Look {
        case goOn
        case stop
        case pageIsOver
    }

    /// - Parameter conversationID: the conversation's id; `nil` if it is in the row.
    private mutating func look(
        at row: borrowing Rows, of conversationID: UnsafeRawBufferPointer? = nil, _ connection: Connection,
        _ visit: (FoundMessage) -> PageVisit
    ) throws(StoreError) -> Look {
        if !clock.isOver(row) {
            let look =
                switch search.order {
                case .newestFirst: try show(row, of: conversationID, connection, visit)
                case .bestFirst: try rank(row)
                }
            if case .pageIsOver = look {
                hasMore = true
            }
            guard case .goOn = look else { return look }
        }
        last = try PostingPlace(row)
        guard scan.mayPassRow(bytes: try row.borrowedText(4).count) else {
            hasMore = true
            return .pageIsOver
        }
        return .goOn
    }

    private mutating func show(
        _ row: borrowing Rows, of conversationID: UnsafeRawBufferPointer? = nil, _ connection: Connection,
        _ visit: (FoundMessage) -> PageVisit
    ) throws(StoreError) -> Look {
        guard let snippet = try matcher.snippet(row) else { return .goOn }
        guard count < search.limit else { return .pageIsOver }
        let id =
            if let conversationID { conversationID } else { try row.borrowedText(MessageRow.conversationIDColumn) }
        let visited = try BorrowedMessage.read(row, of: id, clock, connection) { message in
            bytes.admit(message.byteCount + snippet.range.count)
                ? visit(FoundMessage(message: message, snippet: snippet)) : nil
        }
        guard let visited else { return .pageIsOver }
        try recordFirst(row)
        count += 1
        return visited == .goOn ? .goOn : .stop
    }

    private mutating func recordFirst(_ row: borrowing Rows) throws(StoreError) {
        guard first == nil else { return }
        first = try PostingPlace(row)
    }

    private mutating func rank(_ row: borrowing Rows) throws(StoreError) -> Look {
        guard !ranking.isFull else { return .pageIsOver }
        guard let measure = try matcher.measure(row) else { return .goOn }
        let place = try MessagePlace(row, conversation: 0, timestamp: 1, id: 3)
        try recordFirst(row)
        ranking.add(place, length: measure.length, counts: measure.counts)
        return .goOn
    }

    /// Visits the best of the ranked messages. With the order `newestFirst`, no message is ranked.
    mutating func showBest(
        _ connection: Connection, _ visit: (FoundMessage) -> PageVisit
    ) throws(StoreError) -> PageVisit {
        for place in ranking.best(search.limit) {
            guard let row = try connection.first(Self.messageAt, place) else { continue }
            switch try show(row, connection, visit) {
            case .goOn: break
            case .stop: return .stop
            // The answer is full. The less relevant messages are left out.
            case .pageIsOver: return .goOn
            }
        }
        return .goOn
    }

    private mutating func endWithMore() -> MessagePageEnd {
        hasMore = true
        return end
    }

    private static let textAt = StatementText(
        "SELECT \(LongTexts.column(of: "messages")) FROM \(MessagePlace.table) WHERE \(MessagePlace.condition)")
    private static let messageAt = StatementText(
        """
        SELECT \(MessageRow.columns), c.id FROM \(MessagePlace.joinedTable)
        CROSS JOIN conversations AS c ON c.number = m.conversation
        WHERE m.conversation = ?1 AND m.timestamp = ?2 AND m.id = ?3
        """)
}

extension PostingPlace {
    /// Creates the posting place of a message from its row, which was selected with `MessageRow.columns`.
    fileprivate init(_ row: borrowing Rows) throws(StoreError) {
        self.init(microseconds: row.integer(1), id: PostingID(try row.borrowedText(3)), sequence: row.integer(2))
    }
}
