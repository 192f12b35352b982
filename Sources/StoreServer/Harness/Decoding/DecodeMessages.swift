internal import StoreBasics
internal import StoreEngine
internal import StoreProtocol

extension RequestDecoder {
    static func decodeMessages(
        _ kind: CallKind, _ call: UnsafeRawBufferPointer
    ) throws(RequestFailure) -> Command {
        switch kind {
        case .saveMessage:
            let request = try parse(WireSaveMessageRequest.self, call)
            guard request.hasMessage else {
                throw .invalidArgument("the message is missing")
            }
            return .mutation(.saveMessage(try newMessage(request.message)))
        case .saveMessages:
            var messages: [NewMessage] = []
            for message in try parse(WireSaveMessagesRequest.self, call).messages {
                messages.append(try newMessage(message))
            }
            return .mutation(.saveMessages(messages))
        case .getMessage:
            return .getMessage(try entityID(try parse(WireGetMessageRequest.self, call).id))
        case .listMessages:
            return .listMessages(try messageQuery(try parse(WireListMessagesRequest.self, call)))
        case .updateMessageStatus:
            let request = try parse(WireUpdateMessageStatusRequest.self, call)
            return .mutation(
                .updateMessageStatus(try entityIDs(request.ids), try status(Int64(request.status.rawValue))))
        case .markMessagesRead:
            return .mutation(.markMessagesRead(try entityIDs(try parse(WireMarkMessagesReadRequest.self, call).ids)))
        case .editMessage:
            let request = try parse(WireEditMessageRequest.self, call)
            return .mutation(
                .editMessage(
                    try entityID(request.id), text: request.text, editedAt: timestamp(request.editedAtMicroseconds)))
        case .deleteMessages:
            return .mutation(.deleteMessages(try entityIDs(try parse(WireDeleteMessagesRequest.self, call).ids)))
        default:
            preconditionFailure("\(kind) is not a call on messages")
        }
    }

    static func newMessage(_ wire: WireNewMessage) throws(RequestFailure) -> NewMessage {
        var fields = NewMessageFields()
        fields.id = wire.id
        fields.conversation = wire.conversation.reference
        fields.text = wire.text
        fields.senderSessionID = wire.senderSessionID
        fields.recipientSessionID = wire.recipientSessionID
        fields.timestampMicroseconds = wire.timestampMicroseconds
        fields.status = Int64(wire.status.rawValue)
        fields.isOutgoing = wire.isOutgoing
        fields.isRead = wire.isRead
        fields.attachmentURL = wire.hasAttachmentURL ? wire.attachmentURL : nil
        fields.attachmentType = wire.hasAttachmentType ? wire.attachmentType : nil
        fields.replyToMessageID = wire.hasReplyToMessageID ? wire.replyToMessageID : nil
        return try fields.newMessage()
    }

    /// Both numberings are the same by contract; a test compares them.
    static func status(_ number: Int64) throws(RequestFailure) -> MessageStatus {
        guard let status = MessageStatus(rawValue: Int(number)) else {
            throw .invalidArgument(
                number == 0 ? "the status is missing" : "the status \(number) is not one this daemon knows")
        }
        return status
    }

    static func entityIDs(_ texts: [String]) throws(RequestFailure) -> [EntityID] {
        var ids: [EntityID] = []
        ids.reserveCapacity(texts.count)
        for text in texts {
            ids.append(try entityID(text))
        }
        return ids
    }

    private static func messageQuery(_ wire: WireListMessagesRequest) throws(RequestFailure) -> MessageQuery {
        var query = MessageQuery(
            conversation: try conversation(wire.conversation.reference),
            limit: try limit(wire.limit))
        switch wire.order {
        case .unspecified, .newestFirst: query.order = .newestFirst
        case .oldestFirst: query.order = .oldestFirst
        case .UNRECOGNIZED(let value): throw .invalidArgument("the order \(value) is not one this daemon knows")
        }
        query.before = try cursor(wire.beforeCursor)
        query.after = try cursor(wire.afterCursor)
        query.from = wire.hasFromMicroseconds ? Timestamp(microseconds: wire.fromMicroseconds) : nil
        query.until = wire.hasUntilMicroseconds ? Timestamp(microseconds: wire.untilMicroseconds) : nil
        query.senderSessionID = wire.hasSenderSessionID ? wire.senderSessionID : nil
        query.isOutgoing = wire.hasIsOutgoing ? wire.isOutgoing : nil
        query.status = wire.hasStatus ? try status(Int64(wire.status.rawValue)) : nil
        query.hasAttachment = wire.hasHasAttachment_p ? wire.hasAttachment_p : nil
        query.isRead = wire.hasIsRead ? wire.isRead : nil
        return query
    }

    private static func cursor(_ text: String) throws(RequestFailure) -> MessageCursor? {
        guard !text.isEmpty else {
            return nil
        }
        return try checked { () throws(StoreError) in try MessageCursor(text) }
    }
}
