import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(2))) struct HistoryCallTests {
    private func save(_ client: StoreClient, _ count: Int = 1) async throws {
        for _ in 0..<count {
            try await client.saveMessage(NewMessage(conversation: .sessionID("05a"), text: "t"))
        }
    }

    private func reason(_ body: () async throws -> Void) async -> StoreClientError.Reason? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? StoreClientError)?.reason
        }
    }

    @Test func `a watch continues from a stored history and revision`() async throws {
        try await withDaemonAndClient { daemon, client in
            try await save(client, 2)
            let backup = try await client.createBackup()
            try await save(client, 3)
            let stream = try await client.watch(after: 0)
            var seen: UInt64 = 0
            for try await change in stream {
                seen = change.revision
                if seen == 6 { break }
            }
            let history = try #require(stream.historyID)
            #expect(try await client.status().historyID == history)
            #expect(try await client.hello().historyID == history)
            try await daemon.restart()
            _ = try await client.watch(after: seen, of: history)
            let position = stream.position
            #expect(position == StorePosition(revision: seen, historyID: history))
            _ = try await client.watch(after: position, WatchFilter(kinds: [.message]))

            _ = try await client.restoreBackup(backup.name, replaceExisting: true)
            try await save(client, 8)
            #expect(await reason { _ = try await client.watch(after: seen, of: history) } == .historyChanged)
            #expect(await reason { _ = try await client.watch(after: position) } == .historyChanged)
            let about = client.with(history: history)
            #expect(await reason { _ = try await about.watch(after: seen) } == .historyChanged)
            #expect(await reason { try await save(about) } == .historyChanged)
            #expect(await reason { _ = try await about.changes(after: seen).collect() } == .historyChanged)
            #expect(await reason { for try await _ in stream {} } == .historyChanged)
            let now = try await client.status()
            #expect(now.revision == 11 && now.historyID != history)
            try await save(client.with(history: now.historyID))
        }
    }

    /// The watch loses its connection before the restore, and reconnects after it.
    @Test func `a watch and a follower that were disconnected during a restore end with an error that says so`()
        async throws
    {
        try await withDaemon { daemon in
            let client = try await daemon.connect()
            let proxy = try FaultyProxy.start(target: daemon.socketPath, seed: 1)
            var configuration = ClientConfiguration()
            configuration.reconnectDelayMin = .milliseconds(1)
            let away = try await StoreClient.connect(to: proxy.socketPath, configuration: configuration)
            try await client.openLog("events", LogConfiguration(maximumBytes: 1_000, overwritesOldest: false))
            try await client.append([[1]], toLog: "events")
            let backup = try await client.createBackup()
            try await save(client, 3)
            try await client.append([[2], [3]], toLog: "events")
            let stream = try await away.watch(after: 0)
            var changes = stream.makeAsyncIterator()
            for _ in 0..<5 { _ = try await changes.next() }
            var entries = away.followLog("events").makeAsyncIterator()
            for _ in 0..<3 { _ = try await entries.next() }
            #expect(entries.identity?.historyID == stream.historyID)

            proxy.hold(true)
            proxy.dropConnections()
            _ = try await client.restoreBackup(backup.name, replaceExisting: true)
            try await save(client, 10)
            try await client.append([[4], [5], [6], [7]], toLog: "events")
            proxy.hold(false)
            #expect(await reason { _ = try await changes.next() } == .historyChanged)
            #expect(await reason { _ = try await entries.next() } == .historyChanged)
            await away.close()
            await proxy.stop()
            await client.close()
        }
    }

    @Test func `a follower does not continue in another log of the same name`() async throws {
        try await withDaemonAndClient { _, client in
            let configuration = LogConfiguration(maximumBytes: 1_000, overwritesOldest: false)
            try await client.openLog("events", configuration)
            try await client.append([[1], [2]], toLog: "events")
            let page = try await client.logEntryPage("events")
            let identity = try #require(page.identity)
            #expect(identity.createdRevision == page.log.createdRevision && identity.createdRevision == 1)
            var entries = client.followLog("events", after: 1, of: identity).makeAsyncIterator()
            #expect(try await entries.next()?.data == [2])
            try await client.deleteLog("events")
            try await client.openLog("events", configuration)
            try await client.append([[3], [4], [5]], toLog: "events")
            #expect(await reason { _ = try await entries.next() } == .logNotFound)
            #expect(await reason { _ = try await client.logEntryPage("events", of: identity) } == .logNotFound)
            #expect(try await client.logEntries("events").collect().count == 3)
        }
    }

    @Test func `compare-and-set continues with the revision that the commit returned`() async throws {
        try await withDaemonAndClient { _, client in
            var condition = SceneCondition.absent("k")
            for number in 0..<20 {
                let commit = try await client.setSceneValues(
                    "main", [.set("k", .integer(Int64(number)))], conditions: [condition])
                condition = .revision("k", try #require(commit.valueRevisions.first))
            }
            let page = try await client.sceneEntryPage("main")
            #expect(page.entries.first?.value == .integer(19))
            #expect(condition == .revision("k", try #require(page.entries.first?.revision)))
            #expect(try await client.status().historyID == page.historyID)
        }
    }

    @Test(arguments: [false, true])
    func `a restore between two pages ends a list of a scene's keys`(keysOnly: Bool) async throws {
        try await withDaemonAndClient { _, client in
            for start in stride(from: 0, to: 1_500, by: 250) {
                try await client.setSceneValues(
                    "main", (start..<(start + 250)).map { .set("k\($0)", .integer(Int64($0))) })
            }
            let backup = try await client.createBackup()
            var pages = client.sceneEntries("main", keysOnly: keysOnly).pages.makeAsyncIterator()
            #expect(try await pages.next()?.entries.count == 1_000)
            _ = try await client.restoreBackup(backup.name, replaceExisting: true)
            #expect(await reason { _ = try await pages.next() } == .historyChanged)
            #expect(try await client.sceneEntries("main", keysOnly: keysOnly).collect().count == 1_500)
            #expect(try await client.sceneValues("main").count == 1_500)
        }
    }

    @Test func `a list of changes accepts the filters of a watch, including session ids`() async throws {
        try await withDaemonAndClient { _, client in
            try await save(client, 3)
            try await client.saveMessage(NewMessage(conversation: .sessionID("05b"), text: "t"))
            try await client.saveContact(ContactUpdate(sessionID: "05c"))
            let ofOne = try await client.changes(WatchFilter(conversation: .sessionID("05b"))).collect()
            #expect(ofOne.map(\.kind) == [.conversation, .message])
            let contacts = try await client.changePage(after: 0, WatchFilter(kinds: [.contact]))
            #expect(contacts.changes.map(\.revision) == [7] && contacts.throughRevision == 7 && !contacts.hasMore)
            #expect(
                await reason { _ = try await client.watch(WatchFilter(conversation: .sessionID("05z"))) }
                    == .conversationNotFound)
        }
    }

    @Test func `a filtered stream's revision advances even if no change matches`() async throws {
        try await withDaemonAndClient { _, client in
            let stream = try await client.watch(WatchFilter(kinds: [.contact]))
            try await save(client, 3)
            try await client.compactChanges(through: 4)
            try await eventually("the stream stands at the compaction") { stream.revision == 4 }
            _ = try await client.watch(after: stream.revision, of: stream.historyID, WatchFilter(kinds: [.contact]))
        }
    }
}
