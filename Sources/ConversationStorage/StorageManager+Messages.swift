public import StoreClient

/// Messages. If a message or a conversation does not exist, the functions throw ``StorageError/messageNotFound`` or
/// ``StorageError/conversationNotFound``. Other errors are ``StorageError/failed(_:)`` for reads and
/// ``StorageError/saveFailed(_:)`` for writes. A change is on disk when the function returns.
extension StorageManager {
    /// Saves a message; updates the message if one with its id exists.
    ///
    /// - Parameters:
    ///   - message: a message created with `Message(text:isOutgoing:)`, or a message that the store returned. Its own
    ///     conversation, sender and recipient are ignored in favor of the following arguments.
    ///   - conversationID: the `Conversation.id` of its conversation.
    ///   - senderSessionID: the session id of the sender.
    ///   - recipientSessionID: the session id of the recipient.
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

    /// Saves all messages or none.
    ///
    /// - Parameters:
    ///   - messages: at most 256, with at most 8 MiB in total.
    ///   - conversationID: the `Conversation.id` of their conversation.
    ///   - senderSessionID: the session id of the sender.
    ///   - recipientSessionID: the session id of the recipient.
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

    /// Returns the message with an id, from any conversation.
    public func getMessage(id: String) async throws(StorageError) -> Message {
        try await reading { () throws(StoreClientError) in try await client.message(id) }
    }

    /// Returns the newest messages of a conversation, oldest first.
    ///
    /// - Parameters:
    ///   - sessionID: the conversation's session id.
    ///   - limit: 1 to 1,000.
    ///   - before: if set, only messages with an earlier timestamp are returned.
    public func getMessages(
        forConversationWithSessionID sessionID: String, limit: Int = 100, before: Timestamp? = nil
    ) async throws(StorageError) -> [Message] {
        try await reading { () throws(StoreClientError) in
            var newest: [Message] = []
            var query: MessageQuery? = MessageQuery(
                conversation: .sessionID(sessionID), limit: limit, order: .newestFirst,
                filter: MessageFilter(until: before))
            // If the texts are long, a page contains fewer messages than requested, and the remaining messages follow
            // in further pages.
            while var asked = query {
                asked.limit = limit - newest.count
                let page = try await client.messagePage(asked)
                newest += page.messages
                query = newest.count < limit ? asked.next(after: page) : nil
            }
            return newest.reversed()
        }
    }

    /// Sets the status of a message to any value except `.unspecified`.
    public func updateMessageStatus(_ messageID: String, status: MessageStatus) async throws(StorageError) {
        try await saving { () throws(StoreClientError) in
            try await client.updateMessageStatus([messageID], to: status)
        }
    }

    /// Marks a message as read.
    public func markMessageAsRead(_ messageID: String) async throws(StorageError) {
        try await saving { () throws(StoreClientError) in try await client.markMessagesRead([messageID]) }
    }

    /// Replaces a message's text and stores the time of the edit.
    ///
    /// - Parameters:
    ///   - messageID: the message's id.
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
    /// Creates a message to save. Its conversation, sender and recipient are given when it is saved; in this value they
    /// are empty.
    ///
    /// - Parameters:
    ///   - id: 1 to 128 bytes; a new UUIDv7 by default. Saving a message with an existing id updates that message.
    ///   - text: at most 1 MiB of UTF-8.
    ///   - isOutgoing: true if this user sends the message.
    ///   - status: the status of the message.
    ///   - timestamp: the time at which the message was written; now by default.
    ///   - isRead: true if the person has read it.
    ///   - attachmentURL: at most 4,096 bytes.
    ///   - attachmentType: at most 256 bytes, such as `image/png`.
    ///   - replyToMessageID: the id of the message that this message answers.
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
    /// The status `pending` under the name that embedded storage managers use.
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
            attachmentType: message.attachmentType, replyToMessageID: message.replyToMessageID, kind: message.kind,
            senderName: message.senderName, metadata: message.metadata)
    }
}
