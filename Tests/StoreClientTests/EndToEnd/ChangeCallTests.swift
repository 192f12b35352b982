import GhostTestSupport
import StoreClient
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct ChangeCallTests {
    private func save(_ count: Int, to client: StoreClient, session: String = "05a") async throws {
        for number in 0..<count {
            try await client.saveMessage(NewMessage(conversation: .sessionID(session), text: "\(number)"))
        }
    }

    private func collect(_ stream: ChangeStream, through revision: UInt64) async throws -> [Change] {
        var changes: [Change] = []
        for try await change in stream {
            changes.append(change)
            if change.revision >= revision {
                break
            }
        }
        return changes
    }

    @Test func `changes are listed by revision without gaps`() async throws {
        try await withDaemonAndClient { _, client in
            try await save(5, to: client)
            let all = try await client.changePage(after: 0)
            #expect(all.changes.map(\.revision) == Array(1...all.revision))
            #expect(!all.hasMore)
            let some = try await client.changePage(after: 2, limit: 2)
            #expect(some.changes.map(\.revision) == [3, 4] && some.hasMore)
            #expect(all.changes.contains { $0.kind == .conversation && $0.operation == .created })
            #expect(all.changes.filter { $0.kind == .message && $0.operation == .created }.count == 5)
        }
    }

    @Test func `a watch replays old changes and then returns new ones`() async throws {
        try await withDaemonAndClient { _, client in
            try await save(3, to: client)
            let before = try await client.statistics().revision
            let stream = try await client.watch(after: 0)
            try await save(3, to: client)
            let last = try await client.statistics().revision
            let changes = try await collect(stream, through: last)
            #expect(changes.map(\.revision) == Array(1...last))
            #expect(last > before)
        }
    }

    @Test func `a watch without a revision sees only later changes`() async throws {
        try await withDaemonAndClient { _, client in
            try await save(3, to: client)
            let before = try await client.statistics().revision
            let stream = try await client.watch()
            #expect(stream.startRevision == before)
            try await save(1, to: client)
            let last = try await client.statistics().revision
            #expect(try await collect(stream, through: last).first?.revision == before + 1)
        }
    }

    @Test func `a watch of one conversation or kind sees only its changes`() async throws {
        try await withDaemonAndClient { _, client in
            let conversation = try await client.getOrCreateConversation(sessionID: "05a")
            let one = try await client.watch(after: 0, WatchFilter(conversation: .sessionID("05a")))
            let contacts = try await client.watch(after: 0, WatchFilter(kinds: [.contact]))
            try await save(2, to: client, session: "05b")
            try await save(1, to: client, session: "05a")
            let through = try await client.statistics().revision
            try await client.saveContact(ContactUpdate(sessionID: "05c"))
            let ofOne = try await collect(one, through: through)
            #expect(ofOne.allSatisfy { $0.conversationID == conversation.id })
            #expect(ofOne.contains { $0.kind == .message })
            let ofContacts = try await collect(contacts, through: through + 1)
            #expect(ofContacts.map(\.kind) == [.contact])
        }
    }

    /// The conversation is deleted and created again between two pages of the list.
    @Test func `a list continues with the conversation that had the session id when it began`() async throws {
        try await withDaemonAndClient { _, client in
            let old = try await client.getOrCreateConversation(sessionID: "05a")
            try await save(5, to: client, session: "05a")
            let filter = WatchFilter(conversation: .sessionID("05a"))
            let list = client.changes(after: 0, filter)
            var changes = list.pages(ofAtMost: 2).makeAsyncIterator()
            var messages = client.messages(in: .sessionID("05a"), order: .oldestFirst).pages(ofAtMost: 2)
                .makeAsyncIterator()
            var listed = try await changes.next()?.changes ?? []
            _ = try await messages.next()
            try await client.deleteConversation(.id(old.id))
            let deleted = await #expect(throws: StoreClientError.self) { _ = try await list.collect() }
            #expect(deleted?.reason == .conversationNotFound)
            let new = try await client.getOrCreateConversation(sessionID: "05a")
            try await save(5, to: client, session: "05a")
            while let page = try await changes.next() {
                listed += page.changes
            }
            #expect(listed.count > 6 && listed.allSatisfy { $0.conversationID == old.id })
            let ended = await #expect(throws: StoreClientError.self) { _ = try await messages.next() }
            #expect(ended?.reason == .conversationNotFound)
            let again = try await list.collect()
            #expect(!again.isEmpty && again.allSatisfy { $0.conversationID == new.id })
        }
    }

    @Test func `compacted changes are reported as such, for lists and watches`() async throws {
        try await withDaemonAndClient { _, client in
            try await save(5, to: client)
            #expect(try await client.compactChanges(through: 3) == 3)
            let listed = await #expect(throws: StoreClientError.self) { _ = try await client.changePage(after: 2) }
            #expect(listed?.code == .outOfRange && listed?.reason == .changesCompacted)
            let watched = await #expect(throws: StoreClientError.self) { _ = try await client.watch(after: 0) }
            #expect(watched?.reason == .changesCompacted)
            #expect(try await client.changePage(after: 3).changes.first?.revision == 4)
            #expect(try await client.statistics().compactedThroughRevision == 3)
        }
    }

    @Test func `a watch across kill -9 and a restart loses no change and repeats none`() async throws {
        try await withDaemon { daemon in
            let watcher = try await daemon.connect()
            let writer = try await daemon.connect()
            let stream = try await watcher.watch(after: 0)
            let goal = 300
            let finalRevision = Locked<UInt64?>(nil)
            try await withThrowingTaskGroup(of: [UInt64].self) { group in
                group.addTask {
                    var revisions: [UInt64] = []
                    for try await change in stream {
                        revisions.append(change.revision)
                        if let final = finalRevision.withLock({ $0 }), change.revision >= final {
                            break
                        }
                    }
                    return revisions
                }
                for number in 1...goal {
                    try await writer.saveMessage(NewMessage(conversation: .sessionID("05a"), text: "\(number)"))
                    if number % 100 == 0 {
                        try await daemon.restart()
                    }
                }
                // One more change, so that the watcher receives a change after the test knows the last revision.
                let last = try await writer.statistics().revision
                finalRevision.withLock { $0 = last + 1 }
                try await writer.saveMessage(NewMessage(conversation: .sessionID("05a"), text: "last"))
                let revisions = try #require(try await group.next())
                #expect(revisions == Array(1...(last + 1)))
            }
            #expect(try await writer.statistics().messageCount == goal + 1)
            await watcher.close()
            await writer.close()
        }
    }

    @Test func `a watcher that is far slower than the writers loses no change`() async throws {
        var configuration = ClientConfiguration()
        configuration.watchBufferChangesMax = 10
        try await withDaemonAndClient(configuration: configuration) { daemon, client in
            let stream = try await client.watch(after: 0)
            let writer = try await daemon.connect()
            for _ in 0..<8 {
                try await writer.saveMessages(
                    (0..<250).map { NewMessage(conversation: .sessionID("05a"), text: "\($0)") })
            }
            try await save(50, to: writer)
            try await Task.sleep(for: .milliseconds(200))
            let last = try await writer.statistics().revision
            let changes = try await collect(stream, through: last)
            #expect(changes.map(\.revision) == Array(1...last))
            await writer.close()
        }
    }
}
