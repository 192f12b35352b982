import StoreProtocol

extension MessageStatus {
    init(_ wire: WireMessageStatus) {
        switch wire {
        case .pending: self = .pending
        case .sent: self = .sent
        case .delivered: self = .delivered
        case .failed: self = .failed
        case .unspecified, .UNRECOGNIZED: self = .unknown
        }
    }
}

extension WireMessageStatus {
    init(_ status: MessageStatus) {
        switch status {
        case .pending: self = .pending
        case .sent: self = .sent
        case .delivered: self = .delivered
        case .failed: self = .failed
        // No status has this number, so that the daemon refuses it instead of taking it for one that is not given.
        case .unknown: self = .UNRECOGNIZED(-1)
        }
    }
}

extension Message {
    init(_ wire: WireMessage) {
        self.init(
            id: wire.id, conversationID: wire.conversationID, text: wire.text,
            senderSessionID: wire.senderSessionID, recipientSessionID: wire.recipientSessionID,
            timestamp: Timestamp(microseconds: wire.timestampMicroseconds), status: MessageStatus(wire.status),
            isOutgoing: wire.isOutgoing, isRead: wire.isRead,
            attachmentURL: wire.hasAttachmentURL ? wire.attachmentURL : nil,
            attachmentType: wire.hasAttachmentType ? wire.attachmentType : nil,
            replyToMessageID: wire.hasReplyToMessageID ? wire.replyToMessageID : nil,
            createdAt: Timestamp(microseconds: wire.createdAtMicroseconds),
            editedAt: wire.hasEditedAtMicroseconds ? Timestamp(microseconds: wire.editedAtMicroseconds) : nil,
            reactions: wire.reactions.map(ReactionCount.init),
            timer: wire.hasTimer ? MessageTimer(wire.timer) : nil,
            expiresAt: wire.hasExpiresAtMicroseconds ? Timestamp(microseconds: wire.expiresAtMicroseconds) : nil,
            attachments: wire.attachments.map(Attachment.init))
    }
}

extension MessagePage {
    init(_ wire: WireListMessagesResponse) {
        self.init(
            messages: wire.messages.map(Message.init), firstCursor: wire.firstCursor.isEmpty ? nil : wire.firstCursor,
            lastCursor: wire.lastCursor.isEmpty ? nil : wire.lastCursor, hasMore: wire.hasMore_p)
    }
}

extension WireNewMessage {
    init(_ message: NewMessage) {
        self.init()
        id = message.id
        conversation = WireConversationReference(message.conversation)
        text = message.text
        senderSessionID = message.senderSessionID
        recipientSessionID = message.recipientSessionID
        timestampMicroseconds = message.timestamp.microseconds
        status = WireMessageStatus(message.status)
        isOutgoing = message.isOutgoing
        isRead = message.isRead
        if let url = message.attachmentURL {
            attachmentURL = url
        }
        if let type = message.attachmentType {
            attachmentType = type
        }
        if let replied = message.replyToMessageID {
            replyToMessageID = replied
        }
        if let timer = message.timer {
            self.timer = WireMessageTimer(timer)
        }
        keepsAttachments = message.keepsAttachments
    }
}

extension WireListMessagesRequest {
    init(_ query: MessageQuery) {
        self.init()
        conversation = WireConversationReference(query.conversation)
        limit = UInt32(clamping: query.limit)
        order = query.order == .newestFirst ? .newestFirst : .oldestFirst
        beforeCursor = query.beforeCursor ?? ""
        afterCursor = query.afterCursor ?? ""
        apply(query.filter)
    }
}

extension MessageFilterFields {
    mutating func apply(_ filter: MessageFilter) {
        if let from = filter.from {
            fromMicroseconds = from.microseconds
        }
        if let until = filter.until {
            untilMicroseconds = until.microseconds
        }
        if let sender = filter.senderSessionID {
            senderSessionID = sender
        }
        if let value = filter.isOutgoing {
            isOutgoing = value
        }
        if let value = filter.status {
            status = WireMessageStatus(value)
        }
        if let value = filter.hasAttachment {
            hasAttachment_p = value
        }
        if let value = filter.isRead {
            isRead = value
        }
    }
}
