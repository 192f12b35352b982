import SQLCipher
import StoreBasics

/// Checks that the search index contains exactly the terms of the indexed messages. It computes a hash of each posting
/// together with its term, and compares the sum of the hashes in the index with the sum that results from the texts.
/// The sum does not depend on the segments of the postings.
extension IntegrityCheck {
    mutating func checkSearchIndex() throws(StoreError) {
        // Compare the index only if the report has no findings yet: wrong messages would make the index look wrong,
        // too.
        guard report.isClean, try hasOrderByID, let revision = try statistics()?.revision else { return }
        do throws(StoreError) {
            let state = try SearchIndexState.read(connection)
            guard state.indexedThrough <= Int64(revision) else { throw .searchIndexDamaged }
            // An index that is being rebuilt has gaps.
            guard state.phase == .whole else { return }
            let held = try sumOfIndex()
            if try held != sumOfTexts(state) {
                report.add("the search index does not match the words of the messages; \(Self.searchHint)")
            }
        } catch {
            guard error.reason == .searchIndexIncomplete else { throw error }
            report.add("the search index is invalid; \(Self.searchHint)")
        }
    }

    private mutating func sumOfIndex() throws(StoreError) -> UInt64 {
        let documents = SearchDocuments(connection)
        var sum: UInt64 = 0
        var messageCount: Int64 = 0
        let rows = try connection.rows(Self.blocks)
        while try rows.next() {
            guard !rows.isNull(0), !rows.isNull(2), !rows.isNull(3) else { throw .searchIndexDamaged }
            let lists = try PostingBlock.decode(rows.borrowedBytes(0))
            let first = try documents.posting(lists[0].sequences[0])
            guard rows.bytes(1) == PostingKey.bytes(lists[0].term, first.place) else { throw .searchIndexDamaged }
            for list in lists {
                let term = StableHash(list.term)
                var last = PostingPlace.newest
                for sequence in list.sequences {
                    let posting = try documents.posting(sequence)
                    guard posting.place < last else { throw .searchIndexDamaged }
                    last = posting.place
                    sum &+= Self.hash(posting, term)
                }
                messageCount += list.term.isEmpty ? Int64(list.sequences.count) : 0
            }
            report.rowsChecked += 1
        }
        guard try documents.count() == messageCount else { throw .searchIndexDamaged }
        return sum
    }

    private func sumOfTexts(_ state: SearchIndexState) throws(StoreError) -> UInt64 {
        var sum: UInt64 = 0
        for text in [try hasLongTexts ? Self.texts : Self.inlineTexts, Self.outdatedTexts] {
            let rows = try connection.rows(text, state.beginsAfter, state.indexedThrough)
            while try rows.next() {
                let message = try IndexedMessage(rows)
                message.terms.forEach { sum &+= Self.hash(message.posting, StableHash($0)) }
            }
        }
        return sum
    }

    private static func hash(_ posting: Posting, _ term: StableHash) -> UInt64 {
        var hash = term
        for number in [posting.place.microseconds, posting.place.sequence, posting.conversation] {
            withUnsafeBytes(of: number.littleEndian) { hash.combine($0) }
        }
        return hash.value
    }

    static let searchHint = "rebuild it with `ghoststorectl search rebuild`"
    /// Selects all blocks, including incomplete ones: a key without a block, a block without a key, a block without a
    /// segment.
    private static let blocks = StatementText(
        """
        SELECT b.lists, k.key, s.number, b.number
        FROM search_keys AS k LEFT JOIN search_blocks AS b ON b.number = k.block
            LEFT JOIN search_segments AS s ON s.number = k.segment
        UNION ALL SELECT NULL, NULL, NULL, number FROM search_blocks
            WHERE (SELECT count(*) FROM search_blocks) <> (SELECT count(*) FROM search_keys)
        """)
    private static let texts = texts(IndexedMessage.messageColumns)
    private static let inlineTexts = texts(IndexedMessage.columns)
    private static func texts(_ columns: String) -> StatementText {
        StatementText(
            """
            SELECT \(columns) FROM messages WHERE sequence > ?1 AND sequence <= ?2
                AND NOT EXISTS (SELECT 1 FROM search_pending WHERE sequence = messages.sequence)
            """)
    }
    private static let outdatedTexts = StatementText(
        """
        SELECT \(IndexedMessage.columns) FROM search_pending WHERE sequence > ?1 AND sequence <= ?2
        """)
}

extension StableHash {
    fileprivate init(_ bytes: some Sequence<UInt8>) {
        self.init()
        combine(bytes)
    }
}
