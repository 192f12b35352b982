/// One committed change. Revisions start at 1 and have no gaps.
///
/// A message's change implies that its conversation's last message and counts may have changed; deleting a
/// conversation implies the deletion of its messages.
public struct Change: Hashable, Sendable {
    public enum Kind: Hashable, Sendable, CaseIterable {
        case conversation
        case message
        case contact
        /// The whole store: the operation is `.cleared`.
        case store
        /// A value of a scene; the id is its key. With an empty id and `.cleared`: the whole scene was removed.
        case sceneValue
        /// An append log; the id is its name. Only created and deleted.
        case log
        /// Of an area this client does not know yet.
        case unknown
    }

    public enum Operation: Hashable, Sendable {
        case created
        case updated
        case deleted
        case cleared
        /// An operation this client does not know yet.
        case unknown
    }

    public var revision: UInt64
    public var kind: Kind
    public var operation: Operation
    /// Id of the entity.
    public var id: String
    /// The parent. Of messages and conversations: the conversation's id. Of scene values: the scene, `nil` for what all
    /// scenes share.
    public var conversationID: String?
    public var committedAt: Timestamp

    /// For tests and previews: the calls of a client make their own.
    public init(
        revision: UInt64, kind: Kind, operation: Operation, id: String, conversationID: String? = nil,
        committedAt: Timestamp
    ) {
        self.revision = revision
        self.kind = kind
        self.operation = operation
        self.id = id
        self.conversationID = conversationID
        self.committedAt = committedAt
    }

    /// Of scene values: the scene, `nil` for what all scenes share.
    public var scene: String? {
        kind == .sceneValue ? conversationID : nil
    }
}

/// A page of changes in the order of their revisions.
public struct ChangePage: ListPage {
    public var changes: [Change]
    /// The store's revision at the time of the answer.
    public var revision: UInt64
    public var hasMore: Bool

    /// For tests and previews: the calls of a client make their own.
    public init(changes: [Change], revision: UInt64, hasMore: Bool = false) {
        self.changes = changes
        self.revision = revision
        self.hasMore = hasMore
    }

    /// `changes`.
    public var elements: [Change] { changes }
}
