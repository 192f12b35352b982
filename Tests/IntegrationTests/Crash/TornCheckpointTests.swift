import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// Interrupted checkpoints. A checkpoint writes page after page into the database file, beginning with the first, and
/// extends the file as it writes.
@Suite(.oneAtATime) struct TornCheckpointTests {
    private static let pageBytes = 2_048

    /// Each case has the number of pages that are written completely, and the number of sectors that are written of the
    /// next page.
    @Test(arguments: [(0, 1), (0, 2), (0, 3), (1, 0), (1, 2), (2, 0), (7, 0), (7, 3)])
    func `a store whose checkpoint was cut off after a few pages or sectors opens complete`(
        pages: Int, sectors: Int
    ) async throws {
        try await withDaemon { daemon in
            try await fill(daemon)
            try await daemon.kill9()
            let killed = StateFiles(daemon.stateDirectory)
            // Obtains the bytes that the checkpoint would write: a start replays the WAL, and a graceful stop
            // checkpoints it.
            try await daemon.startAgain()
            try await daemon.terminate()
            let complete = try #require(StateFiles(daemon.stateDirectory).contents["store.db"])
            let before = try #require(killed.contents["store.db"])
            try #require(before.count < complete.count, "nothing was in the WAL alone")
            for (name, bytes) in killed.contents {
                try daemon.directory.write(bytes, to: "state/\(name)")
            }
            let written = pages * Self.pageBytes + sectors * 512
            try daemon.directory.write(
                Array(complete.prefix(written)) + Array(before.dropFirst(written)), to: "state/store.db")
            try await daemon.startAgain()
            try await expectWhole(daemon)
        }
    }

    private func fill(_ daemon: TestDaemon) async throws {
        let client = try await daemon.connect()
        for number in 0..<50 {
            _ = try await client.saveMessage(
                NewMessage(
                    id: "m\(number)", conversation: .sessionID("05torn"),
                    text: "number \(number) " + String(repeating: "x", count: 3_000),
                    timestamp: Timestamp(microseconds: Int64(number + 1))))
        }
        // Makes sure that all data is in the WAL and not only in the journal, because a checkpoint writes the content
        // of the WAL.
        _ = try await client.message("m49")
        await client.close()
    }

    private func expectWhole(_ daemon: TestDaemon) async throws {
        let client = try await daemon.connect()
        let status = try await client.status()
        try #require(status.storeState == .open, "\(status.storeStateMessage)")
        #expect(try await client.allMessages("05torn").map(\.id) == (0..<50).map { "m\($0)" })
        _ = try await client.gapFreeChanges()
        try await client.expectClean()
        await client.close()
    }
}
