/// What a change is about. The raw values are kept at rest.
public enum EntityKind: UInt8, Hashable, Sendable, CaseIterable {
    case conversation = 1
    case message = 2
    case contact = 3
    /// The whole store; the operation is `cleared`.
    case store = 4
    /// A value of a scene; the id is its key. `cleared` with an empty id: the whole scene was removed.
    case sceneValue = 5
    /// An append log; the id is its name. Only `created` and `deleted`.
    case log = 6
}

/// What happened. The raw values are kept at rest.
public enum ChangeOperation: UInt8, Hashable, Sendable, CaseIterable {
    case created = 1
    case updated = 2
    case deleted = 3
    case cleared = 4
}

/// One committed change. Revisions start at 1 and have no gaps.
///
/// A message's change implies that its conversation's last message and counts may have changed; deleting a
/// conversation implies the deletion of its messages.
public struct Change: Hashable, Sendable {
    public var revision: UInt64
    public var kind: EntityKind
    public var operation: ChangeOperation
    /// Empty for `.store`.
    public var id: String
    /// The parent. Messages and conversations: the conversation's id. Scene values: the scene, empty for the global
    /// tier. Else empty.
    public var conversationID: String
    public var committedAt: Timestamp
}

public struct ChangePage: Sendable {
    public var changes: [Change]
    /// The store's revision when this page was read.
    public var revision: UInt64
    public var hasMore: Bool
}
