import FoundationEssentials
import GhostTestSupport
import Glibc
import StoreClient
import TestBasics
import Testing

/// Nothing that was saved can be read from the disk without the key.
@Suite(.oneAtATime) struct SecrecyTests {
    private let plaintexts = Plaintexts()

    @Test func `no file of the store, no temporary file and no log line contains a plaintext`() async throws {
        let daemon = try TestDaemon.prepare()
        var options = TestDaemonOptions()
        options.logLevel = "trace"
        options.environment["TMPDIR"] = daemon.directory.file("tmp")
        options.environment["SQLITE_TMPDIR"] = daemon.directory.file("tmp")
        #expect(mkdir(daemon.directory.file("tmp"), 0o700) == 0)
        try await daemon.startAgain(options)
        let client = try await daemon.connect()
        try await plaintexts.save(client)
        try await plaintexts.saveMuch(client)
        let live = expectNone(daemon, "while the store is open")
        #expect(live.contents.keys.contains { $0.hasSuffix("-wal") }, "the WAL was not looked at")
        try await rotate(client) { expectNone(daemon, "during the rotation") }
        expectNone(daemon, "after the rotation")
        let backup = try await client.createBackup()
        let backedUp = expectNone(daemon, "after the backup")
        let largest = backedUp.contents.filter { $0.key.contains(backup.name) }.values.map(\.count).max() ?? 0
        #expect(largest > 1 << 20, "the backup was not looked at")
        await client.close()
        try await daemon.kill9()
        expectNone(daemon, "after kill -9")
        try await daemon.startAgain(options)
        let again = try await daemon.connect()
        #expect(try await again.message(plaintexts.messageID).text == plaintexts.editedText)
        await again.close()
        try await daemon.terminate()
        expectNone(daemon, "after a graceful stop")
    }

    @Test func `the search finds a plaintext that exists`() async throws {
        try await withDaemonAndClient { daemon, client in
            try await plaintexts.save(client)
            try daemon.directory.write(Array("....\(plaintexts.text)....".utf8), to: "state/planted")
            #expect(StateFiles(daemon.stateDirectory).files(holding: plaintexts.text) == ["planted"])
        }
    }

    @Test func `the key that opens the store is in none of its files`() async throws {
        try await withDaemonAndClient { daemon, client in
            try await plaintexts.save(client)
            let key = [UInt8](try #require(FileManager.default.contents(atPath: daemon.keyFilePath)))
            let files = StateFiles(daemon.stateDirectory)
            #expect(files.contents.keys.contains("keyring"))
            #expect(files.files(holding: Array(key.prefix(16))) == [])
        }
    }

    /// Rotates the master key, and runs the body while the database is being rewritten.
    private func rotate(_ client: StoreClient, meanwhile: () -> Void) async throws {
        let (steps, step) = AsyncStream.makeStream(of: Void.self)
        let rotation = Task {
            defer { step.finish() }
            return try await client.rotateMasterKey { _ in step.yield() }
        }
        for await _ in steps {
            meanwhile()
            break
        }
        #expect(try await rotation.value == 1)
    }

    /// Expects that no file written by the daemon contains a plaintext.
    @discardableResult
    private func expectNone(_ daemon: TestDaemon, _ moment: Comment) -> StateFiles {
        let files = StateFiles(daemon.directory.path).without("key", "socket")
        #expect(files.contents.keys.contains("state/store.db"))
        for plaintext in plaintexts.all {
            #expect(files.files(holding: plaintext) == [], moment)
        }
        return files
    }
}
