import StoreBasics
import StoreProtocol

/// The fields of `ConversationReference` in the form of the wire.
struct ConversationFields {
    var reference: WireConversationReference.OneOf_Reference?

    init(_ wire: WireConversationReference) {
        reference = wire.reference
    }

    /// Creates the fields from an encoded `ConversationReference` that is empty or names the conversation exactly once;
    /// returns `nil` for any other.
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
