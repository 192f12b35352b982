internal import FoundationEssentials
internal import StoreBasics
internal import StoreEngine
internal import StoreProtocol

extension ResponseEncoder {
    static func wire(_ conversation: Conversation) -> WireConversation {
        var wire = WireConversation()
        wire.id = conversation.id.text
        wire.sessionID = conversation.sessionID.text
        if let displayName = conversation.displayName {
            wire.displayName = displayName
        }
        if let avatar = conversation.avatar {
            wire.avatar = Data(avatar)
        }
        wire.hasAvatar_p = conversation.hasAvatar
        wire.isPinned = conversation.isPinned
        wire.isMuted = conversation.isMuted
        wire.messageCount = UInt64(clamping: conversation.messageCount)
        wire.unreadCount = UInt64(clamping: conversation.unreadCount)
        if let last = conversation.lastMessage {
            wire.lastMessage = self.wire(last)
        }
        wire.createdAtMicroseconds = conversation.createdAt.microseconds
        wire.updatedAtMicroseconds = conversation.updatedAt.microseconds
        wire.lastActivityAtMicroseconds = conversation.lastActivityAt.microseconds
        return wire
    }

    static func wire(_ page: ConversationPage) -> WireListConversationsResponse {
        var wire = WireListConversationsResponse()
        wire.conversations = page.conversations.map { self.wire($0) }
        wire.nextCursor = page.nextCursor ?? ""
        return wire
    }

    private static func wire(_ last: LastMessage) -> WireLastMessage {
        var wire = WireLastMessage()
        wire.id = last.id.text
        wire.text = last.text
        wire.timestampMicroseconds = last.timestamp.microseconds
        wire.isOutgoing = last.isOutgoing
        wire.status = WireMessageStatus(last.status)
        return wire
    }

    static func wire(_ contact: Contact) -> WireContact {
        var wire = WireContact()
        wire.id = contact.id.text
        wire.sessionID = contact.sessionID.text
        if let displayName = contact.displayName {
            wire.displayName = displayName
        }
        if let avatar = contact.avatar {
            wire.avatar = Data(avatar)
        }
        wire.hasAvatar_p = contact.hasAvatar
        if let notes = contact.notes {
            wire.notes = notes
        }
        wire.isBlocked = contact.isBlocked
        wire.isTrusted = contact.isTrusted
        wire.createdAtMicroseconds = contact.createdAt.microseconds
        wire.updatedAtMicroseconds = contact.updatedAt.microseconds
        return wire
    }

    static func wire(_ page: ContactPage) -> WireListContactsResponse {
        var wire = WireListContactsResponse()
        wire.contacts = page.contacts.map { self.wire($0) }
        wire.nextCursor = page.nextCursor ?? ""
        return wire
    }

    static func wire(_ statistics: Statistics, databaseBytes: UInt64) -> WireStatistics {
        var wire = WireStatistics()
        wire.conversationCount = UInt64(clamping: statistics.conversationCount)
        wire.messageCount = UInt64(clamping: statistics.messageCount)
        wire.contactCount = UInt64(clamping: statistics.contactCount)
        wire.unreadCount = UInt64(clamping: statistics.unreadCount)
        wire.revision = statistics.revision
        wire.compactedThroughRevision = statistics.compactedThroughRevision
        wire.databaseBytes = databaseBytes
        return wire
    }
}

extension WireMessageStatus {
    init(_ status: MessageStatus) {
        switch status {
        case .pending: self = .pending
        case .sent: self = .sent
        case .delivered: self = .delivered
        case .failed: self = .failed
        }
    }
}
