import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct MessageCallTests {
    @Test func `every field of a message is read back as saved`() async throws {
        try await withDaemonAndClient { _, client in
            let conversation = try await client.getOrCreateConversation(sessionID: "05a")
            let first = NewMessage(conversation: .id(conversation.id), text: "first")
            let saved = NewMessage(
                conversation: .id(conversation.id), text: "línea\nzwei \u{1F47B}\0end", senderSessionID: "05b",
                recipientSessionID: "05a", timestamp: Timestamp(microseconds: 1_795_233_241_000_250),
                status: .delivered, isOutgoing: true, isRead: true, attachmentURL: "file:///a",
                attachmentType: "image/png", replyToMessageID: first.id, kind: "notice", senderName: "Zwei\0",
                metadata: Metadata(data: [0, 255], type: "application/json"))
            try await client.saveMessages([first, saved])
            let read = try await client.message(saved.id)
            #expect(read.text == saved.text)
            #expect(read.conversationID == conversation.id)
            #expect(read.senderSessionID == "05b" && read.recipientSessionID == "05a")
            #expect(read.timestamp == saved.timestamp && read.status == .delivered)
            #expect(read.isOutgoing && read.isRead)
            #expect(read.attachmentURL == "file:///a" && read.attachmentType == "image/png")
            #expect(read.replyToMessageID == first.id && read.editedAt == nil)
            #expect(read.kind == saved.kind && read.senderName == saved.senderName)
            #expect(read.metadata == saved.metadata)
        }
    }

    @Test func `an unknown status can be neither saved nor set`() async throws {
        try await withDaemonAndClient { _, client in
            let message = NewMessage(conversation: .sessionID("05a"), text: "one")
            try await client.saveMessage(message)
            var strange = message
            strange.status = .unknown
            let saved = await #expect(throws: StoreClientError.self) { try await client.saveMessage(strange) }
            #expect(saved?.reason == .invalidArgument)
            let set = await #expect(throws: StoreClientError.self) {
                try await client.updateMessageStatus([message.id], to: .unknown)
            }
            #expect(set?.reason == .invalidArgument)
            #expect(try await client.message(message.id).status == .pending)
            #expect(MessageStatus.allCases.contains(.unknown) == false)
        }
    }

    @Test func `saving an id again updates the message and never creates a second one`() async throws {
        try await withDaemonAndClient { _, client in
            var message = NewMessage(conversation: .sessionID("05a"), text: "one")
            #expect(try await client.saveMessage(message).createdCount >= 1)
            message.text = "two"
            let second = try await client.saveMessage(message)
            #expect(second.createdCount == 0 && second.updatedCount == 1)
            #expect(try await client.message(message.id).text == "two")
            #expect(try await client.statistics().messageCount == 1)
        }
    }

    @Test func `the same idempotency key gives the first response again and changes nothing`() async throws {
        try await withDaemonAndClient { _, client in
            let key = IdempotencyKey()
            let message = NewMessage(conversation: .sessionID("05a"), text: "one")
            let first = try await client.saveMessage(message, idempotencyKey: key)
            try await client.editMessage(message.id, text: "edited")
            let repeated = try await client.saveMessage(message, idempotencyKey: key)
            #expect(!first.isReplayed && repeated.isReplayed)
            #expect(repeated.revision == first.revision && repeated.ids == first.ids)
            #expect(try await client.message(message.id).text == "edited")
        }
    }

    @Test func `a list is read to its end in both orders without gaps or repetitions`() async throws {
        try await withDaemonAndClient { _, client in
            let messages = (0..<250).map { number in
                NewMessage(
                    conversation: .sessionID("05a"), text: "\(number)",
                    // Seven messages in a row have the same timestamp.
                    timestamp: Timestamp(microseconds: Int64(number / 7) * 1_000))
            }
            try await client.saveMessages(messages)
            for order in [MessageQuery.Order.oldestFirst, .newestFirst] {
                var next: MessageQuery? = MessageQuery(conversation: .sessionID("05a"), limit: 40, order: order)
                var ids: [String] = []
                var times: [Timestamp] = []
                while let query = next {
                    let page = try await client.messagePage(query)
                    ids += page.messages.map(\.id)
                    times += page.messages.map(\.timestamp)
                    next = query.next(after: page)
                }
                #expect(ids.count == 250 && Set(ids) == Set(messages.map(\.id)))
                #expect(times == (order == .oldestFirst ? times.sorted() : times.sorted(by: >)))
            }
        }
    }

    @Test func `each filter of a list returns only matching messages`() async throws {
        try await withDaemonAndClient { _, client in
            let outgoing = NewMessage(
                conversation: .sessionID("05a"), text: "o", senderSessionID: "me",
                timestamp: Timestamp(microseconds: 10), status: .sent, isOutgoing: true)
            let attached = NewMessage(
                conversation: .sessionID("05a"), text: "a", senderSessionID: "you",
                timestamp: Timestamp(microseconds: 20), status: .failed, attachmentURL: "u")
            let read = NewMessage(
                conversation: .sessionID("05a"), text: "r", senderSessionID: "you",
                timestamp: Timestamp(microseconds: 30), isRead: true)
            try await client.saveMessages([outgoing, attached, read])
            func ids(_ filter: MessageFilter) async throws -> [String] {
                try await client.messagePage(
                    MessageQuery(conversation: .sessionID("05a"), order: .oldestFirst, filter: filter)
                ).messages.map(\.id)
            }
            #expect(try await ids(MessageFilter()) == [outgoing.id, attached.id, read.id])
            #expect(try await ids(MessageFilter(isOutgoing: true)) == [outgoing.id])
            #expect(try await ids(MessageFilter(hasAttachment: true)) == [attached.id])
            #expect(try await ids(MessageFilter(status: .failed)) == [attached.id])
            #expect(try await ids(MessageFilter(senderSessionID: "you")) == [attached.id, read.id])
            #expect(try await ids(MessageFilter(isRead: true)).contains(read.id))
            #expect(
                try await ids(MessageFilter(from: Timestamp(microseconds: 20), until: Timestamp(microseconds: 30)))
                    == [attached.id])
        }
    }

    @Test func `changes of status, read marks, edits and deletes show in the message and its conversation`()
        async throws
    {
        try await withDaemonAndClient { _, client in
            let message = NewMessage(conversation: .sessionID("05a"), text: "t", isOutgoing: false)
            let other = NewMessage(
                conversation: .sessionID("05a"), text: "u", timestamp: message.timestamp.advanced(byMicroseconds: 5))
            try await client.saveMessages([message, other])
            #expect(try await client.conversation(.sessionID("05a")).unreadCount == 2)

            try await client.updateMessageStatus([message.id], to: .delivered)
            try await client.markMessagesRead([message.id])
            let editedAt = Timestamp(microseconds: 1_800_000_000_000_000)
            try await client.editMessage(message.id, text: "edited", editedAt: editedAt)
            let now = try await client.message(message.id)
            #expect(now.status == .delivered && now.isRead && now.text == "edited" && now.editedAt == editedAt)

            var conversation = try await client.conversation(.sessionID("05a"))
            #expect(conversation.unreadCount == 1 && conversation.lastMessage?.id == other.id)
            try await client.deleteMessages([other.id])
            conversation = try await client.conversation(.sessionID("05a"))
            #expect(conversation.unreadCount == 0 && conversation.lastMessage?.text == "edited")
            #expect(conversation.messageCount == 1)
        }
    }

    @Test func `a batch with one invalid message saves none, and a deletion with one unknown id deletes none`()
        async throws
    {
        try await withDaemonAndClient { _, client in
            let good = NewMessage(conversation: .sessionID("05a"), text: "t")
            let bad = NewMessage(conversation: .id("no such conversation"), text: "t")
            let error = await #expect(throws: StoreClientError.self) { try await client.saveMessages([good, bad]) }
            #expect(error?.reason == .conversationNotFound)
            #expect(try await client.statistics().messageCount == 0)

            try await client.saveMessage(good)
            let refused = await #expect(throws: StoreClientError.self) {
                try await client.deleteMessages([good.id, "none"])
            }
            #expect(refused?.reason == .messageNotFound)
            #expect(try await client.statistics().messageCount == 1)
        }
    }

    @Test func `a page of a thousand long messages arrives complete`() async throws {
        try await withDaemonAndClient { _, client in
            let text = String(repeating: "length ", count: 200)
            let messages = (0..<1_000).map { NewMessage(conversation: .sessionID("05a"), text: "\($0) \(text)") }
            for start in stride(from: 0, to: 1_000, by: 250) {
                try await client.saveMessages(Array(messages[start..<(start + 250)]))
            }
            let page = try await client.messagePage(MessageQuery(conversation: .sessionID("05a"), limit: 1_000))
            #expect(Set(page.messages.map(\.text)) == Set(messages.map(\.text)))
            #expect(!page.hasMore)
        }
    }

    @Test func `the documented maximum of messages is saved in one call, and one more is refused`() async throws {
        try await withDaemonAndClient { _, client in
            let most = StoreClient.entriesPerRequestMax
            let messages = (0...most).map { NewMessage(conversation: .sessionID("05a"), text: "\($0)") }
            let saved = try await client.saveMessages(Array(messages.dropLast()))
            #expect(saved.createdCount == most)
            let error = await #expect(throws: StoreClientError.self) {
                _ = try await client.saveMessages(messages)
            }
            #expect(error?.reason == .requestTooLarge)
        }
    }
}
