import StoreClient

/// The conversation of two people in the store: every call that the chat makes, but for those of `Talk+Files.swift`.
struct Talk: Sendable {
    static let historyCount = 20
    static let foundCountMax = 10

    let me: String
    let partner: String
    let store: StoreClient
    let conversation: ConversationReference

    /// The conversation, made where the two have none yet. Both find the same one, whoever is first.
    init(store: StoreClient, me: String, partner: String) async throws(StoreClientError) {
        self.store = store
        self.me = me
        self.partner = partner
        let found = try await store.getOrCreateConversation(sessionID: [me, partner].sorted().joined(separator: "+"))
        conversation = .id(found.id)
    }

    /// The newest messages, the oldest of them first.
    func history() async throws(StoreClientError) -> [Message] {
        let query = MessageQuery(conversation: conversation, limit: Self.historyCount)
        return try await store.messagePage(query).messages.reversed()
    }

    /// What is saved, read or deleted from now on. A lost connection does not end it.
    func changes() async throws(StoreClientError) -> ChangeStream {
        try await store.watch(WatchFilter(kinds: [.message], conversation: conversation))
    }

    /// The message as it is now, or `nil` where it was deleted. While the daemon is away, it waits.
    func message(_ id: String) async throws(StoreClientError) -> Message? {
        do throws(StoreClientError) {
            return try await store.with(deadline: nil).message(id)
        } catch {
            guard error.reason == .messageNotFound else { throw error }
            return nil
        }
    }

    /// Returns when the message is on disk. Sent again after a lost connection, it is there once.
    func send(_ text: String, id: String, attachments: [NewAttachment] = []) async throws(StoreClientError) {
        try await store.saveMessage(
            NewMessage(
                id: id, conversation: conversation, text: text, senderSessionID: me, recipientSessionID: partner,
                status: .sent, attachments: attachments))
    }

    /// Tells the partner that these were seen.
    func markRead(_ messages: [Message]) async throws(StoreClientError) {
        let unread = messages.filter { $0.senderSessionID != me && !$0.isRead }.map(\.id)
        guard !unread.isEmpty else { return }
        try await store.with(deadline: nil).markMessagesRead(unread)
    }

    /// What fits best first: words, "phrases", beginnings of words (begin*), OR, NOT.
    func find(_ words: String) async throws(StoreClientError) -> [FoundMessage] {
        let search = MessageSearch(words, in: conversation, limit: Self.foundCountMax, order: .bestFirst)
        return try await store.searchMessagePage(search).messages
    }
}
