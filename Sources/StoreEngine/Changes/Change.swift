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
/// conversation implies the deletion of its messages.
package struct Change: Hashable, Sendable {
    package var revision: UInt64
    package var kind: EntityKind
    package var operation: ChangeOperation
    /// Empty for `.store`.
    package var id: String
    /// What it lies in. Messages: the conversation's id. Scene values: the scene, empty for the global tier. Others:
    /// empty.
    package var parent: String
    package var committedAt: Timestamp
}

package struct ChangePage: Sendable {
    package var changes: [Change]
    /// The store's revision when this page was read.
    package var revision: UInt64
    package var hasMore: Bool
}
