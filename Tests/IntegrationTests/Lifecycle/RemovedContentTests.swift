import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// Deleted data leaves the disk, even if the daemon is killed in between.
@Suite(.oneAtATime) struct RemovedContentTests {
    @Test func `a WAL left by kill -9 after a delete is emptied soon after the next start`() async throws {
        try await withDaemonAndClient { daemon, client in
            let log = "\(daemon.databasePath)-wal"
            try await saveAndDelete(client)
            try await daemon.kill9()
            #expect(StateFiles.size(log) > 0)
            try await daemon.startAgain()
            try await eventually("the WAL is empty") { StateFiles.size(log) == 0 }
        }
    }

    @Test(arguments: [false, true])
    func `journal segments with deleted data lose their salts`(isKilled: Bool) async throws {
        try await withDaemonAndClient { daemon, client in
            try await saveAndDelete(client)
            if isKilled {
                try await daemon.kill9()
            }
            let before = salts(daemon)
            #expect(!before.isEmpty)
            if isKilled {
                try await daemon.startAgain()
            }
            try await eventually("their salts are gone") { before.isDisjoint(with: salts(daemon)) }
        }
    }

    @Test func `after a kill between emptying the WAL and the journal, the next start empties the journal`()
        async throws
    {
        try await withDaemon { daemon in
            try await daemon.terminate()
            // The first `ftruncate` shortens the database file, the second empties the WAL.
            let child = try await daemon.launch(
                with: Fault(function: "ftruncate", call: 2, effect: .killsBehind))
            try #require(try await daemon.answers(child))
            let client = try await daemon.connect()
            try daemon.arm()
            try await saveAndDelete(client)
            _ = try await child.wait(within: .seconds(20))
            await client.close()
            try await daemon.kill9()
            try #require(daemon.hasFailed)
            let before = salts(daemon)
            #expect(!before.isEmpty && StateFiles.size(daemon.databasePath + "-wal") == 0)
            try await daemon.startAgain()
            try await eventually("their salts are gone") { before.isDisjoint(with: salts(daemon)) }
        }
    }

    private func saveAndDelete(_ client: StoreClient) async throws {
        _ = try await client.saveMessage(
            NewMessage(
                id: "gone", conversation: .sessionID("05gone"), text: String(repeating: "secret ", count: 1_000)))
        #expect(try await client.deleteMessages(["gone"]).deletedCount == 1)
    }

    @Test func `the file of an unfinished segment counts as having no salt`() throws {
        let folder = try TemporaryDirectory()
        let salt = [UInt8](repeating: 7, count: 32)
        for (number, bytes) in [[], [1], [UInt8](repeating: 0, count: 4_096)].enumerated() {
            _ = try folder.write(bytes, to: "\(number)")
            #expect(salts(in: folder.path) == [])
        }
        _ = try folder.write([UInt8](repeating: 1, count: 80) + salt + [2, 3], to: "3")
        #expect(salts(in: folder.path) == [salt])
    }

    private func salts(_ daemon: TestDaemon) -> Set<[UInt8]> {
        salts(in: daemon.stateDirectory + "/journal")
    }

    /// Returns the salts of all journal segments, at the offset given in proto-docs/JOURNAL.md. A segment that the
    /// daemon is just creating may be shorter than a header.
    private func salts(in folder: String) -> Set<[UInt8]> {
        let files = StateFiles(folder).contents.values
        return Set(files.map { Array($0.dropFirst(80).prefix(32)) }.filter { $0.contains { $0 != 0 } })
    }
}
