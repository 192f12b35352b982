import SQLCipher
import StoreBasics

/// Which messages hold a term: postings, newest first, in blocks by segment and term.
///
/// A segment is of the messages that were saved one after the other in one span of `sequence`, so that it is known
/// which one a message is in. New messages make small segments, which are merged into larger ones a few milliseconds at
/// a time. What is taken out of the index is gone from its blocks at once.
///
/// Every message is also in the list of the empty term.
struct SearchIndex {
    let connection: Connection

    static let tableNames = ["search_segments", "search_postings"]
    static let tables = """
        CREATE TABLE search_segments (
            number INTEGER PRIMARY KEY,
            first_sequence INTEGER NOT NULL,
            last_sequence INTEGER NOT NULL,
            message_count INTEGER NOT NULL,
            newest INTEGER NOT NULL,
            merged_into INTEGER
        );
        CREATE TABLE search_postings (
            segment INTEGER NOT NULL,
            term BLOB NOT NULL,
            newest INTEGER NOT NULL,
            newest_sequence INTEGER NOT NULL,
            postings BLOB NOT NULL,
            PRIMARY KEY (segment, term, newest, newest_sequence)
        ) WITHOUT ROWID;
        """

    /// A span of messages.
    struct Segment {
        let number: Int64
        let sequences: ClosedRange<Int64>
        let messageCount: Int64
        /// The time of its newest message, or a later one.
        let newestMicroseconds: Int64
        /// The segment that its postings go to.
        let mergedInto: Int64?

        init(_ row: borrowing Rows) throws(StoreError) {
            number = row.integer(0)
            let (first, last) = (row.integer(1), row.integer(2))
            guard first <= last else { throw .searchIndexDamaged }
            sequences = first...last
            guard (0...Rows.countMax).contains(row.integer(3)) else { throw .searchIndexDamaged }
            messageCount = row.integer(3)
            newestMicroseconds = row.integer(4)
            mergedInto = row.optionalInteger(5)
        }
    }

    /// A block and what names it.
    struct Block {
        let segment: Int64
        let term: [UInt8]
        var postings: [Posting]
        let place: PostingPlace

        init(_ row: borrowing Rows, segment: Int64, term: [UInt8]) throws(StoreError) {
            self.segment = segment
            self.term = term
            place = PostingPlace(microseconds: row.integer(0), sequence: row.integer(1))
            postings = try PostingBlock.decode(row.borrowedBytes(2))
        }
    }

    /// In the order in which their messages were saved; one that others are merged into comes with them.
    func segments() throws(StoreError) -> [Segment] {
        let rows = try connection.rows(Self.selectSegments)
        var segments: [Segment] = []
        while try rows.next() {
            segments.append(try Segment(rows))
        }
        return segments
    }

    /// The block that a place lies in or, if in none, before which it lies.
    func block(_ segment: Int64, _ term: [UInt8], holding place: PostingPlace) throws(StoreError) -> Block? {
        guard let row = try connection.first(Self.blockFrom, segment, term, place.microseconds, place.sequence) else {
            return nil
        }
        return try Block(row, segment: segment, term: term)
    }

    /// The newest block that begins before a place.
    func block(_ segment: Int64, _ term: [UInt8], olderThan place: PostingPlace) throws(StoreError) -> Block? {
        guard let row = try connection.first(Self.blockBefore, segment, term, place.microseconds, place.sequence)
        else { return nil }
        return try Block(row, segment: segment, term: term)
    }

    private static let selectSegments = StatementText(
        """
        SELECT number, first_sequence, last_sequence, message_count, newest, merged_into FROM search_segments
        ORDER BY first_sequence, number
        """)
    private static let blockFrom = StatementText(
        """
        SELECT newest, newest_sequence, postings FROM search_postings
        WHERE segment = ?1 AND term = ?2 AND newest >= ?3 AND (newest > ?3 OR newest_sequence >= ?4)
        ORDER BY newest, newest_sequence LIMIT 1
        """)
    private static let blockBefore = StatementText(
        """
        SELECT newest, newest_sequence, postings FROM search_postings
        WHERE segment = ?1 AND term = ?2 AND newest <= ?3 AND (newest < ?3 OR newest_sequence < ?4)
        ORDER BY newest DESC, newest_sequence DESC LIMIT 1
        """)
}
