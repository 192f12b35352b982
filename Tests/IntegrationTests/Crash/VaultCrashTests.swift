import GhostTestSupport
import StoreBasics
import StoreClient
import TestBasics
import Testing

/// kill -9 at random moments under clients that write, write over, append to and delete files of all sizes, and save
/// and delete messages with attachments. CRASH_ROUNDS kills (2) of one store, seeded by CRASH_SEED.
@Suite(.oneAtATime) struct VaultCrashTests {
    private static let writerCount = 3
    private static let sizes = [0, 100, 60_000, 70_000, 200_000, 1_200_000]

    /// What one writer was answered. What it had not been answered when the daemon was killed may be done or not.
    private struct Ledger: Sendable {
        /// `nil`: it was deleted.
        var files: [VaultPath: [UInt8]?] = [:]
        /// What each message has attached; `nil`: it was deleted.
        var messages: [String: [UInt8]?] = [:]
        var answered = 0
    }

    @Test func `files and attachments that were answered are whole after kill -9, and nothing else is left`()
        async throws
    {
        let rounds = Settings.number("CRASH_ROUNDS", default: 2)
        var generator = SplitMix(seed: Settings.seed("CRASH_SEED"))
        try await withDaemon { daemon in
            var answered = 0
            for round in 0..<rounds {
                let delay = Duration.milliseconds(Int.random(in: 200...1_200, using: &generator))
                let seed = UInt64.random(in: 0...UInt64.max, using: &generator)
                let ledgers = try await writeAndKill(daemon, round: round, seed: seed, after: delay)
                try await daemon.startAgain()
                let client = try await daemon.connect()
                for ledger in ledgers {
                    try await expect(ledger, client)
                    answered += ledger.answered
                }
                try await client.expectClean()
                try await expectNoOrphans(daemon, client)
                await client.close()
            }
            #expect(answered > 10 * rounds, "hardly anything was written: the kills came too early to show anything")
        }
    }

    private func expect(_ ledger: Ledger, _ client: StoreClient) async throws {
        for (path, bytes) in ledger.files {
            let read = try? await client.readFile(at: path)
            #expect(read == bytes, "\(path): \(read?.count ?? -1) bytes, not \(bytes?.count ?? -1)")
        }
        for (id, bytes) in ledger.messages {
            let read = try? await client.readAttachment(of: id, at: 0)
            #expect(read == bytes, "\(id): \(read?.count ?? -1) bytes, not \(bytes?.count ?? -1)")
        }
    }

    /// The folder of the vault has a file for each content that is too large for the database, and no other, once what
    /// a crash has left is erased.
    private func expectNoOrphans(_ daemon: TestDaemon, _ client: StoreClient) async throws {
        let inlineBytesMax: UInt64 = 65_536
        var expected = 0
        for try await directory in client.vaultItems(in: VaultPath(.document)) {
            for try await item in client.vaultItems(in: VaultPath(.document, directory.name)) {
                expected += item.contentBytes > inlineBytesMax ? 1 : 0
            }
        }
        // Those of messages are all large, and so are those that were written for one and not saved with it.
        expected += try await client.attachmentUsage().storedCount
        let folder = daemon.stateDirectory + "/vault"
        try await eventually("the vault has \(expected) files") { StateFiles(folder).contents.count == expected }
    }

    private func writeAndKill(
        _ daemon: TestDaemon, round: Int, seed: UInt64, after delay: Duration
    ) async throws -> [Ledger] {
        // Who is killed is not waited for.
        var configuration = ClientConfiguration()
        configuration.callDeadline = .seconds(2)
        var clients: [StoreClient] = []
        for _ in 0..<Self.writerCount {
            clients.append(try await daemon.connect(configuration: configuration))
        }
        return try await withThrowingTaskGroup(of: Ledger.self) { group in
            for (number, client) in clients.enumerated() {
                group.addTask {
                    await Self.write(client, name: "r\(round)w\(number)", seed: seed &+ UInt64(number))
                }
            }
            try await Task.sleep(for: delay)
            try await daemon.kill9()
            let ledgers = try await group.reduce(into: []) { $0.append($1) }
            for client in clients {
                await client.close()
            }
            return ledgers
        }
    }

    /// Until the daemon answers no more.
    private static func write(_ client: StoreClient, name: String, seed: UInt64) async -> Ledger {
        var ledger = Ledger()
        var random = SplitMix(seed: seed)
        for number in 0... {
            let path = VaultPath(.document, "\(name)/\(Int.random(in: 0..<6, using: &random))")
            let bytes = random.bytes(sizes[Int.random(in: 0..<sizes.count, using: &random)])
            let before = ledger.files[path] ?? nil
            do {
                switch Int.random(in: 0..<5, using: &random) {
                case 0:
                    let id = "\(name)m\(number)"
                    let content = random.bytes(70_000 + number)
                    try await save(id, content, &ledger, client)
                    if number % 3 == 0 {
                        ledger.messages[id] = nil
                        try await client.deleteMessages([id])
                        ledger.messages[id] = .some(nil)
                    }
                case 1 where before != nil:
                    ledger.files[path] = nil
                    try await client.deleteFile(at: path)
                    ledger.files[path] = .some(nil)
                case 2 where before != nil:
                    ledger.files[path] = nil
                    try await client.appendFile(bytes, at: path)
                    ledger.files[path] = (before ?? []) + bytes
                case 3 where (before?.count ?? 0) > bytes.count:
                    ledger.files[path] = nil
                    var writer = try await client.beginFileWrite(at: path, .offset(7))
                    try await writer.write(bytes)
                    try await writer.finish()
                    let old = before ?? []
                    ledger.files[path] = Array(old.prefix(7)) + bytes + Array(old.dropFirst(7 + bytes.count))
                default:
                    ledger.files[path] = nil
                    try await client.saveFile(bytes, at: path, createsParents: true)
                    ledger.files[path] = bytes
                }
                ledger.answered += 1
            } catch {
                return ledger
            }
        }
        return ledger
    }

    private static func save(
        _ id: String, _ content: [UInt8], _ ledger: inout Ledger, _ client: StoreClient
    ) async throws {
        let attachment = NewAttachment(.bytes(content), name: "content", mimeType: "application/octet-stream")
        try await client.saveMessage(
            NewMessage(id: id, conversation: .sessionID("alice"), text: "text", attachments: [attachment]))
        ledger.messages[id] = content
    }
}
