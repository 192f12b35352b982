/// The parameters of a search among messages.
package struct MessageSearch: Hashable, Sendable {
    package enum Order: Sendable {
        case newestFirst
        /// Takes the newest matches, as many as one page ranks, and returns the best of them first.
        case bestFirst
    }

    package var query: SearchQuery
    /// The conversation to search; `nil` for all conversations.
    package var conversation: ConversationReference?
    /// The page size, from 1 to `EngineLimits.pageRowsMax`.
    package var limit: Int
    /// If set, only messages older than this cursor are returned.
    package var before: MessageCursor?
    package var filter = MessageFilter()
    package var order = Order.newestFirst

    package init(
        _ query: SearchQuery, in conversation: ConversationReference? = nil, limit: Int = EngineLimits.pageRowsDefault
    ) {
        self.query = query
        self.conversation = conversation
        self.limit = limit
    }
}
