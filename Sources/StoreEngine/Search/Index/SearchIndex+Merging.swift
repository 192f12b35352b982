import SQLCipher
import StoreBasics

/// Merging of segments. A few large segments are quick to read, and small ones are quick to write, so eight small
/// segments are merged into one. A segment with half of `largeCount` messages is not merged any more, so that moving
/// the list of one term takes only a few milliseconds.
extension SearchIndex {
    private static let mergedCount = 8
    static let largeCount: Int64 = 65_536
    private static let segmentsMax = 96

    /// Returns true if so many small segments exist that merging comes first.
    func hasTooManySegments() throws(StoreError) -> Bool {
        let row = try connection.first(Self.countSmall, Self.largeCount / 8)
        return (row?.integer(0) ?? 0) > Self.segmentsMax
    }

    func segmentCount() throws(StoreError) -> Int {
        try connection.first(Self.countAll)?.int(0) ?? 0
    }

    /// Merges until time is over, but at least one term.
    ///
    /// - Returns: true if there is more to do.
    func mergeStep(isOver: () -> Bool) throws(StoreError) -> Bool {
        let all = try segments()
        let sources = all.filter { $0.mergedInto != nil }
        guard let target = sources.first?.mergedInto else { return try begin(all) }
        var merging = try SegmentMerging(self, sources, into: target)
        repeat {
            guard try merging.moveTerm() else {
                for source in sources {
                    try connection.run(Self.deleteSegment, source.number)
                }
                break
            }
        } while !isOver()
        try merging.finish()
        return true
    }

    /// Chooses the next segments to merge and creates their target.
    ///
    /// - Returns: false if nothing is to be merged.
    private func begin(_ segments: [Segment]) throws(StoreError) -> Bool {
        let segments = try withoutEmpty(segments)
        guard let merged = Self.due(segments), let first = merged.first, let last = merged.last else { return false }
        let target = try nextNumber()
        try connection.run(
            Self.insertSegment, target, first.sequences.lowerBound,
            merged.map(\.sequences.upperBound).max() ?? last.sequences.upperBound,
            merged.reduce(0) { $0 + $1.messageCount },
            merged.map(\.microseconds.upperBound).max() ?? first.microseconds.upperBound,
            merged.map(\.microseconds.lowerBound).min() ?? first.microseconds.lowerBound)
        for segment in merged {
            try connection.run(Self.markMerged, segment.number, target)
        }
        return true
    }

    /// Deletes segments that have lost all their messages, and returns the others.
    private func withoutEmpty(_ segments: [Segment]) throws(StoreError) -> [Segment] {
        var left: [Segment] = []
        for segment in segments {
            if try connection.first(Self.anyKey, segment.number) == nil {
                try connection.run(Self.deleteSegment, segment.number)
            } else {
                left.append(segment)
            }
        }
        return left
    }

    /// Returns the segments to merge; `nil` if nothing is to be merged. Tries the sizes 8, 64, 512 and so on: if at
    /// least `mergedCount` segments have fewer messages than the size, returns neighbouring ones among them.
    private static func due(_ segments: [Segment]) -> ArraySlice<Segment>? {
        var size: Int64 = 8
        while size <= largeCount {
            let small = segments.filter { $0.messageCount < size }
            if small.count >= mergedCount, let merged = fitting(small[...]) {
                return merged
            }
            size *= 8
        }
        return nil
    }

    /// Returns the first two or more neighbouring segments, at most `4 * mergedCount`, that have at most `largeCount`
    /// messages together; `nil` if no such segments exist.
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

    private static let countAll = StatementText("SELECT count(*) FROM search_segments")
    private static let countSmall = StatementText("SELECT count(*) FROM search_segments WHERE message_count < ?1")
    private static let markMerged = StatementText(
        "UPDATE OR FAIL search_segments SET merged_into = ?2 WHERE number = ?1")
    private static let deleteSegment = StatementText("DELETE FROM search_segments WHERE number = ?1")
    private static let anyKey = StatementText("SELECT 1 FROM search_keys WHERE segment = ?1 LIMIT 1")
}
