import StoreClient

/// Lines that are sent together. Conversations go first, then the messages in one request, then their edits.
struct ImportBatch: Sendable {
    struct Entry<Value: Sendable>: Sendable {
        let lineNumber: UInt64
        let value: Value
    }

    /// Messages of one request.
    static let messagesMax = 500
    /// Bytes of the lines of a batch, well under the largest frame.
    static let bytesMax = 4 << 20

    private(set) var conversations: [Entry<ConversationLine>] = []
    private(set) var contacts: [Entry<ContactUpdate>] = []
    private(set) var messages: [Entry<ImportedMessage>] = []
    private var lineBytes = 0

    var isEmpty: Bool {
        conversations.isEmpty && contacts.isEmpty && messages.isEmpty
    }

    var isFull: Bool {
        messages.count >= Self.messagesMax || conversations.count + contacts.count >= Self.messagesMax
            || lineBytes >= Self.bytesMax
    }

    mutating func add(_ record: ImportRecord, lineNumber: UInt64, lineBytes: Int) {
        self.lineBytes += lineBytes
        switch record {
        case .message(let message):
            messages.append(Entry(lineNumber: lineNumber, value: message))
        case .conversation(let conversation):
            conversations.append(Entry(lineNumber: lineNumber, value: conversation))
        case .contact(let contact):
            contacts.append(Entry(lineNumber: lineNumber, value: contact))
        case .dialog(let identity, let dialog):
            add(dialog, identity, lineNumber: lineNumber)
        }
    }

    /// Whether a line about the same conversation or contact is in it already: the later one has to win.
    func conflicts(with record: ImportRecord) -> Bool {
        switch record {
        case .conversation(let new): conversations.contains { $0.value.sessionID == new.sessionID }
        case .contact(let new): contacts.contains { $0.value.sessionID == new.sessionID }
        case .message(let new): messages.contains { $0.value.editedAt != nil && $0.value.message.id == new.message.id }
        case .dialog: false
        }
    }

    private mutating func add(_ dialog: DialogLine, _ identity: DialogIdentity, lineNumber: UInt64) {
        let name = DialogName.displayName(topic: dialog.topic, language: dialog.language)
        let conversation = ConversationLine(
            id: nil, sessionID: identity.sessionID, displayName: name, avatar: nil, isPinned: false, isMuted: false)
        conversations.append(Entry(lineNumber: lineNumber, value: conversation))
        for (turn, text) in dialog.turns.enumerated() {
            let message = identity.message(turn: turn, text: text)
            messages.append(Entry(lineNumber: lineNumber, value: ImportedMessage(message: message, editedAt: nil)))
        }
    }
}

extension DialogIdentity {
    /// The session id that stands for the answering side.
    private static let ownSessionID = "self"

    /// Turns alternate: the other side speaks first.
    fileprivate func message(turn: Int, text: String) -> NewMessage {
        let isOutgoing = turn % 2 == 1
        return NewMessage(
            id: messageID(turn: turn), conversation: .sessionID(sessionID), text: text,
            senderSessionID: isOutgoing ? Self.ownSessionID : sessionID,
            recipientSessionID: isOutgoing ? sessionID : Self.ownSessionID, timestamp: timestamp(turn: turn),
            status: .delivered, isOutgoing: isOutgoing, isRead: true)
    }
}
