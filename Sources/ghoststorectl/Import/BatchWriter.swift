import StoreClient

/// Writes a batch to the store. A refusal names the line.
struct BatchWriter: Sendable {
    let client: StoreClient

    func write(_ batch: ImportBatch) async throws -> ImportSummary {
        var summary = ImportSummary()
        try await forEach(batch.contacts) { contact in
            _ = try await client.saveContact(contact)
        }
        summary.contactCount = batch.contacts.count
        try await forEach(batch.conversations, write)
        summary.conversationCount = batch.conversations.count
        for request in batch.requests {
            summary.newMessageCount += try await save(request.entries)
            summary.messageCount += request.entries.count
        }
        try await forEach(batch.messages.filter { $0.value.editedAt != nil }) { imported in
            _ = try await client.editMessage(
                imported.message.id, text: imported.message.text, editedAt: imported.editedAt ?? .now)
        }
        return summary
    }

    private func write(_ line: ConversationLine) async throws {
        let stored = try await client.getOrCreateConversation(
            sessionID: line.sessionID, id: line.id ?? UUIDv7().description, displayName: line.displayName)
        let update = Self.update(from: stored, to: line)
        if update != ConversationUpdate() {
            _ = try await client.updateConversation(.sessionID(line.sessionID), update)
        }
    }

    /// Only what differs; an avatar is always sent, because the stored one was not asked for.
    private static func update(from stored: Conversation, to line: ConversationLine) -> ConversationUpdate {
        var update = ConversationUpdate()
        if let name = line.displayName, !ExactText.areEqual(name, stored.displayName ?? "") {
            update.displayName = .set(name)
        }
        if let avatar = line.avatar {
            update.avatar = .set(avatar)
        }
        if line.isPinned != stored.isPinned {
            update.isPinned = line.isPinned
        }
        if line.isMuted != stored.isMuted {
            update.isMuted = line.isMuted
        }
        update.messageTimer = FieldUpdate(present: line.messageTimer)
        update.keepFor = FieldUpdate(present: line.keepFor)
        update.keepCount = FieldUpdate(present: line.keepCount)
        return update
    }

    /// Together; when the daemon refuses a value, one by one, to find whose it is.
    ///
    /// - Returns: how many were not there before.
    private func save(_ entries: [ImportBatch.Entry<ImportedMessage>]) async throws -> Int {
        guard !entries.isEmpty else { return 0 }
        do throws(StoreClientError) {
            return try await client.saveMessages(entries.map(\.value.message)).createdCount
        } catch {
            guard Self.isAboutOneMessage(error) else { throw error }
        }
        return try await saveOneByOne(entries)
    }

    private func saveOneByOne(_ entries: [ImportBatch.Entry<ImportedMessage>]) async throws -> Int {
        var newCount = 0
        for entry in entries {
            let commit = try await atLine(entry.lineNumber) {
                try await client.saveMessages([entry.value.message])
            }
            newCount += commit.createdCount
        }
        return newCount
    }

    private static func isAboutOneMessage(_ error: StoreClientError) -> Bool {
        error.code == .invalidArgument || error.code == .notFound || error.code == .alreadyExists
    }

    /// All at once; the client bounds how many are in flight.
    private func forEach<Value>(
        _ entries: [ImportBatch.Entry<Value>], _ body: @escaping @Sendable (Value) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for entry in entries {
                group.addTask {
                    try await atLine(entry.lineNumber) { try await body(entry.value) }
                }
            }
            try await group.waitForAll()
        }
    }

    private func atLine<Result>(
        _ lineNumber: UInt64, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let error as StoreClientError {
            throw FailureMapping.failure(of: error).saying { "line \(lineNumber): \($0)" }
        }
    }
}
