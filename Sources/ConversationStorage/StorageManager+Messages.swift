public import StoreClient

/// Messages. A message or a conversation that is not there is ``StorageError/messageNotFound`` or
/// ``StorageError/conversationNotFound``; another failure is ``StorageError/failed(_:)`` of a read and
/// ``StorageError/saveFailed(_:)`` of a write. When a write returns, it is on disk.
extension StorageManager {
    /// Saves a message; one with an id that exists is updated.
    ///
    /// - Parameters:
    ///   - message: made as `Message(text:isOutgoing:)`, or one that was read. Its own conversation, sender and
    ///     recipient do not count, those here do.
    ///   - conversationID: `Conversation.id` of the conversation it belongs to.
    ///   - senderSessionID: who wrote it.
    ///   - recipientSessionID: whom it is for.
    public func saveMessage(
        _ message: Message, conversationID: String, senderSessionID: String, recipientSessionID: String
    ) async throws(StorageError) {
        try await saving { () throws(StoreClientError) in
            try await client.saveMessage(
                NewMessage(
                    message, in: conversationID, senderSessionID: senderSessionID,
                    recipientSessionID: recipientSessionID))
        }
    }

    /// Saves all of them or none.
    ///
    /// - Parameters:
    ///   - messages: at most 256, and what one request holds (8 MiB).
    ///   - conversationID: `Conversation.id` of the conversation they belong to.
    ///   - senderSessionID: who wrote them.
    ///   - recipientSessionID: whom they are for.
    public func saveMessages(
        _ messages: [Message], conversationID: String, senderSessionID: String, recipientSessionID: String
    ) async throws(StorageError) {
        try await saving { () throws(StoreClientError) in
            try await client.saveMessages(
                messages.map {
                    NewMessage(
                        $0, in: conversationID, senderSessionID: senderSessionID,
                        recipientSessionID: recipientSessionID)
                })
        }
    }

    /// The message of an id.
    public func getMessage(id: String) async throws(StorageError) -> Message {
        try await reading { () throws(StoreClientError) in try await client.message(id) }
    }

    /// The newest messages of a conversation, oldest of them first, as a screen shows them.
    ///
    /// - Parameters:
    ///   - sessionID: the party's.
    ///   - limit: 1 to 1,000.
    ///   - before: only messages with an earlier timestamp.
    public func getMessages(
        forConversationWithSessionID sessionID: String, limit: Int = 100, before: Timestamp? = nil
    ) async throws(StorageError) -> [Message] {
        try await reading { () throws(StoreClientError) in
            var newest: [Message] = []
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
            return newest.reversed()
        }
    }

    /// Keeps how far a message has come.
    public func updateMessageStatus(_ messageID: String, status: MessageStatus) async throws(StorageError) {
        try await saving { () throws(StoreClientError) in
            try await client.updateMessageStatus([messageID], to: status)
        }
    }

    /// Keeps that the person has seen a message.
    public func markMessageAsRead(_ messageID: String) async throws(StorageError) {
        try await saving { () throws(StoreClientError) in try await client.markMessagesRead([messageID]) }
    }

    /// Replaces a message's text and keeps when that was.
    ///
    /// - Parameters:
    ///   - messageID: which one.
    ///   - text: at most 1 MiB of UTF-8.
    public func editMessage(_ messageID: String, text: String) async throws(StorageError) {
        try await saving { () throws(StoreClientError) in try await client.editMessage(messageID, text: text) }
    }

    /// Deletes a message.
    public func deleteMessage(_ messageID: String) async throws(StorageError) {
        try await saving { () throws(StoreClientError) in try await client.deleteMessages([messageID]) }
    }
}

extension Message {
    /// A message to save. Which conversation it is in, and who wrote it to whom, is said when it is saved; until it was
    /// read again these are empty.
    ///
    /// - Parameters:
    ///   - id: 1 to 128 bytes; a fresh UUIDv7 by default. Saving the same id again updates.
    ///   - text: at most 1 MiB of UTF-8.
    ///   - isOutgoing: whether this side sends it.
    ///   - status: how far it has come.
    ///   - timestamp: when it was written; now, unless given.
    ///   - isRead: whether the person has seen it.
    ///   - attachmentURL: at most 4,096 bytes.
    ///   - attachmentType: at most 256 bytes, such as `image/png`.
    ///   - replyToMessageID: the message it answers.
    public init(
        id: String = UUIDv7().description, text: String, isOutgoing: Bool, status: MessageStatus = .sending,
        timestamp: Timestamp = .now, isRead: Bool = false, attachmentURL: String? = nil,
        attachmentType: String? = nil, replyToMessageID: String? = nil
    ) {
        self.init(
            id: id, conversationID: "", text: text, timestamp: timestamp, status: status, isOutgoing: isOutgoing,
            isRead: isRead, attachmentURL: attachmentURL, attachmentType: attachmentType,
            replyToMessageID: replyToMessageID, createdAt: timestamp)
    }
}

extension MessageStatus {
    /// On its way: `pending`, as storage managers name it.
    public static var sending: MessageStatus { .pending }
}

extension NewMessage {
    fileprivate init(
        _ message: Message, in conversationID: String, senderSessionID: String, recipientSessionID: String
    ) {
        self.init(
            id: message.id, conversation: .id(conversationID), text: message.text, senderSessionID: senderSessionID,
            recipientSessionID: recipientSessionID, timestamp: message.timestamp, status: message.status,
            isOutgoing: message.isOutgoing, isRead: message.isRead, attachmentURL: message.attachmentURL,
            attachmentType: message.attachmentType, replyToMessageID: message.replyToMessageID)
    }
}
