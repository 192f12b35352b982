import FoundationEssentials
import StoreProtocol

extension Conversation {
    init(_ wire: WireConversation) {
        self.init(
            id: wire.id, sessionID: wire.sessionID, displayName: wire.hasDisplayName ? wire.displayName : nil,
            avatar: wire.hasAvatar ? Array(wire.avatar) : nil, hasAvatar: wire.hasAvatar_p,
            isPinned: wire.isPinned, isMuted: wire.isMuted, messageCount: Int(clamping: wire.messageCount),
            unreadCount: Int(clamping: wire.unreadCount),
            lastMessage: wire.hasLastMessage ? LastMessage(wire.lastMessage) : nil,
            createdAt: Timestamp(microseconds: wire.createdAtMicroseconds),
            updatedAt: Timestamp(microseconds: wire.updatedAtMicroseconds),
            lastActivityAt: Timestamp(microseconds: wire.lastActivityAtMicroseconds),
            retention: wire.hasRetention ? ConversationRetention(wire.retention) : nil)
    }
}

extension LastMessage {
    init(_ wire: WireLastMessage) {
        self.init(
            id: wire.id, text: wire.text, timestamp: Timestamp(microseconds: wire.timestampMicroseconds),
            isOutgoing: wire.isOutgoing, status: MessageStatus(wire.status))
    }
}

extension ConversationPage {
    init(_ wire: WireListConversationsResponse) {
        self.init(
            conversations: wire.conversations.map(Conversation.init),
            nextCursor: wire.nextCursor.isEmpty ? nil : wire.nextCursor)
    }
}

extension WireConversationReference {
    init(_ reference: ConversationReference) {
        self.init()
        switch reference {
        case .id(let id): self.id = id
        case .sessionID(let sessionID): self.sessionID = sessionID
        }
    }
}

extension WireUpdateConversationRequest {
    init(_ reference: ConversationReference, _ update: ConversationUpdate) {
        self.init()
        conversation = WireConversationReference(reference)
        if let name = update.displayName.wireValue(removed: "") {
            displayName = name
        }
        if let bytes = update.avatar.wireValue(removed: []) {
            avatar = Data(bytes)
        }
        if let value = update.isPinned {
            isPinned = value
        }
        if let value = update.isMuted {
            isMuted = value
        }
        if let timer = update.messageTimer.wireValue(removed: .never) {
            messageTimer = WireMessageTimer(timer)
        }
        if let duration = update.keepFor.wireValue(removed: .zero) {
            keepForMilliseconds = duration.wholeMilliseconds
        }
        if let count = update.keepCount.wireValue(removed: 0) {
            keepCount = UInt32(clamping: count)
        }
    }
}

extension WireListConversationsRequest {
    init(_ filter: ConversationFilter, limit: Int, cursor: String?, includeAvatars: Bool) {
        self.init()
        self.limit = UInt32(clamping: limit)
        self.cursor = cursor ?? ""
        self.includeAvatars = includeAvatars
        if let value = filter.isPinned {
            isPinned = value
        }
        if let value = filter.isMuted {
            isMuted = value
        }
        if let value = filter.hasUnread {
            hasUnread_p = value
        }
    }
}

extension FieldUpdate {
    /// What the wire says: nothing, or the value, where the empty one removes.
    func wireValue(removed empty: Value) -> Value? {
        switch self {
        case .keep: nil
        case .set(let value): value
        case .remove: empty
        }
    }
}
