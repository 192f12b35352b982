internal import StoreBasics
internal import StoreEngine
internal import StoreProtocol

/// The fields of `NewMessage` as they are on the wire, read without building protobuf types where each occurs at most
/// once and is known: saves decide latency and throughput.
struct NewMessageFields {
    var id = ""
    var conversationID = ""
    var conversationSessionID = ""
    var text = ""
    var senderSessionID = ""
    var recipientSessionID = ""
    var timestampMicroseconds: Int64 = 0
    var status: Int64 = 0
    var isOutgoing = false
    var isRead = false
    var attachmentURL: String?
    var attachmentType: String?
    var replyToMessageID: String?

    init(_ wire: WireNewMessage) {
        id = wire.id
        conversationID = wire.conversationID
        conversationSessionID = wire.conversationSessionID
        text = wire.text
        senderSessionID = wire.senderSessionID
        recipientSessionID = wire.recipientSessionID
        timestampMicroseconds = wire.timestampMicroseconds
        status = Int64(wire.status.rawValue)
        isOutgoing = wire.isOutgoing
        isRead = wire.isRead
        attachmentURL = wire.hasAttachmentURL ? wire.attachmentURL : nil
        attachmentType = wire.hasAttachmentType ? wire.attachmentType : nil
        replyToMessageID = wire.hasReplyToMessageID ? wire.replyToMessageID : nil
    }

    /// Nil unless every field is known and occurs at most once.
    init?(_ message: UnsafeRawBufferPointer) {
        var reader = ProtobufReader(message)
        var seen: UInt32 = 0
        while true {
            guard let next = try? reader.nextOrEnd() else {
                return nil
            }
            guard case .field(let field) = next else {
                return
            }
            guard field.number <= 13, seen & (1 << field.number) == 0 else {
                return nil
            }
            seen |= 1 << field.number
            switch field.value {
            case .bytes(let range):
                guard let text = message.text(at: range), set(field.number, text) else {
                    return nil
                }
            case .varint(let value):
                guard set(field.number, value) else {
                    return nil
                }
            case .fixed32, .fixed64:
                return nil
            }
        }
    }

    private mutating func set(_ number: UInt32, _ value: String) -> Bool {
        switch number {
        case 1: id = value
        case 2: conversationID = value
        case 3: conversationSessionID = value
        case 4: text = value
        case 5: senderSessionID = value
        case 6: recipientSessionID = value
        case 11: attachmentURL = value
        case 12: attachmentType = value
        case 13: replyToMessageID = value
        default: return false
        }
        return true
    }

    private mutating func set(_ number: UInt32, _ value: UInt64) -> Bool {
        switch number {
        case 7: timestampMicroseconds = Int64(bitPattern: value)
        case 8: status = Int64(Int32(truncatingIfNeeded: value))
        case 9: isOutgoing = value != 0
        case 10: isRead = value != 0
        default: return false
        }
        return true
    }

    /// The same rules for both ways of decoding.
    func newMessage() throws(RequestFailure) -> NewMessage {
        guard let status = MessageStatus(wire: status) else {
            throw .invalidArgument("the status \(status) is not one this daemon knows")
        }
        return NewMessage(
            id: try EntityID.given(id),
            conversation: try ConversationReference(id: conversationID, sessionID: conversationSessionID),
            text: text, senderSessionID: senderSessionID, recipientSessionID: recipientSessionID,
            timestamp: Timestamp.given(timestampMicroseconds), status: status, isOutgoing: isOutgoing,
            isRead: isRead, attachmentURL: attachmentURL, attachmentType: attachmentType,
            replyToMessageID: try replyToMessageID.flatMap { (text) throws(RequestFailure) in
                try EntityID.given(text)
            })
    }
}
