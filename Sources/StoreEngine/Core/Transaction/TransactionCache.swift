import StoreBasics

/// Something that the writer keeps in memory about the store from one transaction to the next.
///
/// The writer holds a list of all caches. A cache that a transaction has changed must be right again after the
/// transaction was rolled back: the writer calls exactly one of `committed` and `rolledBack` for each group.
protocol TransactionCache: AnyObject {
    /// The group's changes are durable.
    func committed()
    /// The group failed, and nothing of it is kept.
    func rolledBack(_ extent: RollbackExtent)
    /// The store was closed.
    func closed()
}

/// What was undone with a group that failed.
enum RollbackExtent {
    /// Nothing: the group had written nothing yet.
    case nothing
    /// The whole transaction, with acknowledged writes whose pages were not committed yet. They are replayed from the
    /// journal before the next group.
    case transaction
}

/// The caches of the areas.
final class WriterCaches {
    let conversations = ConversationNumberCache()
    let newMessageSums = NewMessageSums()
    let openLogs = OpenLogs()
    let keptKeys = KeptKeyCache()
    let replicaKeys = ReplicaKeyCache()
    let wantedFiles = WantedFilesPlace()
    let missingContents = MissingContentsPlace()
    let vault: WriterVault
    /// Every cache, each once.
    let all: [any TransactionCache]

    init(vault: WriterVault) {
        self.vault = vault
        all = [
            conversations, newMessageSums, openLogs, keptKeys, replicaKeys, wantedFiles, missingContents, vault,
        ]
    }

    func committed() {
        for cache in all { cache.committed() }
    }

    func rolledBack(_ extent: RollbackExtent) {
        for cache in all { cache.rolledBack(extent) }
    }

    func closed() {
        for cache in all { cache.closed() }
    }
}
