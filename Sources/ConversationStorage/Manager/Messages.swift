public import StoreClient

extension StorageManager {
    /// Saves a message; one with an id that exists is updated. When it returns, the message is on disk.
    public func saveMessage(
        _ message: Message, conversationID: String, senderSessionID: String, recipientSessionID: String
    ) async throws(StorageError) {
        try await storing(isSave: true) { () throws(StoreClientError) in
            try await client.saveMessage(
                message.newMessage(
                    in: .id(conversationID), senderSessionID: senderSessionID,
                    recipientSessionID: recipientSessionID))
        }
    }

    /// Saves all of them or none; at most 10,000.
    public func saveMessages(
        _ messages: [Message], conversationID: String, senderSessionID: String, recipientSessionID: String
    ) async throws(StorageError) {
        try await storing(isSave: true) { () throws(StoreClientError) in
            try await client.saveMessages(
                messages.map { message in
                    message.newMessage(
                        in: .id(conversationID), senderSessionID: senderSessionID,
                        recipientSessionID: recipientSessionID)
                })
        }
    }

    /// - Throws: `.messageNotFound`.
    public func getMessage(id: String) async throws(StorageError) -> Message {
        try await storing { () throws(StoreClientError) in
            Message(try await client.message(id))
        }
    }

    /// The newest messages of a conversation, oldest of them first, as a screen shows them.
    ///
    /// - Parameters:
    ///   - limit: 1 to 1,000.
    ///   - before: only messages with an earlier timestamp.
    /// - Throws: `.conversationNotFound`.
    public func getMessages(
        forConversationWithSessionID sessionID: String, limit: Int = 100, before: Timestamp? = nil
    ) async throws(StorageError) -> [Message] {
        try await storing { () throws(StoreClientError) in
            var newest: [StoredMessage] = []
            var query: MessageQuery? = MessageQuery(
                conversation: .sessionID(sessionID), limit: limit, order: .newestFirst,
                filter: MessageFilter(until: before))
            // Long texts come in several pages, each shorter than was asked for.
            while var asked = query {
                asked.limit = limit - newest.count
                let page = try await client.messagePage(asked)
                newest += page.messages
                query = newest.count < limit ? asked.next(after: page) : nil
            }
            return newest.reversed().map { Message($0) }
        }
    }

    public func updateMessageStatus(_ messageID: String, status: Message.Status) async throws(StorageError) {
        try await storing(isSave: true) { () throws(StoreClientError) in
            try await client.updateMessageStatus([messageID], to: MessageStatus(status))
        }
    }

    public func markMessageAsRead(_ messageID: String) async throws(StorageError) {
        try await storing(isSave: true) { () throws(StoreClientError) in
            try await client.markMessagesRead([messageID])
        }
    }

    /// Replaces a message's text and keeps when that was.
    public func editMessage(_ messageID: String, text: String) async throws(StorageError) {
        try await storing(isSave: true) { () throws(StoreClientError) in
            try await client.editMessage(messageID, text: text)
        }
    }

    public func deleteMessage(_ messageID: String) async throws(StorageError) {
        try await storing(isSave: true) { () throws(StoreClientError) in
            try await client.deleteMessages([messageID])
        }
    }
}
