import SQLCipher

extension WriteSession {
    /// Applies one request to the open transaction.
    ///
    /// Looks before it writes, so that an expected failure has changed nothing and needs no savepoint: SQLCipher
    /// encrypts every page that a savepoint sets aside, which doubles the price of a save.
    mutating func perform(_ request: WriteRequest) throws(StoreError) -> MutationResult {
        if let key = request.idempotencyKey, let earlier = try result(for: key, of: request.mutation) {
            return earlier
        }
        var result = try perform(request.mutation)
        if case .commit(var commit) = result {
            commit.revision = statistics.revision
            result = .commit(commit)
        }
        if let key = request.idempotencyKey {
            try remember(result, for: key, of: request.mutation)
        }
        return result
    }

    private mutating func perform(_ mutation: Mutation) throws(StoreError) -> MutationResult {
        switch mutation {
        case .getOrCreateConversation(let sessionID, let id, let displayName):
            .conversation(try getOrCreateConversation(sessionID, id: id, displayName: displayName))
        case .updateConversation(let reference, let update):
            .commit(try updateConversation(reference, update))
        case .markConversationRead(let reference):
            .commit(try markConversationRead(reference))
        case .deleteConversation(let reference):
            .commit(try deleteConversation(reference))
        case .saveMessage(let message):
            .commit(try saveMessage(message))
        case .saveMessages(let messages):
            .commit(try saveMessages(messages))
        case .updateMessageStatus(let ids, let status):
            .commit(try updateMessageStatus(ids, status))
        case .markMessagesRead(let ids):
            .commit(try markMessagesRead(ids))
        case .editMessage(let id, let text, let editedAt):
            .commit(try editMessage(id, text: text, editedAt: editedAt))
        case .deleteMessages(let ids):
            .commit(try deleteMessages(ids))
        case .saveContact(let contact):
            .commit(try saveContact(contact))
        case .deleteContact(let sessionID):
            .commit(try deleteContact(sessionID))
        case .setContactBlocked(let sessionID, let isBlocked):
            .commit(try setContactBlocked(sessionID, isBlocked))
        case .setSceneValues(let tiers, let changes, let conditions):
            .commit(try setSceneValues(tiers, changes, conditions: conditions))
        case .removeScene(let scene):
            .commit(try removeScene(scene))
        case .openLog(let name, let configuration):
            .log(try openLog(name, configuration))
        case .appendLog(let append):
            .appended(try self.append(append), isReplayed: false)
        case .deleteLog(let name):
            .commit(try deleteLog(name))
        case .clearAllData:
            .commit(try clearAllData())
        case .compactChanges(let revision):
            .compacted(throughRevision: try compactChanges(through: revision))
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
