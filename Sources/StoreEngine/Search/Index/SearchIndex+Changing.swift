import SQLCipher
import StoreBasics

/// A message with the terms that it is found by.
struct IndexedMessage {
    let posting: Posting
    let terms: Set<[UInt8]>

    init(_ posting: Posting, _ list: TermList) {
        self.posting = posting
        terms = list.indexTerms
    }
}

extension IndexedMessage {
    /// - Parameters: the columns of a row.
    init(
        _ row: borrowing Rows, conversation: Int, timestamp: Int, sequence: Int, text: Int
    ) throws(StoreError) {
        let place = PostingPlace(microseconds: row.integer(timestamp), sequence: row.integer(sequence))
        self.init(
            Posting(place: place, conversation: row.integer(conversation)),
            TermScanner.terms(of: try row.borrowedText(text)))
    }

    var place: MessagePlace {
        MessagePlace(
            conversation: posting.conversation, timestamp: Timestamp(microseconds: posting.place.microseconds),
            sequence: posting.place.sequence)
    }
}

extension TermList {
    /// Each term once, the first character of each pair, and the empty term.
    var indexTerms: Set<[UInt8]> {
        var found: Set<[UInt8]> = [[]]
        for (index, term) in terms.enumerated() {
            let bytes = bytes(index)
            found.insert(Array(bytes))
            if term.firstEnd < term.textEnd {
                let following = bytes.dropFirst().firstIndex { $0 & 0xC0 != 0x80 } ?? bytes.endIndex
                found.insert(Array(bytes[..<following]))
            }
        }
        return found
    }
}

extension SearchIndex {
    /// Makes a segment of messages that are newer than all that were added before.
    ///
    /// - Parameter sequences: the span that holds them and no others.
    func add(_ messages: [IndexedMessage], of sequences: ClosedRange<Int64>) throws(StoreError) {
        var lists: [[UInt8]: [Posting]] = [:]
        for message in messages {
            for term in message.terms {
                lists[term, default: []].append(message.posting)
            }
        }
        guard let newest = messages.map(\.posting).max() else { return }
        let number = try nextNumber()
        try connection.run(
            Self.insertSegment, number, sequences.lowerBound, sequences.upperBound, messages.count,
            newest.place.microseconds)
        // In the order of the table.
        for (term, postings) in lists.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            try insert(postings.sorted(by: >), number, term)
        }
    }

    /// Takes a message out of the lists of these terms; where it is in none, nothing happens.
    func remove(_ message: IndexedMessage) throws(StoreError) {
        for segment in try segments(holding: message.posting.place.sequence) {
            for term in message.terms {
                guard var block = try block(segment.number, term, holding: message.posting.place),
                    let index = block.postings.firstIndex(where: { $0.place == message.posting.place })
                else { continue }
                block.postings.remove(at: index)
                try replace(block)
            }
        }
    }

    /// Puts a message back into the span it was saved in, by other terms or at another time.
    func insert(_ message: IndexedMessage) throws(StoreError) {
        let place = message.posting.place
        // Not into the one that others are merged into: what those hold still comes there.
        let segments = try segments(holding: place.sequence)
        guard let segment = segments.last(where: { $0.mergedInto != nil }) ?? segments.last else {
            return try add([message], of: place.sequence...place.sequence)
        }
        try connection.run(Self.raiseNewest, place.microseconds, place.sequence)
        for term in message.terms {
            guard var block = try nearestBlock(segment.number, term, place) else {
                try insert([message.posting], segment.number, term)
                continue
            }
            let index = block.postings.firstIndex { $0.place <= place } ?? block.postings.endIndex
            guard index == block.postings.endIndex || block.postings[index].place != place else { continue }
            block.postings.insert(message.posting, at: index)
            try replace(block)
        }
    }

    /// The block that a posting of this place goes into.
    private func nearestBlock(
        _ segment: Int64, _ term: [UInt8], _ place: PostingPlace
    ) throws(StoreError) -> Block? {
        if let block = try block(segment, term, holding: place) {
            return block
        }
        return try block(segment, term, olderThan: place)
    }

    /// - Returns: one, or several while it is merged.
    private func segments(holding sequence: Int64) throws(StoreError) -> [Segment] {
        let rows = try connection.rows(Self.segmentsHolding, sequence)
        var segments: [Segment] = []
        while try rows.next() {
            segments.append(try Segment(rows))
        }
        return segments
    }

    private func replace(_ block: Block) throws(StoreError) {
        try delete(block)
        try insert(block.postings, block.segment, block.term)
    }

    func delete(_ block: Block) throws(StoreError) {
        try connection.run(
            Self.deleteBlock, block.segment, block.term, block.place.microseconds, block.place.sequence)
    }

    /// - Parameter postings: newest first.
    func insert(_ postings: [Posting], _ segment: Int64, _ term: [UInt8]) throws(StoreError) {
        var rest = postings[...]
        while let newest = rest.first {
            let part = rest.prefix(PostingBlock.countMax)
            rest = rest.dropFirst(part.count)
            try connection.run(
                Self.insertBlock, segment, term, newest.place.microseconds, newest.place.sequence,
                PostingBlock.encode(part))
        }
    }

    func nextNumber() throws(StoreError) -> Int64 {
        guard let row = try connection.first(Self.lastNumber) else { return 1 }
        return try row.count(0) + 1
    }

    static let insertSegment = StatementText(
        "INSERT INTO search_segments VALUES (?1, ?2, ?3, ?4, ?5, NULL)")
    private static let lastNumber = StatementText("SELECT ifnull(max(number), 0) FROM search_segments")
    private static let raiseNewest = StatementText(
        """
        UPDATE search_segments SET newest = ?1 WHERE first_sequence <= ?2 AND last_sequence >= ?2 AND newest < ?1
        """)
    private static let segmentsHolding = StatementText(
        """
        SELECT number, first_sequence, last_sequence, message_count, newest, merged_into FROM search_segments
        WHERE first_sequence <= ?1 AND last_sequence >= ?1 ORDER BY number
        """)
    private static let insertBlock = StatementText("INSERT INTO search_postings VALUES (?1, ?2, ?3, ?4, ?5)")
    private static let deleteBlock = StatementText(
        """
        DELETE FROM search_postings WHERE segment = ?1 AND term = ?2 AND newest = ?3 AND newest_sequence = ?4
        """)
}
