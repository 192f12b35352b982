import FoundationEssentials
import StoreProtocol

extension WireConversationReference {
    init(_ reference: ConversationReference) {
        self.init()
        switch reference {
        case .id(let id): self.id = id
        case .sessionID(let sessionID): self.sessionID = sessionID
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
