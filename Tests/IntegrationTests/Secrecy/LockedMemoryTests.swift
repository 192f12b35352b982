import GhostTestSupport
import StoreClient
import Testing

/// Searches the daemon's memory for messages after the store was locked.
@Suite(.oneAtATime) struct LockedMemoryTests {
    private static let mark = UInt64.random(in: .min ... .max)
    private static let marked = Array("of the marked kind \(mark)".utf8)

    @Test func `after a lock the memory contains almost no text that was saved or read`() async throws {
        try await withDaemonAndClient { daemon, client in
            try await saveAndRead(client)
            let open = try copies(daemon)
            #expect(open > 50, "the scan looks at the wrong memory")
            try await client.lock()
            let locked = try copies(daemon)
            #expect(locked <= 5, "\(open) while the store was open")
        }
    }

    private func saveAndRead(_ client: StoreClient) async throws {
        for number in 0..<50 {
            _ = try await client.saveMessage(
                NewMessage(
                    id: "m\(number)", conversation: .sessionID("05s"),
                    text: "text \(number) " + String(decoding: Self.marked, as: UTF8.self),
                    timestamp: Timestamp(microseconds: Int64(number + 1))))
        }
        for number in 0..<50 {
            _ = try await client.message("m\(number)")
        }
        #expect(try await client.allMessages("05s").count == 50)
        _ = try await client.createBackup()
    }

    private func copies(_ daemon: TestDaemon) throws -> Int {
        let id = try #require(daemon.processID)
        return try ProcessMemory(processID: id).count(of: Self.marked)
    }
}
