package import StoreBasics

/// What a change is about. The raw values are kept at rest.
package enum EntityKind: UInt8, Hashable, Sendable, CaseIterable {
    case conversation = 1
    case message = 2
    case contact = 3
    /// The whole store; the operation is `cleared`.
    case store = 4
    /// A value of a scene; the id is its key. `cleared` with an empty id: the whole scene was removed.
    case sceneValue = 5
    /// An append log; the id is its name. Only `created` and `deleted`.
    case log = 6
    /// A draft; the id is that of its conversation.
    case draft = 7
    /// A reaction, added or removed; the id is that of its message. Only `created` and `deleted`.
    case reaction = 8
    /// A file or directory of the vault; the id is its path with the area before it. Of a directory that was removed or
    /// moved, what it holds has no changes of its own.
    case file = 9
}

/// What happened. The raw values are kept at rest.
package enum ChangeOperation: UInt8, Hashable, Sendable, CaseIterable {
    case created = 1
    case updated = 2
    case deleted = 3
    case cleared = 4
}

/// One committed change. Revisions start at 1 and have no gaps.
///
/// A message's change implies that its conversation's last message and counts may have changed; deleting a
/// conversation implies the deletion of its messages and its draft, deleting a message that of its reactions.
package struct Change: Hashable, Sendable {
    package var revision: UInt64
    package var kind: EntityKind
    package var operation: ChangeOperation
    /// Empty for `.store`.
    package var id: String
    /// What it lies in. Messages and reactions: the conversation's id. Scene values: the scene, empty for the global
    /// tier. Others: empty.
    package var parent: String
    package var committedAt: Timestamp
}

package struct ChangePage: Sendable {
    /// Those that pass the filter.
    package var changes: [Change]
    /// Changes up to and including this revision were looked through: the next page begins after it.
    package var throughRevision: UInt64
    /// The store's revision when this page was read.
    package var revision: UInt64
    /// The history that the revisions are of.
    package var history: HistoryID

    /// There are changes behind those that were looked through.
    package var hasMore: Bool { throughRevision < revision }

    package init(changes: [Change], throughRevision: UInt64, revision: UInt64, history: HistoryID) {
        self.changes = changes
        self.throughRevision = throughRevision
        self.revision = revision
        self.history = history
    }
}

/// Which changes a reader or watcher wants.
package struct ChangeFilter: Sendable, Hashable {
    /// Most kinds that one may name.
    package static let kindsMax = 32

    /// Empty: all kinds.
    package var kinds: Set<EntityKind>
    /// Only this conversation, its messages and its draft; `nil`: all.
    package var conversationID: String?
    /// Only values of this scene, and the global ones that it may fall back to; `nil`: all.
    package var scene: String?

    package init(kinds: Set<EntityKind> = [], conversationID: String? = nil, scene: String? = nil) {
        self.kinds = kinds
        self.conversationID = conversationID
        self.scene = scene
    }

    package func matches(_ change: Change) -> Bool {
        matches(change.kind, id: change.id, parent: change.parent)
    }

    /// Clearing the whole store concerns everybody: it deletes whatever is asked for.
    func matches(_ kind: EntityKind, id: String, parent: String) -> Bool {
        if kind == .store {
            return true
        }
        guard kinds.isEmpty || kinds.contains(kind) else { return false }
        if let scene {
            return kind == .sceneValue && (parent.isEmpty || parent.hasSameBytes(as: scene))
        }
        if let conversationID {
            return switch kind {
            case .conversation, .draft: id.hasSameBytes(as: conversationID)
            case .message, .reaction: parent.hasSameBytes(as: conversationID)
            case .contact, .store, .sceneValue, .log, .file: false
            }
        }
        return true
    }
}
