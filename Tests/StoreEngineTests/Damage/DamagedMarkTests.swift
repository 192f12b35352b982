import FoundationEssentials
import Glibc
import StoreBasics
import Testing

@testable import StoreEngine

/// The rule: what was answered and is gone is told at the next opening, and nothing is told where nothing is gone,
/// whenever a kill or a power failure came.
///
/// A part of all cases by default; DAMAGE_CASES=all walks them all (`make damage-long`).
@Suite struct DamagedMarkTests {
    private static let frameBytes = 24 + StoreSpecimen.pageBytes
    private static let isWholeWalk = ProcessInfo.processInfo.environment["DAMAGE_CASES"] == "all"

    @Test func `a log that was removed, emptied or cut anywhere is told with what is missing`() throws {
        let specimen = try StoreSpecimen.killed().files
        let log = try #require(specimen["store.db-wal"])
        let frames = (log.count - 32) / Self.frameBytes
        for bytes in [nil, [], Array(log.prefix(31)), Array(log.prefix(32))] {
            let found = try found(specimen, log: bytes)
            #expect(found.missingWALFrames == frames && found.missingRevisions > 10, "\(bytes?.count ?? -1) bytes left")
        }
        for left in stride(from: 0, to: frames, by: Self.isWholeWalk ? 1 : max(1, frames / 30)) {
            let found = try found(specimen, log: Array(log.prefix(32 + left * Self.frameBytes + 1)))
            #expect(found.missingWALFrames == frames - left, "\(left) frames left")
        }
        let oneByteLess = try found(specimen, log: log.dropLast())
        #expect(oneByteLess.missingWALFrames == 1)
    }

    @Test func `a bit changed in any frame of the log, the last one too, is told`() throws {
        let specimen = try StoreSpecimen.killed().files
        let log = try #require(specimen["store.db-wal"])
        let frames = (log.count - 32) / Self.frameBytes
        let last = (frames - 3)..<frames
        for frame in Array(stride(from: 0, to: frames, by: Self.isWholeWalk ? 1 : max(1, frames / 20))) + last {
            var damaged = log
            damaged[32 + frame * Self.frameBytes + (frame * 613) % Self.frameBytes] ^= 1 << UInt8(frame % 8)
            // The last bytes of a frame's header that no checksum covers are its checksum, which fits no more either.
            let found = try found(specimen, log: damaged)
            #expect(found.missingWALFrames == frames - frame, "frame \(frame)")
        }
        for byte in 0..<32 {
            var damaged = log
            damaged[byte] ^= 1
            #expect(try found(specimen, log: damaged).missingWALFrames == frames, "byte \(byte)")
        }
    }

    @Test func `a removed log that held appends alone, which give no revision, is told`() throws {
        let store = try TemporaryStore()
        let log = try LogName("log")
        try store.engine.write(.openLog(log, LogConfiguration(maximumBytes: 10_000, overwritesOldest: false)))
        try store.reopen()
        try store.engine.write(.appendLog(LogAppend(log: log, expected: nil, messages: [[1, 2, 3]])))
        let specimen = try StoreSpecimen.image(of: store)
        let found = try found(specimen, log: nil)
        #expect(found.missingRevisions == 0 && found.missingWALFrames > 0)
    }

    @Test func `an older store file put back is told`() throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<5)
        try store.reopen()
        let old = try StoreSpecimen.image(of: store)["store.db"]
        try store.engine.saveNumbered(5..<12)
        store.engine.shutDown()
        var specimen = try StoreSpecimen.image(of: store)
        specimen["store.db"] = old
        let found = try found(specimen, log: nil)
        #expect(found.missingRevisions >= 7 && found.missingWALFrames == 0)
    }

    @Test func `a mark that is missing, damaged or another store's says so, opens the store and is made anew`() throws {
        let specimen = try StoreSpecimen.killed().files
        let mark = try #require(specimen["mark"])
        #expect(mark.count == StoreMark.byteCount)
        let flips = (0..<mark.count).map { place in
            var flipped = mark
            flipped[place] ^= 1 << UInt8(place % 8)
            return flipped
        }
        let other = try #require(try StoreSpecimen.image(of: TemporaryStore())["mark"])
        var without = specimen
        without["mark"] = nil
        let store = try placed(without)
        #expect(store.engine.status.loss.evidence == .noMark)
        let made = try #require(try StoreSpecimen.image(of: store)["mark"])
        try store.reopen()
        #expect(store.engine.status.loss.isNothing)
        for bytes in flips + [other, [], mark + [0], mark.dropLast()] {
            var damaged = specimen
            damaged["mark"] = bytes
            let store = try placed(damaged)
            #expect(store.engine.state == .open)
            #expect(store.engine.status.loss.evidence == .foreignMark, "\(bytes)")
            #expect(try StoreSpecimen.image(of: store)["mark"] == made, "it is not made anew")
        }
    }

    /// Every image that a kill leaves between two steps; for the power, each with every mark since the last sync.
    @Test func `nothing is told after a kill or a power failure at any moment of a store's life`() throws {
        let store = try TemporaryStore()
        var random = SplitMix(seed: 9)
        var images: [[String: [UInt8]]] = []
        var marks: [[UInt8]] = []
        var saved = 0
        var backup = try store.engine.backUp().name
        for _ in 0..<60 {
            switch random.next() % 10 {
            case 0...4:
                let count = Int(random.next() % 30) + 1
                try store.engine.saveNumbered(saved..<(saved + count))
                saved += count
            case 5: try checkpoint(store) { context throws(StoreError) in try context.checkpointPassively() }
            case 6:
                try checkpoint(store) { context throws(StoreError) in try context.emptyLog() }
                marks.removeAll()
            case 7:
                try store.reopen()
                marks.removeAll()
            case 8:
                _ = try store.engine.rotateMasterKey { _ in }
                backup = try store.engine.backUp().name
                marks.removeAll()
            default:
                try store.engine.restore(backup, with: random.next() % 2 == 0 ? try TemporaryStore.keyFile() : nil)
                saved = 0
                marks.removeAll()
            }
            var image = try StoreSpecimen.image(of: store)
            marks.append(try #require(image["mark"]))
            images.append(image)
            for mark in Set(marks) {
                image["mark"] = mark
                images.append(image)
            }
        }
        let walk = Self.isWholeWalk ? images : stride(from: 0, to: images.count, by: 3).map { images[$0] }
        for image in walk {
            let store = try placed(image)
            let loss = store.engine.status.loss
            #expect(loss.isNothing, "\(loss)")
            store.engine.shutDown()
        }
    }

    // MARK: Images

    private func checkpoint(
        _ store: TemporaryStore, _ body: @escaping @Sendable (WriterContext) throws(StoreError) -> Bool
    ) throws {
        #expect(try store.engine.writer.perform(body))
    }

    private func found(_ files: [String: [UInt8]], log: [UInt8]?) throws -> StorageFiles {
        var damaged = files
        damaged["store.db-wal"] = log
        let store = try placed(damaged)
        return withExtendedLifetime(store) { store.engine.storage() }
    }

    private func placed(_ files: [String: [UInt8]]) throws -> TemporaryStore {
        let store = try TemporaryStore(placing: files)
        #expect(store.engine.state == .open)
        return store
    }
}
