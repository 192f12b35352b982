import StoreClient

/// Writes a batch to the store. A failure contains the number of the line that the daemon rejected.
struct BatchWriter: Sendable {
    let client: StoreClient

    /// - Returns: The counts of what was written; and the failure, if a part was not written.
    func write(_ batch: ImportBatch) async -> (summary: ImportSummary, failure: CommandFailure?) {
        var summary = ImportSummary()
        do {
            try await write(batch, &summary)
            return (summary, nil)
        } catch {
            return (summary, FailureMapping.failure(of: error))
        }
    }

    private func write(_ batch: ImportBatch, _ summary: inout ImportSummary) async throws {
        try await forEach(batch.contacts, &summary.contactCount) { contact in
            _ = try await client.saveContact(contact)
        }
        try await forEach(batch.conversations, &summary.conversationCount, saveConversation)
        for request in batch.requests {
            try await save(try await timed(request.entries), &summary)
        }
        var editCount = 0
        try await forEach(batch.messages.filter { $0.value.editedAt != nil }, &editCount) { imported in
            _ = try await client.editMessage(
                imported.message.id, text: imported.message.text, editedAt: imported.editedAt ?? .now)
        }
    }

    /// Returns the entries with the times to save. If a line has no time, its message keeps the time that it has in the
    /// store. If the message is new, or this user may not see it, it gets the time from `LineIdentities`.
    private func timed(
        _ entries: [ImportBatch.Entry<ImportedMessage>]
    ) async throws -> [ImportBatch.Entry<ImportedMessage>] {
        var entries = entries
        let client = client
        try await withThrowingTaskGroup(of: (Int, Timestamp?).self) { group in
            for (index, entry) in entries.enumerated() where entry.value.hasNoTime {
                group.addTask {
                    do throws(StoreClientError) {
                        return (index, try await client.message(entry.value.message.id).timestamp)
                    } catch {
                        guard error.reason == .messageNotFound || error.code == .permissionDenied else { throw error }
                        return (index, nil)
                    }
                }
            }
            for try await case (let index, let time?) in group {
                entries[index].value.message.timestamp = time
            }
        }
        return entries
    }

    private func saveConversation(_ line: ConversationLine) async throws {
        let stored = try await client.getOrCreateConversation(
            sessionID: line.sessionID, id: line.id ?? UUIDv7().description, displayName: line.displayName)
        let update = Self.update(from: stored, to: line)
        if update != ConversationUpdate() {
            _ = try await client.updateConversation(.sessionID(line.sessionID), update)
        }
        var members = line.members[...]
        while !members.isEmpty {
            let next = Array(members.prefix(StoreClient.entriesPerRequestMax))
            _ = try await client.setConversationMembers(next, of: .sessionID(line.sessionID))
            members.removeFirst(next.count)
        }
    }

    /// Returns the properties that differ. An avatar is always sent, because the stored one was not fetched. `keepFor`
    /// and `keepCount` are not included, because `ImportedRules` sets them later.
    private static func update(from stored: Conversation, to line: ConversationLine) -> ConversationUpdate {
        var update = ConversationUpdate()
        if let name = line.displayName, !ExactText.areEqual(name, stored.displayName ?? "") {
            update.displayName = .set(name)
        }
        if let avatar = line.avatar {
            update.avatar = .set(avatar)
        }
        if let kind = line.conversationKind, !ExactText.areEqual(kind, stored.kind) {
            update.kind = .set(kind)
        }
        if let metadata = line.metadata, metadata != stored.metadata {
            update.metadata = .set(metadata)
        }
        if line.isPinned != stored.isPinned {
            update.isPinned = line.isPinned
        }
        if line.isMuted != stored.isMuted {
            update.isMuted = line.isMuted
        }
        update.messageTimer = FieldUpdate(present: line.messageTimer)
        return update
    }

    /// Saves the messages in one request. If the daemon rejects a value, saves them one by one to find the faulty line.
    private func save(
        _ entries: [ImportBatch.Entry<ImportedMessage>], _ summary: inout ImportSummary
    ) async throws {
        guard !entries.isEmpty else { return }
        do throws(StoreClientError) {
            summary.newMessageCount += try await client.saveMessages(entries.map(\.value.message)).createdCount
            summary.messageCount += entries.count
            return
        } catch {
            guard Self.isAboutOneMessage(error) else { throw error }
        }
        for entry in entries {
            summary.newMessageCount += try await atLine(entry.lineNumber) {
                try await client.saveMessages([entry.value.message]).createdCount
            }
            summary.messageCount += 1
        }
    }

    private static func isAboutOneMessage(_ error: StoreClientError) -> Bool {
        error.code == .invalidArgument || error.code == .notFound || error.code == .alreadyExists
    }

    /// Calls `body` for all entries at once. The client limits the number of calls in flight.
    ///
    /// - Parameter count: Increases by the number of entries that succeeded.
    /// - Throws: The failure of the first line that failed, after all calls are done.
    private func forEach<Value>(
        _ entries: [ImportBatch.Entry<Value>], _ count: inout Int,
        _ body: @escaping @Sendable (Value) async throws -> Void
    ) async throws {
        var failures: [(lineNumber: UInt64, error: any Error)] = []
        await withTaskGroup(of: (UInt64, (any Error)?).self) { group in
            for entry in entries {
                group.addTask {
                    do {
                        try await atLine(entry.lineNumber) { try await body(entry.value) }
                        return (entry.lineNumber, nil)
                    } catch {
                        return (entry.lineNumber, error)
                    }
                }
            }
            for await (lineNumber, error) in group {
                if let error {
                    failures.append((lineNumber, error))
                }
            }
        }
        count += entries.count - failures.count
        if let first = failures.min(by: { $0.lineNumber < $1.lineNumber }) {
            throw first.error
        }
    }

    private func atLine<Result>(
        _ lineNumber: UInt64, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let error as StoreClientError {
            throw FailureMapping.failure(of: error).saying { "line \(lineNumber): \($0)" }
        } catch let failure as CommandFailure {
            throw failure.saying { "line \(lineNumber): \($0)" }
        }
    }
}
