import ConversationStorage
import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// Messages and lists that are too large for one response of the daemon.
@Suite(.timeLimit(.minutes(2))) struct LargeContentTests {
    private static func text(_ number: Int, bytes: Int) -> String {
        "\(number) " + String(repeating: "x", count: bytes - 8)
    }

    @Test func `all conversations are returned, however large their last texts are`() async throws {
        try await withStorage(.smallFrames) { storage in
            let count = TestTier.count(8, long: 21)
            for number in 0..<count {
                let conversation = try await storage.getOrCreateConversation(withSessionID: "05\(number)")
                try await storage.saveMessage(
                    Message(text: Self.text(number, bytes: 1 << 20), isOutgoing: true),
                    conversationID: conversation.id, senderSessionID: "05ME", recipientSessionID: "05\(number)")
            }
            let all = try await storage.getAllConversations()
            #expect(all.map(\.sessionID) == (0..<count).reversed().map { "05\($0)" })
            #expect(all.allSatisfy { $0.lastMessage?.text.utf8.count ?? 0 > 1_000_000 })
        }
    }

    @Test func `all contacts are returned, however large their notes are`() async throws {
        try await withStorage(.smallFrames) { storage in
            let count = TestTier.count(110, long: 300)
            for number in 0..<count {
                try await storage.saveContact(
                    sessionID: "05\(number)", notes: Self.text(number, bytes: 64 << 10))
            }
            let all = try await storage.getAllContacts()
            #expect(all.count == count && Set(all.map(\.sessionID)).count == count)
        }
    }

    @Test func `as many messages as requested are returned, however large their texts are`() async throws {
        try await withStorage(.smallFrames) { storage in
            let conversation = try await storage.getOrCreateConversation(withSessionID: "05A")
            let start = Message(text: "", isOutgoing: true).timestamp
            let count = TestTier.count(8, long: 22)
            for number in 0..<count {
                let message = Message(
                    text: Self.text(number, bytes: 1 << 20), isOutgoing: true,
                    timestamp: start.advanced(byMicroseconds: Int64(number)))
                try await storage.saveMessage(
                    message, conversationID: conversation.id, senderSessionID: "05ME", recipientSessionID: "05A")
            }
            for (limit, first) in TestTier.cases([(count - 1, 1)], long: [(count - 2, 2), (1_000, 0)]) {
                let messages = try await storage.getMessages(forConversationWithSessionID: "05A", limit: limit)
                #expect(messages.compactMap { Int($0.text.prefix { $0 != " " }) } == Array(first..<count))
            }
        }
    }
}
