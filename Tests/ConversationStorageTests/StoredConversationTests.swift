import ConversationStorage
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct StoredConversationTests {
    @Test func `a conversation is created once, and has no name until one is set`() async throws {
        try await withStorage { storage in
            let made = try await storage.getOrCreateConversation(withSessionID: "05A")
            #expect(made.displayName == nil && made.unreadCount == 0 && made.lastMessage == nil)
            #expect(try await storage.getOrCreateConversation(withSessionID: "05A").id == made.id)
            try await storage.updateConversation(withSessionID: "05A", displayName: "Alice")
            #expect(try await storage.getConversation(id: made.id).displayName == "Alice")
            try await storage.updateConversation(withSessionID: "05A", displayName: nil)
            #expect(try await storage.getConversation(withSessionID: "05A").displayName == nil)
        }
    }

    @Test func `pinned, muted and avatar are stored`() async throws {
        try await withStorage { storage in
            _ = try await storage.getOrCreateConversation(withSessionID: "05A")
            try await storage.setConversationPinned(true, forSessionID: "05A")
            try await storage.setConversationMuted(true, forSessionID: "05A")
            try await storage.updateConversation(withSessionID: "05A", avatarData: [1, 2, 3])
            let now = try await storage.getConversation(withSessionID: "05A", includeAvatar: true)
            #expect(now.isPinned && now.isMuted && now.avatar == [1, 2, 3])
        }
    }

    @Test func `all conversations are returned, pinned ones first, then by newest activity`() async throws {
        try await withStorage { storage in
            for session in ["05A", "05B", "05C"] {
                let conversation = try await storage.getOrCreateConversation(withSessionID: session)
                try await storage.saveMessage(
                    Message(text: "from \(session)", isOutgoing: false, status: .delivered),
                    conversationID: conversation.id, senderSessionID: session, recipientSessionID: "05ME")
            }
            try await storage.setConversationPinned(true, forSessionID: "05B")
            let all = try await storage.getAllConversations()
            #expect(all.map(\.sessionID) == ["05B", "05C", "05A"])
            #expect(all.map(\.lastMessage?.text) == ["from 05B", "from 05C", "from 05A"])
            #expect(all.allSatisfy { $0.unreadCount == 1 && $0.messageCount == 1 })
        }
    }

    @Test func `marking a conversation read clears its unread count`() async throws {
        try await withStorage { storage in
            let conversation = try await storage.getOrCreateConversation(withSessionID: "05A")
            try await storage.saveMessages(
                (0..<3).map { Message(text: "\($0)", isOutgoing: false, status: .delivered) },
                conversationID: conversation.id, senderSessionID: "05A", recipientSessionID: "05ME")
            #expect(try await storage.getStatistics().unreadCount == 3)
            try await storage.markConversationAsRead(withSessionID: "05A")
            #expect(try await storage.getStatistics().unreadCount == 0)
        }
    }

    @Test func `deleting a conversation deletes its messages`() async throws {
        try await withStorage { storage in
            let conversation = try await storage.getOrCreateConversation(withSessionID: "05A")
            let message = Message(text: "t", isOutgoing: true)
            try await storage.saveMessage(
                message, conversationID: conversation.id, senderSessionID: "05ME", recipientSessionID: "05A")
            try await storage.deleteConversation(withSessionID: "05A")
            await #expect(throws: StorageError.conversationNotFound) {
                _ = try await storage.getConversation(withSessionID: "05A")
            }
            await #expect(throws: StorageError.messageNotFound) { _ = try await storage.getMessage(id: message.id) }
            await #expect(throws: StorageError.conversationNotFound) {
                try await storage.deleteConversation(withSessionID: "05A")
            }
        }
    }
}
