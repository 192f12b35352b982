import SQLCipher
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Checks that segments are created, released and used again without any effect on content, whenever the process is
/// killed.
@Suite struct SegmentTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
        try store.engine.saveNumbered(0..<1)
    }

    private func large(_ number: Int, bytes: Int = 20_000) throws -> Mutation {
        .saveMessage(
            NewMessage(
                id: try EntityID("m\(number)"), conversation: .session(try SessionID("peer")),
                text: String(repeating: "x", count: bytes), timestamp: Timestamp(microseconds: Int64(number))))
    }

    private func headers(_ image: [String: [UInt8]]) -> Set<[UInt8]> {
        Set(
            image.filter { $0.key.hasPrefix("journal/") }.map { Array($0.value.prefix(SegmentHeader.byteCount)) }
                .filter { $0.contains { $0 != 0 } })
    }

    private func salts(_ image: [String: [UInt8]]) -> [[UInt8]] {
        headers(image).map {
            Array($0[(SegmentHeader.contentBytes - SegmentHeader.saltBytes)..<SegmentHeader.contentBytes])
        }
    }

    private func perform(_ body: @escaping @Sendable (WriterContext) throws(StoreError) -> Bool) throws {
        #expect(try store.engine.writer.perform(body))
    }

    @Test func `a store that is killed at any change of segments has all acknowledged writes`() throws {
        var count = 1
        var images: [[String: [UInt8]]] = []
        for round in 0..<3 {
            images += try StoreSpecimen.images(of: store) {
                for _ in 0..<9 {
                    try store.engine.write(large(count))
                    count += 1
                }
            }
            switch round {
            case 0: try perform { context throws(StoreError) in try context.emptyLog() }
            case 1: try perform { context throws(StoreError) in try context.checkpointPassively() }
            default: break
            }
        }
        #expect(images.count == 27)
        var seen: Set<[UInt8]> = []
        var switches = 0
        for (index, image) in images.enumerated() {
            let isNew = !headers(image).isSubset(of: seen)
            seen.formUnion(headers(image))
            switches += isNew ? 1 : 0
            guard isNew || index % 4 == 0 || JournalSpecimen.isWholeWalk else { continue }
            for withLog in [true, false] {
                var image = image
                if !withLog { image["store.db-wal"] = nil }
                let opened = try TemporaryStore(placing: image)
                #expect(opened.engine.state == .open, "image \(index), \(withLog)")
                #expect(try opened.engine.statistics().messageCount == index + 2, "image \(index), \(withLog)")
                #expect(try opened.engine.hasNumbered(index + 1))
            }
        }
        #expect(switches >= 8)
    }

    @Test func `segments are used again, and few files are kept`() throws {
        var names: Set<String> = []
        for round in 0..<6 {
            for number in 0..<8 {
                try store.engine.write(large(round * 8 + number))
            }
            names.formUnion(try StoreSpecimen.image(of: store).keys.filter { $0.hasPrefix("journal/") })
            try perform { context throws(StoreError) in try context.emptyLog() }
            let image = try StoreSpecimen.image(of: store)
            #expect(image.keys.filter { $0.hasPrefix("journal/") }.count <= 5, "one in use and four that are free")
            #expect(headers(image).count == 1)
        }
        #expect(names.count <= 9, "\(names.sorted())")
    }

    @Test func `a record larger than a segment has a segment of its own, which is removed when it is released`()
        throws
    {
        try store.engine.write(large(1, bytes: 1_000_000))
        try store.engine.saveNumbered(2..<5)
        var image = try StoreSpecimen.image(of: store)
        for _ in 0..<2 {
            let opened = try TemporaryStore(placing: image)
            #expect(opened.engine.state == .open)
            #expect(try opened.engine.statistics().messageCount == 5)
            #expect(try expectClean(opened.engine) == [])
            image["store.db-wal"] = nil
        }
        try perform { context throws(StoreError) in try context.emptyLog() }
        #expect(store.engine.storage().journalBytes <= 5 * (64 << 10))
        try store.reopen()
        #expect(try store.engine.statistics().messageCount == 5)
    }

    @Test func `a file whose creation was interrupted is removed when the next one is created`() throws {
        var image = try StoreSpecimen.image(of: store)
        image["journal/7"] = [UInt8](repeating: 0, count: 100)
        let opened = try TemporaryStore(placing: image)
        try opened.engine.saveNumbered(1..<3)
        #expect(try StoreSpecimen.image(of: opened)["journal/7"] == nil)
        try opened.reopen()
        #expect(try opened.engine.statistics().messageCount == 3)
    }

    @Test func `after the WAL was emptied, no key of an earlier segment remains`() throws {
        for number in 1..<12 {
            try store.engine.write(large(number))
        }
        let before = try StoreSpecimen.image(of: store)
        #expect(salts(before).count >= 3)
        try store.engine.write(.deleteMessages([EntityID("m3")]))
        try perform { context throws(StoreError) in try context.emptyLog() }
        for (name, bytes) in try StoreSpecimen.image(of: store) where name.hasPrefix("journal/") {
            for salt in salts(before) {
                #expect(bytes.firstRange(of: salt) == nil, "\(name)")
            }
        }
    }

    /// Tests a kill after the WAL was emptied and before segments were released. A power cut may also remove the empty
    /// WAL.
    @Test(arguments: [true, false])
    func `the next opening erases the journal if a kill followed the emptying of the WAL`(
        withLog: Bool
    ) throws {
        try store.engine.write(large(1))
        try store.engine.write(.deleteMessages([EntityID("m1")]))
        try perform { context throws(StoreError) in
            try context.commitPages()
            let connection = try context.openConnection()
            return try mapped(connection.checkpoint(.truncate)).isComplete
        }
        var image = try StoreSpecimen.image(of: store)
        #expect(image["store.db-wal"] == [])
        if !withLog { image["store.db-wal"] = nil }
        let before = Set(salts(image))
        #expect(!before.isEmpty)
        let opened = try TemporaryStore(placing: image)
        #expect(opened.engine.state == .open)
        // The test reads the files itself, because calls on the writer thread would keep the writer from being idle.
        #expect(
            try eventually {
                let files = try TestFile.all(below: opened.statePath + "/journal").map {
                    ("journal/\($0)", try TestFile.read($0))
                }
                return before.isDisjoint(with: salts(Dictionary(uniqueKeysWithValues: files)))
            })
    }

    @Test func `a lock or a stop leaves one segment and no WAL, and the history stays the same`() throws {
        let history = try store.engine.statistics().history
        for cycle in 1..<10 {
            try store.engine.saveNumbered(cycle..<(cycle + 1))
            if cycle % 2 == 0 {
                try store.engine.lock()
                _ = try store.engine.unlock(secret: try TemporaryStore.keyFile())
            } else {
                try store.reopen()
            }
            #expect(try store.engine.statistics().history == history)
            #expect(try store.engine.hasNumbered(cycle))
            #expect(try StoreSpecimen.image(of: store).keys.filter { $0.hasPrefix("journal/") }.count <= 6)
        }
        store.engine.shutDown()
        let stopped = try StoreSpecimen.image(of: store)
        #expect(headers(stopped).count == 1)
        #expect((stopped["store.db-wal"] ?? []).isEmpty)
    }

    @Test func `the counted sizes of records are those in the file`() throws {
        let first = try store.engine.writer.perform { $0.committed.record }
        let before = store.engine.writeCounts.recordBytes
        let snapshot = try store.holdSnapshot()
        for number in 1..<5 {
            try store.engine.write(large(number, bytes: number * 1_000))
        }
        let records = try JournalSpecimen.segments(of: StoreSpecimen.image(of: store), under: store.engine)
            .flatMap(\.records).filter { $0.number > first }
        snapshot.close()
        #expect(records.count >= 4)
        let after = store.engine.writeCounts.recordBytes
        #expect(after.counts.reduce(0, +) - before.counts.reduce(0, +) == UInt64(records.count))
        #expect(after.sum - before.sum == records.reduce(0) { $0 + UInt64($1.bytes.count) })
    }
}
