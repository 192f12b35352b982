import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Checks that a store with a changed journal opens with everything that was acknowledged, or not at all.
///
/// Tries a part of all cases by default; DAMAGE_CASES=all tries all of them (`make damage-long`).
@Suite struct JournalDamageTests {
    enum Kill: CaseIterable {
        case uncommitted, committed, withoutLog

        // Each specimen is created once per process.
        private static let uncommittedOnce = Result { try JournalSpecimen.uncommitted() }
        private static let committedOnce = Result { try JournalSpecimen.committed() }
        private static let withoutLogOnce = Result { try JournalSpecimen.withoutLog() }

        func specimen() throws -> JournalSpecimen {
            switch self {
            case .uncommitted: try Self.uncommittedOnce.get()
            case .committed: try Self.committedOnce.get()
            case .withoutLog: try Self.withoutLogOnce.get()
            }
        }
    }

    @Test(arguments: Kill.allCases) func `the files of a killed store open with all content`(_ kill: Kill) throws {
        let specimen = try kill.specimen()
        #expect(specimen.segments.count >= 3)
        #expect(try JournalTrial(specimen.contents).outcome(specimen.files) == .whole)
    }

    @Test(arguments: Kill.allCases)
    func `a changed byte anywhere in the journal loses no acknowledged write`(_ kill: Kill)
        throws
    {
        let specimen = try kill.specimen()
        let trial = try JournalTrial(specimen.contents)
        let turn = try #require(Kill.allCases.firstIndex(of: kill))
        var refusals = 0
        for (index, segment) in specimen.segments.enumerated() {
            for place in places(in: segment, from: index + turn) {
                var files = specimen.files
                files[segment.name]?[place] ^= 1 << UInt8(place % 8)
                if try trial.expectNoLoss(files, "byte \(place) of \(segment.name)") != .whole {
                    refusals += 1
                }
            }
        }
        #expect(refusals > 0)
    }

    /// Returns offsets in the header, in the last record and in the mark after that record, and some other offsets.
    ///
    /// - Parameter first: the index of the first offset. The short tier uses every third offset, so three consecutive
    ///   segments or kills use all of them.
    private func places(in segment: JournalSpecimen.Segment, from first: Int) -> [Int] {
        let end = segment.end + RecordLayout.markBytes
        guard !JournalSpecimen.isWholeWalk else { return Array(0..<(end + 64)) }
        var places = Set([0, 23, 31, 40, 60, 79, 85, 127])
        places.formUnion(stride(from: SegmentHeader.byteCount, to: end, by: end / 4))
        if let record = segment.records.last {
            let start = record.bytes.lowerBound
            places.formUnion([start + 3, start + 15, start + 57, record.bytes.upperBound - 1])
        }
        places.formUnion([segment.end + 7, segment.end + 8])
        let step = TestTier.count(3, long: 1)
        return places.sorted().enumerated().filter { ($0.offset + first) % step == 0 }.map(\.element)
    }

    @Test(arguments: Kill.allCases) func `a segment that is cut anywhere loses no acknowledged write`(_ kill: Kill)
        throws
    {
        let specimen = try kill.specimen()
        let trial = try JournalTrial(specimen.contents)
        for segment in specimen.segments {
            let bytes = try #require(specimen.files[segment.name])
            for length in lengths(of: segment, bytes.count) {
                var files = specimen.files
                files[segment.name] = Array(bytes.prefix(length))
                try trial.expectNoLoss(files, "\(segment.name) cut to \(length) bytes")
            }
        }
    }

    private func lengths(of segment: JournalSpecimen.Segment, _ byteCount: Int) -> [Int] {
        guard !JournalSpecimen.isWholeWalk else {
            return Array(stride(from: 0, to: byteCount, by: 64)) + [byteCount - 1]
        }
        let middle = segment.records[segment.records.count / 2].bytes
        return [
            1, SegmentHeader.byteCount, middle.lowerBound, segment.end + RecordLayout.markBytes, byteCount - 1,
        ]
    }

    /// Checks that the store drops a damaged last record and opens if no mark follows the record, and does not open if
    /// a mark follows. Without the mark, the record was torn before its sync, so no write in it was acknowledged.
    @Test(arguments: Kill.allCases) func `only a last record without its mark may be dropped`(_ kill: Kill) throws {
        let specimen = try kill.specimen()
        let trial = try JournalTrial(specimen.contents)
        let newest = try #require(specimen.segments.last)
        let last = try #require(newest.records.last)
        for place in [last.bytes.lowerBound + 3, last.bytes.lowerBound + 60, last.bytes.upperBound - 1] {
            var files = specimen.files
            files[newest.name]?[place] ^= 4
            #expect(try trial.outcome(files) == .refused(.journalDamaged), "with its mark, \(place)")
            let mark = newest.end..<(newest.end + RecordLayout.markBytes)
            files[newest.name]?.replaceSubrange(mark, with: [UInt8](repeating: 0, count: mark.count))
            let outcome = try trial.outcome(files)
            // If the database already has the record, its absence from the journal is damage.
            let allowed: [JournalTrial.Outcome] =
                kill == .committed
                ? [.refused(.journalDamaged)] : [.lost(["conversations", "messages", "changes"])]
            #expect(allowed.contains(outcome), "without its mark, \(place): \(outcome)")
        }
    }
}
