import GhostTestSupport
import Glibc
import StoreClient
import TestBasics
import Testing

/// Writes to the journal that fail halfway: the disk keeps only a part of the bytes.
@Suite(.oneAtATime) struct JournalFaultTests {
    private static let calls = 1...(Settings.number("FAULT_STEPS", default: 2) < 10 ? TestTier.count(2, long: 4) : 40)

    /// The first write after a start creates a segment of the journal, so the failing calls include the calls that
    /// create the segment.
    @Test(arguments: [Fault.Effect.failsHalfway, .failsHalfwayFromThere])
    func `after a write that fails halfway, all acknowledged data can be read`(
        effect: Fault.Effect
    ) async throws {
        try await withDaemon { daemon in
            var answered: Set<String> = []
            for call in Self.calls {
                try await daemon.terminate()
                let child = try await daemon.launch(with: Fault(function: "pwrite", call: call, effect: effect))
                try #require(try await daemon.answers(child))
                let client = try await daemon.connect()
                try daemon.arm()
                for number in 0..<20 where !daemon.hasFailed {
                    let id = "m\(call)-\(number)"
                    if (try? await save(id, client.with(deadline: .seconds(1)))) != nil { answered.insert(id) }
                }
                #expect(daemon.hasFailed)
                daemon.disarm()
                await client.close()
                try await daemon.kill9()
                try await daemon.startAgain()
                try await expect(answered, daemon, "call \(call)")
            }
        }
    }

    private func save(_ id: String, _ client: StoreClient) async throws {
        _ = try await client.saveMessage(NewMessage(id: id, conversation: .sessionID("05fault"), text: "text of \(id)"))
    }

    private func expect(_ answered: Set<String>, _ daemon: TestDaemon, _ comment: Comment) async throws {
        let client = try await daemon.connect()
        let status = try await client.status()
        #expect(status.storeState == .open, "\(comment): \(status.storeStateMessage)")
        // Unacknowledged messages may be there too.
        #expect(try await answered.isSubset(of: client.allMessages("05fault").map(\.id)), comment)
        await client.close()
    }
}
