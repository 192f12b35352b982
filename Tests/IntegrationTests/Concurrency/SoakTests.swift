import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// Two clients write and three clients read for SOAK_SECONDS.
@Suite(.oneAtATime) struct SoakTests {
    private static let writerCount = 2
    private static let readerCount = 3

    @Test func `clients that write and read at the same time see no error, and all counts are right`() async throws {
        let duration = Duration.seconds(Settings.number("SOAK_SECONDS", default: TestTier.count(1, long: 10)))
        try await withDaemonAndClient { daemon, client in
            let end = ContinuousClock.now + duration
            let readCount = try await withThrowingTaskGroup(of: Int.self) { readers in
                for _ in 0..<Self.readerCount {
                    readers.addTask { try await read(daemon, until: end) }
                }
                let written = try await write(daemon, until: end)
                try await expect(written, client)
                return try await readers.reduce(0, +)
            }
            #expect(readCount > 100)
            _ = try await client.gapFreeChanges()
            try await client.expectClean()
            #expect(!daemon.log.contains(/database is locked|SQLITE_BUSY/))
        }
    }

    /// The totals that the writers have successfully saved.
    private struct Written {
        var messages = 0
        var unread = 0
        var contacts = 0
    }

    private func write(_ daemon: TestDaemon, until end: ContinuousClock.Instant) async throws -> [Written] {
        try await withThrowingTaskGroup(of: Written.self) { writers in
            for number in 0..<Self.writerCount {
                writers.addTask { try await write(daemon, number: number, until: end) }
            }
            return try await writers.reduce(into: []) { $0.append($1) }
        }
    }

    private func write(
        _ daemon: TestDaemon, number: Int, until end: ContinuousClock.Instant
    ) async throws -> Written {
        let client = try await daemon.connect()
        let conversation = ConversationReference.sessionID("05soak\(number)")
        var written = Written()
        while ContinuousClock.now < end {
            let one = try await client.saveMessage(NewMessage(conversation: conversation, text: "one of \(number)"))
            let many = try await client.saveMessages(
                (0..<20).map { NewMessage(conversation: conversation, text: "\($0) of many", isOutgoing: true) })
            _ = try await client.editMessage(many.ids[0], text: "edited")
            _ = try await client.deleteMessages(Array(many.ids.suffix(5)))
            _ = try await client.updateMessageStatus(Array(many.ids.prefix(5)), to: .delivered)
            if written.messages.isMultiple(of: 3) {
                _ = try await client.markMessagesRead(one.ids)
            } else {
                written.unread += 1
            }
            _ = try await client.saveContact(
                ContactUpdate(sessionID: "05contact\(number)-\(written.contacts)", notes: .set("met")))
            written.messages += 16
            written.contacts += 1
        }
        await client.close()
        return written
    }

    /// Reads pages and single rows in turn until `end`, and longer if fewer than 40 reads were made by then, as on a
    /// slow machine.
    ///
    /// - Returns: the number of reads.
    private func read(_ daemon: TestDaemon, until end: ContinuousClock.Instant) async throws -> Int {
        let client = try await daemon.connect()
        var count = 0
        var revision: UInt64 = 0
        while ContinuousClock.now < end || count < 40 {
            for conversation in try await client.conversationPage().conversations {
                let query = MessageQuery(conversation: .id(conversation.id), limit: 1_000)
                let page = try await client.messagePage(query)
                if let newest = page.messages.first, !newest.text.hasSuffix("many") {
                    _ = try await client.message(newest.id)
                }
            }
            _ = try await client.contactPage()
            _ = try await client.changePage(after: 0, limit: 5_000)
            let statistics = try await client.statistics()
            #expect(statistics.revision >= revision)
            revision = statistics.revision
            count += 5
        }
        await client.close()
        return count
    }

    private func expect(_ written: [Written], _ client: StoreClient) async throws {
        let statistics = try await client.statistics()
        #expect(statistics.messageCount == written.map(\.messages).reduce(0, +))
        #expect(statistics.unreadCount == written.map(\.unread).reduce(0, +))
        #expect(statistics.contactCount == written.map(\.contacts).reduce(0, +))
        #expect(statistics.conversationCount == Self.writerCount)
        for number in written.indices {
            let conversation = try await client.conversation(.sessionID("05soak\(number)"))
            let messages = try await client.allMessages("05soak\(number)")
            #expect(conversation.messageCount == messages.count)
            #expect(conversation.unreadCount == messages.count { !$0.isOutgoing && !$0.isRead })
        }
    }
}
