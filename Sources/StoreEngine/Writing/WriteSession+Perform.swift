import SQLCipher

extension WriteSession {
    /// Applies one request to the open transaction.
    ///
    /// Looks before it writes, so that an expected failure has changed nothing and needs no savepoint: SQLCipher
    /// encrypts every page that a savepoint sets aside, which doubles the price of a save.
    mutating func perform(_ request: WriteRequest) throws(StoreError) -> Receipt {
        if let key = request.idempotencyKey, let earlier = try receipt(for: key, of: request.mutation) {
            return earlier
        }
        var receipt = try perform(request.mutation)
        receipt.revision = statistics.revision
        if let key = request.idempotencyKey {
            try remember(receipt, for: key, of: request.mutation)
        }
        return receipt
    }

    private mutating func perform(_ mutation: Mutation) throws(StoreError) -> Receipt {
        switch mutation {
        case .getOrCreateConversation(let sessionID, let id, let displayName):
            try getOrCreateConversation(sessionID, id: id, displayName: displayName)
        case .updateConversation(let reference, let update):
            try updateConversation(reference, update)
        case .markConversationRead(let reference):
            try markConversationRead(reference)
        case .deleteConversation(let reference):
            try deleteConversation(reference)
        case .saveMessage(let message):
            try saveMessage(message)
        case .saveMessages(let messages):
            try saveMessages(messages)
        case .updateMessageStatus(let ids, let status):
            try updateMessageStatus(ids, status)
        case .markMessagesRead(let ids):
            try markMessagesRead(ids)
        case .editMessage(let id, let text, let editedAt):
            try editMessage(id, text: text, editedAt: editedAt)
        case .deleteMessages(let ids):
            try deleteMessages(ids)
        case .saveContact(let contact):
            try saveContact(contact)
        case .deleteContact(let sessionID):
            try deleteContact(sessionID)
        case .setContactBlocked(let sessionID, let isBlocked):
            try setContactBlocked(sessionID, isBlocked)
        case .setSceneValues(let tiers, let changes, let conditions):
            try setSceneValues(tiers, changes, conditions: conditions)
        case .removeScene(let scene):
            try removeScene(scene)
        case .openLog(let name, let configuration):
            try openLog(name, configuration)
        case .appendLog(let append):
            try self.append(append)
        case .deleteLog(let name):
            try deleteLog(name)
        case .clearAllData:
            try clearAllData()
        case .compactChanges(let revision):
            try compactChanges(through: revision)
        }
    }
}

extension Mutation {
    /// Frees space rather than taking it, so that it is let through when the disk is full.
    var freesSpace: Bool {
        switch self {
        case .deleteConversation, .deleteMessages, .deleteContact, .removeScene, .deleteLog, .clearAllData,
            .compactChanges:
            true
        case .setSceneValues(_, let changes, _): changes.allSatisfy { $0.value == nil }
        case .getOrCreateConversation, .updateConversation, .markConversationRead, .saveMessage, .saveMessages,
            .updateMessageStatus, .markMessagesRead, .editMessage, .saveContact, .setContactBlocked, .openLog,
            .appendLog:
            false
        }
    }
}
