import GhostTestSupport
import Glibc
import StoreClient
import Testing

/// One flipped bit in a page that is not read when the store opens.
@Suite(.oneAtATime) struct DamagedPageTests {
    private static let bystanders = (0..<40).map { "bystander-\($0)" }

    @Test func `a read of the damaged page fails, and from then on writes are refused and other reads succeed`()
        async throws
    {
        try await withDamagedStore { client in
            #expect(try await client.status().storeState == .open)
            let met = try await reason { _ = try await client.message("victim") }
            #expect(met?.rawValue == "DATABASE_DAMAGED")
            try await expectReadOnly(client)
        }
    }

    @Test func `the check finds the page, and writes are refused from then on`() async throws {
        try await withDamagedStore { client in
            let report = try await client.checkStore()
            #expect(!report.isClean)
            #expect(!report.findings.isEmpty)
            try await expectReadOnly(client)
        }
    }

    /// The test kills the daemon and deletes the WAL. A replay of the journal then has to change the damaged page,
    /// because the pages of `store.db` lack the last changes.
    @Test func `if a replay has to change a damaged page, the store refuses writes until the page is whole again`()
        async throws
    {
        try await withDaemonAndClient { daemon, client in
            try await saveBystanders(client)
            try await set([UInt8](repeating: 7, count: 1 << 19), client)
            await client.close()
            try await daemon.terminate()
            try await daemon.startAgain()
            var again = try await daemon.connect()
            try await set([1], again)
            let revision = try await again.changePage(after: 0).revision
            await again.close()
            try await daemon.kill9()
            unlink(daemon.databasePath + "-wal")
            let place = StateFiles.size(daemon.databasePath) / 2
            try StateFiles.damage(daemon.databasePath, at: place)
            let journal = StateFiles(daemon.stateDirectory + "/journal")

            try await daemon.startAgain()
            again = try await daemon.connect()
            #expect(try await again.status().storeState == .databaseDamaged)
            try await expectReadOnly(again)
            // A client that has seen the changes in the journal must get DATABASE_DAMAGED, and not an error that says
            // that the store is older.
            let listed = try await reason { _ = try await again.changePage(after: revision) }
            let watched = try await reason { for try await _ in try await again.watch(after: revision) {} }
            let archived = try await reason { _ = try await again.beginArchive(sinceRevision: revision) }
            for met in [listed, watched, archived] {
                #expect(met?.rawValue == "DATABASE_DAMAGED")
            }
            #expect(try await reason { _ = try await again.createBackup() }?.rawValue == "DATABASE_DAMAGED")
            await again.close()
            try await daemon.terminate()
            #expect(StateFiles(daemon.stateDirectory + "/journal") == journal)

            try StateFiles.damage(daemon.databasePath, at: place)
            try await daemon.startAgain()
            again = try await daemon.connect()
            #expect(try await again.status().storeState == .open)
            #expect(try await again.sceneValues("any").map(\.value) == [.data([1])])
            try await again.expectClean()
            await again.close()
        }
    }

    private func set(_ bytes: [UInt8], _ client: StoreClient) async throws {
        try await client.setGlobalSceneValues([.set("key", .data(bytes))])
    }

    private func expectReadOnly(_ client: StoreClient) async throws {
        let write = try await reason {
            _ = try await client.saveMessage(NewMessage(conversation: .sessionID("05bystander"), text: "more"))
        }
        #expect(write?.rawValue == "DATABASE_DAMAGED")
        for id in Self.bystanders {
            #expect(try await client.message(id).text == "text of \(id)")
        }
        // The list of 20 messages ends before the last message of the conversation. A list that reaches the end could
        // also read the row after the conversation, which is the damaged one.
        let page = try await client.messagePage(
            MessageQuery(conversation: .sessionID("05bystander"), limit: 20, order: .oldestFirst))
        #expect(page.messages.map(\.id) == Array(Self.bystanders.prefix(20)))
        #expect(try await client.status().storeState == .databaseDamaged)
    }

    private func saveBystanders(_ client: StoreClient) async throws {
        for (number, id) in Self.bystanders.enumerated() {
            _ = try await client.saveMessage(
                NewMessage(
                    id: id, conversation: .sessionID("05bystander"), text: "text of \(id)",
                    timestamp: Timestamp(microseconds: Int64(number + 1))))
        }
    }

    /// Runs `body` with a store in whose middle is one very long text, with one bit of that text flipped.
    private func withDamagedStore(_ body: (StoreClient) async throws -> Void) async throws {
        try await withDaemonAndClient { daemon, client in
            try await saveBystanders(client)
            let long = String(repeating: "v", count: 1 << 20)
            _ = try await client.saveMessage(
                NewMessage(id: "victim", conversation: .sessionID("05victim"), text: long))
            await client.close()
            try await daemon.terminate()
            try StateFiles.damage(daemon.databasePath, at: StateFiles.size(daemon.databasePath) / 2)
            try await daemon.startAgain()
            let again = try await daemon.connect()
            try await body(again)
            await again.close()
            #expect(daemon.child?.isRunning == true)
        }
    }
}
