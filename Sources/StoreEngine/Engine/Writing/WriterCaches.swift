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
