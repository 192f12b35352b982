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
    /// What it lies in. Of messages: the conversation's id. Of scene values: the scene, `nil` for what all scenes share.
    /// Else `nil`.
    public var parentID: String?
    public var committedAt: Timestamp

    /// The conversation that this concerns: of a conversation its own id, of a message its parent. Else `nil`.
    public var conversationID: String? {
        switch kind {
        case .conversation: id
        case .message: parentID
        case .contact, .store, .sceneValue, .log, .unknown: nil
        }
    }

    /// Of scene values: the scene, `nil` for what all scenes share.
    public var scene: String? {
        kind == .sceneValue ? parentID : nil
    }
}

/// A page of changes in the order of their revisions.
public struct ChangePage: Hashable, Sendable {
    public var changes: [Change]
    /// The store's revision at the time of the answer.
    public var revision: UInt64
    public var hasMore: Bool
}

/// What a mutation did. When a call returns it, the change is on disk and survives power loss.
public struct Commit: Hashable, Sendable {
    /// The store's revision after this mutation; the one before it when nothing had to change.
    public var revision: UInt64
    /// Ids of the entities the mutation wrote, in the order of the call.
    public var ids: [String]
    public var createdCount: Int
    public var updatedCount: Int
    public var deletedCount: Int
    /// True when an idempotency key made this the repetition of an earlier answer.
    public var isReplayed: Bool
}
