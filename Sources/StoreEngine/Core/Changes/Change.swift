package import StoreBasics

/// The kind of data that a change is about. The raw values are stored in the database.
package enum EntityKind: UInt8, Hashable, Sendable, CaseIterable {
    case conversation = 1
    case message = 2
    case contact = 3
    /// The whole store; the operation is `cleared`.
    case store = 4
    /// A value of a scene; the id is its key. The operation `cleared` with an empty id means that the whole scene was
    /// removed.
    case sceneValue = 5
    /// An append log; the id is its name. The operations are `created` and `deleted`, and also `updated`, which means
    /// that the log was made replicated.
    case log = 6
    /// A draft; the id is its conversation's id.
    case draft = 7
    /// A reaction, added or removed; the id is its message's id. Only `created` and `deleted`.
    case reaction = 8
    /// A file or directory of the vault; the id is its path, beginning with the area. If a directory is removed or
    /// moved, the files and directories in it have no changes of their own.
    case file = 9
    /// A member of a conversation; the id is the member's session id.
    case member = 10
}

/// The operation of a change. The raw values are stored in the database.
package enum ChangeOperation: UInt8, Hashable, Sendable, CaseIterable {
    case created = 1
    case updated = 2
    case deleted = 3
    case cleared = 4
}

/// One committed change. Revisions start at 1 and have no gaps.
///
/// A change of a message implies that its conversation's last message and counts may have changed. Deleting a
/// conversation implies the deletion of its messages, its members and its draft; deleting a message implies the
/// deletion of its reactions.
package struct Change: Hashable, Sendable {
    package var revision: UInt64
    package var kind: EntityKind
    package var operation: ChangeOperation
    /// The id of the changed object, as described at each kind; empty for `.store`.
    package var id: String
    /// The id of the containing object. Messages, reactions and members: the conversation. Scene values: the scene,
    /// empty for global values. Others: empty.
    package var parent: String
    package var committedAt: Timestamp
    /// The kind that the application has given to the message or conversation; empty for none.
    package var kindName = ""
}

package struct ChangePage: Sendable {
    /// The changes that pass the filter.
    package var changes: [Change]
    /// The last revision that was examined. The next page begins after it.
    package var throughRevision: UInt64
    /// The store's revision when this page was read.
    package var revision: UInt64
    /// The history that the revisions belong to.
    package var history: HistoryID

    /// True if there are changes after the examined ones.
    package var hasMore: Bool { throughRevision < revision }

    package init(changes: [Change], throughRevision: UInt64, revision: UInt64, history: HistoryID) {
        self.changes = changes
        self.throughRevision = throughRevision
        self.revision = revision
        self.history = history
    }
}

/// A filter for the changes that a reader or watcher gets.
package struct ChangeFilter: Sendable, Hashable {
    /// The most kinds that a filter may contain.
    package static let kindsMax = 32

    /// The wanted kinds; all kinds if empty.
    package var kinds: Set<EntityKind>
    /// If set, only changes of this conversation, its draft, its messages and their reactions pass.
    package var conversationID: String?
    /// If set, only values of this scene and global values pass, because the scene may fall back to global values.
    package var scene: String?
    /// If set, only changes of messages and conversations with this kind pass.
    package var kindName: String?

    package init(
        kinds: Set<EntityKind> = [], conversationID: String? = nil, scene: String? = nil, kindName: String? = nil
    ) {
        self.kinds = kinds
        self.conversationID = conversationID
        self.scene = scene
        self.kindName = kindName
    }

    package func matches(_ change: Change) -> Bool {
        matches(change.kind, id: change.id, parent: change.parent, kindName: change.kindName)
    }

    /// Returns true if a change passes the filter. Clearing the whole store always passes, because it deletes all
    /// wanted data.
    func matches(_ kind: EntityKind, id: String, parent: String, kindName: String) -> Bool {
        if kind == .store {
            return true
        }
        guard kinds.isEmpty || kinds.contains(kind) else { return false }
        if let wanted = self.kindName, !kindName.hasSameBytes(as: wanted) { return false }
        if let scene {
            return kind == .sceneValue && (parent.isEmpty || parent.hasSameBytes(as: scene))
        }
        if let conversationID {
            return switch kind {
            case .conversation, .draft: id.hasSameBytes(as: conversationID)
            case .message, .reaction, .member: parent.hasSameBytes(as: conversationID)
            case .contact, .store, .sceneValue, .log, .file: false
            }
        }
        return true
    }
}
