import Glibc
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests of journals in which a segment is missing, empty or in the wrong file, or comes from another store or another
/// time. No segment is damaged.
@Suite struct MixedSegmentTests {
    @Test(arguments: JournalDamageTests.Kill.allCases)
    func `a missing or empty segment loses no acknowledged write`(_ kill: JournalDamageTests.Kill) throws {
        let specimen = try kill.specimen()
        let trial = try JournalTrial(specimen.contents)
        for (index, segment) in specimen.segments.enumerated() {
            let byteCount = try #require(specimen.files[segment.name]).count
            for bytes in [nil, [], [UInt8](repeating: 0, count: byteCount)] {
                var files = specimen.files
                files[segment.name] = bytes
                let outcome = try trial.expectNoLoss(files, "\(segment.name) with \(bytes?.count ?? -1) bytes")
                // The database may already have all records of the first segment. The store may then open without this
                // segment.
                if kill == .withoutLog, index > 0 {
                    #expect(outcome != .whole, "\(segment.name)")
                }
            }
        }
        let without = specimen.files.filter { !$0.key.hasPrefix("journal/") }
        #expect(try trial.outcome(without) == .refused(.journalDamaged))
    }

    @Test(arguments: JournalDamageTests.Kill.allCases)
    func `segments may have each other's file names, and copies of segments lose no acknowledged write`(
        _ kill: JournalDamageTests.Kill
    ) throws {
        let specimen = try kill.specimen()
        let trial = try JournalTrial(specimen.contents)
        let segments = specimen.segments
        for (index, one) in segments.enumerated() {
            // The short tier copies only the next segment over each segment, and the first segment over the last.
            let next = segments[(index + 1) % segments.count]
            for other in TestTier.cases([next], long: segments) where other.name != one.name {
                var files = specimen.files
                files[one.name] = specimen.files[other.name]
                try trial.expectNoLoss(files, "\(other.name) over \(one.name)")
                files[other.name] = specimen.files[one.name]
                #expect(try trial.outcome(files) == .whole, "\(one.name) and \(other.name) swapped")
            }
        }
        var files = specimen.files
        let newest = try #require(specimen.segments.last?.name)
        files["journal/40"] = files[newest]
        try trial.expectNoLoss(files, "a second \(newest)")
    }

    @Test(arguments: JournalDamageTests.Kill.allCases)
    func `a segment of another store is not replayed`(_ kill: JournalDamageTests.Kill) throws {
        let specimen = try kill.specimen()
        let other = try JournalSpecimen.committed()
        let trial = try JournalTrial(specimen.contents)
        try #require(min(specimen.segments.count, other.segments.count) >= 1)
        for (segment, stranger) in zip(specimen.segments, other.segments) {
            var files = specimen.files
            files[segment.name] = other.files[stranger.name]
            #expect(try trial.expectNoLoss(files, segment.name) != .whole)
        }
        var files = specimen.files
        files["journal/41"] = other.files[other.segments[0].name]
        try trial.expectNoLoss(files, "a segment more")
    }

    /// Tests a segment from an earlier moment. It ends before the last record whose pages the database has committed.
    @Test func `an older copy of a segment is noticed if the database is newer`() throws {
        let (store, snapshot) = try TemporaryStore.held()
        defer { snapshot.close() }
        try store.engine.saveNumbered(4..<8)
        let earlier = try JournalSpecimen(StoreSpecimen.image(of: store), of: store)
        let newest = try #require(earlier.segments.last?.name)
        try store.engine.saveNumbered(8..<12)
        for isLarge in [false, true] {
            if isLarge {
                try JournalSpecimen.fill(store.engine)
            }
            let now = try JournalSpecimen(StoreSpecimen.image(of: store), of: store)
            let trial = try JournalTrial(now.contents)
            var files = now.files
            files[newest] = earlier.files[newest]
            // The database may already have all records of this segment, and need only records of a later segment.
            try trial.expectNoLoss(files, "earlier")
            files = now.files.filter { !$0.key.hasPrefix("journal/") }
                .merging(earlier.files.filter { $0.key.hasPrefix("journal/") }) { $1 }
            #expect(try trial.expectNoLoss(files, "the whole folder") == .refused(.journalDamaged))
        }
    }
}
