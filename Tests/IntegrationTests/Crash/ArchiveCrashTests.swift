import GhostTestSupport
import StoreBasics
import StoreClient
import TestBasics
import Testing

/// Interrupts restores: ARCHIVE_ROUNDS kills, seeded by CRASH_SEED.
@Suite(.oneAtATime) struct ArchiveCrashTests {
    private static let pieceBytes = 64 << 10

    @Test func `a restore that is killed and repeated gives the same store`() async throws {
        var generator = SplitMix(seed: Settings.seed("CRASH_SEED"))
        try await withDaemonAndClient { _, source in
            try await fill(source)
            let archive = try await source.archive()
            let pieceCount = archive.count / Self.pieceBytes
            try await withDaemon { daemon in
                for _ in 0..<Settings.number("ARCHIVE_ROUNDS", default: TestTier.count(2, long: 20)) {
                    // The time for which a call waits if it starts while no daemon listens.
                    var configuration = ClientConfiguration()
                    configuration.callDeadline = .seconds(2)
                    let client = try await daemon.connect(configuration: configuration)
                    let pieces = Int.random(in: 1...pieceCount, using: &generator)
                    async let sent: Void = send(pieces, of: archive, to: client)
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...60, using: &generator)))
                    try await daemon.kill9()
                    try await sent
                    await client.close()
                    try await daemon.startAgain()
                }
                let client = try await daemon.connect()
                let report = try await client.restore(archive)
                #expect(report.kept == ArchiveCounts())
                try await client.expectClean()
                let back = try await source.restore(try await client.archive())
                #expect(back.equal == report.counts)
                #expect(back.counts == report.counts)
                await client.close()
            }
        }
    }

    @Test(.enabled(if: SmallDisk.isMountable, "mounting a tmpfs is not permitted here"))
    func `a restore that fills the disk is refused, and succeeds when repeated with enough space`() async throws {
        try await withDaemonAndClient { _, source in
            try await fill(source)
            let archive = try await source.archive()
            let daemon = try TestDaemon.prepare()
            let disk = try SmallDisk(at: daemon.stateDirectory, bytes: 24 << 20)
            try await daemon.startAgain()
            let client = try await daemon.connect()
            try disk.fill()
            let refused = try await reason { _ = try await client.restore(archive) }
            #expect(refused == .diskFull)
            disk.release()
            // The first restores may still be refused: the daemon writes pages of requests that it acknowledged
            // earlier, and may only then find that the disk is full.
            try await eventually("the restore finds room, without another write") {
                try await reason { _ = try await client.restore(archive) } != .diskFull
            }
            let report = try await client.restore(archive)
            #expect(report.kept == ArchiveCounts() && report.equal == report.counts)
            try await client.expectClean()
            await client.close()
            try? await daemon.kill9()
        }
    }

    private func fill(_ client: StoreClient) async throws {
        for batch in 0..<6 {
            let content = [UInt8](repeating: UInt8(batch), count: 1 + batch * 40_000)
            let digest = try await client.writeAttachment(content)
            let messages = (0..<100).map { number in
                NewMessage(
                    id: "m-\(batch)-\(number)", conversation: .sessionID("05archive\(batch % 3)"),
                    text: "\(batch) \(number) " + String(repeating: "x", count: 2_000),
                    attachments: number % 10 == 0 ? [NewAttachment(.digest(digest), mimeType: "image/png")] : [])
            }
            _ = try await client.saveMessages(messages)
        }
        _ = try await client.saveContact(ContactUpdate(sessionID: "05contact"))
        for number in 0..<8 {
            let content = [UInt8](repeating: UInt8(number), count: number * 90_000)
            try await client.saveFile(
                content, at: VaultPath(.document, "folder/\(number)"), createsParents: true)
        }
    }

    /// Sends up to `pieces` pieces, or as many as succeed before the daemon ends.
    private func send(_ pieces: Int, of archive: [UInt8], to client: StoreClient) async throws {
        do throws(StoreClientError) {
            let session = try await client.beginArchiveRestore(.merge)
            for start in stride(from: 0, to: pieces * Self.pieceBytes, by: Self.pieceBytes) {
                try await client.writeArchiveRestore(
                    session, offset: UInt64(start), data: Array(archive[start..<(start + Self.pieceBytes)]))
            }
        } catch {
            #expect([.connectionLost, .daemonUnreachable, .deadlineExceeded].contains(error.reason), "\(error)")
        }
    }
}
