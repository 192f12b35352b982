/// The rules of a conversation for its messages: their timer, and when they are deleted.
package struct ConversationRetention: Hashable, Sendable {
    /// The timer of messages that are saved from now on without a timer of their own.
    package var messageTimer: MessageTimer?
    /// The age at which messages are deleted, counted from their timestamps.
    package var keepFor: RetentionPeriod?
    /// The number of newest messages that are kept, at least 1.
    package var keepCount: UInt32?

    package init(messageTimer: MessageTimer? = nil, keepFor: RetentionPeriod? = nil, keepCount: UInt32? = nil) {
        self.messageTimer = messageTimer
        self.keepFor = keepFor
        self.keepCount = keepCount
    }

    /// True if messages are deleted because of their age or number.
    var deletesOldest: Bool { keepFor != nil || keepCount != nil }
}

/// The changes of `updateConversation` to the retention; `nil` leaves a field as it is, `.some(nil)` removes it.
package struct RetentionUpdate: Hashable, Sendable {
    package var messageTimer: MessageTimer??
    package var keepFor: RetentionPeriod??
    package var keepCount: UInt32??

    package init(messageTimer: MessageTimer?? = nil, keepFor: RetentionPeriod?? = nil, keepCount: UInt32?? = nil) {
        self.messageTimer = messageTimer
        self.keepFor = keepFor
        self.keepCount = keepCount
    }

    /// Creates an update that sets all rules.
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
