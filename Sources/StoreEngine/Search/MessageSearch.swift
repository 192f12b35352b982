/// What is searched for among messages, newest first.
package struct MessageSearch: Hashable, Sendable {
    package var query: SearchQuery
    /// `nil`: in all conversations.
    package var conversation: ConversationReference?
    /// 1 to `EngineLimits.pageRowsMax`.
    package var limit: Int
    /// Only strictly older messages.
    package var before: MessageCursor?
    package var filter = MessageFilter()

    package init(
        _ query: SearchQuery, in conversation: ConversationReference? = nil, limit: Int = EngineLimits.pageRowsDefault
    ) {
        self.query = query
        self.conversation = conversation
        self.limit = limit
    }
}
