import ConversationStorage
import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct UpdateTests {
    private func save(_ text: String, session: String, to storage: StorageManager) async throws {
        let conversation = try await storage.getOrCreateConversation(withSessionID: session)
        try await storage.saveMessage(
            Message(text: text, isOutgoing: false, status: .delivered), conversationID: conversation.id,
            senderSessionID: session, recipientSessionID: "05ME")
    }

    @Test func `added messages are published once each, in order, and edits are not`() async throws {
        try await withStorage { storage in
            let added = try await storage.messageAdded
            for number in 0..<20 {
                try await save("\(number)", session: "05A", to: storage)
            }
            let messages = try await storage.getMessages(forConversationWithSessionID: "05A")
            try await storage.updateMessageStatus(try #require(messages.first).id, status: .sent)
            try await save("last", session: "05A", to: storage)
            var texts: [String] = []
            for try await message in added {
                texts.append(message.text)
                if message.text == "last" {
                    break
                }
            }
            #expect(texts == (0..<20).map(String.init) + ["last"])
        }
    }

    @Test func `a conversation is published with its new state after each kind of change`() async throws {
        try await withStorage { storage in
            let updated = try await storage.conversationUpdated
            try await save("hello", session: "05A", to: storage)
            try await storage.updateConversation(withSessionID: "05A", displayName: "Alice")
            var seen: [Conversation] = []
            for try await conversation in updated {
                seen.append(conversation)
                if conversation.displayName == "Alice" && conversation.lastMessage?.text == "hello" {
                    break
                }
            }
            #expect(seen.allSatisfy { $0.sessionID == "05A" })
        }
    }

    @Test func `both sequences continue after a lock and an unlock`() async throws {
        try await withDaemon { daemon in
            let storage = try await StorageManager(socketPath: daemon.socketPath)
            let client = try await daemon.connect()
            var added = try await storage.messageAdded.makeAsyncIterator()
            var updated = try await storage.conversationUpdated.makeAsyncIterator()
            try await save("before", session: "05A", to: storage)
            try await client.lock()
            // The sequences read the changed message and conversation while the store is locked, and again after the
            // unlock.
            let keyFile = daemon.keyFilePath
            let unlocking = Task {
                try await Task.sleep(for: .milliseconds(200))
                _ = try await client.unlock(secret: SecretInput(kind: .keyFile, file: keyFile))
            }
            #expect(try await added.next(isolation: nil)?.text == "before")
            #expect(try await updated.next(isolation: nil)?.sessionID == "05A")
            try await unlocking.value
            try await save("after", session: "05A", to: storage)
            #expect(try await added.next(isolation: nil)?.text == "after")
            await client.close()
            await storage.close()
        }
    }

    @Test func `messages of other programs are also published, even after a restart of the daemon`() async throws {
        try await withDaemon { daemon in
            let storage = try await StorageManager(socketPath: daemon.socketPath)
            let other = try await StorageManager(socketPath: daemon.socketPath)
            let added = try await storage.messageAdded
            try await save("before", session: "05A", to: other)
            try await daemon.restart()
            try await save("after", session: "05A", to: other)
            var texts: [String] = []
            for try await message in added {
                texts.append(message.text)
                if texts.count == 2 {
                    break
                }
            }
            #expect(texts == ["before", "after"])
            await storage.close()
            await other.close()
        }
    }
}
