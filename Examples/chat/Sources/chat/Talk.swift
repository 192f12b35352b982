import StoreClient

/// The conversation of two people in the store. This file has all calls of the chat about messages, except the calls
/// for files.
struct Talk: Sendable {
    static let historyCount = 20
    static let foundCountMax = 10

    let me: String
    let partner: String
    let store: StoreClient
    let conversation: ConversationReference

    /// Finds the conversation, and creates it if it does not exist. The session id does not depend on the order of the
    /// names, so both processes get the same conversation.
    init(store: StoreClient, me: String, partner: String) async throws(StoreClientError) {
        self.store = store
        self.me = me
        self.partner = partner
        let found = try await store.getOrCreateConversation(sessionID: [me, partner].sorted().joined(separator: "+"))
        conversation = .id(found.id)
    }

    /// Returns the newest messages, in the order of time.
    func history() async throws(StoreClientError) -> [Message] {
        let query = MessageQuery(conversation: conversation, limit: Self.historyCount)
        return try await store.messagePage(query).messages.reversed()
    }

    /// Returns the changes of messages from now on. The stream continues after a lost connection.
    func changes() async throws(StoreClientError) -> ChangeStream {
        try await store.watch(WatchFilter(kinds: [.message], conversation: conversation))
    }

    /// Returns the message as it is now, or `nil` if it was deleted. Waits while the daemon is not running.
    func message(_ id: String) async throws(StoreClientError) -> Message? {
        do throws(StoreClientError) {
            return try await store.with(deadline: nil).message(id)
        } catch {
            guard error.reason == .messageNotFound else { throw error }
            return nil
        }
    }

    /// Saves a message, and returns when it is on disk. If the connection is lost, the client repeats the request, and
    /// the daemon saves the message once.
    func send(_ text: String, id: String, attachments: [NewAttachment] = []) async throws(StoreClientError) {
        try await store.saveMessage(
            NewMessage(
                id: id, conversation: conversation, text: text, senderSessionID: me, recipientSessionID: partner,
                status: .sent, attachments: attachments))
    }

    /// Marks the partner's messages as read, which the partner's process shows.
    func markRead(_ messages: [Message]) async throws(StoreClientError) {
        let unread = messages.filter { $0.senderSessionID != me && !$0.isRead }.map(\.id)
        guard !unread.isEmpty else { return }
        try await store.with(deadline: nil).markMessagesRead(unread)
    }

    /// Returns the messages that match a query, the best first. A query has words, "phrases", beginnings of words
    /// (begin*), OR and NOT.
    func find(_ words: String) async throws(StoreClientError) -> [FoundMessage] {
        let search = MessageSearch(words, in: conversation, limit: Self.foundCountMax, order: .bestFirst)
        return try await store.searchMessagePage(search).messages
    }
}
