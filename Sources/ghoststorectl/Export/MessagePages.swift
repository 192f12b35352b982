import StoreClient

/// The messages of one conversation, oldest first, page by page.
struct MessagePages: Sendable {
    /// The number of messages in a page. It is small, because an export holds pages of up to 16 conversations in
    /// memory.
    private static let pageRows = 250

    let client: StoreClient

    /// - Returns: `nil` if the conversation was deleted.
    func first(of conversation: ConversationReference) async throws(StoreClientError) -> MessagePage? {
        do throws(StoreClientError) {
            return try await client.messagePage(Self.query(conversation))
        } catch {
            guard error.reason == .conversationNotFound else { throw error }
            return nil
        }
    }

    /// Passes the messages of a page and of all following pages to `body`.
    func forEach(
        from first: MessagePage, of conversation: ConversationReference, _ body: ([Message]) throws -> Void
    ) async throws {
        try body(first.messages)
        var query = Self.query(conversation).next(after: first)
        while let asked = query {
            let page: MessagePage
            do throws(StoreClientError) {
                page = try await client.messagePage(asked)
            } catch {
                // The conversation was deleted during the export. The messages that were already passed on stay in the
                // export.
                guard error.reason == .conversationNotFound else { throw error }
                return
            }
            try body(page.messages)
            query = asked.next(after: page)
        }
    }

    private static func query(_ conversation: ConversationReference) -> MessageQuery {
        MessageQuery(conversation: conversation, limit: pageRows, order: .oldestFirst)
    }
}

/// Fetches several items at once and passes the results on in the order of the items.
enum OrderedPrefetch {
    /// - Parameter inFlightMax: The number of items that are being fetched, or are fetched and not passed on yet.
    static func run<Item: Sendable, Fetched: Sendable>(
        _ items: [Item], inFlightMax: Int, fetch: @escaping @Sendable (Item) async throws -> Fetched,
        handOver: (Item, Fetched) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: (index: Int, fetched: Fetched).self) { group in
            var waiting: [Int: Fetched] = [:]
            var started = 0
            for (index, item) in items.enumerated() {
                while started < min(items.count, index + inFlightMax) {
                    let place = started
                    group.addTask { (place, try await fetch(items[place])) }
                    started += 1
                }
                while waiting[index] == nil, let next = try await group.next() {
                    waiting[next.index] = next.fetched
                }
                if let fetched = waiting.removeValue(forKey: index) {
                    try await handOver(item, fetched)
                }
            }
        }
    }
}
