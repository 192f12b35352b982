/// What a mutation did. When a call returns it, the change is on disk and survives power loss.
public struct Commit: Hashable, Sendable {
    /// The store's revision after this mutation; the one before it when nothing had to change.
    public var revision: UInt64
    /// Ids of the entities the mutation wrote, in the order of the call.
    public var ids: [String]
    /// Entities that were not there before.
    public var createdCount: Int
    /// Entities that were there and have changed.
    public var updatedCount: Int
    /// Entities that are gone.
    public var deletedCount: Int
    /// True when an idempotency key made this the repetition of an earlier answer.
    public var isReplayed: Bool

    /// For tests and previews: the calls of a client make their own.
    public init(
        revision: UInt64, ids: [String] = [], createdCount: Int = 0, updatedCount: Int = 0, deletedCount: Int = 0,
        isReplayed: Bool = false
    ) {
        self.revision = revision
        self.ids = ids
        self.createdCount = createdCount
        self.updatedCount = updatedCount
        self.deletedCount = deletedCount
        self.isReplayed = isReplayed
    }
}
