import Testing

@testable import StoreEngine

/// SQLite passes over what does not fit in a WAL. Where frames of the same log follow, the daemon says so.
@Suite struct DamagedLogTests {
    private static let frameBytes = 24 + StoreSpecimen.pageBytes

    @Test func `a whole log, and one that was never written, has nothing ignored`() throws {
        for specimen in [try StoreSpecimen.killed(), try StoreSpecimen.stopped()] {
            #expect(try ignoredFrames(specimen) == 0)
        }
    }

    @Test func `a byte changed in any frame but the last two is reported with the frames behind it`() throws {
        let specimen = try StoreSpecimen.killed()
        let log = try #require(specimen.files["store.db-wal"])
        let frames = (log.count - 32) / Self.frameBytes
        try #require(frames > 20)
        for frame in stride(from: 0, to: frames - 2, by: max(1, frames / 24)) {
            // The page's number, the salt, the checksum and the page: 8 + 8 + 8 + 2,048 bytes.
            for offset in [2, 10, 18, 24 + frame % StoreSpecimen.pageBytes] {
                var damaged = specimen
                damaged.files["store.db-wal"]?[32 + frame * Self.frameBytes + offset] ^= 1
                let expected = frames - frame
                #expect(try ignoredFrames(damaged) == expected, "frame \(frame), byte \(offset)")
            }
        }
    }

    @Test(arguments: [0, 9, 13, 17, 25, 31])
    func `a byte changed in the header is reported with every frame`(offset: Int) throws {
        var specimen = try StoreSpecimen.killed()
        let log = try #require(specimen.files["store.db-wal"])
        specimen.files["store.db-wal"]?[offset] ^= 1
        #expect(try ignoredFrames(specimen) == (log.count - 32) / Self.frameBytes)
    }

    @Test func `what a kill in the middle of a commit leaves is not reported`() throws {
        let specimen = try StoreSpecimen.killed()
        let log = try #require(specimen.files["store.db-wal"])
        for cut in [1, 24, 25, 1_000, Self.frameBytes, Self.frameBytes + 24, 3 * Self.frameBytes] {
            var damaged = specimen
            damaged.files["store.db-wal"] = Array(log.dropLast(cut))
            #expect(try ignoredFrames(damaged) == 0, "\(cut) bytes less")
        }
        // The header of a frame is written before its page, over what an earlier round of the log left there.
        var damaged = specimen
        damaged.files["store.db-wal"]?[log.count - 5] ^= 1
        #expect(try ignoredFrames(damaged) == 0)
    }

    private func ignoredFrames(_ specimen: StoreSpecimen) throws -> Int {
        let store = try TemporaryStore()
        store.engine.shutDown()
        try specimen.place(in: store)
        try store.reopen()
        #expect(store.engine.state == .open)
        let ignored = store.engine.storage().ignoredWALFrames
        try store.engine.lock()
        #expect(store.engine.storage().ignoredWALFrames == 0)
        return ignored
    }
}
