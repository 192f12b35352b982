import StoreProtocol

extension Change {
    init(_ wire: WireChange) {
        self.init(
            revision: wire.revision, kind: Kind(wire.kind), operation: Operation(wire.operation), id: wire.id,
            parentID: wire.parentID.isEmpty ? nil : wire.parentID,
            committedAt: Timestamp(microseconds: wire.committedAtMicroseconds))
    }
}

extension Change.Kind {
    init(_ wire: WireEntityKind) {
        switch wire {
        case .conversation: self = .conversation
        case .message: self = .message
        case .contact: self = .contact
        case .store: self = .store
        case .sceneValue: self = .sceneValue
        case .log: self = .log
        case .draft: self = .draft
        case .reaction: self = .reaction
        case .file: self = .file
        case .unspecified, .UNRECOGNIZED: self = .unknown
        }
    }
}

extension Change.Operation {
    init(_ wire: WireChangeOperation) {
        switch wire {
        case .created: self = .created
        case .updated: self = .updated
        case .deleted: self = .deleted
        case .cleared: self = .cleared
        case .unspecified, .UNRECOGNIZED: self = .unknown
        }
    }
}

extension WireEntityKind {
    init(_ kind: Change.Kind) {
        switch kind {
        case .conversation: self = .conversation
        case .message: self = .message
        case .contact: self = .contact
        case .store: self = .store
        case .sceneValue: self = .sceneValue
        case .log: self = .log
        case .draft: self = .draft
        case .reaction: self = .reaction
        case .file: self = .file
        // No kind has this number, so that the daemon refuses it: none at all would be all kinds.
        case .unknown: self = .UNRECOGNIZED(-1)
        }
    }
}

extension ChangePage: NumberedPage {
    static func number(of change: Change) -> UInt64 {
        change.revision
    }

    var nextStart: UInt64? {
        hasMore ? throughRevision : nil
    }

    init(_ wire: WireListChangesResponse) {
        self.init(
            changes: wire.changes.map(Change.init), revision: wire.revision, throughRevision: wire.throughRevision,
            historyID: HistoryID(bytes: wire.historyID), hasMore: wire.hasMore_p)
    }
}

extension Commit {
    init(_ wire: WireCommit) {
        self.init(
            revision: wire.revision, ids: wire.ids, createdCount: Int(wire.createdCount),
            updatedCount: Int(wire.updatedCount), deletedCount: Int(wire.deletedCount), isReplayed: wire.isReplayed,
            valueRevisions: wire.valueRevisions, leftReplicaGroup: wire.leftReplicaGroup)
    }
}
