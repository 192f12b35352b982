/// What a mutation did.
package struct Commit: Hashable, Sendable {
    /// The store's revision after the mutation.
    package var revision: UInt64 = 0
    /// The entities written, in request order.
    package var ids: [String] = []
    package var createdCount = 0
    package var updatedCount = 0
    package var deletedCount = 0
    /// An idempotency key made this the repetition of an earlier commit.
    package var isReplayed = false
    /// Of values of scenes: for each change, in order, the revision of the key's own value behind it; 0 without one.
    package var valueRevisions: [UInt64] = []
    /// True if the store left its replica group with this clear.
    package var leftReplicaGroup = false

    package init() {}
}
