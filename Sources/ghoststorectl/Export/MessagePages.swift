import StoreClient

/// The messages of one conversation, oldest first, page by page.
struct MessagePages: Sendable {
    /// Messages of a page: at 16 conversations in flight still a modest heap.
    private static let pageRows = 250

    let client: StoreClient

    /// - Returns: `nil` when the conversation is gone.
    func first(of conversation: ConversationReference) async throws(StoreClientError) -> MessagePage? {
        do throws(StoreClientError) {
            return try await page(Self.query(conversation))
        } catch {
            guard error.reason == .conversationNotFound else {
                throw error
            }
            return nil
        }
    }

    /// Hands over the messages of a page and of all pages behind it.
    func forEach(
        from first: MessagePage, of conversation: ConversationReference, _ body: ([Message]) throws -> Void
    ) async throws {
        try body(first.messages)
        var query = Self.query(conversation).next(after: first)
        while let asked = query {
            let page: MessagePage
            do throws(StoreClientError) {
                page = try await self.page(asked)
            } catch {
                // Deleted while it was being read: what was handed over stays.
                guard error.reason == .conversationNotFound else {
                    throw error
                }
                return
            }
            try body(page.messages)
            query = asked.next(after: page)
        }
    }

    /// Asks for fewer messages at a time when so many of them are too large for one answer.
    private func page(_ query: MessageQuery) async throws(StoreClientError) -> MessagePage {
        var query = query
        while true {
            do throws(StoreClientError) {
                return try await client.messages(query)
            } catch {
                guard error.code == .resourceExhausted, !error.isRetryable, query.limit > 1 else {
                    throw error
                }
                query.limit /= 2
            }
        }
    }

    private static func query(_ conversation: ConversationReference) -> MessageQuery {
        MessageQuery(conversation: conversation, limit: pageRows, order: .oldestFirst)
    }
}
