import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// A disk that is really full: the state directory is on a small file system of its own.
@Suite(.oneAtATime, .enabled(if: SmallDisk.isMountable, "mounting a tmpfs is not permitted here"))
struct DiskFullTests {
    @Test func `on a full disk writes are refused and reads succeed, and writes succeed again once there is space`()
        async throws
    {
        try await withFullDisk { daemon, client, disk, saved in
            try await expectRefusal(client)
            #expect(try await client.status().storeState == .readOnly)
            try await expectAll(saved, client)
            // A delete is first written to the WAL, which has no space except the reserve.
            #expect(try await client.deleteMessages(Array(saved.prefix(3))).deletedCount == 3)
            let left = Array(saved.dropFirst(3))
            try await expectAll(left, client)
            // The delete used the reserve, so its success does not mean that the disk has space for other writes.
            #expect(try await client.status().storeState == .readOnly)
            disk.release()
            try await expectRecovery(client)
            try await expectAll(left, client)
            _ = try await client.gapFreeChanges()
            try await client.expectClean()
            // The log has one line for the whole period, however many writes were rejected.
            let line = /the disk is full: the store accepts only reads and deletions/
            #expect(daemon.log.matches(of: line).count == 1, "\(daemon.log)")
            #expect(daemon.log.matches(of: /the disk has space again/).count == 1, "\(daemon.log)")
            #expect(daemon.log.contains("state_directory=\(daemon.stateDirectory)"), "\(daemon.log)")
        }
    }

    @Test func `a daemon that starts on a full disk serves reads, and writes again once there is space`() async throws {
        try await withFullDisk { daemon, client, disk, saved in
            try await expectRefusal(client)
            await client.close()
            try await daemon.restart()
            let again = try await daemon.connect()
            try await expectAll(saved, again)
            try await expectRefusal(again)
            disk.release()
            try await expectRecovery(again)
            try await expectAll(saved, again)
            try await again.expectClean()
            await again.close()
        }
    }

    private func withFullDisk(
        _ body: (TestDaemon, StoreClient, SmallDisk, [String]) async throws -> Void
    ) async throws {
        let daemon = try TestDaemon.prepare()
        let disk = try SmallDisk(at: daemon.stateDirectory, bytes: 24 << 20)
        try await daemon.startAgain()
        let client = try await daemon.connect()
        var saved: [String] = []
        for number in 0..<30 {
            saved += try await client.saveMessage(Self.message(number)).ids
        }
        try disk.fill()
        // The WAL may still have free space inside, which the next writes use up.
        do {
            for number in 30..<500 {
                saved += try await client.saveMessage(Self.message(number)).ids
            }
            Issue.record("the disk was never full")
        } catch {
            #expect(error.reason == .diskFull, "\(error)")
        }
        try await body(daemon, client, disk, saved)
        await client.close()
        try? await daemon.kill9()
    }

    private static func message(_ number: Int) -> NewMessage {
        NewMessage(
            id: "m\(number)", conversation: .sessionID("05disk"),
            text: "number \(number) " + String(repeating: "x", count: 20_000))
    }

    private func expectRefusal(_ client: StoreClient) async throws {
        for _ in 0..<3 {
            let refused = try await reason { _ = try await client.saveMessage(Self.message(1_000)) }
            #expect(refused == .diskFull)
        }
    }

    private func expectAll(_ saved: [String], _ client: StoreClient) async throws {
        let found = try await client.allMessages("05disk")
        #expect(Set(found.map(\.id)) == Set(saved))
        #expect(found.allSatisfy { $0.text.hasPrefix("number \($0.id.dropFirst()) ") && $0.text.count > 20_000 })
    }

    private func expectRecovery(_ client: StoreClient) async throws {
        try await eventually("the store is open again, without a write") {
            try await client.status().storeState == .open
        }
        _ = try await client.saveContact(ContactUpdate(sessionID: "05recovered"))
        #expect(try await client.status().storeState == .open)
    }
}
