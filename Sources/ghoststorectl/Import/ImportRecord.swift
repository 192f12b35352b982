import StoreClient

/// One line of an import, understood.
enum ImportRecord: Sendable {
    case message(ImportedMessage)
    case conversation(ConversationLine)
    case contact(ContactUpdate)
    case dialog(DialogIdentity, DialogLine)

    static func parse(_ line: [UInt8], lineNumber: UInt64) throws(JSONError) -> ImportRecord {
        let record = try JSONRecord(line: line)
        if DialogLine.isDialog(record) {
            let dialog = try DialogLine.parse(record)
            return .dialog(DialogIdentity(lineNumber: lineNumber, dialog: dialog), dialog)
        }
        switch try record.optionalText("kind") ?? MessageLine.kind {
        case MessageLine.kind: return .message(try MessageLine.parse(record))
        case ConversationLine.kind: return .conversation(try ConversationLine.parse(record))
        case ContactLine.kind: return .contact(try ContactLine.parse(record))
        default: throw JSONError("the field 'kind' is none of message, conversation, contact")
        }
    }

    /// What must be written in the order of the file: everything of one conversation, everything of one contact.
    var orderingKey: String {
        switch self {
        case .message(let imported):
            switch imported.message.conversation {
            case .id(let id): id
            case .sessionID(let sessionID): sessionID
            }
        case .conversation(let conversation): conversation.sessionID
        case .contact(let contact): contact.sessionID
        case .dialog(let identity, _): identity.sessionID
        }
    }
}
