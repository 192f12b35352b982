import StoreBasics
import StoreEngine
import StoreProtocol

extension NewMessageFields {
    /// The same rules for both ways of decoding.
    func newMessage() throws(StoreError) -> NewMessage {
        return NewMessage(
            id: try EntityID.given(id),
            conversation: try ConversationReference(conversation?.reference),
            text: text, senderSessionID: senderSessionID, recipientSessionID: recipientSessionID,
            timestamp: Timestamp.given(timestampMicroseconds),
            status: status == 0 ? .pending : try MessageStatus(wire: status), isOutgoing: isOutgoing,
            isRead: isRead, attachmentURL: attachmentURL, attachmentType: attachmentType,
            replyToMessageID: try replyToMessageID.flatMap { (text) throws(StoreError) in
                try EntityID.given(text)
            },
            timer: try TimerChoice(timer), attachments: try NewAttachment.all(attachments),
            keepsAttachments: keepsAttachments)
    }
}

/// The fields of `ConversationReference` as they are on the wire.
struct ConversationFields {
    var reference: WireConversationReference.OneOf_Reference?

    init(_ wire: WireConversationReference) {
        reference = wire.reference
    }

    /// `nil` unless it names the conversation at most once.
    init?(plain message: UnsafeRawBufferPointer, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        var reader = ProtobufReader(message, range: range)
        guard let field = try? reader.next(), case .bytes(let name) = field.value, name.upperBound == range.upperBound,
            let text = message.text(at: name)
        else { return nil }
        switch field.number {
        case 1: reference = .id(text)
        case 2: reference = .sessionID(text)
        default: return nil
        }
    }
}
