import ConversationStorage
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct ConversationMessageTests {
    @Test func `every status and field is loaded as it was saved`() async throws {
        try await withStorage { storage in
            let conversation = try await storage.getOrCreateConversation(withSessionID: "05A")
            for status in MessageStatus.allCases {
                var message = Message(
                    text: "text", isOutgoing: true, status: status,
                    attachmentURL: "file:///x", attachmentType: "image/png")
                message.isRead = true
                try await storage.saveMessage(
                    message, conversationID: conversation.id, senderSessionID: "05ME", recipientSessionID: "05A")
                let read = try await storage.getMessage(id: message.id)
                #expect(read.status == status && read.isRead && read.attachmentURL == "file:///x")
                #expect(read.attachmentType == "image/png")
                #expect(read.timestamp == message.timestamp && read.conversationID == conversation.id)
                #expect(read.senderSessionID == "05ME" && read.recipientSessionID == "05A")
            }
        }
    }

    @Test func `the newest messages are returned oldest first, and earlier pages by time`() async throws {
        try await withStorage { storage in
            let conversation = try await storage.getOrCreateConversation(withSessionID: "05A")
            let start = Message(text: "", isOutgoing: true).timestamp
            let messages = (0..<150).map { number in
                Message(
                    text: "\(number)", isOutgoing: true,
                    timestamp: start.advanced(byMicroseconds: Int64(number) * 1_000))
            }
            try await storage.saveMessages(
                messages, conversationID: conversation.id, senderSessionID: "05ME", recipientSessionID: "05A")
            let newest = try await storage.getMessages(forConversationWithSessionID: "05A")
            #expect(newest.map(\.text) == (50..<150).map(String.init))
            let earlier = try await storage.getMessages(
                forConversationWithSessionID: "05A", before: newest.first?.timestamp)
            #expect(earlier.map(\.text) == (0..<50).map(String.init))
        }
    }

    @Test func `a message is edited, marked read and deleted`() async throws {
        try await withStorage { storage in
            let conversation = try await storage.getOrCreateConversation(withSessionID: "05A")
            let message = Message(text: "t", isOutgoing: false, status: .delivered)
            try await storage.saveMessage(
                message, conversationID: conversation.id, senderSessionID: "05A", recipientSessionID: "05ME")
            try await storage.editMessage(message.id, text: "edited")
            try await storage.markMessageAsRead(message.id)
            let now = try await storage.getMessage(id: message.id)
            #expect(now.text == "edited" && now.editedAt != nil && now.isRead)
            try await storage.deleteMessage(message.id)
            await #expect(throws: StorageError.messageNotFound) { try await storage.deleteMessage(message.id) }
            await #expect(throws: StorageError.messageNotFound) {
                try await storage.updateMessageStatus(message.id, status: .sent)
            }
        }
    }

    @Test func `a message for a missing conversation is rejected`() async throws {
        try await withStorage { storage in
            await #expect(throws: StorageError.conversationNotFound) {
                try await storage.saveMessage(
                    Message(text: "t", isOutgoing: true), conversationID: "none", senderSessionID: "a",
                    recipientSessionID: "b")
            }
        }
    }

    @Test func `a failed save reports the cause`() async throws {
        try await withStorage { storage in
            let conversation = try await storage.getOrCreateConversation(withSessionID: "05A")
            let tooLong = Message(text: String(repeating: "x", count: (1 << 20) + 1), isOutgoing: true)
            let error = await #expect(throws: StorageError.self) {
                try await storage.saveMessage(
                    tooLong, conversationID: conversation.id, senderSessionID: "a", recipientSessionID: "b")
            }
            guard case .saveFailed(let cause)? = error else {
                Issue.record("not a failed save: \(String(describing: error))")
                return
            }
            #expect(!cause.message.isEmpty)
        }
    }
}
