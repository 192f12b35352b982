import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct SearchCallTests {
    @Test func `deleted messages are no longer found, and others are found in all conversations or in one`()
        async throws
    {
        try await withDaemonAndClient { _, client in
            let texts = ["red fish", "blue fish", "東京の魚", "red bird", "fish and red bird"]
            for (number, text) in texts.enumerated() {
                try await client.saveMessage(
                    NewMessage(
                        id: "m\(number)", conversation: .sessionID(number % 2 == 0 ? "05a" : "05b"), text: text,
                        timestamp: Timestamp(microseconds: Int64(number + 1)), isOutgoing: number == 4))
            }
            #expect(try await client.searchMessages("red").collect().map(\.message.id) == ["m4", "m3", "m0"])
            #expect(try await client.searchMessages("\"red bird\" NOT and").collect().map(\.message.id) == ["m3"])
            #expect(try await client.searchMessages("京の").collect().map(\.message.id) == ["m2"])
            let mine = try await client.searchMessages(
                "fish", in: .sessionID("05a"), filter: MessageFilter(isOutgoing: true)
            ).collect()
            #expect(mine.map(\.message.id) == ["m4"])
            let snippet = try #require(mine.first?.snippet)
            #expect(snippet.matchedRanges.map { String(snippet.text[$0]) } == ["fish"])

            var search: MessageSearch? = MessageSearch("fish OR bird", limit: 2)
            var pages: [[String]] = []
            while let asked = search {
                let page = try await client.searchMessagePage(asked)
                pages.append(page.messages.map(\.message.id))
                search = asked.next(after: page)
            }
            #expect(pages.flatMap { $0 } == ["m4", "m3", "m1", "m0"] && pages.allSatisfy { $0.count <= 2 })

            let best = try await client.searchMessagePage(MessageSearch("red OR fish", limit: 2, order: .bestFirst))
            #expect(best.messages.map(\.message.id) == ["m0", "m4"] && best.messages[1].snippet.matches.count == 2)

            try await client.deleteMessages(["m4"])
            try await client.editMessage("m3", text: "green")
            try await client.rebuildSearchIndex()
            #expect(try await client.searchMessages("red").collect().map(\.message.id) == ["m0"])
            #expect(try await client.searchMessages("green").collect().map(\.message.id) == ["m3"])
            #expect(try await client.checkStore().isClean)
        }
    }

    @Test func `contacts and conversations are found by name, page by page, in the order of their lists`()
        async throws
    {
        try await withDaemonAndClient { _, client in
            for (session, name) in [("05a", "Zoë Brandt"), ("05b", "Anna Brandl"), ("05c", "Anna Zoellner")] {
                try await client.saveContact(ContactUpdate(sessionID: session, displayName: .set(name)))
                _ = try await client.getOrCreateConversation(sessionID: session, displayName: name)
            }
            try await client.updateConversation(.sessionID("05a"), ConversationUpdate(isPinned: true))
            func contacts(_ query: String) async throws -> [String] {
                var found: [String] = []
                for try await page in client.searchContacts(query).pages(ofAtMost: 1) {
                    found += page.contacts.map(\.sessionID)
                }
                return found
            }
            func conversations(_ query: String) async throws -> [String] {
                var found: [String] = []
                for try await page in client.searchConversations(query).pages(ofAtMost: 1) {
                    found += page.conversations.map(\.sessionID)
                }
                return found
            }
            #expect(try await contacts("brand") == ["05b", "05a"])
            #expect(try await contacts("zo") == ["05c", "05a"])
            #expect(try await contacts("zo ").isEmpty)
            #expect(try await contacts("\"anna b\"").isEmpty)
            #expect(try await contacts("anna NOT zoe") == ["05b"])
            #expect(try await conversations("brand") == ["05a", "05b"])
            #expect(try await conversations("05") == ["05a", "05c", "05b"])
            let ids = try await client.searchConversationPage("anna bran").conversations.map(\.id)
            #expect(try await conversations(ids[0]) == ["05b"])
            await #expect(throws: StoreClientError.self) { try await client.searchContactPage("") }
            await #expect(throws: StoreClientError.self) { try await client.searchConversationPage("") }
            // A person may still be typing the query, so an unfinished query is not an error.
            let unfinished = try await contacts("anna AND")
            #expect(unfinished.contains("05b"))
            #expect(try await contacts("(zo") == ["05c", "05a"])
            #expect(try await contacts("...").isEmpty)
            #expect(try await conversations("(").isEmpty)
        }
    }

    @Test func `a long query over much text is answered in pages, with responses to other calls in between`()
        async throws
    {
        try await withDaemonAndClient { daemon, client in
            // So much text that even an optimized build needs several pages for the query.
            let filler = (0..<2_000).map { "filler\($0 % 89)" }.joined(separator: " ")
            try await client.saveMessages(
                (0..<120).map { NewMessage(id: "m\($0)", conversation: .sessionID("05a"), text: filler) })
            let query = (0..<120).map { "absent\($0)" }.joined(separator: " OR ")
            let other = try await daemon.connect()
            let searching = Task {
                var pageCount = 0
                for try await page in client.searchMessages("(\(query)) filler1", in: .sessionID("05a")).pages {
                    #expect(page.messages.isEmpty)
                    pageCount += 1
                }
                return pageCount
            }
            var worst = Duration.zero
            for number in 0..<30 {
                let asked = ContinuousClock.now
                _ = try await other.message("m\(number % 6)")
                worst = max(worst, ContinuousClock.now - asked)
            }
            #expect(try await searching.value > 3)
            #expect(worst < .seconds(2))
            await other.close()
        }
    }

    @Test func `an empty query and an unknown conversation are refused, and an unfinished query is accepted`()
        async throws
    {
        try await withDaemonAndClient { _, client in
            try await client.saveMessage(NewMessage(id: "m", conversation: .sessionID("05a"), text: "one two"))
            for query in ["one AND", "(one", "\"one two", "one NOT"] {
                let found = try await client.searchMessages(query).collect()
                #expect(found.map(\.message.id) == ["m"], "\(query)")
            }
            let symbols = try await client.searchMessages("...").collect()
            #expect(symbols.isEmpty)
            let empty = await #expect(throws: StoreClientError.self) {
                try await client.searchMessages("").collect()
            }
            #expect(empty?.reason == .invalidArgument)
            let error = await #expect(throws: StoreClientError.self) {
                try await client.searchMessages("one", in: .sessionID("none")).collect()
            }
            #expect(error?.reason == .conversationNotFound)
        }
    }
}
