import StoreBasics
import StoreProtocol

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
