/// What a conversation does with its messages beside keeping them.
package struct ConversationRetention: Hashable, Sendable {
    /// What messages saved from now on get that have none of their own.
    package var messageTimer: MessageTimer?
    /// Messages whose timestamp is as long ago are deleted.
    package var keepFor: RetentionPeriod?
    /// The newest so many are kept, at least 1.
    package var keepCount: UInt32?

    package init(messageTimer: MessageTimer? = nil, keepFor: RetentionPeriod? = nil, keepCount: UInt32? = nil) {
        self.messageTimer = messageTimer
        self.keepFor = keepFor
        self.keepCount = keepCount
    }

    /// Messages go by their age or number.
    var deletesOldest: Bool { keepFor != nil || keepCount != nil }
}

/// What `updateConversation` may change of it; `nil` leaves a field as it is, `.some(nil)` removes it.
package struct RetentionUpdate: Hashable, Sendable {
    package var messageTimer: MessageTimer??
    package var keepFor: RetentionPeriod??
    package var keepCount: UInt32??

    package init(messageTimer: MessageTimer?? = nil, keepFor: RetentionPeriod?? = nil, keepCount: UInt32?? = nil) {
        self.messageTimer = messageTimer
        self.keepFor = keepFor
        self.keepCount = keepCount
    }

    /// Makes it exactly this.
    package init(all retention: ConversationRetention) {
        self.init(
            messageTimer: .some(retention.messageTimer), keepFor: .some(retention.keepFor),
            keepCount: .some(retention.keepCount))
    }

    func applied(to retention: ConversationRetention) -> ConversationRetention {
        ConversationRetention(
            messageTimer: messageTimer ?? retention.messageTimer, keepFor: keepFor ?? retention.keepFor,
            keepCount: keepCount ?? retention.keepCount)
    }
}
