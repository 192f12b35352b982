import ReplicaModel
import SQLCipher
import StoreBasics

/// Decides which content of the store is selected to take part in the group. Other content is neither published nor
/// changed by records of other devices.
extension ReplicaCollecting {
    /// Returns whether the object with a name takes part. A reaction takes part if its message does.
    func isSelected(_ name: ThingName, in selection: ReplicaSelection) throws(StoreError) -> Bool {
        guard name.kind == .reaction else { return selection.contains(name) }
        return try isSelected(messageID: name.parts[0], in: selection)
    }

    /// Returns whether the subject of a change takes part.
    func isSelected(_ entry: ChangeEntry, in selection: ReplicaSelection) throws(StoreError) -> Bool {
        switch entry.kind {
        case .message, .reaction: try isSelected(messageID: entry.id, in: selection)
        case .draft: try isSelected(conversationID: entry.id, in: selection)
        case .member: try isSelected(conversationID: entry.parent, in: selection)
        case .contact, .conversation, .sceneValue, .store, .log, .file: true
        }
    }

    func isSelected(_ row: MessageRow, in selection: ReplicaSelection) throws(StoreError) -> Bool {
        guard !selection.containsAll(.conversations) else { return true }
        guard let sessionID = try sessionID(of: row.conversation) else { return false }
        return selection.contains(.conversations, sessionID)
    }

    /// Returns whether a conversation takes part.
    ///
    /// - Parameter conversationID: The id of an existing conversation, or of a deleted conversation that the group
    ///   knows.
    func isSelected(conversationID: String, in selection: ReplicaSelection) throws(StoreError) -> Bool {
        guard !selection.containsAll(.conversations) else { return true }
        guard let sessionID = try sessionID(.conversation, id: conversationID) else { return false }
        return selection.contains(.conversations, sessionID)
    }

    /// Returns whether a message takes part; true if it does not exist.
    private func isSelected(messageID: String, in selection: ReplicaSelection) throws(StoreError) -> Bool {
        guard !selection.containsAll(.conversations),
            let row = try areas.messages.findMessage(EntityID(trusted: messageID))
        else { return true }
        return try isSelected(row, in: selection)
    }
}

extension ReplicaSelection {
    /// Returns whether the object with a name takes part; true for every reaction, because its message decides.
    func contains(_ name: ThingName) -> Bool {
        switch name.kind {
        case .contact: contains(.contacts, name.parts[0])
        case .conversation, .draft, .member: contains(.conversations, name.parts[0])
        case .sceneValue: contains(.scenes, name.parts[0])
        case .log: contains(.logs, name.parts[0])
        case .file: contains(.files, name.parts.joined(separator: "/"))
        case .reaction: true
        }
    }

    /// Returns whether the subject of a record takes part. Removals of messages always do, because they name no
    /// conversation.
    func contains(_ record: ReplicaRecord) -> Bool {
        switch record {
        case .thing(let record): contains(record.name)
        case .message(let record): record.content.map { contains(.conversations, $0.sessionID) } ?? true
        case .logEntries(let record): contains(.logs, record.name)
        case .member, .memberRemoval, .epoch, .snapshotRequest, .positions, .part, .contentPiece, .contentNotice,
            .contentRequest, .time, .knownBatches:
            true
        }
    }
}
