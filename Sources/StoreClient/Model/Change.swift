/// One committed change. Revisions start at 1 and have no gaps.
///
/// A message's change implies that its conversation's last message and counts may have changed; deleting a
/// conversation implies the deletion of its messages and its draft.
public struct Change: Hashable, Sendable, Codable {
    /// What kind of entity has changed.
    public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
        /// A conversation's own fields; the id is its id.
        case conversation
        /// A message; the id is its id.
        case message
        /// A contact; the id is its id.
        case contact
        /// The whole store: the operation is `.cleared`.
        case store
        /// A value of a scene; the id is its key. With an empty id and `.cleared`: the whole scene was removed.
        case sceneValue
        /// An append log; the id is its name. Only created and deleted.
        case log
        /// A draft; the id is that of its conversation.
        case draft
        /// A reaction; the id is that of its message. Only created and deleted.
        case reaction
        /// A file or directory of the vault; the id is its path with the area before it. A removed or moved directory
        /// stands for what it holds.
        case file
        /// Of an area this client does not know yet.
        case unknown
    }

    /// What happened to it.
    public enum Operation: String, Hashable, Sendable, Codable {
        /// It was not there before.
        case created
        /// It was there and is different now.
        case updated
        /// It is gone.
        case deleted
        /// Everything in it is gone.
        case cleared
        /// An operation this client does not know yet.
        case unknown
    }

    /// The number of the change: one more than that of the change before it.
    public var revision: UInt64
    /// What kind of entity has changed.
    public var kind: Kind
    /// What happened to it.
    public var operation: Operation
    /// Id of the entity.
    public var id: String
    /// What it lies in. Of messages and reactions: the conversation's id. Of scene values: the scene, `nil` for what
    /// all scenes share. Else `nil`.
    public var parentID: String?
    /// When it was committed, by the daemon's clock.
    public var committedAt: Timestamp

    /// For tests and previews: the calls of a client make their own.
    public init(
        revision: UInt64, kind: Kind, operation: Operation, id: String, parentID: String? = nil, committedAt: Timestamp
    ) {
        self.revision = revision
        self.kind = kind
        self.operation = operation
        self.id = id
        self.parentID = parentID
        self.committedAt = committedAt
    }

    /// The conversation that this concerns: of a conversation its own id, of a draft too, of a message or reaction its
    /// parent. Else `nil`.
    public var conversationID: String? {
        switch kind {
        case .conversation, .draft: id
        case .message, .reaction: parentID
        case .contact, .store, .sceneValue, .log, .file, .unknown: nil
        }
    }

    /// Of scene values: the scene, `nil` for what all scenes share.
    public var scene: String? {
        kind == .sceneValue ? parentID : nil
    }
}

/// A page of changes in the order of their revisions.
public struct ChangePage: ListPage, Codable {
    /// At most as many as were asked for.
    public var changes: [Change]
    /// The store's revision at the time of the answer.
    public var revision: UInt64
    /// Every matching change up to and including this revision is in this page or those before it.
    public var throughRevision: UInt64
    /// The history that the revisions are of; `nil` from a daemon that does not tell.
    public var historyID: HistoryID?
    /// Whether there are changes behind `throughRevision`.
    public var hasMore: Bool

    /// For tests and previews: the calls of a client make their own.
    public init(
        changes: [Change], revision: UInt64, throughRevision: UInt64? = nil, historyID: HistoryID? = nil,
        hasMore: Bool = false
    ) {
        self.changes = changes
        self.revision = revision
        self.throughRevision = throughRevision ?? changes.last?.revision ?? revision
        self.historyID = historyID
        self.hasMore = hasMore
    }

    /// `changes`.
    public var elements: [Change] { changes }
}
