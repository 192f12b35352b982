import StoreBasics
import StoreEngine
import StoreProtocol

/// The fields of `NewMessage` as they are on the wire, read without building protobuf types where each occurs at most
/// once and is known: saves decide latency and throughput.
struct NewMessageFields {
    var id = ""
    var conversation: WireConversationReference.OneOf_Reference?
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
    var timer: TimerFields?
    var attachments: [WireNewAttachment] = []
    var keepsAttachments = false

    init(_ wire: WireNewMessage) {
        id = wire.id
        conversation = wire.conversation.reference
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
        timer = wire.hasTimer ? TimerFields(wire.timer) : nil
        attachments = wire.attachments
        keepsAttachments = wire.keepsAttachments
    }

    /// `nil` unless every field is known and occurs at most once, and there are no attachments.
    init?(_ message: UnsafeRawBufferPointer) {
        var reader = ProtobufReader(message)
        var seen: UInt32 = 0
        while true {
            guard let next = try? reader.nextOrEnd() else { return nil }
            guard case .field(let field) = next else { return }
            guard field.number <= 15, seen & (1 << field.number) == 0 else { return nil }
            seen |= 1 << field.number
            switch field.value {
            case .bytes(let range):
                if field.number == 2 {
                    guard !range.isEmpty else { continue }
                    guard let reference = Self.reference(message, range) else { return nil }
                    conversation = reference
                } else if field.number == 13 {
                    guard let timer = TimerFields(message, range) else { return nil }
                    self.timer = timer
                } else {
                    guard let text = message.text(at: range), set(field.number, text) else { return nil }
                }
            case .varint(let value):
                guard set(field.number, value) else { return nil }
            case .fixed32, .fixed64:
                return nil
            }
        }
    }

    /// `nil` unless it names the conversation exactly once.
    private static func reference(
        _ message: UnsafeRawBufferPointer, _ range: Range<Int>
    ) -> WireConversationReference.OneOf_Reference? {
        var reader = ProtobufReader(message, range: range)
        guard let field = try? reader.next(), case .bytes(let name) = field.value, name.upperBound == range.upperBound,
            let text = message.text(at: name)
        else { return nil }
        return switch field.number {
        case 1: .id(text)
        case 2: .sessionID(text)
        default: nil
        }
    }

    private mutating func set(_ number: UInt32, _ value: String) -> Bool {
        switch number {
        case 1: id = value
        case 3: text = value
        case 4: senderSessionID = value
        case 5: recipientSessionID = value
        case 10: attachmentURL = value
        case 11: attachmentType = value
        case 12: replyToMessageID = value
        default: return false
        }
        return true
    }

    private mutating func set(_ number: UInt32, _ value: UInt64) -> Bool {
        switch number {
        case 6: timestampMicroseconds = Int64(bitPattern: value)
        case 7: status = Int64(Int32(truncatingIfNeeded: value))
        case 8: isOutgoing = value != 0
        case 9: isRead = value != 0
        case 15: keepsAttachments = value != 0
        default: return false
        }
        return true
    }

    /// The same rules for both ways of decoding.
    func newMessage() throws(RequestFailure) -> NewMessage {
        return NewMessage(
            id: try EntityID.given(id),
            conversation: try ConversationReference(conversation),
            text: text, senderSessionID: senderSessionID, recipientSessionID: recipientSessionID,
            timestamp: Timestamp.given(timestampMicroseconds),
            status: status == 0 ? .pending : try MessageStatus(wire: status), isOutgoing: isOutgoing,
            isRead: isRead, attachmentURL: attachmentURL, attachmentType: attachmentType,
            replyToMessageID: try replyToMessageID.flatMap { (text) throws(RequestFailure) in
                try EntityID.given(text)
            },
            timer: try TimerChoice(timer), attachments: try NewAttachment.all(attachments),
            keepsAttachments: keepsAttachments)
    }
}
