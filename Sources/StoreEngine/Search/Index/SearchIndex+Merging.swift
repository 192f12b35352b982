import SQLCipher
import StoreBasics

/// Few large segments are quickly read, small ones quickly written: as soon as eight of the newest are small, they
/// become one. One of `largeCount` messages stays as it is, so that a term's list in it is moved in few milliseconds.
extension SearchIndex {
    private static let mergedCount = 8
    static let largeCount: Int64 = 32_768
    private static let segmentsMax = 96

    /// So many are not to be there but while those that are small are merged.
    func hasTooManySegments() throws(StoreError) -> Bool {
        let row = try connection.first(Self.countSmall, Self.largeCount / 8)
        return (row?.integer(0) ?? 0) > Self.segmentsMax
    }

    /// Merges until the time is over, at least one term.
    ///
    /// - Returns: whether there is more to do.
    func mergeStep(isOver: () -> Bool) throws(StoreError) -> Bool {
        let all = try segments()
        let sources = all.filter { $0.mergedInto != nil }
        guard let first = sources.first, let target = first.mergedInto else { return try begin(all) }
        repeat {
            guard let term = try firstTerm(of: sources) else {
                for source in sources {
                    try connection.run(Self.deleteSegment, source.number)
                }
                return true
            }
            try move(term, from: sources, to: target)
        } while !isOver()
        return true
    }

    /// - Returns: false where nothing is to be merged.
    private func begin(_ segments: [Segment]) throws(StoreError) -> Bool {
        guard let merged = Self.due(segments), let first = merged.first, let last = merged.last else { return false }
        let target = try nextNumber()
        try connection.run(
            Self.insertSegment, target, first.sequences.lowerBound,
            merged.map(\.sequences.upperBound).max() ?? last.sequences.upperBound,
            merged.reduce(0) { $0 + $1.messageCount },
            merged.map(\.newestMicroseconds).max() ?? first.newestMicroseconds)
        for segment in merged {
            try connection.run(Self.markMerged, segment.number, target)
        }
        return true
    }

    /// The newest segments that are no larger than some size, for the first size that enough of them have.
    private static func due(_ segments: [Segment]) -> ArraySlice<Segment>? {
        var size: Int64 = 8
        while size <= largeCount {
            let start = segments.lastIndex { $0.messageCount >= size }.map { $0 + 1 } ?? segments.startIndex
            if segments.count - start >= mergedCount, let merged = fitting(segments[start...]) {
                return merged
            }
            size *= 8
        }
        return nil
    }

    /// The first that make no more than one large segment together.
    private static func fitting(_ segments: ArraySlice<Segment>) -> ArraySlice<Segment>? {
        for start in segments.indices {
            var (end, count) = (start, Int64(0))
            while end < segments.endIndex, end - start < 4 * mergedCount,
                count + segments[end].messageCount <= largeCount
            {
                count += segments[end].messageCount
                end += 1
            }
            if end - start > 1 {
                return segments[start..<end]
            }
        }
        return nil
    }

    private func firstTerm(of sources: [Segment]) throws(StoreError) -> [UInt8]? {
        var first: [UInt8]?
        for source in sources {
            guard let term = try connection.first(Self.selectFirstTerm, source.number)?.bytes(0) else { continue }
            if first.map({ term.lexicographicallyPrecedes($0) }) ?? true {
                first = term
            }
        }
        return first
    }

    private func move(_ term: [UInt8], from sources: [Segment], to target: Int64) throws(StoreError) {
        var postings: [Posting] = []
        for number in sources.map(\.number) + [target] {
            let rows = try connection.rows(Self.blocksOf, number, term)
            while try rows.next() {
                postings += try PostingBlock.decode(rows.borrowedBytes(0))
            }
            try connection.run(Self.deleteBlocks, number, term)
        }
        try insert(postings.sorted(by: >), target, term)
    }

    private static let countSmall = StatementText("SELECT count(*) FROM search_segments WHERE message_count < ?1")
    private static let markMerged = StatementText("UPDATE search_segments SET merged_into = ?2 WHERE number = ?1")
    private static let deleteSegment = StatementText("DELETE FROM search_segments WHERE number = ?1")
    private static let selectFirstTerm = StatementText(
        "SELECT term FROM search_postings WHERE segment = ?1 ORDER BY term LIMIT 1")
    private static let blocksOf = StatementText(
        """
        SELECT postings FROM search_postings WHERE segment = ?1 AND term = ?2
        ORDER BY newest DESC, newest_sequence DESC
        """)
    private static let deleteBlocks = StatementText("DELETE FROM search_postings WHERE segment = ?1 AND term = ?2")
}
