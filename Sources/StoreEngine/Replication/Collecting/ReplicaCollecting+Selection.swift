import ReplicaModel
import SQLCipher
import StoreBasics

/// What takes part in the group, of what the store holds: nothing else is told, and nothing else is changed by what
/// others tell.
extension ReplicaCollecting {
    /// A reaction as its message does.
    func takesPart(_ name: ThingName, in selection: ReplicaSelection) throws(StoreError) -> Bool {
        guard name.kind == .reaction else { return selection.contains(name) }
        return try takesPart(messageID: name.parts[0], in: selection)
    }

    /// What a change names.
    func takesPart(_ entry: ChangeEntry, in selection: ReplicaSelection) throws(StoreError) -> Bool {
        switch entry.kind {
        case .message, .reaction: try takesPart(messageID: entry.id, in: selection)
        case .draft: try takesPart(conversationID: entry.id, in: selection)
        case .contact, .conversation, .sceneValue, .store, .log, .file: true
        }
    }

    func takesPart(_ row: MessageRow, in selection: ReplicaSelection) throws(StoreError) -> Bool {
        guard !selection.containsAll(.conversations) else { return true }
        guard let sessionID = try sessionID(of: row.conversation) else { return false }
        return selection.contains(.conversations, sessionID)
    }

    /// - Parameter conversationID: of one that is there, or that the group was told of.
    func takesPart(conversationID: String, in selection: ReplicaSelection) throws(StoreError) -> Bool {
        guard !selection.containsAll(.conversations) else { return true }
        guard let sessionID = try sessionID(.conversation, id: conversationID) else { return false }
        return selection.contains(.conversations, sessionID)
    }

    /// - Returns: true for a message that is not there.
    private func takesPart(messageID: String, in selection: ReplicaSelection) throws(StoreError) -> Bool {
        guard !selection.containsAll(.conversations),
            let row = try areas.messages.findMessage(EntityID(trusted: messageID))
        else { return true }
        return try takesPart(row, in: selection)
    }
}

extension ReplicaSelection {
    /// - Returns: true for a reaction: it takes part as its message does.
    func contains(_ name: ThingName) -> Bool {
        switch name.kind {
        case .contact: contains(.contacts, name.parts[0])
        case .conversation, .draft: contains(.conversations, name.parts[0])
        case .sceneValue: contains(.scenes, name.parts[0])
        case .log: contains(.logs, name.parts[0])
        case .file: contains(.files, name.parts.joined(separator: "/"))
        case .reaction: true
        }
    }

    /// What a record is about takes part. Removals of messages always do: they name no conversation.
    func contains(_ record: ReplicaRecord) -> Bool {
        switch record {
        case .thing(let record): contains(record.name)
        case .message(let record): record.content.map { contains(.conversations, $0.sessionID) } ?? true
        case .logEntries(let record): contains(.logs, record.name)
        case .member, .memberRemoval, .epoch, .snapshotRequest, .positions, .part, .contentPiece, .contentNotice,
            .contentRequest, .time:
            true
        }
    }
}
