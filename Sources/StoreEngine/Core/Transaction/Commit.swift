/// The result of a mutation.
package struct Commit: Hashable, Sendable {
    /// The store's revision after the mutation.
    package var revision: UInt64 = 0
    /// The ids of the written entities, in the order of the request.
    package var ids: [String] = []
    package var createdCount = 0
    package var updatedCount = 0
    package var deletedCount = 0
    /// True if an idempotency key matched, so that this is the result of an earlier commit.
    package var isReplayed = false
    /// For a write of scene values: the revision that each changed key's own value has after the change, in the order
    /// of the changes; 0 for a key without a value of its own.
    package var valueRevisions: [UInt64] = []
    /// True if the store left its replica group because it was cleared.
    package var leftReplicaGroup = false

    package init() {}
}
