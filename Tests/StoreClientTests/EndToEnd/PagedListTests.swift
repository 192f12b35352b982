import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct PagedListTests {
    private let conversation = ConversationReference.sessionID("05a")

    private func save(_ count: Int, _ client: StoreClient) async throws {
        for start in stride(from: 0, to: count, by: 250) {
            try await client.saveMessages(
                (start..<min(start + 250, count)).map { number in
                    NewMessage(
                        id: "m\(number)", conversation: conversation, text: "\(number)",
                        timestamp: Timestamp(microseconds: Int64(number) + 1))
                })
        }
    }

    @Test func `a list longer than its pages is iterated to its end, in both orders`() async throws {
        try await withDaemonAndClient { _, client in
            try await save(1_250, client)
            var newest: [String] = []
            for try await message in client.messages(in: conversation) {
                newest.append(message.id)
            }
            let isComplete = newest == (0..<1_250).reversed().map { "m\($0)" }
            #expect(isComplete)
            let oldest = client.messages(in: conversation, order: .oldestFirst)
            let isReversed = try await oldest.collect().map(\.id) == newest.reversed()
            #expect(isReversed)
            // Each iteration requests the list again.
            try await client.deleteMessages(["m0"])
            #expect(try await oldest.collect().first?.id == "m1")
        }
    }

    @Test func `lists without a conversation contain all conversations`() async throws {
        try await withDaemonAndClient { _, client in
            try await save(600, client)
            for (number, sessionID) in ["05b", "05c", "05a"].enumerated() {
                var message = NewMessage(
                    id: "n\(number)", conversation: .sessionID(sessionID), text: "text",
                    timestamp: Timestamp(microseconds: Int64(number) * 100 + 50))
                message.attachments = [
                    NewAttachment(.bytes([UInt8](repeating: 1, count: 3 - number)), name: "a", mimeType: "text/plain")
                ]
                try await client.saveMessage(message)
            }
            let expected = (0..<600).flatMap { number in
                number % 100 == 49 && number < 300 ? ["m\(number)", "n\(number / 100)"] : ["m\(number)"]
            }
            for order in MessageQuery.Order.allCases {
                let listed = try await client.messages(order: order).collect().map(\.id)
                let isComplete = listed == (order == .oldestFirst ? expected : expected.reversed())
                #expect(isComplete)
            }
            let attachments = try await client.attachments().collect()
            #expect(attachments.map(\.messageID) == ["n0", "n1", "n2"])
            #expect(attachments.map(\.attachment.contentBytes) == [3, 2, 1])
            let first = try await client.conversation(.sessionID("05b"))
            #expect(attachments.first?.conversationID == first.id)
        }
    }

    @Test func `a list continues from the end of a page`() async throws {
        try await withDaemonAndClient { _, client in
            try await save(250, client)
            for order in MessageQuery.Order.allCases {
                let list = client.messages(in: conversation, order: order)
                var pages = list.pages.makeAsyncIterator()
                let first = try #require(try await pages.next())
                let rest = client.messages(in: conversation, order: order, after: first.lastCursor)
                #expect(try await first.messages + rest.collect() == list.collect())
            }
            try await client.saveContact(ContactUpdate(sessionID: "05x"))
            try await client.saveContact(ContactUpdate(sessionID: "05y"))
            let page = try await client.contactPage(limit: 1)
            let others = try await client.contacts(from: page.nextCursor).collect()
            #expect((page.contacts + others).map(\.sessionID) == ["05x", "05y"])
            #expect(try await client.changes(after: 251).collect().map(\.revision) == [252, 253])
        }
    }

    @Test(arguments: [1, 3, 1_000])
    func `pages have the requested size`(limit: Int) async throws {
        try await withDaemonAndClient { _, client in
            try await save(7, client)
            for number in 0..<7 {
                try await client.saveContact(ContactUpdate(sessionID: "05\(number)"))
            }
            try await client.setSceneValues("main", (0..<7).map { .set("k\($0)", .integer($0)) })
            try await client.openLog("l", LogConfiguration(maximumBytes: 1 << 20, overwritesOldest: false))
            try await client.append((0..<7).map { [$0] }, toLog: "l")
            func expectSizes<Page>(_ list: PagedList<Page>) async throws {
                var elements: [Page.Element] = []
                for try await page in list.pages(ofAtMost: limit) {
                    #expect(page.elements.count == min(limit, 7 - elements.count))
                    elements += page.elements
                }
                #expect(try await elements == list.collect())
            }
            try await expectSizes(client.messages(in: conversation))
            try await expectSizes(client.messages(in: conversation, order: .oldestFirst))
            try await expectSizes(client.contacts())
            try await expectSizes(client.sceneEntries("main"))
            try await expectSizes(client.logEntries("l"))
            try await expectSizes(client.changes(WatchFilter(kinds: [.contact])))
            var pages = client.contacts().pages(ofAtMost: 1_001).makeAsyncIterator()
            let error = await #expect(throws: StoreClientError.self) { _ = try await pages.next() }
            #expect(error?.reason == .invalidArgument)
        }
    }

    @Test func `every list of the store can be iterated as a sequence`() async throws {
        try await withDaemonAndClient { _, client in
            try await client.saveMessage(NewMessage(conversation: conversation, text: "t"))
            try await client.saveContact(ContactUpdate(sessionID: "05x"))
            try await client.setSceneValues("main", (0..<150).map { .set("k\($0)", .integer($0)) })
            try await client.openLog("events", LogConfiguration(maximumBytes: 1 << 20, overwritesOldest: false))
            for part in [0..<250, 250..<500, 500..<750, 750..<1_000, 1_000..<1_100] {
                try await client.append(part.map { [UInt8](repeating: UInt8($0 % 256), count: 4) }, toLog: "events")
            }
            #expect(try await client.conversations().collect().map(\.sessionID) == ["05a"])
            #expect(try await client.conversations(ConversationFilter(isPinned: true)).collect().isEmpty)
            #expect(try await client.contacts().collect().map(\.sessionID) == ["05x"])
            #expect(try await client.scenes().collect().map(\.keyCount) == [150])
            #expect(try await client.sceneEntries("main", keysOnly: true).collect().count == 150)
            #expect(try await client.logs().collect().map(\.messageCount) == [1_100])
            #expect(try await client.logEntries("events", after: 50).collect().map(\.sequence) == Array(51...1_100))
            #expect(try await client.changes().collect().map(\.revision).first == 1)
        }
    }

    @Test func `an error ends the list, and an unread page is not requested`() async throws {
        try await withDaemonAndClient { _, client in
            var none = client.messages(in: .sessionID("nobody")).makeAsyncIterator()
            let absent = await #expect(throws: StoreClientError.self) { _ = try await none.next() }
            #expect(absent?.reason == .conversationNotFound)
            #expect(try await none.next() == nil)
            try await save(150, client)
            var iterator = client.messages(in: conversation).makeAsyncIterator()
            for _ in 0..<100 {
                _ = try await iterator.next()
            }
            // The second page is requested only after this deletion.
            try await client.deleteConversation(conversation)
            let gone = await #expect(throws: StoreClientError.self) { _ = try await iterator.next() }
            #expect(gone?.reason == .conversationNotFound)
        }
    }

    @Test func `a cancelled task gets no further page`() async throws {
        try await withDaemonAndClient { _, client in
            try await save(150, client)
            let reader = Task { [conversation] in
                withUnsafeCurrentTask { $0?.cancel() }
                return try await client.messages(in: conversation).collect()
            }
            let result = await reader.result
            #expect(throws: StoreClientError.self) { try result.get() }
        }
    }
}
