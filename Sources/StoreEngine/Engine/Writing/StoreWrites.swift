import StoreBasics

/// The operations of all areas of the store within one transaction.
final class StoreWrites: AreaWork {
    let areas: AreaWrites
    let search: SearchChanges
    let keptKeys: KeptKeyCache
    private let caches: WriterCaches
    /// The operations of replication; `nil` until the transaction needs them, which is rare.
    private var createdReplica: ReplicaWrites?

    init(_ transaction: Transaction, _ caches: WriterCaches, _ fileQuotas: FileQuotas) {
        self.caches = caches
        keptKeys = caches.keptKeys
        let leftovers = Leftovers(transaction)
        search = SearchChanges(transaction)
        let listeners = AreaListeners(all: [search, ReplicaChangeTracker(transaction, leftovers)])
        areas = AreaWrites(transaction, leftovers, caches.areas, fileQuotas, listeners)
    }

    var archive: ArchiveRestoring { ArchiveRestoring(areas: areas) }

    var clearing: StoreClearing { StoreClearing(areas: areas, keptKeys: keptKeys, replica: replica) }

    var replica: ReplicaWrites {
        if let createdReplica { return createdReplica }
        let replica = ReplicaWrites(areas, caches.replica, RowRemoval.listeners)
        createdReplica = replica
        return replica
    }

    /// News of devices of the store's group, to be logged after the commit.
    var replicaNews: [ReplicaNews] { createdReplica?.news ?? [] }

    /// Writes what the operations of the transaction have postponed, and then the change log. Called once, before the
    /// commit.
    func finish() throws(StoreError) {
        try areas.logs.deleteDisplacedEntries()
        try areas.scenes.writeSharedSceneValues()
        try keptKeys.keys.trim(connection)
        // A rule about time is only useful with the anchor from which its time is counted, so both are stored together.
        if !transaction.changes.isEmpty || areas.expiries.retentionDue != nil {
            try areas.expiries.keepAnchor()
        }
        try ChangeLog.write(transaction)
    }

    /// True if the usage of areas of the vault may have changed.
    var hasChangedFiles: Bool {
        transaction.changes.contains { $0.kind == .file || $0.kind == .store }
    }
}
