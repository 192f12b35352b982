import SQLCipher
import StoreBasics

/// A message with the terms under which the index lists it.
struct IndexedMessage {
    let posting: Posting
    let list: TermList

    init(_ posting: Posting, _ list: TermList) {
        self.posting = posting
        self.list = list
    }

    /// The terms of the message without duplicates, in the form that `forEachIndexTerm` gives.
    var terms: Set<[UInt8]> {
        var terms: Set<[UInt8]> = []
        list.forEachIndexTerm { terms.insert(Array($0)) }
        return terms
    }
}

extension IndexedMessage {
    /// The columns of `search_pending` that the index reads, and of `messages` in the schema before long texts.
    static let columns = "conversation, timestamp, sequence, id, text"
    /// The corresponding columns of `messages` in the current schema.
    static let messageColumns = "conversation, timestamp, sequence, id, \(LongTexts.column(of: "messages"))"

    /// - Parameter row: a row of `columns` or `messageColumns`.
    init(_ row: borrowing Rows) throws(StoreError) {
        self.init(try Posting(row), TermScanner.terms(of: try row.borrowedText(4)))
    }
}

extension TermList {
    /// Calls `body` with each term as often as it occurs, with the first character of each term that is a pair of
    /// characters, and with the empty term.
    func forEachIndexTerm(_ body: (ArraySlice<UInt8>) -> Void) {
        body([])
        for (index, term) in terms.enumerated() {
            let bytes = bytes(index)
            body(bytes)
            if term.firstEnd < term.textEnd {
                let following = bytes.dropFirst().firstIndex { $0 & 0xC0 != 0x80 } ?? bytes.endIndex
                body(bytes[..<following])
            }
        }
    }
}

extension SearchIndex {
    /// Creates a segment of messages that are not in the index yet.
    ///
    /// - Parameter sequences: a range that contains their sequences.
    func add(_ messages: [IndexedMessage], of sequences: ClosedRange<Int64>) throws(StoreError) {
        let messages = messages.sorted { $0.posting > $1.posting }
        guard let newest = messages.first?.posting, let oldest = messages.last?.posting else { return }
        try documents.add(messages.map(\.posting))
        let number = try nextNumber()
        try connection.run(
            Self.insertSegment, number, sequences.lowerBound, sequences.upperBound, messages.count,
            newest.place.microseconds, oldest.place.microseconds)
        var writer = try PostingBlockWriter(self, number)
        try GatheredTerms(of: messages).forEachList { list throws(StoreError) in try writer.append(list) }
        try writer.finish()
    }

    /// Removes a message from the lists of its terms. Does nothing if the message is not in the index.
    func remove(_ message: IndexedMessage) throws(StoreError) {
        let place = message.posting.place
        guard try documents.find(place.sequence)?.place == place else { return }
        for segment in try segments(holding: place.sequence) {
            for term in message.terms {
                try remove(place, from: segment, term)
            }
        }
        try documents.remove(place.sequence)
    }

    private func remove(_ place: PostingPlace, from segment: Int64, _ term: [UInt8]) throws(StoreError) {
        guard var block = try block(segment, PostingKey.bytes(term, place)),
            let list = block.lists.firstIndex(where: { $0.term == term }),
            let position = block.lists[list].sequences.firstIndex(of: place.sequence)
        else { return }
        block.lists[list].sequences.remove(at: position)
        if block.lists[list].sequences.isEmpty {
            block.lists.remove(at: list)
        }
        try replace(block)
    }

    /// Returns the segments that may contain a sequence. There are several if their ranges overlap.
    private func segments(holding sequence: Int64) throws(StoreError) -> [Int64] {
        let rows = try connection.rows(Self.segmentsHolding, sequence)
        var segments: [Int64] = []
        while try rows.next() {
            segments.append(rows.integer(0))
        }
        return segments
    }

    func nextNumber() throws(StoreError) -> Int64 {
        guard let row = try connection.first(Self.lastNumber) else { return 1 }
        return try row.count(0) + 1
    }

    static let insertSegment = StatementText(
        "INSERT INTO search_segments VALUES (?1, ?2, ?3, ?4, ?5, ?6, NULL)")
    private static let lastNumber = StatementText("SELECT ifnull(max(number), 0) FROM search_segments")
    private static let segmentsHolding = StatementText(
        "SELECT number FROM search_segments WHERE first_sequence <= ?1 AND last_sequence >= ?1 ORDER BY number")
}
