import StoreClient

/// Lines that are sent together: first the contacts, then the conversations, then the messages, then the edits of
/// messages.
struct ImportBatch: Sendable {
    struct Entry<Value: Sendable>: Sendable {
        let lineNumber: UInt64
        var value: Value
    }

    /// Messages that are saved in one request. The request always fits into a frame: the texts, and at most 6 KiB of
    /// IDs and addresses for each message, stay below the limit of 8 MiB.
    struct Request: Sendable {
        static let messagesMax = StoreClient.entriesPerRequestMax
        /// The largest sum of the texts in bytes. A longer text gets a request of its own.
        static let bytesMax = 4 << 20

        private(set) var entries: [Entry<ImportedMessage>] = []
        private var bytes = 0

        /// Adds a message. Returns false if there is no room for it.
        mutating func add(_ entry: Entry<ImportedMessage>) -> Bool {
            let entryBytes = entry.value.message.text.utf8.count
            guard entries.isEmpty || (entries.count < Self.messagesMax && bytes + entryBytes <= Self.bytesMax) else {
                return false
            }
            entries.append(entry)
            bytes += entryBytes
            return true
        }

        var isFull: Bool {
            entries.count >= Self.messagesMax || bytes >= Self.bytesMax
        }
    }

    private(set) var conversations: [Entry<ConversationLine>] = []
    private(set) var contacts: [Entry<ContactUpdate>] = []
    /// The requests. There are several only if a single line has too many messages for one request.
    private(set) var requests = [Request()]
    private var lineBytes = 0

    var isEmpty: Bool {
        conversations.isEmpty && contacts.isEmpty && requests[0].entries.isEmpty
    }

    var messages: some Sequence<Entry<ImportedMessage>> {
        requests.lazy.map(\.entries).joined()
    }

    var isFull: Bool {
        requests.count > 1 || requests[0].isFull || conversations.count + contacts.count >= Request.messagesMax
            || lineBytes >= Request.bytesMax
    }

    mutating func add(_ record: ImportRecord, lineNumber: UInt64, lineBytes: Int) {
        self.lineBytes += lineBytes
        switch record {
        case .message(let message):
            add(message, lineNumber: lineNumber)
        case .conversation(let conversation):
            conversations.append(Entry(lineNumber: lineNumber, value: conversation))
        case .contact(let contact):
            contacts.append(Entry(lineNumber: lineNumber, value: contact))
        case .dialog(let identity, let dialog):
            add(dialog, identity, lineNumber: lineNumber)
        }
    }

    /// Returns whether the batch contains a line about the same conversation or contact, or an edit of the same
    /// message. The later line must win, so it must be sent in a later batch.
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
            add(ImportedMessage(message: message, editedAt: nil), lineNumber: lineNumber)
        }
    }

    private mutating func add(_ message: ImportedMessage, lineNumber: UInt64) {
        let entry = Entry(lineNumber: lineNumber, value: message)
        if !requests[requests.count - 1].add(entry) {
            requests.append(Request())
            _ = requests[requests.count - 1].add(entry)
        }
    }
}

extension DialogIdentity {
    /// The session ID of the answering side.
    private static let ownSessionID = "self"

    /// Returns the message of a turn. Turns alternate; the other side speaks first.
    fileprivate func message(turn: Int, text: String) -> NewMessage {
        let isOutgoing = turn % 2 == 1
        return NewMessage(
            id: messageID(turn: turn), conversation: .sessionID(sessionID), text: text,
            senderSessionID: isOutgoing ? Self.ownSessionID : sessionID,
            recipientSessionID: isOutgoing ? sessionID : Self.ownSessionID, timestamp: timestamp(turn: turn),
            status: .delivered, isOutgoing: isOutgoing, isRead: true, keepsAttachments: true)
    }
}
