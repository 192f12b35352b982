import StoreBasics
import StoreEngine
import StoreProtocol

enum MessageCalls {
    static let saveMessage = CallRule(
        .write(.messages), .write, bytesMax: CallLimits.messageBytesMax + CallLimits.attachmentBytesMax
    ) {
        (call) throws(StoreError) in
        if let fields = plainMessage(call) {
            return .mutation(.saveMessage(try NewMessage(fields)))
        }
        try NestedAttachments.check(call)
        let request = try call.parse(WireSaveMessageRequest.self)
        guard request.hasMessage else { throw .invalidArgument("the message is missing") }
        let message = try NewMessage(NewMessageFields(request.message))
        return .mutation(.saveMessage(message, clearsDraft: request.clearDraft_p))
    }

    /// Returns the message of a simple save without building protobuf types; `nil` if the request needs full decoding.
    static func plainMessage(_ call: CallBytes) -> NewMessageFields? {
        call.onlyBytes(field: 1).flatMap { NewMessageFields(plain: call.bytes, $0) }
    }

    static let saveMessages = CallRule(
        .write(.messages), .write, bytesMax: CallLimits.batchBytesMax, entriesMax: EngineLimits.requestEntitiesMax,
        fieldBytes: CallLimits.messageFieldBytes
    ) { (call: CallBytes) throws(StoreError) in
        try NestedAttachments.check(call)
        let request = try call.parse(WireSaveMessagesRequest.self)
        let messages = try request.messages.map { (message) throws(StoreError) in
            try NewMessage(NewMessageFields(message))
        }
        return .mutation(.saveMessages(messages))
    }

    static let getMessage = CallRule(.read(.messages), .read) { (call) throws(StoreError) in
        if let range = call.onlyBytes(field: 1), let id = call.bytes.text(at: range) {
            return .getMessage(try EntityID(wire: id))
        }
        return .getMessage(try EntityID(wire: try call.parse(WireGetMessageRequest.self).id))
    }

    static let listMessages = CallRule(.read(.messages), .read) {
        (request: WireListMessagesRequest, _) throws(StoreError) in
        var query = MessageQuery(
            conversation: request.hasConversation
                ? try ConversationReference(request.conversation.reference) : nil,
            limit: try request.limit.asLimit())
        query.order = try MessageOrder(wire: request.order)
        query.before = try MessageCursor.given(request.beforeCursor)
        query.after = try MessageCursor.given(request.afterCursor)
        query.filter = try MessageFilter(wire: request)
        return .listMessages(query)
    }

    static let updateMessageStatus = CallRule(
        .write(.messages), .write, bytesMax: CallLimits.idListBytesMax, entriesMax: EngineLimits.requestEntitiesMax
    ) { (request: WireUpdateMessageStatusRequest, _) throws(StoreError) in
        .mutation(
            .updateMessageStatus(try EntityID.all(request.ids), try MessageStatus(wire: request.status))
        )
    }

    static let markMessagesRead = CallRule(
        .write(.messages), .write, bytesMax: CallLimits.idListBytesMax, entriesMax: EngineLimits.requestEntitiesMax
    ) { (request: WireMarkMessagesReadRequest, _) throws(StoreError) in
        .mutation(.markMessagesRead(try EntityID.all(request.ids)))
    }

    static let editMessage = CallRule(.write(.messages), .write, bytesMax: CallLimits.messageBytesMax) {
        (request: WireEditMessageRequest, _) throws(StoreError) in
        .mutation(
            .editMessage(
                try EntityID(wire: request.id), text: request.text,
                editedAt: Timestamp.given(request.editedAtMicroseconds)))
    }

    static let deleteMessages = CallRule(
        .write(.messages), .write, bytesMax: CallLimits.idListBytesMax, entriesMax: EngineLimits.requestEntitiesMax
    ) { (request: WireDeleteMessagesRequest, _) throws(StoreError) in
        .mutation(.deleteMessages(try EntityID.all(request.ids)))
    }
}

extension MessageCursor {
    static func given(_ text: String) throws(StoreError) -> MessageCursor? {
        text.isEmpty ? nil : try MessageCursor(text)
    }
}

extension MessageStatus {
    init(wire status: WireMessageStatus) throws(StoreError) {
        try self.init(wire: Int64(status.rawValue))
    }

    /// Creates the status from its number on the wire. By contract, the engine uses the same numbers; a test compares
    /// them.
    init(wire number: Int64) throws(StoreError) {
        guard let status = MessageStatus(rawValue: Int(number)) else {
            throw .invalidArgument(
                number == 0 ? "the status is missing" : "the status \(number) is unknown to this daemon")
        }
        self = status
    }
}
