/// What is searched for among messages.
package struct MessageSearch: Hashable, Sendable {
    package enum Order: Sendable {
        case newestFirst
        /// Of the newest that are found, as many as a page looks at, the best ones first.
        case bestFirst
    }

    package var query: SearchQuery
    /// `nil`: in all conversations.
    package var conversation: ConversationReference?
    /// 1 to `EngineLimits.pageRowsMax`.
    package var limit: Int
    /// Only strictly older messages.
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
