import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// The daemon keeps the memory of large responses for the next ones, and returns it to the system when none follow.
@Suite(.oneAtATime) struct FreedMemoryTests {
    @Test func `memory of large responses is returned to the system once the daemon is idle`() async throws {
        try await withDaemonAndClient { daemon, client in
            let path = VaultPath(.document, "film")
            let piece = [UInt8](repeating: 7, count: StoreClient.filePieceBytes)
            var writer = try await client.beginFileWrite(at: path)
            for _ in 0..<TestTier.count(6, long: 16) {
                try await writer.write(piece)
            }
            try await writer.finish()
            try await withThrowingTaskGroup { readers in
                for _ in 0..<6 {
                    readers.addTask {
                        for try await chunk in client.fileChunks(at: path) {
                            #expect(chunk == piece)
                        }
                    }
                }
                try await readers.waitForAll()
            }
            let kept = daemon.residentHeapBytes
            #expect(kept > 0)
            try await eventually("a mebibyte of \(kept) bytes goes back", within: .seconds(15)) {
                (1..<(kept - 1 << 20)).contains(daemon.residentHeapBytes)
            }
        }
    }
}
